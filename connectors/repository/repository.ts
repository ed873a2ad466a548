/**
 * A snapshot repository in a folder: chunks named by their checksums, and snapshots that name chunks. Chunks are written first and never
 * change. The snapshot is written last, so it exists completely or not at all. Every writer holds the lock (`takeRepositoryLock`).
 */
import { dirname, join } from "node:path";
import { FatalError } from "../errors.ts";
import { type Codec, encryptedCodec, PLAIN_CODEC } from "./codec.ts";
import { clearTemporary, makeFolder, namesIn, readBytes, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import { findMarker, lostMarker } from "./find-marker.ts";
import { type FormatMarker, markerFiles, NEWEST_VERSION } from "./format-marker.ts";
import { KEY_FILES, type Keys, needsKey } from "./keys.ts";
import type { Damage } from "./layout.ts";
import { checksumInName, DATA, SNAPSHOT_FILE, SNAPSHOTS, sha256, timeInName, UNFINISHED } from "./layout.ts";
import { pack, type StoredRecord, toLines, unpack } from "./records.ts";
import type { RepositoryKey } from "./repository-key.ts";
import { type Chunk, type Snapshot, type SnapshotBody, snapshotOf, snapshotText } from "./snapshot.ts";
import { damageOfList, listAll, unlist } from "./snapshot-list.ts";

/** Most records in one chunk. An edit rewrites a whole chunk. */
const MOST_IN_A_CHUNK = 1_000;

/**
 * Opens a repository, or a folder that may become one (see `isThere`), without writing anything.
 *
 * @param keys open an encrypted repository; without them, only its name, its files and their checksums can be checked (`isOpen`)
 * @throws FatalError `repository/none` if the folder holds other files; `repository/newer` if a newer logferry made it;
 *   `repository/needs-key`, `repository/wrong-key`, `repository/key-damaged`, `repository/other-key` if keys are given and don't open it
 */
export async function openRepository(root: string, keys?: Keys): Promise<Repository> {
  const marker = await findMarker(root);
  if (marker === undefined) {
    const key = keys?.create === undefined ? undefined : await makeKey(keys);
    return new Repository(root, false, key === undefined ? PLAIN_CODEC : encryptedCodec(key), key);
  }
  if (marker === "plain" || (marker !== "encrypted" && !marker.isEncrypted))
    return new Repository(root, true, PLAIN_CODEC);
  if (keys === undefined) return new Repository(root, true);
  const key = await openKey(root, marker === "encrypted" ? undefined : marker.recipient, keys);
  return new Repository(root, true, encryptedCodec(key), key);
}

/** Loads the encryption only when it is needed. Most commands don't need it, and loading takes a while. */
async function makeKey(keys: Keys): Promise<RepositoryKey> {
  const { RepositoryKey } = await import("./repository-key.ts");
  return RepositoryKey.create(keys);
}

/** Opens the key from the first of its files that can be read. */
async function openKey(root: string, recipient: string | undefined, keys: Keys): Promise<RepositoryKey> {
  const { unlockWith, RepositoryKey } = await import("./repository-key.ts");
  const unlock = unlockWith(keys, root);
  let wrong: unknown;
  for (const name of KEY_FILES) {
    const bytes = await readBytes(root, name);
    try {
      const key = bytes === undefined ? undefined : await RepositoryKey.open(bytes, unlock);
      if (key !== undefined && (recipient === undefined || key.recipient === recipient)) return key;
      if (key !== undefined) {
        wrong ??= new FatalError(
          "repository/other-key",
          "source",
          `Cannot open ${root}: ${name} is the key of another repository`,
        );
      }
    } catch (error) {
      // This file may be damaged in a way that looks like a wrong key. The other file may be sound.
      wrong ??= error;
    }
  }
  throw (
    wrong ??
    new FatalError(
      "repository/key-damaged",
      "source",
      `Cannot open ${root}: ${KEY_FILES.join(" and ")} are damaged or gone. If you kept a copy of key.age, put it there. Without it nothing in this repository can be read any more.`,
    )
  );
}

/** A snapshot repository, opened. */
export class Repository {
  /** The path of its folder. */
  readonly root: string;
  #isThere: boolean;
  readonly #codec: Codec | undefined;
  readonly #key: RepositoryKey | undefined;

  /** @param codec undefined for an encrypted repository without its key */
  constructor(root: string, isThere: boolean, codec?: Codec, key?: RepositoryKey) {
    this.root = root;
    this.#isThere = isThere;
    this.#codec = codec;
    this.#key = key;
  }

  /** Whether it exists already. If not, its first backup makes it (`prepareToWrite`). */
  get isThere(): boolean {
    return this.#isThere;
  }

  get isEncrypted(): boolean {
    return this.#codec === undefined || this.#codec.isEncrypted;
  }

  /** Whether its contents can be read: it is not encrypted, or the key is given. */
  get isOpen(): boolean {
    return this.#codec !== undefined;
  }

  /** @throws FatalError `repository/needs-key` */
  get #contents(): Codec {
    if (this.#codec !== undefined) return this.#codec;
    throw needsKey(this.root, "it is encrypted, and its key was not given");
  }

  /** The marker that it should have; undefined if it is encrypted, its marker is damaged, and the key is missing. */
  async marker(): Promise<FormatMarker | undefined> {
    const found = await findMarker(this.root);
    if (this.isEncrypted && this.#key === undefined) return typeof found === "object" ? found : undefined;
    const owner =
      this.#key === undefined
        ? ({ isEncrypted: false } as const)
        : ({ isEncrypted: true, recipient: this.#key.recipient, key: sha256(this.#key.keyFile) } as const);
    return typeof found === "object" ? { ...owner, version: found.version } : lostMarker(this.root, owner);
  }

  /**
   * Makes an empty folder into a repository, or finishes an interrupted attempt. It removes unfinished files. A repository of an older
   * version becomes one of the newest, and gets the list of its snapshots.
   */
  async prepareToWrite(): Promise<void> {
    const { folders } = this.#contents;
    for (const folder of [TEMPORARY, SNAPSHOTS, DATA, ...folders.map((name) => `${DATA}/${name}`)]) {
      await makeFolder(join(this.root, folder));
    }
    await clearTemporary(this.root);
    const now = await findMarker(this.root);
    if (!this.isThere && now !== undefined) {
      throw new FatalError(
        "repository/locked",
        "locked",
        `Cannot use ${this.root}: another logferry made it a repository meanwhile. Run this again.`,
      );
    }
    const [marker, key] = [await this.marker(), this.#key];
    const keyFiles = key === undefined ? [] : KEY_FILES.map((name) => [name, key.keyFile] as const);
    await listAll(this.root, Date.now());
    const markers = marker === undefined ? [] : markerFiles({ ...marker, version: NEWEST_VERSION });
    for (const [name, content] of [...keyFiles, ...markers]) {
      const bytes = Buffer.from(content);
      if ((await readBytes(this.root, name))?.equals(bytes) !== true) await writeWhole(this.root, name, bytes);
    }
    this.#isThere = true;
  }

  /** Every readable snapshot, oldest first, and the damaged or missing ones. */
  async readSnapshots(): Promise<{ readonly snapshots: readonly Snapshot[]; readonly damaged: readonly Damage[] }> {
    const snapshots: Snapshot[] = [];
    const damaged: Damage[] = [];
    for (const name of await namesIn(join(this.root, SNAPSHOTS))) {
      const file = `${SNAPSHOTS}/${name}`;
      const read = await this.#readSnapshot(file);
      if (typeof read === "string") damaged.push({ file, found: read });
      else if (read !== undefined) snapshots.push(read);
    }
    damaged.push(...(await this.missingSnapshots()));
    snapshots.sort((a, b) => Date.parse(a.time) - Date.parse(b.time) || (a.id < b.id ? -1 : 1));
    return { snapshots, damaged };
  }

  /** Snapshots on the list that are missing, and damage of the list itself. Needs no key. */
  async missingSnapshots(): Promise<readonly Damage[]> {
    return damageOfList(this.root, ((await this.marker())?.version ?? 1) > 1, Date.now());
  }

  /** @param file name of the snapshot @param folder where it lies */
  async #readSnapshot(file: string, folder = SNAPSHOTS): Promise<Snapshot | string | undefined> {
    const time = SNAPSHOT_FILE.exec(file)?.[1];
    if (time === undefined) return "is no name of a snapshot";
    const bytes = await readBytes(this.root, file.replace(SNAPSHOTS, folder));
    // The snapshot was removed after the folder was listed.
    if (bytes === undefined) return undefined;
    const content = await this.#contents.decode(file, bytes);
    if (typeof content === "string") return content;
    const body = snapshotOf(content.toString("utf8"));
    if (body === undefined) return "is no snapshot that this version of logferry can read";
    if (timeInName(body.time) !== time) return `is named for another time than ${body.time}`;
    return { ...body, id: checksumInName(file) ?? "", file };
  }

  /** Reads and checks a whole chunk. @returns its records; or its fault, as text */
  async readChunk(chunk: Chunk): Promise<readonly StoredRecord[] | string> {
    const { records, damaged } = await this.examine(chunk);
    return records ?? damaged[0]?.found ?? "is missing";
  }

  /**
   * Checks all files of a chunk.
   *
   * @returns its records, if one of its files is sound; and its damaged files
   */
  async examine(
    chunk: Chunk,
  ): Promise<{ readonly records: readonly StoredRecord[] | undefined; readonly damaged: readonly Damage[] }> {
    const damaged: Damage[] = [];
    for (const file of await this.filesOf(chunk.file)) {
      const bytes = await readBytes(this.root, file);
      const found = bytes === undefined ? "is missing" : await this.#recordsIn(file, bytes, chunk);
      if (typeof found !== "string") return { records: found, damaged };
      damaged.push({ file, found });
    }
    return {
      records: undefined,
      damaged: damaged.length === 0 ? [{ file: chunk.file, found: "is missing" }] : damaged,
    };
  }

  async #recordsIn(file: string, bytes: Buffer, chunk: Chunk): Promise<readonly StoredRecord[] | string> {
    const content = await this.#contents.decode(file, bytes);
    if (typeof content === "string") return content;
    const records = unpack(content);
    if (typeof records === "string") return records;
    return records.length === chunk.records ? records : `holds ${records.length} records, not ${chunk.records}`;
  }

  /**
   * The files that may hold a chunk. There are two if a process rewrote a damaged file and was killed then, otherwise one.
   *
   * @param name as snapshots have it
   */
  async filesOf(name: string): Promise<readonly string[]> {
    if (!this.#contents.isEncrypted) return [name];
    const folder = dirname(name);
    const files = (await namesIn(join(this.root, folder))).map((one) => `${folder}/${one}`);
    return files.filter((file) => this.chunkIn(file) === name);
  }

  /** The chunk in a file, under the name that snapshots use; undefined if the file is not a chunk. */
  chunkIn(file: string): string | undefined {
    return this.#contents.chunkIn(file);
  }

  /**
   * Writes records as chunks. An undamaged chunk that already exists is not written again.
   *
   * @param part the part of the kind, such as a year
   * @returns the chunks, and the number of bytes written
   */
  async writeChunks(
    kind: Chunk["kind"],
    part: string,
    records: readonly StoredRecord[],
  ): Promise<{ readonly pieces: readonly Chunk[]; readonly written: number }> {
    const pieces: Chunk[] = [];
    let written = 0;
    for (let from = 0; from < records.length; from += MOST_IN_A_CHUNK) {
      const some = records.slice(from, from + MOST_IN_A_CHUNK);
      const packed = pack(toLines(some));
      const name = from === 0 ? part : `${part}-${from / MOST_IN_A_CHUNK + 1}`;
      const file = this.#contents.chunkName(kind, name, packed);
      const length = await this.#lengthOfSound(file);
      const put = length === undefined ? await this.#put(file, packed) : { bytes: length, written: 0 };
      written += put.written;
      pieces.push({ kind, part: name, file, records: some.length, bytes: put.bytes });
    }
    return { pieces, written };
  }

  /** Bytes of the first sound file that holds a chunk; undefined if there is none. */
  async #lengthOfSound(name: string): Promise<number | undefined> {
    for (const file of await this.filesOf(name)) {
      const bytes = await readBytes(this.root, file);
      if (bytes !== undefined && typeof (await this.#contents.decode(file, bytes)) !== "string") return bytes.length;
    }
    return undefined;
  }

  /** Writes a content and replaces its possibly damaged files. */
  async #put(name: string, content: Buffer): Promise<{ readonly bytes: number; readonly written: number }> {
    const before = await this.filesOf(name);
    const { file, bytes } = await this.#contents.encode(name, content);
    await writeWhole(this.root, file, bytes);
    await removeFiles(
      this.root,
      before.filter((other) => other !== file),
    );
    return { bytes: bytes.length, written: bytes.length };
  }

  /** Writes a snapshot, which counts from now on. Its chunks must exist already. */
  async writeSnapshot(body: SnapshotBody): Promise<Snapshot> {
    const text = Buffer.from(snapshotText(body));
    const { file, bytes } = await this.#contents.encode(this.#contents.snapshotName(body.time, text), text);
    await writeWhole(this.root, file, bytes);
    await listAll(this.root, Date.now());
    return { ...body, id: sha256(bytes), file };
  }

  /** Removes the files of snapshots, also damaged and missing ones. From now on they don't count as missing. */
  async removeSnapshotFiles(files: readonly string[]): Promise<void> {
    await unlist(this.root, files);
    await removeFiles(this.root, files);
  }

  /**
   * Stores the progress of a running backup as a snapshot that doesn't count, and replaces the progress stored before. After a kill, the
   * next backup resumes there.
   *
   * @param body its `time` and `fullAt` say when the reading began
   */
  async writeUnfinished(body: SnapshotBody): Promise<void> {
    await makeFolder(join(this.root, UNFINISHED));
    const before = await this.#unfinishedFiles();
    const text = Buffer.from(snapshotText(body));
    const { file, bytes } = await this.#contents.encode(this.#contents.snapshotName(body.time, text), text);
    const path = file.replace(SNAPSHOTS, UNFINISHED);
    await writeWhole(this.root, path, bytes);
    await removeFiles(
      this.root,
      before.filter((other) => other !== path),
    );
  }

  /** The readable progress of a killed backup; undefined if there is none. */
  async readUnfinished(): Promise<Snapshot | undefined> {
    const found: Snapshot[] = [];
    for (const path of await this.#unfinishedFiles()) {
      const read = await this.#readSnapshot(path.replace(UNFINISHED, SNAPSHOTS), UNFINISHED);
      if (typeof read === "object") found.push(read);
    }
    // A process killed before it removed the older progress leaves two of the same time. The newer one has more records.
    const size = ({ pieces }: Snapshot) => pieces.reduce((sum, { records }) => sum + records, 0);
    return found.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time) || size(b) - size(a))[0];
  }

  /** Removes the stored progress of a finished backup. */
  async dropUnfinished(): Promise<void> {
    await removeFiles(this.root, await this.#unfinishedFiles());
  }

  async #unfinishedFiles(): Promise<readonly string[]> {
    return (await namesIn(join(this.root, UNFINISHED))).map((name) => `${UNFINISHED}/${name}`);
  }

  /** Every file under `data/`, also unknown ones. The paths are below the repository. */
  async filesOfData(): Promise<readonly string[]> {
    const files: string[] = [];
    for (const folder of await namesIn(join(this.root, DATA))) {
      for (const name of await namesIn(join(this.root, DATA, folder))) files.push(`${DATA}/${folder}/${name}`);
    }
    return files;
  }

  /**
   * Removes snapshots, then the chunks that no kept snapshot names, among them the chunks of a killed backup. If it is stopped at any point,
   * the repository is still whole.
   *
   * @returns the number of removed chunks
   */
  async removeSnapshots(gone: readonly Snapshot[], kept: readonly Snapshot[]): Promise<number> {
    await this.removeSnapshotFiles(gone.map(({ file }) => file));
    await this.dropUnfinished();
    const needed = new Set(kept.flatMap(({ pieces }) => pieces.map(({ file }) => file)));
    const unused = (await this.filesOfData()).filter((file) => {
      const chunk = this.chunkIn(file);
      return chunk !== undefined && !needed.has(chunk);
    });
    await removeFiles(this.root, unused);
    await clearTemporary(this.root);
    return unused.length;
  }
}
