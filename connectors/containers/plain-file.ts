/** One file on the disk as an entry. */
import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { type Bytes, buffered, changed, fillFrom, openPlainFile, readFully, unreadable } from "./bytes.ts";
import { type ReadableEntry, tooLarge } from "./listed.ts";

/** Bytes of a long file that are read at a time. */
const CHUNK_BYTES = 64 * 1024;

/**
 * An entry that is a file of its own. Each read opens and closes it, and gives its content at that time. If it grew since the archive was
 * opened, the read gives all of it. If it changes during the read, the error is `archive/changed`.
 *
 * @param path as the archive names it
 * @param diskPath place on the disk
 * @param listed its size and the time of its last change, when it was listed
 */
export function plainFile(
  path: string,
  diskPath: string,
  listed: { readonly size: number; readonly mtimeMs: number },
): ReadableEntry {
  return new PlainFile(path, diskPath, listed.size, listed.mtimeMs);
}

class PlainFile implements ReadableEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
  readonly #diskPath: string;

  constructor(path: string, diskPath: string, sizeBytes: number, modifiedAt: number) {
    this.path = path;
    this.#diskPath = diskPath;
    this.sizeBytes = sizeBytes;
    this.modifiedAt = modifiedAt;
  }

  async read(maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    // Nearly all files fit into one chunk, and are not copied again.
    for await (const chunk of this.#chunks(maxBytes, maxBytes)) chunks.push(chunk);
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  }

  stream(maxBytes: number): AsyncIterable<Uint8Array> {
    return this.#chunks(maxBytes, CHUNK_BYTES);
  }

  async inPlace(): Promise<Bytes> {
    const found = await this.#opened((handle) => this.#stat(handle));
    const fill = (target: Buffer, offset: number) =>
      this.#opened(async (handle) => {
        const now = await this.#stat(handle);
        if (now.size !== found.size || now.mtimeMs !== found.mtimeMs) throw changed(this.path);
        await fillFrom(handle, target, offset, this.path);
      });
    const read = async (offset: number, length: number) => {
      const target = Buffer.allocUnsafe(length);
      await fill(target, offset);
      return target;
    };
    return buffered({ sizeBytes: found.size, read, fill });
  }

  /** Opens the file for one read, so that no file stays open. */
  async #opened<T>(use: (handle: FileHandle) => Promise<T>): Promise<T> {
    const handle = await openPlainFile(this.#diskPath, this.path);
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  }

  async *#chunks(maxBytes: number, chunkBytes: number): AsyncGenerator<Uint8Array> {
    await using handle = await openPlainFile(this.#diskPath, this.path);
    const { size, mtimeMs } = await this.#stat(handle);
    if (size > maxBytes) throw tooLarge(this.path, maxBytes);
    for (let offset = 0; offset < size; offset += chunkBytes)
      yield await readFully(handle, offset, Math.min(chunkBytes, size - offset), this.path);
    const after = await this.#stat(handle);
    if (after.size !== size || after.mtimeMs !== mtimeMs) throw changed(this.path);
  }

  #stat(handle: FileHandle) {
    return handle.stat().catch((cause) => {
      throw unreadable(this.path, cause);
    });
  }
}
