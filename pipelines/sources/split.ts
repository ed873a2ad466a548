/**
 * Finds several exports in one archive: a folder of downloads, two exports of one account in one folder, a Takeout with two platforms. Each
 * becomes a source of its own. Read as one, all but one export would be left unread, or the archive would be refused.
 */
import type { Archive } from "../../connectors/containers/archive.ts";
import { archiveIssue } from "../../connectors/containers/archive-issue.ts";
import { wrapperOf } from "../../connectors/containers/find.ts";
import { viewOf } from "../../connectors/containers/view.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Identified, identifyArchive } from "../../connectors/registry.ts";
import type { Issue } from "../../transforms/model/issue.ts";

/** An export in an archive. */
export interface FoundExport {
  readonly archive: Archive;
  /** Its place in the archive: `export_2024.zip`. Undefined if it is the whole archive. */
  readonly within: string | undefined;
  /** What it is, or why that can't be told. */
  readonly known: Identified | FatalError;
}

/** Most zips and folders beside each other that are looked at. A folder with more of them holds single activities, no exports. */
const MOST_GROUPS = 64;

/** Names of unread files in a message. */
const NAMED = 5;

/** A zip or a folder at the top of an archive. */
interface Group {
  /** The beginning of its paths. */
  readonly root: string;
  readonly isZip: boolean;
  /** Its files, with each run of digits as `#`: two exports of one platform have the same. Recordings are left out. */
  readonly shapes: ReadonlySet<string>;
}

/** Recordings and their copies, texts and pictures say nothing about the kind of an export. */
const SAYS_NOTHING = /\.(?:fit|gpx|tcx|kml|kmz|txt|html?|pdf|jpe?g|png|md)(?:\.gz)?$/i;

/**
 * Recognises the exports in an archive.
 *
 * @returns the archive itself if it holds only one, or none
 * @throws what opening or reading the archive throws, except that nobody knows it
 */
export async function exportsIn(archive: Archive): Promise<readonly FoundExport[]> {
  const known = await identified(archive);
  const whole: FoundExport = { archive, within: undefined, known };
  const groups = groupsOf(archive);
  if (groups.length === 0 || !mayBeSeveral(known, groups)) return [whole];
  const found: { group: Group; known: Identified | FatalError }[] = [];
  for (const group of groups) {
    if (group.shapes.size === 0) continue;
    const inGroup = await identified(viewOf(archive, archive.name, (path) => path.startsWith(group.root)));
    if (isExport(inGroup)) found.push({ group, known: inGroup });
  }
  const rest = (path: string) => !found.some(({ group }) => path.startsWith(group.root));
  const restKnown = await identified(viewOf(archive, archive.name, rest));
  if (!areSeveral(whole.known, found, restKnown)) return [whole];
  return split(archive, found, { holds: rest, known: restKnown });
}

/** Whether a look at the groups can show more than one export. Looking costs a question to each connector. */
function mayBeSeveral(known: Identified | FatalError, groups: readonly Group[]): boolean {
  if (known instanceof FatalError || known.evidence.strength === "general") return true;
  return groups.some(({ isZip }) => isZip) || haveSameFiles(groups);
}

function areSeveral(
  whole: Identified | FatalError,
  found: readonly { readonly group: Group; readonly known: Identified | FatalError }[],
  rest: Identified | FatalError,
): boolean {
  const [first] = found;
  if (first === undefined) return false;
  const isUnclear = whole instanceof FatalError;
  // Beside one zip, other files are no part of its export. One folder may be: tables in one, recordings beside it.
  if (found.length === 1)
    return isUnclear ? !(rest instanceof FatalError) : first.group.isZip && !(rest instanceof FatalError);
  if (isUnclear || found.some(({ group }) => group.isZip)) return true;
  const names = new Set(found.map(({ known }) => (known instanceof FatalError ? "" : known.connector.name)));
  return names.size > 1 || haveSameFiles(found.map(({ group }) => group));
}

async function split(
  archive: Archive,
  found: readonly { readonly group: Group; readonly known: Identified | FatalError }[],
  rest: { readonly holds: (path: string) => boolean; readonly known: Identified | FatalError },
): Promise<readonly FoundExport[]> {
  const exports: FoundExport[] = [];
  const isRead = !(rest.known instanceof FatalError);
  const unread = isRead ? undefined : unreadIssue(archive, rest.holds);
  const of = (root: string) => archive.issues.filter(({ origin }) => origin?.entry.startsWith(root));
  const others = archive.issues.filter(({ origin }) => rest.holds(origin?.entry ?? ""));
  for (const [index, { group, known }] of found.entries()) {
    const label = group.root.replace(/!?\/$/, "");
    // Problems of no export are told with the first one.
    const own =
      index > 0 || isRead ? of(group.root) : [...of(group.root), ...others, ...(unread === undefined ? [] : [unread])];
    const view = viewOf(archive, `${archive.name}/${label}`, (path) => path.startsWith(group.root), own);
    const inner = known instanceof FatalError ? await exportsIn(view) : [{ archive: view, within: undefined, known }];
    for (const one of inner) exports.push({ ...one, within: one.within === undefined ? label : one.within });
  }
  if (isRead)
    exports.push({ archive: viewOf(archive, archive.name, rest.holds, others), within: ".", known: rest.known });
  return exports;
}

/** Names the files that belong to no export; undefined if there are none. */
export function unreadIssue(archive: Archive, holds: (path: string) => boolean = () => true): Issue | undefined {
  const names = [...archive.entries()].map(({ path }) => path).filter(holds);
  if (names.length === 0) return undefined;
  const found = names.slice(0, NAMED).join(", ") + (names.length > NAMED ? " ..." : "");
  return archiveIssue("warning", "archive/other-files", archive.name, undefined, {
    found,
    expected: "exports that logferry knows",
    count: names.length,
  });
}

function groupsOf(archive: Archive): readonly Group[] {
  const wrapper = wrapperOf(archive);
  const groups = new Map<string, { root: string; isZip: boolean; shapes: Set<string> }>();
  for (const { path } of archive.entries()) {
    const slash = path.indexOf("/", wrapper.length);
    if (slash === -1) continue;
    const root = path.slice(0, slash + 1);
    let group = groups.get(root);
    if (group === undefined) {
      if (groups.size === MOST_GROUPS) return [];
      group = { root, isZip: root.endsWith("!/"), shapes: new Set() };
      groups.set(root, group);
    }
    if (!SAYS_NOTHING.test(path)) group.shapes.add(path.slice(slash + 1).replaceAll(/\d+/g, "#"));
  }
  return [...groups.values()];
}

/** Whether two groups have mostly the same files. One export has its tables once, even if it has many folders. */
function haveSameFiles(groups: readonly Group[]): boolean {
  return groups.some(({ shapes: ours }, index) =>
    groups.slice(index + 1).some(({ shapes: theirs }) => {
      const same = [...ours].filter((shape) => theirs.has(shape)).length;
      return same > 0 && 2 * same >= Math.min(ours.size, theirs.size);
    }),
  );
}

/** Whether a group is an export of its own: a platform's, or several. */
function isExport(known: Identified | FatalError): boolean {
  return known instanceof FatalError ? known.code === "source/ambiguous" : known.evidence.strength === "exact";
}

/** Codes of an archive that no connector knows, or two. */
const UNCLEAR: readonly string[] = ["source/unknown", "source/ambiguous"];

async function identified(archive: Archive): Promise<Identified | FatalError> {
  try {
    return await identifyArchive(archive);
  } catch (error) {
    if (error instanceof FatalError && UNCLEAR.includes(error.code)) return error;
    throw error;
  }
}
