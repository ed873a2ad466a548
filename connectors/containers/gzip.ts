/**
 * Entries packed by gzip: unpacked whole, or in chunks where they needn't fit in memory. What gzip is stands in
 * `formats/gzip.ts`.
 */
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

/** The path without its `.gz`: what the content would be called. */
export function withoutGz(path: string): string {
  return path.replace(/\.gz$/i, "");
}

/**
 * The bytes of an entry, without the gzip packing they may have.
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
 * Takes the gzip packing off, if there is one.
 *
 * @param path for messages
 * @throws ArchiveError `archive/too-large`, `archive/ratio`, `archive/crc`, `gzip/damaged` (nothing usable in it)
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
 * The content of an entry in chunks, without the gzip packing it may have. For files that needn't fit in memory.
 *
 * @param report is told what `Unpacked.issues` would hold
 * @throws ArchiveError while iterating, as `Archive.stream` and `ungzip`
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
    // A reader that leaves after the first chunk has not begun the others: they would stay open.
    await chunks.return(undefined);
  }
}

/** What an entry is unpacked from, within which bounds. */
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
  // Packed twice, or with an odd end, at which zlib's stream gives up what it holds. Read whole, such a file gives all there is,
  // or a reason.
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

/** The chunks, the first of them at least `least` bytes long unless there are no more. */
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
