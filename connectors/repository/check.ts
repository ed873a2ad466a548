/**
 * Looks at everything in a repository: is it there, and is it as it was written?
 */
import { readDrills } from "./drills.ts";
import { bytesOf, namesIn } from "./files.ts";
import { FOLDER_OF, MARKING_FILES, PIECE_FILE, TOP_NAMES } from "./layout.ts";
import { unpack } from "./records.ts";
import { type Damage, damageOfPiece, type Repository } from "./repository.ts";
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
}

/**
 * Checks a repository: the files that mark it, every snapshot, and that every piece is there with its length; and of the pieces, or a
 * share of them, every byte and the checksum of every record.
 *
 * @param onProgress told how many pieces are done, of how many
 */
export async function checkRepository(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Checked> {
  const { root } = repository;
  const damaged: Damage[] = [];
  for (const [name, text] of MARKING_FILES) {
    const bytes = await bytesOf(root, name);
    if (bytes === undefined) damaged.push({ file: name, found: "is missing" });
    else if (!bytes.equals(Buffer.from(text))) damaged.push({ file: name, found: "is not as it was written" });
  }
  const { snapshots, damaged: damagedSnapshots } = await repository.readSnapshots();
  damaged.push(...damagedSnapshots, ...(await readDrills(root)).damaged);

  const named = new Map<string, Piece>();
  for (const { file: snapshot, pieces } of snapshots) {
    for (const piece of pieces) {
      const other = named.get(piece.file);
      if (other !== undefined && (other.records !== piece.records || other.bytes !== piece.bytes)) {
        damaged.push({ file: snapshot, found: `says otherwise of ${piece.file} than another snapshot` });
      }
      if (!isConsistent(piece)) damaged.push({ file: snapshot, found: `says of ${piece.file} what its name denies` });
      named.set(piece.file, piece);
    }
  }
  let [read, records, done] = [0, 0, 0];
  for (const piece of named.values()) {
    if (signal.aborted) break;
    onProgress(++done, named.size);
    const bytes = await bytesOf(root, piece.file);
    if (bytes === undefined) {
      damaged.push({ file: piece.file, found: "is missing" });
      continue;
    }
    if (bytes.length !== piece.bytes) {
      damaged.push({ file: piece.file, found: `is ${bytes.length} bytes long, not ${piece.bytes}` });
      continue;
    }
    if (!isInShare(piece.file, share)) continue;
    read++;
    const found = damageOfPiece(piece.file, bytes) ?? contentDamage(piece, bytes);
    if (found !== undefined) damaged.push({ file: piece.file, found });
    else records += piece.records;
  }
  const unused = (await repository.filesOfData()).filter((file) => !named.has(file));
  const foreign = (await namesIn(root)).filter((name) => !TOP_NAMES.has(name));
  return {
    snapshots: snapshots.length,
    pieces: named.size,
    read,
    records,
    damaged: damaged.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    unused: [...foreign, ...unused],
  };
}

function contentDamage(piece: Piece, bytes: Uint8Array): string | undefined {
  const unpacked = unpack(bytes);
  if (typeof unpacked === "string") return unpacked;
  return unpacked.length === piece.records ? undefined : `holds ${unpacked.length} records, not ${piece.records}`;
}

function isConsistent({ kind, part, file }: Piece): boolean {
  const [, folder, name] = PIECE_FILE.exec(file) ?? [];
  return folder === FOLDER_OF[kind] && name === part;
}

function isInShare(file: string, { part, of }: Share): boolean {
  const hash = PIECE_FILE.exec(file)?.[3] ?? "0";
  return Number.parseInt(hash.slice(0, 8), 16) % of === part - 1;
}
