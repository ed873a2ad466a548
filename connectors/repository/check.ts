/**
 * Looks at everything in a repository: is it there, and is it as it was written?
 */

import { basename, join } from "node:path";
import { damageOfEncrypted } from "./codec.ts";
import { readDrills } from "./drills.ts";
import { namesIn, readBytes, readSize } from "./files.ts";
import { MARKER_FILE, markerFiles, TOP_NAMES } from "./format-marker.ts";
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

/** Which share of the chunks is read: the `part`th of `of`. A chunk is always in the same one. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** What a check found. */
export interface Checked {
  readonly snapshots: number;
  /** Chunks that snapshots name, and how many of them were read to their last byte. */
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
 * Checks a repository: the files that mark it, every snapshot, and that every chunk is there with its length; and of the chunks, or a
 * share of them, every byte and the checksum of every record. Of an encrypted repository without its key, the bytes of every file.
 *
 * @param onProgress told how many chunks are done, of how many
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

/** The files that mark a repository, and the key of an encrypted one. */
async function damageOfMarkers(repository: Repository): Promise<readonly Damage[]> {
  const marker = await repository.marker();
  if (marker === undefined) return [{ file: MARKER_FILE, found: "is missing, or not as it was written" }];
  const damaged: Damage[] = [];
  // Killed while it was given its list, a repository has files of both kinds, and the next backup finishes it.
  const isGettingList = !marker.isListed && (await hasList(repository.root));
  const finished = new Map(markerFiles({ ...marker, isListed: marker.isListed || isGettingList }));
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

/** Of an encrypted repository: files that anybody could read, or that aren't named as its are. */
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

/** By the checksum or the keyed checksum that ends a chunk's name. */
function isInShare(chunk: string, { part, of }: Share): boolean {
  const hash = CHUNK_FILE.exec(chunk)?.[3] ?? basename(chunk);
  return Number.parseInt(hash.slice(0, 8), 16) % of === part - 1;
}
