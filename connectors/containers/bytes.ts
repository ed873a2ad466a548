/**
 * Bytes that can be read at any place: a file, a part of one, or memory. What a zip is read from, so that a zip stored inside
 * another needs no copy.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { printable } from "../../transforms/text/printable.ts";
import { ArchiveError } from "./archive-error.ts";

/** Bytes with random access. Reads may run side by side. */
export interface Bytes {
  readonly sizeBytes: number;
  /**
   * Exactly `length` bytes from `offset`; both must lie inside.
   *
   * @throws ArchiveError `archive/changed` when they are not there any more, `archive/unreadable` when the disk refuses
   */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Bytes in memory. Reads are views, not copies. */
export function toBytes(memory: Uint8Array): Bytes {
  const buffer = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  return {
    sizeBytes: buffer.length,
    read: async (offset, length) => buffer.subarray(offset, offset + length),
  };
}

/** A part of other bytes, as if it were all there is. */
export function windowOf(whole: Bytes, start: number, sizeBytes: number): Bytes {
  return { sizeBytes, read: (offset, length) => whole.read(start + offset, length) };
}

/** Bytes that can also be read into memory that is there already. */
export interface FillingBytes extends Bytes {
  /** Fills a buffer with the bytes from `offset`. @throws as `read` */
  fill(target: Buffer, offset: number): Promise<void>;
}

/** The least that is read at once, in bytes: a dozen recordings of a zip, which mostly lie in the order they are asked for. */
const WINDOW_BYTES = 512 * 1024;

/**
 * The same bytes, read in larger chunks: what lies behind a short read is there when it is asked for next. Every read of the disk
 * costs a trip to another thread and back, and a zip of recordings has thousands.
 *
 * There is one window, filled again and again, and what is given is copied out of it: a view would keep half a megabyte
 * alive for a file of two kilobytes. (On 20,000 rows with 2,000 small files that was 15 MB.)
 */
export function buffered(whole: FillingBytes): Bytes {
  let window: Buffer | undefined;
  /** What the window holds; nothing while it is being filled. */
  let start = 0;
  let length = 0;
  let isFilling = false;
  const has = (offset: number, count: number) => offset >= start && offset + count <= start + length;
  return {
    sizeBytes: whole.sizeBytes,
    async read(offset, count) {
      if (!has(offset, count)) {
        // A read beside one that fills the window goes its own way: the window is not to be filled from two places.
        if (isFilling || count > WINDOW_BYTES / 2) return whole.read(offset, count);
        isFilling = true;
        length = 0;
        try {
          window ??= Buffer.allocUnsafeSlow(Math.min(WINDOW_BYTES, whole.sizeBytes));
          const filled = window.subarray(0, Math.min(window.length, whole.sizeBytes - offset));
          await whole.fill(filled, offset);
          start = offset;
          length = filled.length;
        } finally {
          isFilling = false;
        }
      }
      return Buffer.from(window?.subarray(offset - start, offset - start + count) ?? []);
    },
  };
}

/**
 * Exactly `length` bytes of an open file.
 *
 * @param name for messages
 * @throws ArchiveError as `Bytes.read`
 */
export async function readFully(handle: FileHandle, offset: number, length: number, name: string): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  await fillFrom(handle, buffer, offset, name);
  return buffer;
}

async function fillFrom(handle: FileHandle, buffer: Buffer, offset: number, name: string): Promise<void> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled).catch((cause) => {
      throw unreadable(name, cause);
    });
    if (bytesRead === 0) throw changed(name);
    filled += bytesRead;
  }
}

/** A file that can't be read: the system's reason, without the path (which may be anybody's folder). */
export function unreadable(name: string, cause: unknown): ArchiveError {
  const reason = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
  return new ArchiveError("archive/unreadable", `Cannot read ${printable(name)}: ${reason}`, { cause });
}

/** A file that is not what it was when the archive was opened. */
export function changed(name: string): ArchiveError {
  return new ArchiveError("archive/changed", `Cannot read ${printable(name)}: it changed while it was read`);
}

/**
 * Opens a plain file for reading, and nothing else: not through a link that took its place, and without waiting for the other
 * end of a pipe that did.
 *
 * @throws ArchiveError `archive/unreadable`, `archive/link`
 */
export async function openPlainFile(path: string, name: string): Promise<FileHandle> {
  // On Windows the two flags don't exist and are undefined: `| 0` is what they mean there.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW | 0) | (constants.O_NONBLOCK | 0);
  const handle = await open(path, flags).catch((cause) => {
    throw unreadable(name, cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ArchiveError("archive/link", `Cannot read ${printable(name)}: it is not a plain file`);
}

/** What tells one state of a file from another. */
export interface FileState {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Files open for reading, a few at a time. A folder can hold hundreds of zips, more than a process may have open; reading goes
 * through one after the other, so a few kept open are enough.
 */
export class OpenFiles {
  readonly #files = new Map<string, { handle: Promise<FileHandle>; users: number }>();
  readonly #most: number;

  /** @param most how many may stay open while nobody reads from them */
  constructor(most = 8) {
    this.#most = most;
  }

  /**
   * A file as bytes. It is opened when first read.
   *
   * @param path where it lies; links are followed only by whoever resolved the path before
   * @param state as it was when it was found: a file that is another now is refused with `archive/changed`
   */
  bytes(path: string, name: string, state: FileState): FillingBytes {
    return {
      sizeBytes: state.size,
      read: (offset, length) => this.#use(path, name, state, (handle) => readFully(handle, offset, length, name)),
      fill: (target, offset) => this.#use(path, name, state, (handle) => fillFrom(handle, target, offset, name)),
    };
  }

  /** Closes all files. Nothing may be read after. */
  async close(): Promise<void> {
    const open = [...this.#files.values()];
    this.#files.clear();
    await Promise.all(open.map(async ({ handle }) => (await handle.catch(() => undefined))?.close()));
  }

  async #use<T>(path: string, name: string, state: FileState, read: (handle: FileHandle) => Promise<T>): Promise<T> {
    const file = this.#files.get(path) ?? { handle: openAsFound(path, name, state), users: 0 };
    // Set again, it becomes the youngest: a Map keeps the order of insertion.
    this.#files.delete(path);
    this.#files.set(path, file);
    file.users += 1;
    try {
      return await read(await file.handle);
    } catch (error) {
      // One that couldn't be opened is tried again at the next read.
      await file.handle.catch(() => this.#files.delete(path));
      throw error;
    } finally {
      file.users -= 1;
      await this.#closeIdle();
    }
  }

  async #closeIdle(): Promise<void> {
    for (const [path, file] of this.#files) {
      if (this.#files.size <= this.#most) return;
      if (file.users > 0) continue;
      this.#files.delete(path);
      await (await file.handle.catch(() => undefined))?.close();
    }
  }
}

async function openAsFound(path: string, name: string, state: FileState): Promise<FileHandle> {
  const handle = await openPlainFile(path, name);
  const now = await handle.stat();
  if (now.ino === state.ino && now.size === state.size && now.mtimeMs === state.mtimeMs) return handle;
  await handle.close();
  throw changed(name);
}
