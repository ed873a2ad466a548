/** Encodes contents as files, in plain text or encrypted. In both cases the file's name ends in the SHA-256 of its bytes. */

import {
  CHUNK_FILE,
  CHUNKS_FOLDER,
  checksumInName,
  DATA,
  ENCRYPTED_CHUNK_FILE,
  FOLDER_OF,
  keyedChecksumInName,
  SNAPSHOTS,
  sha256,
  timeInName,
} from "./layout.ts";
import type { RepositoryKey } from "./repository-key.ts";
import type { Chunk } from "./snapshot.ts";

/** A content in the form of a file. */
export interface Encoded {
  /** Path below the repository. */
  readonly file: string;
  readonly bytes: Buffer;
}

/**
 * Turns contents into files and back. Each content has a name that follows from it. The name of its file begins with that name, or equals
 * it.
 */
export interface Codec {
  readonly isEncrypted: boolean;
  /** Folders below `data/`. */
  readonly folders: readonly string[];
  /** The name that a snapshot uses for a chunk. */
  chunkName(kind: Chunk["kind"], part: string, packed: Buffer): string;
  /** The name of the chunk in a file; undefined if the file is not a chunk of such a repository. */
  chunkIn(file: string): string | undefined;
  snapshotName(time: string, text: Buffer): string;
  encode(name: string, content: Buffer): Promise<Encoded>;
  /** The content of a file; or its fault, as text. */
  decode(file: string, bytes: Buffer): Promise<Buffer | string>;
}

/** The codec for files that every program can read. */
export const PLAIN_CODEC: Codec = {
  isEncrypted: false,
  folders: Object.values(FOLDER_OF),
  chunkName: (kind, part, packed) => `${DATA}/${FOLDER_OF[kind]}/${part}-${sha256(packed)}.ndjson.zst`,
  chunkIn: (file) => (CHUNK_FILE.test(file) ? file : undefined),
  snapshotName: (time, text) => `${SNAPSHOTS}/${timeInName(time)}-${sha256(text)}.json`,
  encode: async (name, content) => ({ file: name, bytes: content }),
  async decode(file, bytes) {
    if (file.endsWith(".age")) return "is encrypted, which the repository isn't";
    return sha256(bytes) === checksumInName(file) ? bytes : "differs from its checksum";
  },
};

/**
 * The codec for an encrypted repository. The names of its files show when snapshots were made, and nothing about the contents of the log.
 */
export function encryptedCodec(key: RepositoryKey): Codec {
  const encode = async (name: string, content: Buffer) => {
    const bytes = await key.encrypt(content);
    const extension = name.startsWith(SNAPSHOTS) ? "json" : "ndjson.zst";
    return { file: `${name}-${sha256(bytes)}.${extension}.age`, bytes };
  };
  return {
    isEncrypted: true,
    folders: [CHUNKS_FOLDER],
    chunkName: (_kind, _part, packed) => `${DATA}/${CHUNKS_FOLDER}/${key.keyedChecksum(packed)}`,
    chunkIn: (file) => ENCRYPTED_CHUNK_FILE.exec(file)?.[1],
    snapshotName: (time, text) => `${SNAPSHOTS}/${timeInName(time)}-${key.keyedChecksum(text)}`,
    encode: encode,
    async decode(file, bytes) {
      const found = damageOfEncrypted(file, bytes);
      if (found !== undefined) return found;
      const content = await key.decrypt(bytes);
      if (content === undefined) return "is not encrypted with the key of this repository";
      return key.keyedChecksum(content) === keyedChecksumInName(file)
        ? content
        : "was not written with the key of this repository";
    },
  };
}

/** Checks an encrypted file without the key. Returns its fault; undefined when it is unchanged. */
export function damageOfEncrypted(file: string, bytes: Uint8Array): string | undefined {
  if (!file.endsWith(".age")) return "lies in plain text in an encrypted repository";
  return sha256(bytes) === checksumInName(file) ? undefined : "differs from its checksum";
}
