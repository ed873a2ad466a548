/** The data collected while an archive with zips in it is opened: entries, refusals, and the shared caps. */

import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { FatalError } from "../../errors.ts";
import { Allowance } from "../allowance.ts";
import { ArchiveError } from "../archive-error.ts";
import { archiveIssue } from "../archive-issue.ts";
import { type Bytes, readFully, toBytes } from "../bytes.ts";
import { type ReadableEntry, tooLarge } from "../listed.ts";
import type { Limits, OpenOptions } from "../options.ts";

/** One archive during its opening. If the opening fails, its caller closes `spool`. */
export class Opening {
  readonly entries: ReadableEntry[] = [];
  readonly issues: Issue[] = [];
  readonly spool: Spool;
  readonly name: string;
  readonly allowance: Allowance;
  #counted = 0;

  /**
   * @param name of the outermost archive, for messages
   * @param allowance of the archive that this one is an entry of, if it is one
   */
  constructor(name: string, options: OpenOptions | undefined, allowance = new Allowance(options)) {
    this.name = name;
    this.allowance = allowance;
    this.spool = new Spool(this.limits, options?.tempFolder);
  }

  get limits(): Limits {
    return this.allowance.limits;
  }

  /**
   * Counts `more` entries, for the archive and all zips in it together.
   *
   * @throws FatalError `archive/too-many-entries`
   */
  count(more = 1): void {
    this.#counted += more;
    if (this.#counted <= this.limits.entries) return;
    const message = `Cannot open ${printable(this.name)}: it holds more than ${this.limits.entries} files; raise --max-entries if that is right`;
    throw new FatalError("archive/too-many-entries", "source", message);
  }

  /** Notes that an entry was left out, and why. */
  refuse(rule: string, path: string, details: Pick<Issue, "found" | "expected"> = {}): void {
    this.issues.push(archiveIssue("error", rule, this.name, path, details));
  }

  /** Notes a problem that costs little or no data. */
  remark(
    severity: "info" | "warning",
    rule: string,
    path: string | undefined,
    details: Pick<Issue, "found" | "expected" | "count"> = {},
  ): void {
    this.issues.push(archiveIssue(severity, rule, this.name, path, details));
  }
}

/**
 * Holds unpacked bytes until it is closed. Only its owner can read the file. If the system allows it (not on Windows), the file has no name
 * from the start, so it disappears even when the process is killed.
 */
class Spool {
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
   * Unpacks an entry and returns its content with random access. Call it for one entry at a time.
   *
   * @throws ArchiveError the errors of reading the entry, and `archive/too-large` when the unpacked total exceeds its cap
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

  /** Frees the memory and the file. Safe to call twice. */
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

/** The temporary file is our own, so its failure is not the archive's. The run stops, so that no records are left out. */
function noSpace(cause: NodeJS.ErrnoException): never {
  if (cause instanceof ArchiveError) throw cause;
  const reason = cause.code ?? "unknown reason";
  const message = `Cannot unpack a zip inside the archive: the folder for temporary files refuses (${reason}). Free some space there, or set TMPDIR`;
  throw new FatalError("archive/no-space", "source", message, { cause });
}
