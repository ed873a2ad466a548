/** Writes a report as a file: complete or not at all, readable only by its owner. It never overwrites a file that isn't a report. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { LOSS_HEADER, lossText } from "./loss-file.ts";
import { readLosses } from "./losses.ts";
import { GENERATOR, pageOf } from "./page/page.ts";
import type { Completes } from "./page/records.ts";
import { readRecords } from "./report.ts";
import type { Report, ReportRecord } from "./schema.ts";

/** A report that can't be written. The message is for people, and the imported records are not affected. */
export class ReportError extends Error {
  constructor(path: string, state: string, options?: ErrorOptions) {
    super(`Cannot write ${path}: ${state}`, options);
    this.name = "ReportError";
  }
}

type Records = () => AsyncIterable<ReportRecord>;

/** Makes the text of a report. */
type Format = (report: Report, journal: JournalReader, run: Run, completes?: Completes) => AsyncIterable<string>;

/** The writer of a report, by the end of its file's name. */
const FORMATS: Readonly<Record<string, Format>> = {
  ".json": (report, journal, run) => jsonOf(report, () => readRecords(journal, run)),
  ".html": (report, journal, run, completes) => pageOf(report, () => readRecords(journal, run), completes),
  ".htm": (report, journal, run, completes) => pageOf(report, () => readRecords(journal, run), completes),
  ".csv": (_, journal, run) => lossText(readLosses(journal, run)),
};

/** The beginnings of our own files, within their first bytes. */
const MARKS = ['{\n  "format": "logferry report"', GENERATOR, `\ufeff${LOSS_HEADER}\n`];
const MARK_WITHIN = 1024;

/**
 * Checks that a report can be written to its path, before any other work.
 *
 * @throws ReportError when the name has no known format, the folder is absent or read-only, or the existing file is not a report
 */
export async function checkReportPath(path: string): Promise<void> {
  formatOf(path);
  await checkFree(path, ...MARKS);
}

/**
 * Checks that a file can be written to its path: its folder can be written, and the path is free or has a file with one of our marks near its
 * beginning.
 *
 * @throws ReportError when it can't
 */
export async function checkFree(path: string, ...marks: readonly string[]): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw new ReportError(path, `there is no folder ${folder}`);
  if (!found.isDirectory()) throw new ReportError(path, `${folder} is not a folder`);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw new ReportError(path, `the folder ${folder} can't be written`, { cause: error });
  });
  await checkReplaceable(path, marks);
}

/**
 * Writes a report of a run.
 *
 * @param report the result of `createReport`
 * @param path ends in `.json`, `.html` or `.csv`
 * @param completes completes the commands that a page adds to those of the report
 * @throws ReportError when it can't be written; the previous file then stays complete
 */
export async function writeReport(
  journal: JournalReader,
  run: Run,
  report: Report,
  path: string,
  completes?: Completes,
): Promise<void> {
  const format = formatOf(path);
  await checkReplaceable(path, MARKS);
  await writeWhole(path, format(report, journal, run, completes));
}

function formatOf(path: string): (typeof FORMATS)[string] {
  const format = FORMATS[extname(path).toLowerCase()];
  if (format === undefined) throw new ReportError(path, "its name must end in .html, .json or .csv");
  return format;
}

async function checkReplaceable(path: string, marks: readonly string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (found.isDirectory()) throw new ReportError(path, "it is a folder");
  if (found.isFile() && (found.size === 0 || (await isOurs(path, marks)))) return;
  throw new ReportError(path, "something is there that is no report of logferry. Name another file, or move that one");
}

async function isOurs(path: string, marks: readonly string[]): Promise<boolean> {
  await using file = await open(path).catch((error: unknown) => {
    throw new ReportError(path, "there is a file that can't be read", { cause: error });
  });
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_WITHIN), 0, MARK_WITHIN, 0);
  const head = buffer.toString("utf8", 0, bytesRead);
  return marks.some((mark) => head.includes(mark));
}

/**
 * Writes a private file beside its place, and moves it there once it is on the disk.
 *
 * @throws ReportError when it can't be written
 */
export async function writeWhole(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const made = join(dirname(path), `.logferry-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await onDisk(path, () => open(made, "wx", 0o600));
    try {
      // The mask of the process may have removed too many permissions. It never adds any.
      await onDisk(path, () => file.chmod(0o600));
      await writeChunks(path, file, chunks);
      await onDisk(path, () => file.sync());
    } finally {
      await file.close();
    }
    await onDisk(path, () => rename(made, path));
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

const PIECE_CHARACTERS = 64 * 1024;

async function writeChunks(path: string, file: FileHandle, chunks: AsyncIterable<string>): Promise<void> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < PIECE_CHARACTERS) continue;
    const full = text;
    text = "";
    await onDisk(path, () => file.writeFile(full));
  }
  await onDisk(path, () => file.writeFile(text));
}

/** Errors of the disk, in words for people. */
const STATES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "its folder is not a folder",
  EACCES: "the folder can't be written",
  EPERM: "the folder can't be written",
  EROFS: "the disk can't be written",
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is full",
  EFBIG: "it would be larger than a file may be",
  EIO: "the disk reports an error",
  ENAMETOOLONG: "the name is too long",
};

/** Does something with a file for `path`. @throws ReportError for an error of the disk */
export async function onDisk<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ReportError(path, STATES[code] ?? code, { cause: error });
  }
}

/** JSON in a readable layout: first everything else, then one line for each record. */
async function* jsonOf(report: Report, records: Records): AsyncIterable<string> {
  const head = safeJson(JSON.stringify(report, undefined, 2));
  yield `${head.slice(0, head.lastIndexOf("\n}"))},\n  "records": [`;
  let separator = "\n    ";
  for await (const record of records()) {
    yield separator + safeJson(JSON.stringify(record));
    separator = ",\n    ";
  }
  yield "\n  ]\n}\n";
}

/** Escapes characters that control a terminal or reverse the reading direction. The result parses to the same text. */
export function safeJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
