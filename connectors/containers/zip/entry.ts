/**
 * Reads one entry of a zip. One read of the disk fetches local header and data together. One call unpacks them into a buffer that can't
 * outgrow the size in the directory. This was measured 1.2 to 1.9 times as fast as streaming, and no bomb gets further than its declared
 * size.
 */

import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, crc32, createInflateRaw, inflateRaw, inflateRawSync, type ZlibOptions } from "node:zlib";
import { printable } from "../../../transforms/text/printable.ts";
import type { Allowance } from "../allowance.ts";
import type { PackedEntry } from "../archive.ts";
import { ArchiveError } from "../archive-error.ts";
import { type Bytes, windowOf } from "../bytes.ts";
import { type ReadableEntry, tooLarge } from "../listed.ts";
import { changedAt } from "./central.ts";
import { LOCAL_SIGNATURE } from "./signatures.ts";

/** The two packing methods that we read (APPNOTE 4.4.5): not packed, and packed by deflate. */
export const STORED = 0;
export const DEFLATED = 8;

const LOCAL_BYTES = 30;
const UNSET = 0xffffffff;
const SIZES_FOLLOW_FLAG = 0x8;
const ENCRYPTED_FLAG = 0x1;

/** Bytes enough for nearly all local extra fields. Otherwise a second read fetches the rest of the data. */
const USUAL_EXTRA_BYTES = 64;

/**
 * From this size on, in bytes, another thread unpacks the entry. For a recording of 80 kB, the way there and back takes longer than the
 * unpacking.
 */
const LARGE_BYTES = 2 ** 20;

/** Below this size, in bytes, the ratio of unpacked to packed is not checked. A file of blanks this small does no harm. */
const RATIO_FLOOR_BYTES = 2 ** 20;

const CHUNK_BYTES = 64 * 1024;
const inflateInThread = promisify(inflateRaw) as (packed: Uint8Array, options: ZlibOptions) => Promise<Buffer>;

/** The directory's data about an entry. It is kept for every entry of an archive, so apart from the path it holds only numbers. */
export interface EntryFacts {
  readonly path: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** Place of the local header, in bytes of `zip`. */
  readonly offset: number;
  /** The first byte that belongs to another part of the zip. */
  readonly end: number;
  readonly method: typeof STORED | typeof DEFLATED;
  readonly dosTime: number;
  /** CRC-32 of the content. */
  readonly crc: number;
  /** Length and CRC-32 of the name's bytes. The local header must repeat the name. */
  readonly nameBytes: number;
  readonly nameCrc: number;
}

/** A readable entry. */
export class ZipEntry implements ReadableEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly #packedBytes: number;
  readonly #offset: number;
  readonly #end: number;
  readonly #method: number;
  // As signed 32-bit numbers, because these need no object of their own on the heap.
  readonly #crc: number;
  readonly #nameCrc: number;
  readonly #nameBytes: number;
  readonly #dosTime: number;
  readonly #zip: Bytes;
  readonly #allowance: Allowance;

  constructor(facts: EntryFacts, zip: Bytes, allowance: Allowance) {
    this.path = facts.path;
    this.sizeBytes = facts.sizeBytes;
    this.#packedBytes = facts.packedBytes;
    this.#offset = facts.offset;
    this.#end = facts.end;
    this.#method = facts.method;
    this.#crc = facts.crc | 0;
    this.#nameCrc = facts.nameCrc | 0;
    this.#nameBytes = facts.nameBytes;
    this.#dosTime = facts.dosTime | 0;
    this.#zip = zip;
    this.#allowance = allowance;
  }

  get modifiedAt(): number | undefined {
    return changedAt(this.#dosTime);
  }

  async read(maxBytes: number): Promise<Uint8Array> {
    this.#mustFit(maxBytes);
    if (this.#method === DEFLATED) this.#allowance.spend(this.path, this.sizeBytes);
    const packed = await this.#packed();
    const content = this.#method === STORED ? packed : await this.#inflated(packed);
    if (content.length !== this.sizeBytes) throw this.#wrongSize();
    if ((crc32(content) | 0) !== this.#crc) throw this.#wrongCrc();
    return content;
  }

  async packed(): Promise<PackedEntry | undefined> {
    const { sizeBytes } = this;
    if (this.#method !== DEFLATED || sizeBytes > LARGE_BYTES || this.#packedBytes > LARGE_BYTES) return undefined;
    try {
      this.#mustFit(this.#allowance.limits.entryBytes);
      // A copy, because a zip in memory gives views of itself.
      const bytes = new Uint8Array(await this.#packed());
      const accept = () => this.#allowance.spend(this.path, sizeBytes);
      return { bytes, sizeBytes, crc: this.#crc >>> 0, accept };
    } catch (error) {
      if (error instanceof ArchiveError) return undefined;
      throw error;
    }
  }

  async *stream(maxBytes: number): AsyncGenerator<Uint8Array> {
    this.#mustFit(maxBytes);
    if (this.sizeBytes <= LARGE_BYTES && this.#packedBytes <= LARGE_BYTES) {
      yield await this.read(maxBytes);
      return;
    }
    let given = 0;
    let crc = 0;
    for await (const chunk of this.#method === STORED ? this.#packedChunks() : this.#inflatedChunks()) {
      given += chunk.length;
      if (given > this.sizeBytes) throw this.#wrongSize();
      if (this.#method === DEFLATED) this.#allowance.spend(this.path, chunk.length);
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (given !== this.sizeBytes) throw this.#wrongSize();
    if ((crc | 0) !== this.#crc) throw this.#wrongCrc();
  }

  /** The content inside the zip, for an entry that is not packed; undefined for a packed entry. The CRC is not checked. */
  async inPlace(): Promise<Bytes | undefined> {
    if (this.#method !== STORED) return undefined;
    return windowOf(this.#zip, await this.#dataOffset(), this.sizeBytes);
  }

  #mustFit(maxBytes: number): void {
    if (this.sizeBytes > maxBytes) throw tooLarge(this.path, maxBytes);
    const most = this.#allowance.limits.ratio * this.#packedBytes;
    if (this.sizeBytes > RATIO_FLOOR_BYTES && this.sizeBytes > most) {
      const ratio = Math.round(this.sizeBytes / Math.max(1, this.#packedBytes));
      throw this.#error("archive/ratio", `it unpacks to ${ratio} times its size; raise --max-ratio if you trust it`);
    }
    if (this.#method === STORED && this.sizeBytes !== this.#packedBytes) throw this.#wrongSize();
  }

  /** Reads the packed data. */
  async #packed(): Promise<Buffer> {
    const header = LOCAL_BYTES + this.#nameBytes;
    const length = Math.min(header + USUAL_EXTRA_BYTES + this.#packedBytes, this.#end - this.#offset);
    const head = await this.#zip.read(this.#offset, length);
    const start = this.#checkedHeader(head);
    const end = start + this.#packedBytes;
    return end <= head.length ? head.subarray(start, end) : this.#zip.read(this.#offset + start, this.#packedBytes);
  }

  async #dataOffset(): Promise<number> {
    const length = Math.min(LOCAL_BYTES + this.#nameBytes, this.#end - this.#offset);
    return this.#offset + this.#checkedHeader(await this.#zip.read(this.#offset, length));
  }

  /**
   * The length of the local header, after checking that it agrees with the directory. A program that uses local headers must see the same
   * archive as we do.
   */
  #checkedHeader(head: Buffer): number {
    if (head.readUInt32LE(0) !== LOCAL_SIGNATURE) throw this.#differs("no header where the directory says");
    const flags = head.readUInt16LE(6);
    const nameBytes = head.readUInt16LE(26);
    const name = head.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes);
    if (nameBytes !== this.#nameBytes || (crc32(name) | 0) !== this.#nameCrc) throw this.#differs("another name");
    if (head.readUInt16LE(8) !== this.#method) throw this.#differs("another method");
    if ((flags & ENCRYPTED_FLAG) !== 0) throw this.#differs("encryption");
    if ((flags & SIZES_FOLLOW_FLAG) === 0) {
      const same = (at: number, value: number) => [value, UNSET].includes(head.readUInt32LE(at));
      if ((head.readUInt32LE(14) | 0) !== this.#crc) throw this.#differs("another checksum");
      if (!same(18, this.#packedBytes) || !same(22, this.sizeBytes)) throw this.#differs("another size");
    }
    const start = LOCAL_BYTES + nameBytes + head.readUInt16LE(28);
    if (this.#offset + start + this.#packedBytes <= this.#end) return start;
    throw this.#error("archive/overlap", "its data reaches into the next entry");
  }

  async #inflated(packed: Buffer): Promise<Buffer> {
    // One chunk for the whole content, so no parts need joining. The least that zlib accepts is 64.
    const chunkSize = Math.max(64, Math.min(this.sizeBytes, LARGE_BYTES));
    const options = { maxOutputLength: Math.max(1, this.sizeBytes), chunkSize };
    try {
      return this.sizeBytes > LARGE_BYTES ? await inflateInThread(packed, options) : inflateRawSync(packed, options);
    } catch (error) {
      throw this.#inflateError(error);
    }
  }

  async *#packedChunks(): AsyncGenerator<Buffer> {
    const start = await this.#dataOffset();
    for (let at = 0; at < this.#packedBytes; at += CHUNK_BYTES)
      yield await this.#zip.read(start + at, Math.min(CHUNK_BYTES, this.#packedBytes - at));
  }

  async *#inflatedChunks(): AsyncGenerator<Buffer> {
    const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_FINISH });
    // The callback only keeps errors from being unhandled. The loop below throws the errors of `inflate`.
    pipeline(Readable.from(this.#packedChunks()), inflate, () => {});
    try {
      for await (const chunk of inflate) yield chunk;
    } catch (error) {
      // What the zip is read from has errors of its own: a server that is down is no damage, and neither is Ctrl-C.
      throw isOfZlib(error) ? this.#inflateError(error) : error;
    }
  }

  #inflateError(cause: unknown): ArchiveError {
    switch ((cause as NodeJS.ErrnoException).code) {
      case "ERR_BUFFER_TOO_LARGE":
        return this.#wrongSize();
      case "Z_BUF_ERROR":
        return this.#error("archive/truncated", "its packed data ends too early", cause);
      default:
        return this.#error("archive/damaged", "its packed data is damaged", cause);
    }
  }

  #wrongSize(): ArchiveError {
    return this.#error("archive/size", `it does not hold the ${this.sizeBytes} bytes it declares`);
  }

  #wrongCrc(): ArchiveError {
    return this.#error("archive/crc", "its content does not match its checksum");
  }

  #differs(what: string): ArchiveError {
    return this.#error("archive/header", `its own header and the directory of the zip differ (${what})`);
  }

  #error(rule: string, state: string, cause?: unknown): ArchiveError {
    return new ArchiveError(rule, `Cannot read ${printable(this.path)}: ${state}`, { cause });
  }
}

/** Whether an error is about packed data: those of zlib have its codes, or those of a stream that ended early. */
function isOfZlib(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^(?:Z_|ERR_)/.test(code);
}
