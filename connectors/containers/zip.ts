/**
 * A zip as an archive. The reader is our own, because the packages we tried have three faults. They stop at the first entry they don't
 * like. They trust checksums and names. They read the directory in two small steps an entry, which takes seconds for 60,000 entries.
 */
import { stat } from "node:fs/promises";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { FatalError } from "../errors.ts";
import { wholeAddress, withoutQuery } from "./address.ts";
import type { Allowance } from "./allowance.ts";
import type { Archive, Entry } from "./archive.ts";
import { ArchiveError } from "./archive-error.ts";
import { type Bytes, buffered, OpenFiles, toBytes } from "./bytes.ts";
import { openHttpBytes } from "./http-bytes.ts";
import { listedArchive } from "./listed.ts";
import type { OpenOptions } from "./options.ts";
import { sizeInWords } from "./sizes.ts";
import { Opening } from "./zip/opening.ts";
import { listZip } from "./zip/volume.ts";

/** True for bytes that start like a zip: an entry, an empty zip, or the mark of a split zip. */
export function startsLikeZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6) || (a === 7 && b === 8));
}

/**
 * Opens a zip on the disk, under any name.
 *
 * @param path place on the disk, links already followed
 * @param name for messages
 * @throws FatalError with reason `source` when it can't be listed: `archive/truncated`, `archive/ambiguous`, `archive/multi-disk`,
 *   `archive/directory-damaged`, `archive/directory-too-large`, `archive/too-many-entries`, `archive/too-large`, `archive/no-space`,
 *   `archive/unreadable`
 */
export async function openZip(path: string, name: string, options?: OpenOptions): Promise<Archive> {
  const files = new OpenFiles();
  return openVolume(buffered(files.bytes(path, name, await stat(path))), name, options, () => files.close());
}

/**
 * Opens a zip behind an address.
 *
 * @param address whole, or as the journal stored it
 * @throws FatalError as `openZip` and `openHttpBytes`; `archive/address-forgotten` for a stored address that lacks a part
 */
export async function openZipAt(address: string, name: string, options?: OpenOptions): Promise<Archive> {
  const whole = wholeAddress(address);
  if (whole === undefined) {
    const state =
      "logferry doesn't store the query of an address, nor its user and password. Name the whole address once more";
    const message = `Cannot open ${printable(name)}: ${state}: logferry import ${shellWord(withoutQuery(address))}, with what is missing`;
    throw new FatalError("archive/address-forgotten", "source", message);
  }
  const bytes = await openHttpBytes(whole, name, options);
  return openVolume(buffered(bytes, HTTP_WINDOW_BYTES), name, options, () => bytes.close());
}

/** The least that one request fetches, in bytes. A request costs more than a read of the disk. */
const HTTP_WINDOW_BYTES = 4 * 2 ** 20;

/**
 * Opens a zip in memory: an entry that is a zip under another name, such as a KMZ.
 *
 * @throws FatalError as `openZip`
 */
export async function openZipBytes(zip: Uint8Array, name: string, options?: OpenOptions): Promise<Archive> {
  return openVolume(toBytes(zip), name, options, async () => {});
}

/**
 * Opens an entry that is a zip under another name, such as a workbook. It isn't copied into memory. What is unpacked of it counts for its archive.
 *
 * @param entry whose bytes can be read as long as `archive` is open. Closing the result leaves `archive` open
 * @throws ArchiveError as `Archive.bytes`; FatalError as `openZip`
 */
export async function openZipEntry(archive: Archive, entry: Entry): Promise<Archive> {
  return openVolume(await archive.bytes(entry), entry.path, { spends: archive.allowance }, async () => {});
}

async function openVolume(
  bytes: Bytes,
  name: string,
  options: (OpenOptions & { readonly spends?: Allowance }) | undefined,
  free: () => Promise<void>,
): Promise<Archive> {
  const opening = new Opening(name, options, options?.spends);
  const { archiveBytes } = opening.limits;
  const close = async () => {
    await Promise.all([free(), opening.spool.close()]);
  };
  try {
    if (bytes.sizeBytes > archiveBytes) throw tooLong(archiveBytes);
    await listZip(bytes, undefined, 0, opening);
  } catch (error) {
    await close();
    if (!(error instanceof ArchiveError)) throw error;
    throw new FatalError(error.rule, "source", `Cannot open ${printable(name)}: ${error.message}`, { cause: error });
  }
  const { entries, issues, allowance, spool: keeper } = opening;
  return listedArchive({ name, entries, issues, allowance, keeper, close: free });
}

function tooLong(archiveBytes: number): ArchiveError {
  const state = `it is longer than ${sizeInWords(archiveBytes)}; raise --max-archive if that is right`;
  return new ArchiveError("archive/too-large", state);
}
