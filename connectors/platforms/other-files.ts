/** Counts the files of an archive that a connector does not read, and names them. */
import type { Issue, Severity } from "../../transforms/model/issue.ts";
import { MOST_NAMES, TO_THE_END } from "../../transforms/model/unread.ts";
import { printablePath } from "../../transforms/text/printable-path.ts";

/** Number of files to name in a sentence. */
const NAMED = 5;

/** Width of a name in columns. */
const NAME_WIDTH = 60;

/** Endings of files that hold no workouts, by kind. Any other file may hold some, also under an ending that nobody here has met. */
const ENDINGS_WITHOUT_WORKOUTS = {
  pictures: "jpg jpeg jpe jfif png gif webp heic heif avif bmp tif tiff svg ico psd dng cr2 nef arw thm",
  film: "mp4 m4v mov avi mkv webm 3gp mpg mpeg wmv lrv insv",
  sound: "mp3 m4a aac wav ogg oga opus flac wma amr aiff",
  pages: "pdf htm html xhtml mhtml css scss less woff woff2 ttf otf eot",
  texts: "md markdown rst rtf nfo",
  "programs and maps of watches": "img gcd rgn lng prg set str",
  "mapping files": "map.yaml map.yml",
  "leavings of systems and programs": "ds_store localized nomedia url webloc lnk swp md5 sha1 sha256",
} as const;

const ENDINGS = new Set(Object.values(ENDINGS_WITHOUT_WORKOUTS).flatMap((endings) => endings.split(" ")));

/** Whole names of files that hold no workouts, in small letters. Any other `.txt` may be a table that somebody saved as text. */
const NAMES = new Set([
  ...["garmindevice.xml", "thumbs.db", "ehthumbs.db", "desktop.ini", "readme", "license", "copying"],
  ...["readme.txt", "read me.txt", "license.txt", "copying.txt"],
]);

/** Whether a file may hold workouts, by its name. */
export function mayHoldWorkouts(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.gz$/, "");
  const [, ...parts] = plain.split(".");
  return !NAMES.has(plain) && ![1, 2].some((last) => ENDINGS.has(parts.slice(-last).join(".")));
}

/** Counts files for one remark. */
export class CountedFiles {
  readonly #names: string[] = [];
  #count = 0;

  add(path: string): void {
    this.#count++;
    if (this.#names.length < MOST_NAMES) this.#names.push(path);
  }

  /**
   * The remark about these files; undefined if there are none. `found` names the first ones, and `names` all.
   *
   * @param expected the formats that are read
   */
  issue(severity: Severity, rule: string, expected: string): Issue | undefined {
    if (this.#count === 0) return undefined;
    const first = this.#names.slice(0, NAMED).map((name) => printablePath(name, NAME_WIDTH));
    const found = `${first.join(", ")}${this.#count > NAMED ? " ..." : ""}`;
    return { severity, rule, found, expected, count: this.#count, names: this.#names };
  }
}

/** Counts files that are not read: those that may hold workouts, and those that can't. */
export class OtherFiles {
  readonly #may = new CountedFiles();
  readonly #cannot = new CountedFiles();

  add(path: string): void {
    (mayHoldWorkouts(path) ? this.#may : this.#cannot).add(path);
  }

  /**
   * The remarks about these files: a warning for those that may hold workouts.
   *
   * @param rule ends in `/other-files`, so that a run and `inspect` recognise these remarks
   * @param expected the formats that are read
   */
  issues(rule: `${string}/other-files`, expected: string): readonly Issue[] {
    return [this.#may.issue("warning", rule, expected), this.#cannot.issue("info", rule, expected)].filter(
      (issue) => issue !== undefined,
    );
  }
}

/**
 * The remark about a file that was not read to its end. The record that is rejected in the place of the rest stands for any number of records, so who
 * drops it knows nothing of them.
 */
export function unreadRest(connector: string, path: string): Issue {
  return {
    ...{ severity: "warning", rule: `${connector}/other-files`, found: printablePath(path, NAME_WIDTH) },
    ...{ expected: TO_THE_END, count: 1, names: [path] },
  };
}
