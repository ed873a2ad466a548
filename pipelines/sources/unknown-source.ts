/** Says why no connector knows a source, where more can be said than that: it is empty, it is a web page, or its files can't be opened. */
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { looksLikeWebPage, WEB_PAGE } from "../../connectors/containers/web-page.ts";
import { FatalError } from "../../connectors/errors.ts";
import { jsonEach } from "../../connectors/formats/json/each.ts";
import { JSON_CAPS, JsonError } from "../../connectors/formats/json/parts.ts";
import { exportWithoutWorkouts, isJson, platformBeside, type WithoutWorkouts } from "../../connectors/registry.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";

/** The rule of the remark about an export without its workouts. */
export const WITHOUT_WORKOUTS = "source/export-without-workouts";

/** The most files that a message names. */
const NAMED = 4;

/** The remark about device files that lie among the files of an export without its workouts. */
export function withoutWorkoutsIssue({ connector, names }: WithoutWorkouts): Issue {
  return {
    severity: "warning",
    rule: WITHOUT_WORKOUTS,
    found: `${listed(names)}, but not the table of workouts`,
    expected: `the whole ${connector.title}. Without its table, the names, notes and gear of the workouts are missing. Get it once more: ${connector.howToGet}`,
  };
}

/** Names some files, and says whether there are more. */
function listed(names: readonly string[]): string {
  const first = names.slice(0, NAMED).map((name) => printable(name, 60));
  return `${first.join(", ")}${names.length > NAMED ? " ..." : ""}`;
}

/** The most files that are tried, and the most bytes of each. A refusal for its packing comes early. */
const TRIED = { files: 20, bytes: 4 * 2 ** 20 } as const;

/** The error for a source that no connector knows, with the reason if one can be found. Any other error is given back unchanged. */
export async function explainUnknown(error: FatalError, archive: Archive): Promise<FatalError> {
  if (error.code !== "source/unknown") return error;
  const refused = archive.issues.filter(({ severity }) => severity === "error");
  const isAllRefused = refused.length > 0 && [...archive.entries()].length === 0;
  if (refused.length > 0 && !isAllRefused) return error;
  const reason = isAllRefused ? refusal(refused) : await reasonOf(archive);
  if (reason === undefined) return withPlatformBeside(error, archive);
  return new FatalError(error.code, error.reason, `Cannot tell what ${printable(archive.name)} is: ${reason}`);
}

/** The error for a single file, with the platform that exports such a file beside its workouts. Alone, it gives nothing to a log. */
function withPlatformBeside(error: FatalError, archive: Archive): FatalError {
  const [only, ...others] = archive.entries();
  const platform = only === undefined || others.length > 0 ? undefined : platformBeside(only.path);
  if (platform === undefined) return error;
  const advice = `It may belong to your ${platform.title}: put it into one folder with the other files, and name the folder`;
  return new FatalError(error.code, error.reason, `${error.message}. ${advice}`);
}

/** Why nothing of an archive can be opened: the cause of the first file, which is what a person does something about. */
function refusal([first, ...others]: readonly Issue[]): string {
  const { origin, rule = "", found = rule.replace(/^archive\//, ""), expected } = first ?? {};
  const where = printable(origin?.entry ?? "a file of it", 120);
  const wanted = expected === undefined || expected === "a zip" ? "" : `, expected ${expected}`;
  const more = others.length === 0 ? "" : `. So is it with ${others.length} more`;
  return `nothing in it can be opened. ${where}: ${found}${wanted}${more}`;
}

async function reasonOf(archive: Archive): Promise<string | undefined> {
  const entries = [...archive.entries()];
  const [first] = entries;
  if (first === undefined) return "there are no files in it";
  // A single file may have its mapping file beside it.
  const isAlone = first.path === archive.name || entries.length === 1;
  if (isAlone && first.sizeBytes === 0) return "it is empty (0 bytes). Download it or save it once more";
  for (const entry of entries.slice(0, TRIED.files)) {
    try {
      const head = await headOf(archive, entry, TRIED.bytes);
      if (isAlone && entry === first && looksLikeWebPage(head) && !holdsTable(head)) return WEB_PAGE;
      const packed = isAlone && entry === first ? packingOf(head, first.path) : undefined;
      if (packed !== undefined) return `it is ${packed}. Unpack it, and name the folder`;
      if (isPackedTable(head, entry.path))
        return `${entry.path === archive.name ? "it" : printable(entry.path, 120)} is a table that gzip packed. Unpack it, and name the folder`;
      if (isJson(entry.path) && (await isTooDeep(head)))
        return `${printable(entry.path, 120)} is nested too deep: logferry reads at most ${JSON_CAPS.depth} lists and objects within one another, and exports have a few`;
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return `a file of it can't be unpacked. ${error.message}`;
    }
  }
  const rest = exportWithoutWorkouts(archive);
  if (rest === undefined) return undefined;
  return `it has ${listed(rest.names)}, as a ${rest.connector.title} has, but not the table of workouts. Get the export once more: ${rest.connector.howToGet}`;
}

/** Archives that logferry doesn't open, by their bytes at a place. */
const PACKINGS: readonly (readonly [called: string, at: number, bytes: string])[] = [
  ["a tar archive", 257, "ustar"],
  ["a 7z archive", 0, "7z\u00bc\u00af\u0027\u001c"],
  ["a RAR archive", 0, "Rar!\u001a\u0007"],
];

/** A tar archive that gzip packed, by its name. Other files that gzip packed are read. */
const PACKED_TAR = /\.(?:tgz|tar\.gz)$/i;

/** The kind of archive that a file is by its beginning; undefined for any other file. */
function packingOf(head: Uint8Array, path: string): string | undefined {
  const start = Buffer.from(head.subarray(0, 512)).toString("latin1");
  if (start.startsWith("\u001f\u008b") && PACKED_TAR.test(path)) return "a tar archive that gzip packed";
  return PACKINGS.find(([, at, bytes]) => start.startsWith(bytes, at))?.[0];
}

/** A table, by the name of the file. A browser may leave the `.gz` out. */
const TABLE = /\.(?:csv|tsv|txt|xlsx?|ods)(?:\.gz)?$/i;

function isPackedTable(head: Uint8Array, path: string): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && TABLE.test(path);
}

/** Whether the beginning of a web page has a table. Many programs write spreadsheets so. */
function holdsTable(head: Uint8Array): boolean {
  return /<table\b/i.test(Buffer.from(head).toString("latin1"));
}

/** Whether the beginning of a JSON file has more lists and objects within one another than logferry reads. */
async function isTooDeep(head: Uint8Array): Promise<boolean> {
  try {
    for await (const _ of jsonEach(once(Buffer.from(head).toString("utf8")), NO_PLACE));
    return false;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.issue.rule === "json/too-deep";
  }
}

/** A place that no file has, so that nothing is held. */
const NO_PLACE = ["\u0000"];

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** The first chunk of a file. It reads on to so many bytes, because a refusal may come with any of them. */
async function headOf(archive: Archive, entry: Entry, bytes: number): Promise<Uint8Array> {
  let head: Uint8Array | undefined;
  let length = 0;
  for await (const chunk of archive.stream(entry)) {
    head ??= chunk;
    length += chunk.length;
    if (length >= bytes) break;
  }
  return head ?? new Uint8Array();
}
