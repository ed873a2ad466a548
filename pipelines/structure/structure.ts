/**
 * The structure of an archive without its values, for somebody whose archive can't be read and who wants to report it: which files there
 * are, and how each kind of them is built. It needs no connector. Nothing stands in it but shapes, counts, rules and the words of
 * formats: see `transforms/text/shape.ts`, `table.ts` (headers) and `tree.ts` (keys).
 */
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { extensionOf, shapeOfPath } from "../../transforms/text/shape.ts";
import { type FileStructure, GroupStructures } from "./group.ts";
import type { Work } from "./open-entry.ts";

export type { FileStructure } from "./group.ts";

/** Files whose paths have the same shape. */
export interface FileGroup {
  readonly path: string;
  readonly files: number;
  readonly leastBytes: number;
  readonly mostBytes: number;
}

/** A whole archive. */
export interface ArchiveStructure {
  readonly archive: string;
  readonly files: number;
  readonly bytes: number;
  readonly groups: readonly FileGroup[];
  /** Files whose paths have shapes past those that are listed. */
  readonly otherFiles: number;
  readonly structures: readonly FileStructure[];
  /** Entries that were refused when it was opened, by rule. */
  readonly refused: Readonly<Record<string, number>>;
}

/** How far is looked. Paths of a hostile archive could have as many shapes as it has files. */
export const STRUCTURE_CAPS = {
  groups: 300,
  filesOfGroup: 5,
  bytesOfFile: 16 * 2 ** 20,
  bytesInAll: 256 * 2 ** 20,
} as const;

/** Files with the same ending before an ending that no format has is taken for one all the same. */
const SHARED_ENDING = 5;

interface Group extends FileGroup {
  files: number;
  leastBytes: number;
  mostBytes: number;
  readonly samples: Entry[];
}

/**
 * Describes an archive. Files that can't be read are described as that.
 *
 * @param signal when aborted, what was described so far is given
 */
export async function describeArchive(
  archive: Archive,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<ArchiveStructure> {
  const { groups, files, otherFiles, bytes } = grouped(archive);
  const work: Work = { bytesLeft: STRUCTURE_CAPS.bytesInAll };
  const structures: FileStructure[] = [];
  for (const group of groups) {
    if (signal.aborted || work.bytesLeft <= 0) break;
    const built = new GroupStructures(group.path, STRUCTURE_CAPS.bytesOfFile);
    for (const entry of group.samples) await built.add(archive, entry, work);
    structures.push(...built.structures());
    onProgress(structures.length);
  }
  const refused: Record<string, number> = {};
  for (const { rule, count = 1 } of archive.issues) refused[rule] = (refused[rule] ?? 0) + count;
  return {
    archive: shapeOfPath(archive.name),
    files,
    bytes,
    groups: groups.map(({ samples: _, ...group }) => group),
    otherFiles,
    structures,
    refused,
  };
}

function grouped(archive: Archive) {
  const endings = new Map<string, number>();
  for (const { path } of archive.entries()) {
    const ending = extensionOf(path)?.toLowerCase();
    if (ending !== undefined) endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const isShared = (ending: string) => (endings.get(ending.toLowerCase()) ?? 0) >= SHARED_ENDING;
  const groups = new Map<string, Group>();
  let [files, otherFiles, bytes] = [0, 0, 0];
  for (const entry of archive.entries()) {
    const size = entry.sizeBytes ?? 0;
    files++;
    bytes += size;
    const path = shapeOfPath(entry.path, isShared);
    const group = groups.get(path);
    if (group !== undefined) addTo(group, entry, size);
    else if (groups.size < STRUCTURE_CAPS.groups)
      groups.set(path, { path, files: 1, leastBytes: size, mostBytes: size, samples: [entry] });
    else otherFiles++;
  }
  return { groups: [...groups.values()], files, otherFiles, bytes };
}

function addTo(group: Group, entry: Entry, size: number): void {
  group.files++;
  group.leastBytes = Math.min(group.leastBytes, size);
  group.mostBytes = Math.max(group.mostBytes, size);
  if (group.samples.length < STRUCTURE_CAPS.filesOfGroup) group.samples.push(entry);
}
