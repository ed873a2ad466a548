/** Bytes with random access: a file, a part of one, or memory. A zip is read from them, so a zip stored inside another needs no copy. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { printable } from "../../transforms/text/printable.ts";
import { ArchiveError } from "./archive-error.ts";

/** Bytes with random access. Several reads may run at once. */
export interface Bytes {
  readonly sizeBytes: number;
  /**
   * Reads exactly `length` bytes from `offset`. The whole range must lie inside.
   *
   * @throws ArchiveError `archive/changed` when the bytes are no longer there, `archive/unreadable` when the disk refuses
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

/** A part of other bytes, presented as bytes of their own. */
export function windowOf(whole: Bytes, start: number, sizeBytes: number): Bytes {
  return { sizeBytes, read: (offset, length) => whole.read(start + offset, length) };
}

/** Bytes that can also be read into existing memory. */
export interface FillingBytes extends Bytes {
  /** Fills a buffer with the bytes from `offset`. @throws as `read` */
  fill(target: Buffer, offset: number): Promise<void>;
}

/**
 * The least that one read fetches, in bytes. It holds a dozen recordings of a zip, and they mostly lie in the order in which they are read.
 */
const WINDOW_BYTES = 512 * 1024;

/**
 * Reads the same bytes in larger chunks, so that the bytes after a short read are in memory for the next read. Every read of the disk costs
 * a trip to another thread and back, and a zip of recordings needs thousands.
 *
 * One window is filled again and again, and each read gets a copy. A view would keep half a megabyte alive for a file of two kilobytes. (On
 * 20,000 rows with 2,000 small files that was 15 MB.)
 */
export function buffered(whole: FillingBytes, windowBytes: number = WINDOW_BYTES): Bytes {
  let window: Buffer | undefined;
  /** The range in the window; empty while the window is being filled. */
  let start = 0;
  let length = 0;
  let isFilling = false;
  const has = (offset: number, count: number) => offset >= start && offset + count <= start + length;
  return {
    sizeBytes: whole.sizeBytes,
    async read(offset, count) {
      if (!has(offset, count)) {
        // While another read fills the window, this one goes to the disk itself, because two reads must not fill the window at once.
        if (isFilling || count > windowBytes / 2) return whole.read(offset, count);
        isFilling = true;
        length = 0;
        try {
          window ??= Buffer.allocUnsafeSlow(Math.min(windowBytes, whole.sizeBytes));
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
 * Reads exactly `length` bytes of an open file.
 *
 * @param name for messages
 * @throws ArchiveError as `Bytes.read`
 */
export async function readFully(handle: FileHandle, offset: number, length: number, name: string): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  await fillFrom(handle, buffer, offset, name);
  return buffer;
}

/** Fills a buffer with the bytes of an open file. @throws ArchiveError as `Bytes.read` */
export async function fillFrom(handle: FileHandle, buffer: Buffer, offset: number, name: string): Promise<void> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled).catch((cause) => {
      throw unreadable(name, cause);
    });
    if (bytesRead === 0) throw changed(name);
    filled += bytesRead;
  }
}

/** The error for an unreadable file. It gives the system's reason without the path, because the path may reveal a private folder. */
export function unreadable(name: string, cause: unknown): ArchiveError {
  const reason = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
  return new ArchiveError("archive/unreadable", `Cannot read ${printable(name)}: ${reason}`, { cause });
}

/** The error for a file that changed after the archive was opened. */
export function changed(name: string): ArchiveError {
  return new ArchiveError("archive/changed", `Cannot read ${printable(name)}: it changed while it was read`);
}

/**
 * Opens a plain file for reading. If a link has replaced the file, it is refused. If a pipe has replaced it, this function does not wait
 * for the other end.
 *
 * @throws ArchiveError `archive/unreadable`, `archive/link`
 */
export async function openPlainFile(path: string, name: string): Promise<FileHandle> {
  // Windows lacks the two flags, so they are undefined there, and `| 0` turns them into 0.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW | 0) | (constants.O_NONBLOCK | 0);
  const handle = await open(path, flags).catch((cause) => {
    throw unreadable(name, cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ArchiveError("archive/link", `Cannot read ${printable(name)}: it is not a plain file`);
}

/** The values that distinguish one state of a file from another. */
export interface FileState {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Files open for reading, a few at a time. A folder can hold more zips than a process may have open. They are read one after the other, so
 * a few open files are enough.
 */
export class OpenFiles {
  readonly #files = new Map<string, { handle: Promise<FileHandle>; users: number }>();
  readonly #most: number;

  /** @param most idle files that may stay open */
  constructor(most = 8) {
    this.#most = most;
  }

  /**
   * A file as bytes. The first read opens it.
   *
   * @param path place on the disk; the caller has already resolved links
   * @param state of the file when it was found; a file in another state is refused with `archive/changed`
   */
  bytes(path: string, name: string, state: FileState): FillingBytes {
    return {
      sizeBytes: state.size,
      read: (offset, length) => this.#use(path, name, state, (handle) => readFully(handle, offset, length, name)),
      fill: (target, offset) => this.#use(path, name, state, (handle) => fillFrom(handle, target, offset, name)),
    };
  }

  /** Closes all files. No read may follow. */
  async close(): Promise<void> {
    const open = [...this.#files.values()];
    this.#files.clear();
    await Promise.all(open.map(async ({ handle }) => (await handle.catch(() => undefined))?.close()));
  }

  async #use<T>(path: string, name: string, state: FileState, read: (handle: FileHandle) => Promise<T>): Promise<T> {
    const file = this.#files.get(path) ?? { handle: openAsFound(path, name, state), users: 0 };
    // Setting it again makes it the youngest, because a Map keeps the order of insertion.
    this.#files.delete(path);
    this.#files.set(path, file);
    file.users += 1;
    try {
      return await read(await file.handle);
    } catch (error) {
      // The next read tries again to open it.
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
