/** The beginning of a file of an archive, unpacked: enough to tell its structure, and never more than a share of the work. */
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { streamUnpacked } from "../../connectors/containers/gzip.ts";

/** What may still be read of an archive. */
export interface Work {
  bytesLeft: number;
}

/** A file that is being looked at. */
export interface OpenedEntry {
  /** Its first bytes, at most 64 KiB. */
  readonly head: Uint8Array;
  /** All of it from its start, or its beginning. Errors of the archive come while iterating. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether `chunks` ended before the file did. */
  isPart(): boolean;
  close(): Promise<void>;
}

const HEAD_BYTES = 64 * 1024;

/** Opens a file. @throws ArchiveError when nothing of it can be unpacked */
export async function openEntry(archive: Archive, entry: Entry, work: Work, mostBytes: number): Promise<OpenedEntry> {
  const chunks = streamUnpacked(archive, entry, () => undefined);
  const begun: Uint8Array[] = [];
  let length = 0;
  let failure: ArchiveError | undefined;
  let isPart = false;
  try {
    while (length < HEAD_BYTES) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      begun.push(value);
      length += value.length;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    if (length === 0) throw error;
    failure = error;
  }
  async function* limited(): AsyncGenerator<Uint8Array> {
    let given = 0;
    const most = Math.min(mostBytes, work.bytesLeft);
    for await (const chunk of again(begun, failure, chunks)) {
      const part = chunk.subarray(0, most - given);
      given += part.length;
      work.bytesLeft -= part.length;
      if (part.length > 0) yield part;
      isPart = part.length < chunk.length;
      if (isPart) return;
    }
  }
  const head = Buffer.concat(begun).subarray(0, HEAD_BYTES);
  return { head, chunks: limited(), isPart: () => isPart, close: async () => void (await chunks.return(undefined)) };
}

async function* again(begun: Uint8Array[], failure: ArchiveError | undefined, rest: AsyncGenerator<Uint8Array>) {
  yield* begun;
  if (failure !== undefined) throw failure;
  yield* rest;
}
