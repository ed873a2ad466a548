/**
 * Looks at everything in a repository: is it there, and is it as it was written?
 */

import { basename, join } from "node:path";
import { damageOfSealed } from "./cover.ts";
import { readDrills } from "./drills.ts";
import { bytesOf, namesIn, sizeOf } from "./files.ts";
import { MARK_FILE, markingFiles, TOP_NAMES } from "./format-marker.ts";
import { KEY_FILES } from "./keys.ts";
import { FOLDER_OF, PIECE_FILE, SEALED_PIECE, SEALED_PIECE_FILE, SNAPSHOT_FILE, SNAPSHOTS, sha256 } from "./layout.ts";
import type { Damage, Repository } from "./repository.ts";
import type { Piece } from "./snapshot.ts";

/** Which share of the pieces is read: the `part`th of `of`. A piece is always in the same one. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** What a check found. */
export interface Checked {
  readonly snapshots: number;
  /** Pieces that snapshots name, and how many of them were read to their last byte. */
  readonly pieces: number;
  readonly read: number;
  readonly records: number;
  readonly damaged: readonly Damage[];
  /** Files that no snapshot names: of backups that were stopped, or none of ours. */
  readonly unused: readonly string[];
  /** Whether what the files hold was looked at; of an encrypted repository without its key, only their bytes can be. */
  readonly opened: boolean;
}

/**
 * Checks a repository: the files that mark it, every snapshot, and that every piece is there with its length; and of the pieces, or a
 * share of them, every byte and the checksum of every record. Of an encrypted repository without its key, the bytes of every file.
 *
 * @param onProgress told how many pieces are done, of how many
 */
export async function checkRepository(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Checked> {
  const checkContents = repository.isOpen ? checkOpened : checkClosed;
  const found = await checkContents(repository, share, signal, onProgress);
  const drills = await readDrills(repository.root);
  const damaged = [...(await damageOfMarks(repository)), ...found.damaged, ...drills.damaged];
  const foreign = (await namesIn(repository.root)).filter((name) => !TOP_NAMES.has(name));
  return {
    ...found,
    damaged: damaged.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    unused: [...foreign, ...found.unused],
    opened: repository.isOpen,
  };
}

/** What the contents of a repository are found to be. */
type Contents = Omit<Checked, "opened">;

async function checkOpened(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Contents> {
  const { snapshots, damaged: damagedSnapshots } = await repository.readSnapshots();
  const damaged: Damage[] = [...damagedSnapshots];
  const named = new Map<string, Piece>();
  for (const { file: snapshot, pieces } of snapshots) {
    for (const piece of pieces) {
      const other = named.get(piece.file);
      if (other !== undefined && (other.records !== piece.records || other.bytes !== piece.bytes)) {
        damaged.push({ file: snapshot, found: `says otherwise of ${piece.file} than another snapshot` });
      }
      if (!isConsistent(piece, repository.isEncrypted)) {
        damaged.push({ file: snapshot, found: `says of ${piece.file} what its name denies` });
      }
      named.set(piece.file, piece);
    }
  }
  let [read, records, done] = [0, 0, 0];
  const used = new Set<string>();
  for (const piece of named.values()) {
    if (signal.aborted) break;
    onProgress(++done, named.size);
    const files = await repository.filesOf(piece.file);
    for (const file of files) used.add(file);
    const lengths = await Promise.all(files.map((file) => sizeOf(repository.root, file)));
    if (!lengths.includes(piece.bytes)) {
      const [file = piece.file, length] = [files[0], lengths[0]];
      damaged.push({
        file,
        found: length === undefined ? "is missing" : `is ${length} bytes long, not ${piece.bytes}`,
      });
      continue;
    }
    if (!isInShare(piece.file, share)) continue;
    read++;
    const found = await repository.examine(piece);
    if (found.records === undefined) damaged.push(...found.damaged);
    else records += piece.records;
  }
  const data = await repository.filesOfData();
  if (repository.isEncrypted) damaged.push(...plainTextIn(data));
  const unused = data.filter(
    (file) => !used.has(file) && (!signal.aborted || !named.has(repository.pieceIn(file) ?? "")),
  );
  return { snapshots: snapshots.length, pieces: named.size, read, records, damaged, unused };
}

/** What can be said without the key: whether every file that is there has the bytes that its name says. */
async function checkClosed(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Contents> {
  const { root } = repository;
  const snapshots = (await namesIn(join(root, SNAPSHOTS))).map((name) => `${SNAPSHOTS}/${name}`);
  const data = await repository.filesOfData();
  const pieces = data.filter((file) => SEALED_PIECE_FILE.test(file));
  const damaged: Damage[] = plainTextIn(data);
  for (const file of snapshots) {
    const bytes = await bytesOf(root, file);
    const found = bytes === undefined ? undefined : damageOfSealed(file, bytes);
    if (!SNAPSHOT_FILE.test(file)) damaged.push({ file, found: "is no name of a snapshot" });
    else if (found !== undefined) damaged.push({ file, found });
  }
  let [read, done] = [0, 0];
  for (const file of pieces) {
    if (signal.aborted) break;
    onProgress(++done, pieces.length);
    if (!isInShare(file, share)) continue;
    read++;
    const bytes = await bytesOf(root, file);
    const found = bytes === undefined ? undefined : damageOfSealed(file, bytes);
    if (found !== undefined) damaged.push({ file, found });
  }
  return {
    snapshots: snapshots.length,
    pieces: pieces.length,
    read,
    records: 0,
    damaged,
    unused: data.filter((file) => !SEALED_PIECE_FILE.test(file)),
  };
}

/** The files that mark a repository, and the key of an encrypted one. */
async function damageOfMarks(repository: Repository): Promise<readonly Damage[]> {
  const mark = await repository.mark();
  if (mark === undefined) return [{ file: MARK_FILE, found: "is missing, or not as it was written" }];
  const damaged: Damage[] = [];
  for (const [name, text] of markingFiles(mark)) {
    const bytes = await bytesOf(repository.root, name);
    if (bytes === undefined) damaged.push({ file: name, found: "is missing" });
    else if (!bytes.equals(Buffer.from(text))) damaged.push({ file: name, found: "is not as it was written" });
  }
  if (!mark.isEncrypted) return damaged;
  for (const name of KEY_FILES) {
    const bytes = await bytesOf(repository.root, name);
    if (bytes === undefined) damaged.push({ file: name, found: "is missing" });
    else if (sha256(bytes) !== mark.key) damaged.push({ file: name, found: "is not as it was written" });
  }
  return damaged;
}

/** Of an encrypted repository: files that anybody could read, or that aren't named as its are. */
function plainTextIn(files: readonly string[]): Damage[] {
  return files
    .filter((file) => !file.endsWith(".age"))
    .map((file) => ({ file, found: "lies in plain text in an encrypted repository" }));
}

function isConsistent({ kind, part, file }: Piece, isEncrypted: boolean): boolean {
  if (isEncrypted) return SEALED_PIECE.test(file);
  const [, folder, name] = PIECE_FILE.exec(file) ?? [];
  return folder === FOLDER_OF[kind] && name === part;
}

/** By the checksum or the seal that ends a piece's name. */
function isInShare(piece: string, { part, of }: Share): boolean {
  const hash = PIECE_FILE.exec(piece)?.[3] ?? basename(piece);
  return Number.parseInt(hash.slice(0, 8), 16) % of === part - 1;
}
