/**
 * How contents become files: as they are, or encrypted. Either way the name of a file ends in the SHA-256 of its bytes.
 */

import {
  DATA,
  FOLDER_OF,
  PIECE_FILE,
  PIECES,
  SEALED_PIECE_FILE,
  SNAPSHOTS,
  sealInName,
  sha256,
  sumInName,
  timeInName,
} from "./layout.ts";
import type { Vault } from "./repository-key.ts";
import type { Piece } from "./snapshot.ts";

/** A content as a file. */
export interface Covered {
  /** Below the repository. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** How contents become files. A content has a name that follows from it; its file's name begins with that, or is that. */
export interface Cover {
  readonly isEncrypted: boolean;
  /** Folders below `data/`. */
  readonly folders: readonly string[];
  /** What a snapshot names a piece by. */
  pieceName(kind: Piece["kind"], part: string, packed: Buffer): string;
  /** The name of the piece that a file holds; undefined for what is no piece of a repository like this. */
  pieceIn(file: string): string | undefined;
  snapshotName(time: string, text: Buffer): string;
  cover(name: string, content: Buffer): Promise<Covered>;
  /** The content of a file; or, as text, what is wrong with it. */
  uncover(file: string, bytes: Buffer): Promise<Buffer | string>;
}

/** Files that anybody can read. */
export const PLAIN: Cover = {
  isEncrypted: false,
  folders: Object.values(FOLDER_OF),
  pieceName: (kind, part, packed) => `${DATA}/${FOLDER_OF[kind]}/${part}-${sha256(packed)}.ndjson.zst`,
  pieceIn: (file) => (PIECE_FILE.test(file) ? file : undefined),
  snapshotName: (time, text) => `${SNAPSHOTS}/${timeInName(time)}-${sha256(text)}.json`,
  cover: async (name, content) => ({ file: name, bytes: content }),
  async uncover(file, bytes) {
    if (file.endsWith(".age")) return "is encrypted, which the repository isn't";
    return sha256(bytes) === sumInName(file) ? bytes : "differs from its checksum";
  },
};

/** Files of an encrypted repository. Their names tell when snapshots were made, and nothing of what is in the log. */
export function sealed(vault: Vault): Cover {
  const covered = async (name: string, content: Buffer) => {
    const bytes = await vault.encrypt(content);
    const extension = name.startsWith(SNAPSHOTS) ? "json" : "ndjson.zst";
    return { file: `${name}-${sha256(bytes)}.${extension}.age`, bytes };
  };
  return {
    isEncrypted: true,
    folders: [PIECES],
    pieceName: (_kind, _part, packed) => `${DATA}/${PIECES}/${vault.seal(packed)}`,
    pieceIn: (file) => SEALED_PIECE_FILE.exec(file)?.[1],
    snapshotName: (time, text) => `${SNAPSHOTS}/${timeInName(time)}-${vault.seal(text)}`,
    cover: covered,
    async uncover(file, bytes) {
      const found = damageOfSealed(file, bytes);
      if (found !== undefined) return found;
      const content = await vault.decrypt(bytes);
      if (content === undefined) return "is not encrypted with the key of this repository";
      return vault.seal(content) === sealInName(file) ? content : "is not sealed with the key of this repository";
    },
  };
}

/** What can be said of an encrypted file without the key; undefined when it is as it was written. */
export function damageOfSealed(file: string, bytes: Uint8Array): string | undefined {
  if (!file.endsWith(".age")) return "lies in plain text in an encrypted repository";
  return sha256(bytes) === sumInName(file) ? undefined : "differs from its checksum";
}
