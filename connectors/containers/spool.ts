/** Where packed inner zips go: into memory while they are small, else one after the other into one temporary file. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FatalError } from "../errors.ts";
import { ArchiveError } from "./archive-error.ts";
import { type Bytes, readFully, toBytes } from "./bytes.ts";
import { type ReadableEntry, tooLarge } from "./listed.ts";
import type { Limits } from "./options.ts";

/**
 * Holds unpacked bytes until it is closed. The file is readable by its owner only, and where the system allows it (not on
 * Windows) has no name from its first moment on, so that nothing of it is left even when the process is killed.
 */
export class Spool {
  readonly #limits: Limits;
  readonly #folder: string;
  #heldBytes = 0;
  #spooledBytes = 0;
  #file: Promise<{ handle: FileHandle; path: string }> | undefined;

  constructor(limits: Limits, folder = tmpdir()) {
    this.#limits = limits;
    this.#folder = folder;
  }

  /**
   * The unpacked content of an entry, to be read at any place. One at a time.
   *
   * @throws ArchiveError as reading the entry does, and `archive/too-large` past the cap on all that is unpacked
   * @throws FatalError `archive/no-space` when the disk is full
   */
  async keep(entry: ReadableEntry): Promise<Bytes> {
    const { heldEachBytes, heldBytes, spooledBytes } = this.#limits;
    const sizeBytes = entry.sizeBytes ?? Number.POSITIVE_INFINITY;
    if (sizeBytes <= heldEachBytes && this.#heldBytes + sizeBytes <= heldBytes) {
      const bytes = await entry.read(heldEachBytes);
      this.#heldBytes += bytes.length;
      return toBytes(bytes);
    }
    const room = spooledBytes - this.#spooledBytes;
    if (sizeBytes > room) throw tooLarge(entry.path, room);
    return this.#append(entry, room);
  }

  /** Frees all of it. Safe to call twice. */
  async close(): Promise<void> {
    const opened = this.#file;
    this.#file = undefined;
    if (opened === undefined) return;
    const { handle, path } = await opened;
    await handle.close();
    await rm(path, { force: true });
  }

  async #append(entry: ReadableEntry, room: number): Promise<Bytes> {
    this.#file ??= createFile(this.#folder);
    const { handle } = await this.#file;
    const start = this.#spooledBytes;
    for await (const chunk of entry.stream(room)) {
      for (let written = 0; written < chunk.length; ) {
        const { bytesWritten } = await handle
          .write(chunk, written, chunk.length - written, this.#spooledBytes)
          .catch(noSpace);
        written += bytesWritten;
        this.#spooledBytes += bytesWritten;
      }
    }
    const name = entry.path;
    const sizeBytes = this.#spooledBytes - start;
    return { sizeBytes, read: (offset, length) => readFully(handle, start + offset, length, name) };
  }
}

async function createFile(folder: string): Promise<{ handle: FileHandle; path: string }> {
  const path = join(folder, `logferry-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600).catch(noSpace);
  await rm(path, { force: true }).catch(() => undefined);
  return { handle, path };
}

/** The temporary file is ours, so its problem is not the archive's: the run stops instead of leaving records out. */
function noSpace(cause: NodeJS.ErrnoException): never {
  if (cause instanceof ArchiveError) throw cause;
  const reason = cause.code ?? "unknown reason";
  const message = `Cannot unpack a zip inside the archive: the folder for temporary files refuses (${reason}). Free some space there, or set TMPDIR`;
  throw new FatalError("archive/no-space", "source", message, { cause });
}
