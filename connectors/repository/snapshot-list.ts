/**
 * The list of the snapshots that a repository must hold. A snapshot that somebody deleted leaves no trace among the files that are left: only
 * this list tells. It is written after a snapshot is there, and before one is taken away, so whatever it names must be there.
 */
import { join } from "node:path";
import { namesIn, readBytes, writeWhole } from "./files.ts";
import { checksumInName, type Damage, SNAPSHOT_FILE, SNAPSHOTS, sha256 } from "./layout.ts";
import { isToCome } from "./newest.ts";

/** The file, in the form of `sha256sum`. Not `SNAPSHOTS`: some file systems can't tell that from the folder. */
export const LIST_FILE = "snapshots.sha256";

/** What the file says. */
interface SnapshotList {
  /** Snapshots, below the repository. */
  readonly files: readonly string[];
  /** Whether the file is as it was written. */
  readonly isSound: boolean;
}

/** A line a snapshot, then a comment with the checksum of those lines: `sha256sum -c` passes over comments. */
function textOf(files: readonly string[]): string {
  const lines = files.map((file) => `${checksumInName(file)}  ${file}\n`).join("");
  return `${lines}# ${sha256(lines)}\n`;
}

/** Reads the list; undefined where there is none. Of a damaged one, the lines that can still be trusted. */
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
 * Listed files that the folder lacks. By checksum: a file under another name is told as that, and a flipped bit in a line's time names no file
 * that ever was. Nobody misses one of a time still to come: its owner was told to delete it, because a clock was wrong.
 */
async function missingOf(root: string, files: readonly string[], now: number): Promise<readonly string[]> {
  const sums = new Set((await snapshotFiles(root)).map(checksumInName));
  return files.filter((file) => !sums.has(checksumInName(file)) && !isToCome({ time: timeOf(file) }, now));
}

/** ISO 8601, from a name. */
function timeOf(file: string): string {
  return (SNAPSHOT_FILE.exec(file)?.[1] ?? "").replace(/T(\d\d)(\d\d)/, "T$1:$2:");
}

/** Whether a repository has a list. */
export async function hasList(root: string): Promise<boolean> {
  return (await readBytes(root, LIST_FILE)) !== undefined;
}

/**
 * What the list says is wrong: snapshots that are missing, or the list itself. Needs no key, and works while somebody else writes.
 *
 * @param isExpected whether the repository is one that has a list
 * @param now milliseconds since 1970
 */
export async function damageOfList(root: string, isExpected: boolean, now: number): Promise<readonly Damage[]> {
  const list = await readList(root);
  if (list === undefined) return isExpected ? [{ file: LIST_FILE, found: "is missing" }] : [];
  const damaged = list.isSound ? [] : [{ file: LIST_FILE, found: "is not as it was written" }];
  const missing = await missingOf(root, list.files, now);
  // Whoever forgets takes a snapshot off the list first: one that went meanwhile isn't listed any more.
  const still = new Set(missing.length === 0 ? [] : (await readList(root))?.files);
  return [...damaged, ...missing.filter((file) => still.has(file)).map((file) => ({ file, found: "is missing" }))];
}

/**
 * Makes the list name every snapshot that is there, besides those it names already. Whoever writes holds the lock.
 *
 * @param now milliseconds since 1970
 */
export async function listAll(root: string, now: number): Promise<void> {
  const list = await readList(root);
  const present = await snapshotFiles(root);
  await writeList(root, [...(await missingOf(root, list?.files ?? [], now)), ...present], list);
}

/** Takes snapshots off the list, before they go. Does nothing where there is no list. */
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
