/**
 * The list of the snapshots that a repository must hold. Only this list can show that a snapshot was deleted, because the other files keep
 * no trace of it. A snapshot is listed after it exists, and taken off the list before it is removed. So every listed snapshot must exist.
 */
import { join } from "node:path";
import { namesIn, readBytes, writeWhole } from "./files.ts";
import { checksumInName, type Damage, SNAPSHOT_FILE, SNAPSHOTS, sha256 } from "./layout.ts";
import { isToCome } from "./newest.ts";

/** The file, in the format of `sha256sum`. Its name differs from `SNAPSHOTS`, because some file systems can't distinguish the two. */
export const LIST_FILE = "snapshots.sha256";

/** The content of the file. */
interface SnapshotList {
  /** Snapshots, below the repository. */
  readonly files: readonly string[];
  /** Whether the file is unchanged. */
  readonly isSound: boolean;
}

/** One line for each snapshot, then a comment with the checksum of those lines. `sha256sum -c` ignores comments. */
function textOf(files: readonly string[]): string {
  const lines = files.map((file) => `${checksumInName(file)}  ${file}\n`).join("");
  return `${lines}# ${sha256(lines)}\n`;
}

/** Reads the list; undefined if there is none. From a damaged list, it takes the lines that can still be trusted. */
async function readList(root: string): Promise<SnapshotList | undefined> {
  const text = (await readBytes(root, LIST_FILE))?.toString("utf8");
  if (text === undefined) return undefined;
  const files = text.split("\n").flatMap((line) => {
    const [sum, file = ""] = line.split("  ");
    return SNAPSHOT_FILE.test(file) && checksumInName(file) === sum ? [file] : [];
  });
  return { files, isSound: text === textOf(files) };
}

async function snapshotFiles(root: string): Promise<readonly string[]> {
  const names = await namesIn(join(root, SNAPSHOTS));
  return names.map((name) => `${SNAPSHOTS}/${name}`).filter((file) => SNAPSHOT_FILE.test(file));
}

/**
 * Listed files that the folder lacks, compared by checksum. So a renamed file is reported as renamed, and a flipped bit in a line's time
 * does not count as a missing file. Snapshots with a future time are left out: a clock was wrong, and logferry told the owner to delete
 * them.
 */
async function missingOf(root: string, files: readonly string[], now: number): Promise<readonly string[]> {
  const sums = new Set((await snapshotFiles(root)).map(checksumInName));
  return files.filter((file) => !sums.has(checksumInName(file)) && !isToCome({ time: timeOf(file) }, now));
}

/** The time in a name, as ISO 8601. */
function timeOf(file: string): string {
  return (SNAPSHOT_FILE.exec(file)?.[1] ?? "").replace(/T(\d\d)(\d\d)/, "T$1:$2:");
}

/** Whether a repository has a list. */
export async function hasList(root: string): Promise<boolean> {
  return (await readBytes(root, LIST_FILE)) !== undefined;
}

/**
 * Compares the repository with its list: snapshots that are missing, or damage of the list itself. Needs no key, and works while another
 * process writes.
 *
 * @param isExpected whether this repository should have a list
 * @param now milliseconds since 1970
 */
export async function damageOfList(root: string, isExpected: boolean, now: number): Promise<readonly Damage[]> {
  const list = await readList(root);
  if (list === undefined) return isExpected ? [{ file: LIST_FILE, found: "is missing" }] : [];
  const damaged = list.isSound ? [] : [{ file: LIST_FILE, found: "is not as it was written" }];
  const missing = await missingOf(root, list.files, now);
  // A writer takes a snapshot off the list before it removes the file. So a snapshot that was removed meanwhile is no longer listed.
  const still = new Set(missing.length === 0 ? [] : (await readList(root))?.files);
  return [...damaged, ...missing.filter((file) => still.has(file)).map((file) => ({ file, found: "is missing" }))];
}

/**
 * Adds every existing snapshot to the list. The caller holds the lock.
 *
 * @param now milliseconds since 1970
 */
export async function listAll(root: string, now: number): Promise<void> {
  const list = await readList(root);
  const present = await snapshotFiles(root);
  await writeList(root, [...(await missingOf(root, list?.files ?? [], now)), ...present], list);
}

/** Takes snapshots off the list, before their files are removed. Without a list it does nothing. */
export async function unlist(root: string, gone: readonly string[]): Promise<void> {
  const list = await readList(root);
  if (list === undefined) return;
  const without = new Set(gone);
  await writeList(
    root,
    list.files.filter((file) => !without.has(file)),
    list,
  );
}

async function writeList(root: string, files: readonly string[], before: SnapshotList | undefined): Promise<void> {
  const sorted = files.toSorted();
  if (before?.isSound === true && textOf(before.files) === textOf(sorted)) return;
  await writeWhole(root, LIST_FILE, Buffer.from(textOf(sorted)));
}
