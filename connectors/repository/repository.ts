/**
 * A snapshot repository in a folder: pieces named for their own checksums, and snapshots that name pieces. Pieces come first and are never
 * changed; a snapshot comes last, so it is there whole or not at all. Whoever writes holds the lock (`takeRepositoryLock`).
 */
import { join } from "node:path";
import { FatalError } from "../errors.ts";
import { bytesOf, clearTemporary, makeFolder, namesIn, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import {
  DATA,
  FOLDER_OF,
  MARKING_FILES,
  PIECE_FILE,
  SNAPSHOT_FILE,
  SNAPSHOTS,
  sha256,
  TOP_NAMES,
  timeInName,
} from "./layout.ts";
import { linesOf, pack, type StoredRecord, unpack } from "./records.ts";
import { type Piece, type Snapshot, type SnapshotBody, snapshotOf, snapshotText } from "./snapshot.ts";

/** Something in a repository that is not as it was written. */
export interface Damage {
  /** Below the repository. */
  readonly file: string;
  /** For the end of a sentence: `differs from its checksum`. */
  readonly found: string;
}

/** Records in one piece at the most: an edit rewrites a piece. */
const MOST_IN_A_PIECE = 1_000;

/**
 * Opens a repository, or a folder that may become one: `isThere` tells. Nothing is written.
 *
 * @throws FatalError `repository/none` where the folder holds something else; `repository/newer` where a newer logferry made it
 */
export async function openRepository(root: string): Promise<Repository> {
  return new Repository(root, await isRepository(root));
}

async function isRepository(root: string): Promise<boolean> {
  const [name, text] = MARKING_FILES.at(-1) ?? ["", ""];
  const mark = await bytesOf(root, name);
  if (mark?.toString("utf8") === text) return true;
  const names = await namesIn(root);
  const foreign = names.find((one) => !TOP_NAMES.has(one));
  if (mark === undefined && foreign === undefined) {
    // Snapshots without the mark: it was a repository, and lost the file. What is in it is still to be found.
    return (await namesIn(join(root, SNAPSHOTS))).length > 0;
  }
  if (mark !== undefined && isNewer(mark.toString("utf8")) && !(await hasSumsOfOurs(root))) {
    throw new FatalError(
      "repository/newer",
      "source",
      `Cannot use ${root}: a newer logferry made this repository. Update logferry.`,
    );
  }
  // A repository whose mark is damaged is one all the same: `check` names it.
  if (mark !== undefined && (await namesIn(join(root, SNAPSHOTS))).length > 0) return true;
  throw new FatalError(
    "repository/none",
    "source",
    `Cannot use ${root}: it is no snapshot repository${foreign === undefined ? "" : `, and holds ${JSON.stringify(foreign)}`}. Name another folder, or an empty one.`,
  );
}

/** Whether the file of checksums is as we write it: a mark that says otherwise is damaged then, and not newer. */
async function hasSumsOfOurs(root: string): Promise<boolean> {
  for (const [name, text] of MARKING_FILES) {
    if (name === "SHA256SUMS") return (await bytesOf(root, name))?.toString("utf8") === text;
  }
  return false;
}

function isNewer(mark: string): boolean {
  const version = /^\{"format":"logferry-repository","version":(\d{1,9})\}/.exec(mark)?.[1];
  return version !== undefined && Number(version) > 1;
}

/** A snapshot repository, opened. */
export class Repository {
  /** Its folder. */
  readonly root: string;
  /** Whether it is there already; else its first backup makes it (`prepareToWrite`). */
  readonly isThere: boolean;

  constructor(root: string, isThere: boolean) {
    this.root = root;
    this.isThere = isThere;
  }

  /** Makes a repository of an empty folder, or goes on where that was stopped; what was never finished is taken away. */
  async prepareToWrite(): Promise<void> {
    for (const folder of [this.root, join(this.root, TEMPORARY), join(this.root, SNAPSHOTS), join(this.root, DATA)])
      await makeFolder(folder);
    for (const folder of Object.values(FOLDER_OF)) await makeFolder(join(this.root, DATA, folder));
    await clearTemporary(this.root);
    for (const [name, text] of MARKING_FILES) {
      if ((await bytesOf(this.root, name))?.toString("utf8") !== text)
        await writeWhole(this.root, name, Buffer.from(text));
    }
  }

  /** Every snapshot that can be read, oldest first, and what is damaged among them. */
  async readSnapshots(): Promise<{ readonly snapshots: readonly Snapshot[]; readonly damaged: readonly Damage[] }> {
    const snapshots: Snapshot[] = [];
    const damaged: Damage[] = [];
    for (const name of await namesIn(join(this.root, SNAPSHOTS))) {
      const file = `${SNAPSHOTS}/${name}`;
      const read = await this.#readSnapshot(file);
      if (typeof read === "string") damaged.push({ file, found: read });
      else if (read !== undefined) snapshots.push(read);
    }
    snapshots.sort((a, b) => Date.parse(a.time) - Date.parse(b.time) || (a.id < b.id ? -1 : 1));
    return { snapshots, damaged };
  }

  async #readSnapshot(file: string): Promise<Snapshot | string | undefined> {
    const [, time, id] = SNAPSHOT_FILE.exec(file) ?? [];
    if (id === undefined || time === undefined) return "is no name of a snapshot";
    const bytes = await bytesOf(this.root, file);
    // Forgotten since the folder was listed.
    if (bytes === undefined) return undefined;
    if (sha256(bytes) !== id) return "differs from its checksum";
    const body = snapshotOf(bytes.toString("utf8"));
    if (body === undefined) return "is no snapshot that this version of logferry can read";
    if (timeInName(body.time) !== time) return `is named for another time than ${body.time}`;
    return { ...body, id, file };
  }

  /** Reads a piece and checks all of it. @returns its records; or, as text, what is wrong */
  async readPiece(piece: Piece): Promise<readonly StoredRecord[] | string> {
    const bytes = await bytesOf(this.root, piece.file);
    if (bytes === undefined) return "is missing";
    const found = damageOfPiece(piece.file, bytes);
    if (found !== undefined) return found;
    const records = unpack(bytes);
    if (typeof records === "string") return records;
    return records.length === piece.records ? records : `holds ${records.length} records, not ${piece.records}`;
  }

  /**
   * Writes records as pieces. One that is there already, undamaged, isn't written again.
   *
   * @param part what they are of their kind
   * @returns the pieces, and how many bytes were written
   */
  async writePieces(
    kind: Piece["kind"],
    part: string,
    records: readonly StoredRecord[],
  ): Promise<{ readonly pieces: readonly Piece[]; readonly written: number }> {
    const pieces: Piece[] = [];
    let written = 0;
    for (let from = 0; from < records.length; from += MOST_IN_A_PIECE) {
      const some = records.slice(from, from + MOST_IN_A_PIECE);
      const bytes = pack(linesOf(some));
      const name = from === 0 ? part : `${part}-${from / MOST_IN_A_PIECE + 1}`;
      const file = `${DATA}/${FOLDER_OF[kind]}/${name}-${sha256(bytes)}.ndjson.zst`;
      const there = await bytesOf(this.root, file);
      if (there === undefined || !bytes.equals(there)) {
        await writeWhole(this.root, file, bytes);
        written += bytes.length;
      }
      pieces.push({ kind, part: name, file, records: some.length, bytes: bytes.length });
    }
    return { pieces, written };
  }

  /** Writes a snapshot, whose pieces must be there: from now on it counts. */
  async writeSnapshot(body: SnapshotBody): Promise<Snapshot> {
    const bytes = Buffer.from(snapshotText(body));
    const id = sha256(bytes);
    const file = `${SNAPSHOTS}/${timeInName(body.time)}-${id}.json`;
    await writeWhole(this.root, file, bytes);
    return { ...body, id, file };
  }

  /** Every file under `data/` and what lies there besides, below the repository. */
  async filesOfData(): Promise<readonly string[]> {
    const files: string[] = [];
    for (const folder of await namesIn(join(this.root, DATA))) {
      for (const name of await namesIn(join(this.root, DATA, folder))) files.push(`${DATA}/${folder}/${name}`);
    }
    return files;
  }

  /**
   * Takes snapshots away, then the pieces that no other one names, and pieces nothing names. Stopped anywhere, what is left is whole.
   *
   * @returns how many pieces went
   */
  async removeSnapshots(gone: readonly Snapshot[], kept: readonly Snapshot[]): Promise<number> {
    await removeFiles(
      this.root,
      gone.map(({ file }) => file),
    );
    const needed = new Set(kept.flatMap(({ pieces }) => pieces.map(({ file }) => file)));
    const unused = (await this.filesOfData()).filter((file) => PIECE_FILE.test(file) && !needed.has(file));
    await removeFiles(this.root, unused);
    await clearTemporary(this.root);
    return unused.length;
  }
}

/** What is wrong with a piece's bytes by their checksum. */
export function damageOfPiece(file: string, bytes: Uint8Array): string | undefined {
  return sha256(bytes) === PIECE_FILE.exec(file)?.[3] ? undefined : "differs from its checksum";
}
