/** Checks all files of a repository: whether they exist, and whether they are unchanged. */

import { basename, join } from "node:path";
import { damageOfEncrypted } from "./codec.ts";
import { readDrills } from "./drills.ts";
import { namesIn, readBytes, readSize } from "./files.ts";
import { MARKER_FILE, markerFiles, NEWEST_VERSION, TOP_NAMES } from "./format-marker.ts";
import { KEY_FILES } from "./keys.ts";
import {
  CHUNK_FILE,
  type Damage,
  ENCRYPTED_CHUNK,
  ENCRYPTED_CHUNK_FILE,
  FOLDER_OF,
  SNAPSHOT_FILE,
  SNAPSHOTS,
  sha256,
} from "./layout.ts";
import type { Repository } from "./repository.ts";
import type { Chunk } from "./snapshot.ts";
import { hasList } from "./snapshot-list.ts";

/** The share of the chunks to read: the `part`th of `of`. A chunk is always in the same share. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** The result of a check. */
export interface Checked {
  readonly snapshots: number;
  /** Chunks that snapshots name, and the number of chunks that were read completely. */
  readonly pieces: number;
  readonly read: number;
  readonly records: number;
  readonly damaged: readonly Damage[];
  /** Files that no snapshot names. They come from stopped backups, or from other programs. */
  readonly unused: readonly string[];
  /** Whether the contents were checked. Without the key of an encrypted repository, only the bytes can be checked. */
  readonly opened: boolean;
}

/**
 * Checks a repository: its marker files, every snapshot, and that every chunk exists with its length. In all chunks, or a share of them, it
 * also checks every byte, and the checksum of every record that has one. Without the key of an encrypted repository, it checks the bytes of every file.
 *
 * @param onProgress called with the number of finished chunks, and the number of all
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
  const damaged = [...(await damageOfMarkers(repository)), ...found.damaged, ...drills.damaged];
  const foreign = (await namesIn(repository.root)).filter((name) => !TOP_NAMES.has(name));
  return {
    ...found,
    damaged: damaged.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    unused: [...foreign, ...found.unused],
    opened: repository.isOpen,
  };
}

/** The findings about a repository's contents. */
type Contents = Omit<Checked, "opened">;

async function checkOpened(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Contents> {
  const { snapshots, damaged: damagedSnapshots } = await repository.readSnapshots();
  const damaged: Damage[] = [...damagedSnapshots];
  const named = new Map<string, Chunk>();
  for (const { file: snapshot, pieces } of snapshots) {
    for (const chunk of pieces) {
      const other = named.get(chunk.file);
      if (other !== undefined && (other.records !== chunk.records || other.bytes !== chunk.bytes)) {
        damaged.push({ file: snapshot, found: `says otherwise of ${chunk.file} than another snapshot` });
      }
      if (!isConsistent(chunk, repository.isEncrypted)) {
        damaged.push({ file: snapshot, found: `says of ${chunk.file} what its name denies` });
      }
      named.set(chunk.file, chunk);
    }
  }
  let [read, records, done] = [0, 0, 0];
  const used = new Set<string>();
  for (const chunk of named.values()) {
    if (signal.aborted) break;
    onProgress(++done, named.size);
    const files = await repository.filesOf(chunk.file);
    for (const file of files) used.add(file);
    const lengths = await Promise.all(files.map((file) => readSize(repository.root, file)));
    if (!lengths.includes(chunk.bytes)) {
      const [file = chunk.file, length] = [files[0], lengths[0]];
      damaged.push({
        file,
        found: length === undefined ? "is missing" : `is ${length} bytes long, not ${chunk.bytes}`,
      });
      continue;
    }
    if (!isInShare(chunk.file, share)) continue;
    read++;
    const found = await repository.examine(chunk);
    if (found.records === undefined) damaged.push(...found.damaged);
    else records += chunk.records;
  }
  const data = await repository.filesOfData();
  if (repository.isEncrypted) damaged.push(...plainTextIn(data));
  const unused = data.filter(
    (file) => !used.has(file) && (!signal.aborted || !named.has(repository.chunkIn(file) ?? "")),
  );
  return { snapshots: snapshots.length, pieces: named.size, read, records, damaged, unused };
}

/** Checks without the key, whether the bytes of every existing file match the file's name. */
async function checkClosed(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Contents> {
  const { root } = repository;
  const snapshots = (await namesIn(join(root, SNAPSHOTS))).map((name) => `${SNAPSHOTS}/${name}`);
  const data = await repository.filesOfData();
  const pieces = data.filter((file) => ENCRYPTED_CHUNK_FILE.test(file));
  const damaged: Damage[] = [...plainTextIn(data), ...(await repository.missingSnapshots())];
  for (const file of snapshots) {
    const bytes = await readBytes(root, file);
    const found = bytes === undefined ? undefined : damageOfEncrypted(file, bytes);
    if (!SNAPSHOT_FILE.test(file)) damaged.push({ file, found: "is no name of a snapshot" });
    else if (found !== undefined) damaged.push({ file, found });
  }
  let [read, done] = [0, 0];
  for (const file of pieces) {
    if (signal.aborted) break;
    onProgress(++done, pieces.length);
    if (!isInShare(file, share)) continue;
    read++;
    const bytes = await readBytes(root, file);
    const found = bytes === undefined ? undefined : damageOfEncrypted(file, bytes);
    if (found !== undefined) damaged.push({ file, found });
  }
  return {
    snapshots: snapshots.length,
    pieces: pieces.length,
    read,
    records: 0,
    damaged,
    unused: data.filter((file) => !ENCRYPTED_CHUNK_FILE.test(file)),
  };
}

/** Checks the files that mark a repository, and the key of an encrypted one. */
async function damageOfMarkers(repository: Repository): Promise<readonly Damage[]> {
  const marker = await repository.marker();
  if (marker === undefined) return [{ file: MARKER_FILE, found: "is missing, or not as it was written" }];
  const damaged: Damage[] = [];
  // If the process was killed while it made the repository one of the newest version, it has files of both. The next backup finishes the work.
  const version = (await hasList(repository.root)) ? NEWEST_VERSION : marker.version;
  const finished = new Map(markerFiles({ ...marker, version }));
  for (const [name, text] of markerFiles(marker)) {
    const bytes = await readBytes(repository.root, name);
    const isRight = (one = "") => bytes?.equals(Buffer.from(one));
    if (bytes === undefined) damaged.push({ file: name, found: "is missing" });
    else if (!isRight(text) && !isRight(finished.get(name)))
      damaged.push({ file: name, found: "is not as it was written" });
  }
  if (!marker.isEncrypted) return damaged;
  for (const name of KEY_FILES) {
    const bytes = await readBytes(repository.root, name);
    if (bytes === undefined) damaged.push({ file: name, found: "is missing" });
    else if (sha256(bytes) !== marker.key) damaged.push({ file: name, found: "is not as it was written" });
  }
  return damaged;
}

/** Files of an encrypted repository that are in plain text, or have the wrong kind of name. */
function plainTextIn(files: readonly string[]): Damage[] {
  return files
    .filter((file) => !file.endsWith(".age"))
    .map((file) => ({ file, found: "lies in plain text in an encrypted repository" }));
}

function isConsistent({ kind, part, file }: Chunk, isEncrypted: boolean): boolean {
  if (isEncrypted) return ENCRYPTED_CHUNK.test(file);
  const [, folder, name] = CHUNK_FILE.exec(file) ?? [];
  return folder === FOLDER_OF[kind] && name === part;
}

/** Uses the checksum or the keyed checksum at the end of a chunk's name. */
function isInShare(chunk: string, { part, of }: Share): boolean {
  const hash = CHUNK_FILE.exec(chunk)?.[3] ?? basename(chunk);
  return Number.parseInt(hash.slice(0, 8), 16) % of === part - 1;
}
