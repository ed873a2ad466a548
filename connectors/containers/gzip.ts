/** Reads entries packed by gzip: as a whole, or in chunks if they are too large for memory. `formats/gzip.ts` knows the format. */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import {
  GzipError,
  type GzipOptions,
  RATIO_FLOOR_BYTES,
  startsLikeGzip,
  type Unpacked,
  ungzip as unpack,
} from "../formats/gzip.ts";
import type { Archive, Entry } from "./archive.ts";
import { ArchiveError } from "./archive-error.ts";
import { tooLarge } from "./listed.ts";
import { CAPS } from "./options.ts";

export { type GzipOptions, startsLikeGzip, type Unpacked } from "../formats/gzip.ts";

/** The path without its `.gz`: the name of the content. */
export function withoutGz(path: string): string {
  return path.replace(/\.gz$/i, "");
}

/**
 * Reads the bytes of an entry, and unpacks them if gzip packed them.
 *
 * @throws ArchiveError as `Archive.read` and `ungzip`
 */
export async function readUnpacked(archive: Archive, entry: Entry, options: GzipOptions = {}): Promise<Unpacked> {
  const { limits } = archive.allowance;
  const packed = await archive.read(entry, options.maxBytes);
  const unpacked = ungzip(packed, entry.path, { maxBytes: limits.entryBytes, ratio: limits.ratio, ...options });
  if (unpacked.bytes !== packed) archive.allowance.spend(entry.path, unpacked.bytes.length);
  return unpacked;
}

/**
 * Unpacks bytes that gzip packed; other bytes stay as they are.
 *
 * @param path for messages
 * @throws ArchiveError `archive/too-large`, `archive/ratio`, `archive/crc`, `gzip/damaged` (no usable content)
 */
export function ungzip(packed: Uint8Array, path: string, options: GzipOptions = {}): Unpacked {
  try {
    return unpack(packed, path, { maxBytes: CAPS.entryBytes, ratio: CAPS.ratio, ...options });
  } catch (error) {
    if (error instanceof GzipError) throw new ArchiveError(error.rule, error.message, { cause: error });
    throw error;
  }
}

/**
 * Reads the content of an entry in chunks, and unpacks it if gzip packed it. For files too large for memory.
 *
 * @param report receives the issues that `Unpacked.issues` would hold
 * @throws ArchiveError during iteration, as `Archive.stream` and `ungzip`
 */
export async function* streamUnpacked(
  archive: Archive,
  entry: Entry,
  report: (issue: Issue) => void,
  options: GzipOptions = {},
): AsyncGenerator<Uint8Array> {
  const { limits } = archive.allowance;
  const { maxBytes = limits.streamedBytes, ratio = limits.ratio } = options;
  const chunks = fullHead(archive.stream(entry, maxBytes), 3);
  try {
    yield* unpackedChunks(archive, entry, { chunks, report, maxBytes, ratio });
  } finally {
    // If the reader stops after the first chunk, the generator of the others was never started. It would stay open.
    await chunks.return(undefined);
  }
}

/** The chunks to unpack, and their limits. */
interface Unpacking extends Required<Pick<GzipOptions, "maxBytes" | "ratio">> {
  readonly chunks: AsyncGenerator<Uint8Array>;
  readonly report: (issue: Issue) => void;
}

async function* unpackedChunks(
  archive: Archive,
  entry: Entry,
  { chunks, report, maxBytes, ratio }: Unpacking,
): AsyncGenerator<Uint8Array> {
  const counted = { packedBytes: 0 };
  const first = await chunks.next();
  if (first.done) return;
  const whole = again(first.value, chunks, counted);
  if (!startsLikeGzip(first.value)) return yield* whole;
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  pipeline(Readable.from(whole), gunzip, () => {});
  let given = 0;
  try {
    for await (const chunk of gunzip) {
      if (given === 0 && startsLikeGzip(chunk)) break;
      given += chunk.length;
      if (given > maxBytes) throw tooLarge(entry.path, maxBytes);
      if (given > RATIO_FLOOR_BYTES && given > ratio * counted.packedBytes) throw tooDense(entry.path, ratio);
      archive.allowance.spend(entry.path, chunk.length);
      yield chunk;
    }
    if (given > 0) return;
  } catch (failure) {
    if (failure instanceof ArchiveError || !isZlibError(failure)) throw failure;
  }
  // The file is packed twice, or has an odd end at which zlib's stream drops the bytes that it holds. Reading the whole file gives all its
  // content, or a reason.
  const { bytes, issues } = await readUnpacked(archive, entry, {
    maxBytes: Math.min(maxBytes, archive.allowance.limits.entryBytes),
    ratio,
  });
  for (const issue of issues) report(issue);
  if (bytes.length > given) yield bytes.subarray(given);
}

function isZlibError(failure: unknown): boolean {
  return (failure as NodeJS.ErrnoException).code?.startsWith("Z_") === true;
}

/** Gives the chunks. The first one has at least `least` bytes, unless there are no more. */
async function* fullHead(chunks: AsyncIterable<Uint8Array>, least: number): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (head === undefined) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < least) continue;
      yield head;
      head = undefined;
    }
  }
  if (head !== undefined && head.length > 0) yield head;
}

async function* again(first: Uint8Array, rest: AsyncGenerator<Uint8Array>, counted: { packedBytes: number }) {
  counted.packedBytes = first.length;
  yield first;
  for await (const chunk of rest) {
    counted.packedBytes += chunk.length;
    yield chunk;
  }
}

function tooDense(path: string, ratio: number): ArchiveError {
  const message = `Cannot read ${printable(path)}: it unpacks to more than ${ratio} times its size; raise --max-ratio if you trust it`;
  return new ArchiveError("archive/ratio", message);
}
