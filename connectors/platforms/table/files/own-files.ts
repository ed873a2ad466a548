/** The files of a platform's export beside its tables, by their paths: those that are read with a table, and those that are left on purpose. */
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { OwnFiles } from "../../../contract.ts";
import type { Description, FoundRows } from "../description.ts";
import { isSmallList } from "../lists/small-lists.ts";
import { withoutCopyMark } from "../reading/copy-mark.ts";
import { headOf } from "../reading/head-of.ts";

/** The platform's own files in an archive in which these tables were found. */
export async function ownFiles(
  archive: Archive,
  description: Description,
  found: readonly FoundRows[],
): Promise<OwnFiles> {
  const left = new Set<string>();
  for (const entry of description.leavesByHead === undefined ? [] : archive.entries())
    if (
      !found.some((rows) => rows.holds(entry.path)) &&
      (await whyLeftByHead(archive, entry, description)) !== undefined
    )
      left.add(entry.path);
  // Of tables in many files, only the first was opened so far.
  const sure = new Set(found.map(({ entries: [first] }) => first.path));
  const named = new Set(found.flatMap(({ entries }) => entries.map(({ path }) => path)));
  return {
    reads: (path) => sure.has(path) || found.some((rows) => rows.holds(path)),
    mayRead: (path) => named.has(path),
    knows: (path) => isReadBeside(path, description) || whyLeft(path, description) !== undefined || left.has(path),
  };
}

/** Whether a file is read beside the tables: a recording, a course, a list of gear. */
export function isReadBeside(path: string, description: Description): boolean {
  const { recordings, courseRecords } = description;
  return courseRecords?.files.test(path) || recordings?.test(path) || isSmallList(path, description);
}

/** So many letters of a name are the platform's own. `*.csv` and `media/` could be anybody's. */
const OWN_LETTERS = 6;

/**
 * The kind of file that a path is, among those that the platform exports beside its workouts: the list of gear or courses, or the name by which files
 * are left. Undefined if it is none of them, or if other programs may call theirs so, too.
 */
export function traceOf(path: string, description: Description): string | undefined {
  const kind = isSmallList(path, description)
    ? path.slice(path.lastIndexOf("/") + 1)
    : Object.keys(description.leaves).find((each) => isCalled(path, each));
  const own = kind?.replace(/\.[a-z]+$/i, "").replaceAll(/[^a-z]/gi, "") ?? "";
  return own.length < OWN_LETTERS || OF_ANY_PROGRAM.test(own) ? undefined : kind;
}

/** Words that many programs use for files of theirs. */
const OF_ANY_PROGRAM = /^(readme|config|photos|images|pictures|profile|settings|activities)$/i;

/** Why a file is left on purpose; undefined for one that the platform is not known to export. */
export function whyLeft(path: string, { leaves }: Description): string | undefined {
  return Object.entries(leaves).find(([each]) => isCalled(path, each))?.[1];
}

/** Whether a file is one of those that are left although they have the form of workouts. */
export function isLeftWithWorkouts(path: string, { leavesWorkouts = [] }: Description): boolean {
  return leavesWorkouts.some((each) => isCalled(path, each));
}

/** Why a file is left, by its beginning, if neither its name nor that of a file beside the tables says it; undefined for any other file. */
export async function whyLeftByHead(
  archive: Archive,
  entry: Entry,
  description: Description,
): Promise<string | undefined> {
  const { path } = entry;
  const kinds = description.leavesByHead?.filter(({ files }) => files.test(path)) ?? [];
  if (kinds.length === 0 || isReadBeside(path, description) || whyLeft(path, description) !== undefined)
    return undefined;
  const head = await headOf(archive, entry);
  return kinds.find((kind) => kind.head.test(head))?.why;
}

/**
 * Whether a path matches a pattern, at any depth of the archive. It may be the file `measurements.csv`, end in `*_plan.json`, begin its name with
 * `sleep_*`, contain `*_plans_*`, lie in the folder `photos/`, or be named by a day: `####-##-##.csv`. A middle with a
 * slash behind it stands in the name of a folder or a zip above the file.
 */
function isCalled(path: string, name: string): boolean {
  return isCalledSo(path, name) || isCalledSo(withoutCopyMark(path), name);
}

function isCalledSo(path: string, name: string): boolean {
  if (/^\*.+\*\/$/.test(name)) {
    const above = path.split("/").slice(0, -1);
    return above.some((folder) => folder.includes(name.slice(1, -2)));
  }
  if (/^\*.+\*$/.test(name)) return path.slice(path.lastIndexOf("/") + 1).includes(name.slice(1, -1));
  if (name.endsWith("*")) return path.slice(path.lastIndexOf("/") + 1).startsWith(name.slice(0, -1));
  if (name.startsWith("*")) return path.endsWith(name.slice(1));
  if (name.endsWith("/")) return `/${path}`.includes(`/${name}`);
  return `/${name.startsWith("#") ? path.replaceAll(/\d/g, "#") : path}`.endsWith(`/${name}`);
}
