/** Reads courses from a platform's list, each with the file of its line. */
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import type { LostFile } from "../../../../transforms/model/lost-file.ts";
import { contentHash } from "../../../../transforms/text/canonical.ts";
import { scanFile } from "../../scan-file.ts";
import type { ReadSession } from "../../session.ts";
import { type FindBeside, type ListColumns, readListRows } from "./beside.ts";

/** A list of courses. Its first two columns are the name and the file of each. */
export interface CourseList {
  readonly file: string;
  /** The folder of the files, with its slash. */
  readonly folder: string;
}

/** `Route Name` and `Route Filename`. */
const COLUMNS: ListColumns = { read: [/\bname$/i, /\bfilename$/i], left: /^$/ };

/**
 * Reads the courses of a list: the name from the list, the line and the length from the course's own file, which has no times. Without its
 * file, a course has no map.
 *
 * @param prefix begins every key: the connector's name
 */
export async function* readCourses(
  session: ReadSession,
  { file }: CourseList,
  beside: FindBeside,
  prefix: string,
): AsyncGenerator<Reading> {
  const list = beside(file);
  if (list === undefined) return;
  for await (const { line, fields } of readListRows(session, list, COLUMNS)) {
    const [name = "", filename = ""] = fields.map((field) => field.trim());
    if (`${name}${filename}` === "") continue;
    const origin = session.origin(list.path, `line ${line}`);
    yield await readCourse(session, { name, filename, origin }, beside, prefix);
  }
}

async function readCourse(
  session: ReadSession,
  { name, filename, origin }: { readonly name: string; readonly filename: string; readonly origin: Origin },
  beside: FindBeside,
  prefix: string,
): Promise<Reading> {
  const file = filename === "" ? undefined : beside(filename);
  const scanned = file === undefined ? missing(filename) : await scanFile(session.archive, file);
  if ("rule" in scanned) session.report({ ...scanned, severity: "warning" }, origin);
  const sound = "rule" in scanned ? undefined : scanned;
  for (const issue of sound?.file.issues ?? []) session.report(issue, session.origin(file?.path));
  // These files were seen as routes without times. A recording has the same line with times, so it is accepted too.
  const route = sound?.file.routes[0] ?? sound?.file.recordings[0];
  const format = sound?.file.format;
  const isMap = sound?.file.routes[0] !== undefined && file !== undefined && format !== undefined;
  const isDamaged = !isMap && sound?.file.issues.some(({ severity }) => severity === "error") !== false;
  const lostFile: LostFile | undefined =
    filename !== "" && isDamaged ? { because: file === undefined ? "missing" : "damaged", name: filename } : undefined;
  const title = name !== "" ? name : (route?.name ?? filename);
  return {
    kind: "course",
    // The number in the file's name is its place in this export, and changes when a route is added. So it is not part of the key.
    key: session.unique(`${prefix}:course:${contentHash([title, sound?.sha256 ?? filename]).slice(0, 32)}`),
    origin,
    value: {
      name: title,
      ...(route?.notes !== undefined && { notes: route.notes }),
      ...(route?.distance !== undefined && { distance: route.distance }),
      ...(isMap && { map: { entry: file.path, format, line: 0, sha256: sound.sha256 } }),
      ...(lostFile !== undefined && { lostFile }),
    },
  };
}

function missing(found: string): Issue {
  return { severity: "warning", rule: "table/missing-course", found };
}
