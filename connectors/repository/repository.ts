/**
 * A snapshot repository in a folder: pieces named for their own checksums, and snapshots that name pieces. Pieces come first and are never
 * changed; a snapshot comes last, so it is there whole or not at all. Whoever writes holds the lock (`takeRepositoryLock`).
 */
import { dirname, join } from "node:path";
import { FatalError } from "../errors.ts";
import { type Cover, PLAIN, sealed } from "./cover.ts";
import { bytesOf, clearTemporary, makeFolder, namesIn, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import { MARK_FILE, type Mark, markingFiles, readMark, SUMS_FILE, TOP_NAMES } from "./format-marker.ts";
import { KEY_FILES, type Keys, needsKey } from "./keys.ts";
import { DATA, SNAPSHOT_FILE, SNAPSHOTS, sha256, sumInName, timeInName } from "./layout.ts";
import { linesOf, pack, type StoredRecord, unpack } from "./records.ts";
import type { Vault } from "./repository-key.ts";
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
 * @param keys what opens an encrypted one; without, only its name, its files and their checksums can be looked at (`isOpen`)
 * @throws FatalError `repository/none` where the folder holds something else; `repository/newer` where a newer logferry made it;
 *   `repository/needs-key`, `repository/wrong-key`, `repository/key-damaged`, `repository/other-key` where keys are given, and don't open it
 */
export async function openRepository(root: string, keys?: Keys): Promise<Repository> {
  const mark = await findMark(root);
  if (mark === undefined) {
    const vault = keys?.create === undefined ? undefined : await makeVault(keys);
    return new Repository(root, false, vault === undefined ? PLAIN : sealed(vault), vault);
  }
  if (mark === "plain" || (mark !== "encrypted" && !mark.isEncrypted)) return new Repository(root, true, PLAIN);
  if (keys === undefined) return new Repository(root, true);
  const vault = await openVault(root, mark === "encrypted" ? undefined : mark.recipient, keys);
  return new Repository(root, true, sealed(vault), vault);
}

/** What the mark of a repository says; where it lost it, what its files look like; undefined where there is none yet. */
async function findMark(root: string): Promise<Mark | "plain" | "encrypted" | undefined> {
  const [text, sums] = [await bytesOf(root, MARK_FILE), await bytesOf(root, SUMS_FILE)];
  const mark = text === undefined ? undefined : readMark(text.toString("utf8"), sums?.toString("utf8"));
  if (typeof mark === "object") return mark;
  if (mark === "newer") {
    throw new FatalError(
      "repository/newer",
      "source",
      `Cannot use ${root}: a newer logferry made this repository. Update logferry.`,
    );
  }
  // Snapshots without a sound mark: it is a repository all the same, and `check` names what it lost.
  const names = await namesIn(root);
  const foreign = names.find((one) => !TOP_NAMES.has(one));
  const snapshots = await namesIn(join(root, SNAPSHOTS));
  if (snapshots.length > 0 && (mark === "damaged" || foreign === undefined)) {
    return snapshots.some((name) => name.endsWith(".age")) ? "encrypted" : "plain";
  }
  if (mark === undefined && foreign === undefined) return undefined;
  throw new FatalError(
    "repository/none",
    "source",
    `Cannot use ${root}: it is no snapshot repository${foreign === undefined ? "" : `, and holds ${JSON.stringify(foreign)}`}. Name another folder, or an empty one.`,
  );
}

/** What encrypts is loaded where something is encrypted: most commands never need it, and loading it takes a while. */
async function makeVault(keys: Keys): Promise<Vault> {
  const { Vault } = await import("./repository-key.ts");
  return Vault.create(keys);
}

/** Opens the key: that of the first of its files that can be read. */
async function openVault(root: string, recipient: string | undefined, keys: Keys): Promise<Vault> {
  const { unlockWith, Vault } = await import("./repository-key.ts");
  const unlock = unlockWith(keys, root);
  let wrong: unknown;
  for (const name of KEY_FILES) {
    const bytes = await bytesOf(root, name);
    try {
      const vault = bytes === undefined ? undefined : await Vault.open(bytes, unlock);
      if (vault !== undefined && (recipient === undefined || vault.recipient === recipient)) return vault;
      if (vault !== undefined) {
        wrong ??= new FatalError(
          "repository/other-key",
          "source",
          `Cannot open ${root}: ${name} is the key of another repository`,
        );
      }
    } catch (error) {
      // The other may be sound, where this one was damaged so that it looks like this.
      wrong ??= error;
    }
  }
  throw (
    wrong ??
    new FatalError(
      "repository/key-damaged",
      "source",
      `Cannot open ${root}: ${KEY_FILES.join(" and ")} are damaged or gone. If you kept a copy of key.age, put it there; without it nothing in this repository can be read any more.`,
    )
  );
}

/** A snapshot repository, opened. */
export class Repository {
  /** Its folder. */
  readonly root: string;
  #isThere: boolean;
  readonly #cover: Cover | undefined;
  readonly #vault: Vault | undefined;

  /** @param cover undefined for an encrypted repository without its key */
  constructor(root: string, isThere: boolean, cover?: Cover, vault?: Vault) {
    this.root = root;
    this.#isThere = isThere;
    this.#cover = cover;
    this.#vault = vault;
  }

  /** Whether it is there already; else its first backup makes it (`prepareToWrite`). */
  get isThere(): boolean {
    return this.#isThere;
  }

  get isEncrypted(): boolean {
    return this.#cover === undefined || this.#cover.isEncrypted;
  }

  /** Whether what it holds can be read: it isn't encrypted, or its key is there. */
  get isOpen(): boolean {
    return this.#cover !== undefined;
  }

  /** @throws FatalError `repository/needs-key` */
  get #contents(): Cover {
    if (this.#cover !== undefined) return this.#cover;
    throw needsKey(this.root, "it is encrypted, and its key was not given");
  }

  /** The mark that this repository should have; undefined where it is encrypted, and the mark it has is damaged, and the key isn't there. */
  async mark(): Promise<Mark | undefined> {
    if (this.#vault !== undefined) {
      return { isEncrypted: true, recipient: this.#vault.recipient, key: sha256(this.#vault.keyFile) };
    }
    if (!this.isEncrypted) return { isEncrypted: false };
    const found = await findMark(this.root);
    return typeof found === "object" ? found : undefined;
  }

  /** Makes a repository of an empty folder, or goes on where that was stopped; what was never finished is taken away. */
  async prepareToWrite(): Promise<void> {
    const { folders } = this.#contents;
    for (const folder of [TEMPORARY, SNAPSHOTS, DATA, ...folders.map((name) => `${DATA}/${name}`)]) {
      await makeFolder(join(this.root, folder));
    }
    await clearTemporary(this.root);
    const now = await findMark(this.root);
    if (!this.isThere && now !== undefined) {
      throw new FatalError(
        "repository/locked",
        "locked",
        `Cannot use ${this.root}: another logferry made it a repository meanwhile. Run this again.`,
      );
    }
    const [mark, vault] = [await this.mark(), this.#vault];
    const keyFiles = vault === undefined ? [] : KEY_FILES.map((name) => [name, vault.keyFile] as const);
    for (const [name, content] of [...keyFiles, ...(mark === undefined ? [] : markingFiles(mark))]) {
      const bytes = Buffer.from(content);
      if ((await bytesOf(this.root, name))?.equals(bytes) !== true) await writeWhole(this.root, name, bytes);
    }
    this.#isThere = true;
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
    const time = SNAPSHOT_FILE.exec(file)?.[1];
    if (time === undefined) return "is no name of a snapshot";
    const bytes = await bytesOf(this.root, file);
    // Forgotten since the folder was listed.
    if (bytes === undefined) return undefined;
    const content = await this.#contents.uncover(file, bytes);
    if (typeof content === "string") return content;
    const body = snapshotOf(content.toString("utf8"));
    if (body === undefined) return "is no snapshot that this version of logferry can read";
    if (timeInName(body.time) !== time) return `is named for another time than ${body.time}`;
    return { ...body, id: sumInName(file) ?? "", file };
  }

  /** Reads a piece and checks all of it. @returns its records; or, as text, what is wrong */
  async readPiece(piece: Piece): Promise<readonly StoredRecord[] | string> {
    const { records, damaged } = await this.examine(piece);
    return records ?? damaged[0]?.found ?? "is missing";
  }

  /**
   * Looks at all of a piece.
   *
   * @returns its records, where any of its files is sound; and those of its files that aren't
   */
  async examine(
    piece: Piece,
  ): Promise<{ readonly records: readonly StoredRecord[] | undefined; readonly damaged: readonly Damage[] }> {
    const damaged: Damage[] = [];
    for (const file of await this.filesOf(piece.file)) {
      const bytes = await bytesOf(this.root, file);
      const found = bytes === undefined ? "is missing" : await this.#recordsIn(file, bytes, piece);
      if (typeof found !== "string") return { records: found, damaged };
      damaged.push({ file, found });
    }
    return {
      records: undefined,
      damaged: damaged.length === 0 ? [{ file: piece.file, found: "is missing" }] : damaged,
    };
  }

  async #recordsIn(file: string, bytes: Buffer, piece: Piece): Promise<readonly StoredRecord[] | string> {
    const content = await this.#contents.uncover(file, bytes);
    if (typeof content === "string") return content;
    const records = unpack(content);
    if (typeof records === "string") return records;
    return records.length === piece.records ? records : `holds ${records.length} records, not ${piece.records}`;
  }

  /**
   * The files that a piece may lie in: one; after a damaged one was written anew by a process that was killed then, two.
   *
   * @param name as snapshots have it
   */
  async filesOf(name: string): Promise<readonly string[]> {
    if (!this.#contents.isEncrypted) return [name];
    const folder = dirname(name);
    const files = (await namesIn(join(this.root, folder))).map((one) => `${folder}/${one}`);
    return files.filter((file) => this.pieceIn(file) === name);
  }

  /** The piece that a file holds, as snapshots name it; undefined for what is none. */
  pieceIn(file: string): string | undefined {
    return this.#contents.pieceIn(file);
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
      const packed = pack(linesOf(some));
      const name = from === 0 ? part : `${part}-${from / MOST_IN_A_PIECE + 1}`;
      const file = this.#contents.pieceName(kind, name, packed);
      const length = await this.#lengthOfSound(file);
      const put = length === undefined ? await this.#put(file, packed) : { bytes: length, written: 0 };
      written += put.written;
      pieces.push({ kind, part: name, file, records: some.length, bytes: put.bytes });
    }
    return { pieces, written };
  }

  /** Bytes of the file that holds a piece, where one does that is sound. */
  async #lengthOfSound(name: string): Promise<number | undefined> {
    for (const file of await this.filesOf(name)) {
      const bytes = await bytesOf(this.root, file);
      if (bytes !== undefined && typeof (await this.#contents.uncover(file, bytes)) !== "string") return bytes.length;
    }
    return undefined;
  }

  /** Writes a content in the place of what may be damaged there. */
  async #put(name: string, content: Buffer): Promise<{ readonly bytes: number; readonly written: number }> {
    const before = await this.filesOf(name);
    const { file, bytes } = await this.#contents.cover(name, content);
    await writeWhole(this.root, file, bytes);
    await removeFiles(
      this.root,
      before.filter((other) => other !== file),
    );
    return { bytes: bytes.length, written: bytes.length };
  }

  /** Writes a snapshot, whose pieces must be there: from now on it counts. */
  async writeSnapshot(body: SnapshotBody): Promise<Snapshot> {
    const text = Buffer.from(snapshotText(body));
    const { file, bytes } = await this.#contents.cover(this.#contents.snapshotName(body.time, text), text);
    await writeWhole(this.root, file, bytes);
    return { ...body, id: sha256(bytes), file };
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
    const unused = (await this.filesOfData()).filter((file) => {
      const piece = this.pieceIn(file);
      return piece !== undefined && !needed.has(piece);
    });
    await removeFiles(this.root, unused);
    await clearTemporary(this.root);
    return unused.length;
  }
}
