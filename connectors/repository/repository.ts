/**
 * A snapshot repository in a folder: chunks named for their own checksums, and snapshots that name chunks. Chunks come first and are never
 * changed; a snapshot comes last, so it is there whole or not at all. Whoever writes holds the lock (`takeRepositoryLock`).
 */
import { dirname, join } from "node:path";
import { FatalError } from "../errors.ts";
import { type Codec, encryptedCodec, PLAIN_CODEC } from "./codec.ts";
import { clearTemporary, makeFolder, namesIn, readBytes, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import { type FormatMarker, MARKER_FILE, markerFiles, readMarker, SUMS_FILE, TOP_NAMES } from "./format-marker.ts";
import { KEY_FILES, type Keys, needsKey } from "./keys.ts";
import type { Damage } from "./layout.ts";
import { checksumInName, DATA, SNAPSHOT_FILE, SNAPSHOTS, sha256, timeInName, UNFINISHED } from "./layout.ts";
import { pack, type StoredRecord, toLines, unpack } from "./records.ts";
import type { RepositoryKey } from "./repository-key.ts";
import { type Chunk, type Snapshot, type SnapshotBody, snapshotOf, snapshotText } from "./snapshot.ts";
import { damageOfList, hasList, listAll, unlist } from "./snapshot-list.ts";

/** Records in one chunk at the most: an edit rewrites a chunk. */
const MOST_IN_A_CHUNK = 1_000;

/**
 * Opens a repository, or a folder that may become one: `isThere` tells. Nothing is written.
 *
 * @param keys what opens an encrypted one; without, only its name, its files and their checksums can be looked at (`isOpen`)
 * @throws FatalError `repository/none` where the folder holds something else; `repository/newer` where a newer logferry made it;
 *   `repository/needs-key`, `repository/wrong-key`, `repository/key-damaged`, `repository/other-key` where keys are given, and don't open it
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

/** What the marker of a repository says; where it lost it, what its files look like; undefined where there is none yet. */
async function findMarker(root: string): Promise<FormatMarker | "plain" | "encrypted" | undefined> {
  const [text, sums] = [await readBytes(root, MARKER_FILE), await readBytes(root, SUMS_FILE)];
  const marker = text === undefined ? undefined : readMarker(text.toString("utf8"), sums?.toString("utf8"));
  if (typeof marker === "object") return marker;
  if (marker === "newer") {
    throw new FatalError(
      "repository/newer",
      "source",
      `Cannot use ${root}: a newer logferry made this repository. Update logferry.`,
    );
  }
  // Snapshots without a sound marker: it is a repository all the same, and `check` names what it lost.
  const names = await namesIn(root);
  const foreign = names.find((one) => !TOP_NAMES.has(one));
  const snapshots = await namesIn(join(root, SNAPSHOTS));
  if (snapshots.length > 0 && (marker === "damaged" || foreign === undefined)) {
    return snapshots.some((name) => name.endsWith(".age")) ? "encrypted" : "plain";
  }
  if (marker === undefined && foreign === undefined) return undefined;
  throw new FatalError(
    "repository/none",
    "source",
    `Cannot use ${root}: it is no snapshot repository${foreign === undefined ? "" : `, and holds ${JSON.stringify(foreign)}`}. Name another folder, or an empty one.`,
  );
}

/** What encrypts is loaded where something is encrypted: most commands never need it, and loading it takes a while. */
async function makeKey(keys: Keys): Promise<RepositoryKey> {
  const { RepositoryKey } = await import("./repository-key.ts");
  return RepositoryKey.create(keys);
}

/** Opens the key: that of the first of its files that can be read. */
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
      // The other may be sound, where this one was damaged so that it looks like this.
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
  /** Its folder. */
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

  /** Whether it is there already; else its first backup makes it (`prepareToWrite`). */
  get isThere(): boolean {
    return this.#isThere;
  }

  get isEncrypted(): boolean {
    return this.#codec === undefined || this.#codec.isEncrypted;
  }

  /** Whether what it holds can be read: it isn't encrypted, or its key is there. */
  get isOpen(): boolean {
    return this.#codec !== undefined;
  }

  /** @throws FatalError `repository/needs-key` */
  get #contents(): Codec {
    if (this.#codec !== undefined) return this.#codec;
    throw needsKey(this.root, "it is encrypted, and its key was not given");
  }

  /** The marker that this repository should have; undefined where it is encrypted, and the marker it has is damaged, and the key isn't there. */
  async marker(): Promise<FormatMarker | undefined> {
    const found = await findMarker(this.root);
    const isListed = typeof found === "object" ? found.isListed : await hasList(this.root);
    if (this.#key !== undefined) {
      return { isEncrypted: true, isListed, recipient: this.#key.recipient, key: sha256(this.#key.keyFile) };
    }
    if (!this.isEncrypted) return { isEncrypted: false, isListed };
    return typeof found === "object" ? found : undefined;
  }

  /**
   * Makes a repository of an empty folder, or goes on where that was stopped; what was never finished is taken away. One of before there
   * was a list of snapshots gets it.
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
    const markers = marker === undefined ? [] : markerFiles({ ...marker, isListed: true });
    for (const [name, content] of [...keyFiles, ...markers]) {
      const bytes = Buffer.from(content);
      if ((await readBytes(this.root, name))?.equals(bytes) !== true) await writeWhole(this.root, name, bytes);
    }
    this.#isThere = true;
  }

  /** Every snapshot that can be read, oldest first, and what is damaged or missing among them. */
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

  /** Snapshots that must be there and aren't, and what is wrong with the list of them. Needs no key. */
  async missingSnapshots(): Promise<readonly Damage[]> {
    return damageOfList(this.root, (await this.marker())?.isListed ?? false, Date.now());
  }

  /** @param file as a snapshot is called @param folder where it lies */
  async #readSnapshot(file: string, folder = SNAPSHOTS): Promise<Snapshot | string | undefined> {
    const time = SNAPSHOT_FILE.exec(file)?.[1];
    if (time === undefined) return "is no name of a snapshot";
    const bytes = await readBytes(this.root, file.replace(SNAPSHOTS, folder));
    // Forgotten since the folder was listed.
    if (bytes === undefined) return undefined;
    const content = await this.#contents.decode(file, bytes);
    if (typeof content === "string") return content;
    const body = snapshotOf(content.toString("utf8"));
    if (body === undefined) return "is no snapshot that this version of logferry can read";
    if (timeInName(body.time) !== time) return `is named for another time than ${body.time}`;
    return { ...body, id: checksumInName(file) ?? "", file };
  }

  /** Reads a chunk and checks all of it. @returns its records; or, as text, what is wrong */
  async readChunk(chunk: Chunk): Promise<readonly StoredRecord[] | string> {
    const { records, damaged } = await this.examine(chunk);
    return records ?? damaged[0]?.found ?? "is missing";
  }

  /**
   * Looks at all of a chunk.
   *
   * @returns its records, where any of its files is sound; and those of its files that aren't
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
   * The files that a chunk may lie in: one; after a damaged one was written anew by a process that was killed then, two.
   *
   * @param name as snapshots have it
   */
  async filesOf(name: string): Promise<readonly string[]> {
    if (!this.#contents.isEncrypted) return [name];
    const folder = dirname(name);
    const files = (await namesIn(join(this.root, folder))).map((one) => `${folder}/${one}`);
    return files.filter((file) => this.chunkIn(file) === name);
  }

  /** The chunk that a file holds, as snapshots name it; undefined for what is none. */
  chunkIn(file: string): string | undefined {
    return this.#contents.chunkIn(file);
  }

  /**
   * Writes records as chunks. One that is there already, undamaged, isn't written again.
   *
   * @param part what they are of their kind
   * @returns the chunks, and how many bytes were written
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

  /** Bytes of the file that holds a chunk, where one does that is sound. */
  async #lengthOfSound(name: string): Promise<number | undefined> {
    for (const file of await this.filesOf(name)) {
      const bytes = await readBytes(this.root, file);
      if (bytes !== undefined && typeof (await this.#contents.decode(file, bytes)) !== "string") return bytes.length;
    }
    return undefined;
  }

  /** Writes a content in the place of what may be damaged there. */
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

  /** Writes a snapshot, whose chunks must be there: from now on it counts. */
  async writeSnapshot(body: SnapshotBody): Promise<Snapshot> {
    const text = Buffer.from(snapshotText(body));
    const { file, bytes } = await this.#contents.encode(this.#contents.snapshotName(body.time, text), text);
    await writeWhole(this.root, file, bytes);
    await listAll(this.root, Date.now());
    return { ...body, id: sha256(bytes), file };
  }

  /** Takes files of snapshots away, damaged and missing ones too: from now on nobody misses them. */
  async removeSnapshotFiles(files: readonly string[]): Promise<void> {
    await unlist(this.root, files);
    await removeFiles(this.root, files);
  }

  /**
   * Remembers what a backup under way has read so far, as a snapshot that doesn't count, in the place of what was remembered of it before. A
   * backup that comes after a killed one goes on from there.
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

  /** What a backup that was killed had read, as far as it can be read; undefined where there is nothing. */
  async readUnfinished(): Promise<Snapshot | undefined> {
    const found: Snapshot[] = [];
    for (const path of await this.#unfinishedFiles()) {
      const read = await this.#readSnapshot(path.replace(UNFINISHED, SNAPSHOTS), UNFINISHED);
      if (typeof read === "object") found.push(read);
    }
    // Killed before it took the one before away, it left two of one time: the later one has more in it.
    const size = ({ pieces }: Snapshot) => pieces.reduce((sum, { records }) => sum + records, 0);
    return found.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time) || size(b) - size(a))[0];
  }

  /** Forgets what was read for a backup that is finished by now. */
  async dropUnfinished(): Promise<void> {
    await removeFiles(this.root, await this.#unfinishedFiles());
  }

  async #unfinishedFiles(): Promise<readonly string[]> {
    return (await namesIn(join(this.root, UNFINISHED))).map((name) => `${UNFINISHED}/${name}`);
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
   * Takes snapshots away, then the chunks that no other one names, and chunks nothing names, those of a killed backup among them. Stopped anywhere, what is left is whole.
   *
   * @returns how many chunks went
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
