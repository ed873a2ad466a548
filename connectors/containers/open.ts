/** Opens the path that a person named: a folder, a zip under any name, or any other single file. */
import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { printable } from "../../transforms/text/printable.ts";
import { FatalError } from "../errors.ts";
import { isAddress, nameOfSource, rememberAddress } from "./address.ts";
import { Allowance } from "./allowance.ts";
import type { Archive } from "./archive.ts";
import { openDirectory } from "./directory.ts";
import { listedArchive, type ReadableEntry } from "./listed.ts";
import type { OpenOptions } from "./options.ts";
import { plainFile } from "./plain-file.ts";
import { openZip, openZipAt, startsLikeZip } from "./zip.ts";

/**
 * Opens an archive. Close it when done.
 *
 * @param path as a person gave it, or the address of a zip; only here are links followed
 * @throws FatalError with reason `source`: `archive/not-found`, `archive/unreadable`, `archive/not-a-file` (a device, a pipe), and the
 *   errors of `openZip` and `openDirectory`
 */
export async function openArchive(path: string, options?: OpenOptions): Promise<Archive> {
  const name = nameOfSource(path);
  if (isAddress(path)) {
    rememberAddress(path);
    return openZipAt(path, name, options);
  }
  try {
    const real = await realpath(path);
    const found = await stat(real);
    if (found.isDirectory()) return await openDirectory(real, name, options);
    if (!found.isFile()) throw new FatalError("archive/not-a-file", "source", message(name, "it is not a plain file"));
    const head = await headOf(real);
    if (isWorkbook(head, name)) return await openFile(real, name, options, dirname(path));
    if (startsLikeZip(head)) return await openZip(real, name, options);
    return isCalledZip(name)
      ? await openCalledZip(real, name, options)
      : await openFile(real, name, options, dirname(path));
  } catch (error) {
    throw error instanceof FatalError ? error : systemError(error, name);
  }
}

function isCalledZip(name: string): boolean {
  return name.toLowerCase().endsWith(".zip");
}

/**
 * Opens a file that is called a zip and doesn't begin like one. Other bytes may precede the zip (a self-extracting program, the head of a
 * download). Then its entries are read, and a remark names the bytes in front. Or it may be any other file under a wrong name.
 */
async function openCalledZip(path: string, name: string, options?: OpenOptions): Promise<Archive> {
  try {
    return await openZip(path, name, options);
  } catch (error) {
    if (error instanceof FatalError && /^archive\/(truncated|web-page)$/.test(error.code))
      return openFile(path, name, options);
    throw error;
  }
}

/** Bytes of the beginning that are looked at: the first header of a zip, and the name of its first entry with its content. */
const HEAD_BYTES = 128;

/** Names of workbooks that are zips. */
const WORKBOOK_ENDING = /\.(?:xls[xm]|ods)$/i;

/** The beginning of a workbook after the 30 bytes of the zip's first header: `[Content_Types].xml`, or what an ODS file says it is. */
const WORKBOOK_MARK =
  /^.{30}(?:\[Content_Types\]\.xml|mimetype.{0,64}application\/vnd\.oasis\.opendocument\.spreadsheet)/s;

/** Whether a zip is a workbook. It is one table for a person, and no archive of files. */
function isWorkbook(head: Uint8Array, name: string): boolean {
  if (!startsLikeZip(head)) return false;
  return WORKBOOK_ENDING.test(name) || WORKBOOK_MARK.test(Buffer.from(head).toString("latin1"));
}

async function headOf(path: string): Promise<Uint8Array> {
  await using handle = await open(path, "r");
  const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** Turns a refusal of the system into the error that ends this source. Any other error is thrown unchanged. */
function systemError(error: unknown, name: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Node itself refuses a path with NUL in it, before any system sees it.
  const isImpossible = code === "ERR_INVALID_ARG_VALUE";
  if (syscall === undefined && !isImpossible) return error;
  const isMissing = isImpossible || code === "ENOENT" || code === "ENOTDIR";
  const rule = isMissing ? "archive/not-found" : "archive/unreadable";
  const state = isMissing ? "there is no such file or folder" : `it can't be read (${code})`;
  return new FatalError(rule, "source", message(name, state), { cause: error });
}

function message(name: string, state: string): string {
  return `Cannot open ${printable(name)}: ${state}`;
}

/**
 * Opens a single file. Its entry has the file's own name. If `log.csv.map.yaml` or `log.map.yaml` lies beside `log.csv`, it is an entry
 * too. Of a link, both the link and its file may have it beside them. That of the link comes first.
 *
 * @param path place on the disk, links already followed
 * @param name the name a person gave it
 * @param folder the folder that a person named
 */
async function openFile(path: string, name: string, options?: OpenOptions, folder = dirname(path)): Promise<Archive> {
  const entries = [await existing(path, name)];
  const stem = basename(name, extname(name));
  for (const mapping of new Set([`${name}.map.yaml`, `${stem}.map.yaml`]))
    if (mapping !== name)
      entries.push(
        (await existing(join(folder, mapping), mapping)) ?? (await existing(join(dirname(path), mapping), mapping)),
      );
  return listedArchive({
    name,
    entries: entries.filter((entry) => entry !== undefined),
    issues: [],
    allowance: new Allowance(options),
  });
}

async function existing(path: string, name: string): Promise<ReadableEntry | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const found = await stat(real);
  return found.isFile() ? plainFile(name, real, found) : undefined;
}
