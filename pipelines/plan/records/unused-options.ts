/** Names the options about sports, units and dates that no record needed: most likely they are mistyped, and would have no effect. */
import type { GivenWord } from "../../../connectors/contract.ts";
import { type Activity, foldSport } from "../../../transforms/activities.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { shellWord } from "../../../transforms/text/shell.ts";
import { WatchedWords } from "../../../transforms/text/watched-words.ts";

/** The options as a person typed them for this plan. Those of a config file may be for other sources. */
export interface TypedOptions {
  /** Pairs of `--sport`, such as `Nordic Walking=walk`. */
  readonly sports?: readonly string[] | undefined;
  /** The words of `--distance-unit` and `--date-order`. */
  readonly words?: readonly GivenWord[] | undefined;
}

/** The most characters of a sport's name in the remark. */
const LONGEST = 80;

/** Watches which of these options a record needs, while sources are read and decided about. */
export class UsedOptions {
  readonly #sports = new Set<string>();
  readonly #words = new Set<GivenWord>();

  /** The same sports, watched. */
  watchSports(sports: ReadonlyMap<string, Activity>): ReadonlyMap<string, Activity> {
    return new WatchedWords(sports, (word) => this.#sports.add(word));
  }

  /** Notes that a table was read by a word that a person gave. */
  readonly useWord = (word: GivenWord): void => {
    this.#words.add(word);
  };

  /** The remark about typed options that no record needed; undefined if each was needed. Call it after all records were decided. */
  unusedIssue({ sports = [], words = [] }: TypedOptions): Issue | undefined {
    const unused = [
      ...sports
        .filter((pair) => !this.#sports.has(foldSport(pair.slice(0, pair.lastIndexOf("=")))))
        .map((pair) => `--sport ${shellWord(printable(pair, LONGEST))}`),
      ...words.filter((word) => !this.#words.has(word)).map((word) => `${optionOf(word)} ${word}`),
    ];
    if (unused.length === 0) return undefined;
    return {
      severity: "warning",
      rule: "plan/unused-option",
      found: `no record needed ${unused.join(", ")}`,
      expected:
        unused.length === 1
          ? "an option that fits the records: mend it or leave it out, because it had no effect"
          : "options that fit the records: mend them or leave them out, because they had no effect",
    };
  }
}

function optionOf(word: GivenWord): "--date-order" | "--distance-unit" {
  return word === "dmy" || word === "mdy" ? "--date-order" : "--distance-unit";
}
