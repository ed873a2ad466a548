/** A snapshot: a checked copy of the journal's file, in compressed pieces. It replaces the changes before it. */
import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { FatalError } from "../../connectors/errors.ts";
import { JOURNAL_VERSION } from "../journal/rebuild.ts";
import type { ChangeSource } from "../journal/replicated.ts";
import { type Patience, untilAnswered } from "./patience.ts";
import type { JournalStore, StoredJournal } from "./store.ts";

/** Bytes of the file in one piece. */
const PIECE_BYTES = 1 << 20;

const pack = promisify(deflate);
const unpack = promisify(inflate);

/** A copy of the journal's file on this machine. */
export interface Snapshot {
  /** The size of the file. */
  readonly bytes: number;
  /** Puts it into the store, in place of the changes before it. @returns false when the claim is over */
  store(store: Pick<JournalStore, "keepPiece" | "useSnapshot">, fence: number, patience: Patience): Promise<boolean>;
  /** Removes the file. */
  remove(): void;
}

/**
 * Copies the journal as it is now.
 *
 * @param path a file that this replaces
 * @param number the number of the shipment that was taken last
 * @throws FatalError when the copy can't be written, or is damaged
 */
export function takeSnapshot(source: ChangeSource, path: string, number: number): Snapshot {
  const remove = () => rmSync(path, { force: true });
  remove();
  source.copyTo(path);
  const bytes = statSync(path).size;
  return {
    bytes,
    remove,
    async store(store, fence, patience) {
      let index = 0;
      for (const piece of piecesOf(path)) {
        const packed = await pack(piece);
        const at = index++;
        if (!(await untilAnswered(patience, () => store.keepPiece(fence, number, at, packed)))) return false;
      }
      const snapshot = { number, pieces: index, version: JOURNAL_VERSION };
      return untilAnswered(patience, () => store.useSnapshot(fence, snapshot));
    },
  };
}

function* piecesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const size = readSync(file, piece, 0, piece.length, null);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

/** The pieces of a stored snapshot, unpacked. @throws FatalError `journal/damaged` when one is missing or damaged */
export async function* readSnapshot(stored: StoredJournal): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < stored.pieces; index++) {
    const packed = await stored.piece(index);
    if (packed === undefined) throw damaged(index);
    yield await unpack(packed).catch(() => {
      throw damaged(index);
    });
  }
}

function damaged(index: number): FatalError {
  return new FatalError(
    "journal/damaged",
    "journal",
    `Cannot open the journal: piece ${index + 1} of its snapshot in PostgreSQL is missing or damaged. Restore the database from a backup. Or begin a new journal: what is in the log already is recognised by listing it.`,
  );
}
