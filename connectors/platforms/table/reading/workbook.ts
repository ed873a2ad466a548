/**
 * Reads workbooks in archives: XLSX and ODS, told by their bytes. `readTable` is the door for rows. The functions here are for those who choose a
 * sheet.
 */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { openZipEntry } from "../../../containers/zip.ts";
import { FatalError } from "../../../errors.ts";
import { openOds } from "../../../formats/ods/workbook.ts";
import {
  type OmittedSheets,
  type SheetInfo,
  type SheetRow,
  type Workbook,
  WorkbookError,
} from "../../../formats/sheets/sheet.ts";
import { openXlsx } from "../../../formats/xlsx/workbook.ts";
import { type WorkbookHead, workbookHead } from "./workbook-head.ts";

/** A workbook of an archive. Closing it closes its zip. */
export type OpenWorkbook = Workbook;

/**
 * Opens an entry that is a workbook.
 *
 * @param head what its first bytes say
 * @throws WorkbookError `workbook/encrypted`, `workbook/old-format`, `workbook/damaged`, `workbook/not-a-workbook`
 * @throws ArchiveError as `Archive.bytes`
 */
export async function openWorkbook(archive: Archive, entry: Entry, head: WorkbookHead): Promise<OpenWorkbook> {
  if (head === "biff") throw oldFormat();
  if (head === "xml-2003") throw oldFormat("a workbook in the XML of Excel 2003");
  if (head === "ole") throw (await holdsEncrypted(archive, entry)) ? encrypted() : oldFormat();
  if (head === "flat") {
    const part = (path: string) => (path === "content.xml" ? archive.stream(entry) : undefined);
    return openOds({ part });
  }
  const zip = await openZipEntry(archive, entry).catch((error: unknown) => {
    if (!(error instanceof FatalError) || error.code === "archive/no-space") throw error;
    throw new WorkbookError("workbook/damaged", error.message, "a whole workbook: save it once more, or copy it again");
  });
  const part = (path: string) => {
    const found = zip.entry(path);
    return found && zip.stream(found);
  };
  try {
    const open = zip.entry("content.xml") !== undefined ? openOds : openXlsx;
    if (open === openXlsx && !hasXlsxParts(zip)) throw notAWorkbook(zip);
    const workbook = await open({ part });
    return {
      ...workbook,
      async close() {
        await workbook.close();
        await zip.close();
      },
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** Opens an entry, if it is a workbook; undefined for a text. @throws as `openWorkbook` */
export async function openIfWorkbook(archive: Archive, entry: Entry): Promise<OpenWorkbook | undefined> {
  const head = await headOfEntry(archive, entry);
  return head && openWorkbook(archive, entry, head);
}

/** A sheet of a workbook, and whether a person sees rows in it. */
export interface FoundSheet extends SheetInfo {
  /** Whether it has a filled row. */
  readonly hasRows: boolean;
}

/** The first bytes of an entry; undefined if they say that it is no workbook. @throws ArchiveError as `Archive.stream` */
async function headOfEntry(archive: Archive, entry: Entry): Promise<WorkbookHead | undefined> {
  for await (const chunk of archive.stream(entry)) return workbookHead(chunk);
  return undefined;
}

/** The sheets of a workbook, and those past the cap. */
export interface ListedSheets {
  readonly sheets: readonly FoundSheet[];
  readonly omitted: OmittedSheets;
}

/** The sheets of `listedSheets`, without those past the cap. @throws as `listedSheets` */
export async function sheetsOf(archive: Archive, entry: Entry): Promise<readonly FoundSheet[] | undefined> {
  return (await listedSheets(archive, entry))?.sheets;
}

/**
 * The sheets of an entry that is a workbook; undefined if it is a text.
 *
 * @throws WorkbookError and ArchiveError as `openWorkbook`
 */
export async function listedSheets(archive: Archive, entry: Entry): Promise<ListedSheets | undefined> {
  const workbook = await openIfWorkbook(archive, entry);
  if (workbook === undefined) return undefined;
  try {
    return { sheets: await lookedAt(workbook), omitted: workbook.omitted() };
  } finally {
    await workbook.close();
  }
}

/** A sheet with the number of its filled rows, and the texts of the first of them. */
export interface CountedSheet extends SheetInfo {
  readonly rows: number;
  readonly first: readonly (readonly string[])[];
}

/** The most rows above a header, and the header. */
const HEAD_ROWS = 20;

/** Counts the filled rows of these sheets, or of all, and keeps the first of them. @throws as `listedSheets` */
export async function countedSheets(
  archive: Archive,
  entry: Entry,
  only?: readonly SheetInfo[],
): Promise<readonly CountedSheet[]> {
  const workbook = await openIfWorkbook(archive, entry);
  if (workbook === undefined) return [];
  try {
    const found: CountedSheet[] = [];
    for (const sheet of only ?? (await workbook.sheets())) {
      const first: string[][] = [];
      let rows = 0;
      for await (const row of rowsOf(workbook, sheet)) {
        if (rows++ < HEAD_ROWS && "cells" in row) first.push(Array.from(row.cells, (cell) => cell?.text ?? ""));
      }
      found.push({ ...sheet, rows, first });
    }
    return found;
  } finally {
    await workbook.close();
  }
}

async function lookedAt(workbook: Workbook): Promise<readonly FoundSheet[]> {
  const found: FoundSheet[] = [];
  for (const sheet of await workbook.sheets()) found.push({ ...sheet, hasRows: await hasRows(workbook, sheet) });
  return found;
}

async function hasRows(workbook: Workbook, sheet: SheetInfo): Promise<boolean> {
  for await (const _ of rowsOf(workbook, sheet)) return true;
  return false;
}

/** A sheet as a person names it: its name, or its number from 1. Or the sheet itself, so that it needn't be searched again. */
export type SheetName = string | number | SheetInfo;

/**
 * Finds the sheet of a name. A name counts before a number, so that a sheet called 2019 is found by 2019. Capitals and blanks at the ends don't
 * count unless two names differ in nothing else.
 */
export function sheetNamed<S extends SheetInfo>(sheets: readonly S[], name: string | number): S | undefined {
  const text = String(name);
  const folded = sheets.filter((sheet) => fold(sheet.name) === fold(text));
  return (
    sheets.find((sheet) => sheet.name === text) ??
    (folded.length === 1 ? folded[0] : undefined) ??
    (/^[1-9]\d{0,3}$/.test(text) ? sheets[Number(text) - 1] : undefined)
  );
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

/** The sheets with rows that a person sees. */
export function filledSheets(sheets: readonly FoundSheet[]): readonly FoundSheet[] {
  const filled = sheets.filter((sheet) => sheet.hasRows);
  const shown = filled.filter((sheet) => !sheet.isHidden);
  return shown.length > 0 ? shown : filled;
}

/**
 * The sheet that a person names, or the only one with rows.
 *
 * @throws WorkbookError `workbook/no-sheet`, `workbook/which-sheet`, `workbook/empty`
 */
export async function chosenSheet(workbook: Workbook, name: SheetName | undefined): Promise<SheetInfo> {
  if (typeof name === "object") return name;
  if (name !== undefined) {
    const sheets = await workbook.sheets();
    const named = sheetNamed(sheets, name);
    if (named !== undefined) return named;
    const found = `no sheet ${JSON.stringify(printable(String(name), 40))}`;
    throw new WorkbookError("workbook/no-sheet", found, `one of ${namesOfSheets(sheets)}`);
  }
  const [first, ...others] = filledSheets(await lookedAt(workbook));
  if (first === undefined) throw new WorkbookError("workbook/empty", "no sheet with rows", "a sheet with rows");
  if (others.length === 0) return first;
  const found = `${others.length + 1} sheets with rows: ${namesOfSheets([first, ...others])}`;
  throw new WorkbookError("workbook/which-sheet", found, "the name of the sheet");
}

/** Names sheets for a message: `"2018", "2019"`. @param count their number, if only the first of them are given */
export function namesOfSheets(sheets: readonly Pick<SheetInfo, "name">[], count = sheets.length): string {
  const most = 20;
  const names = sheets.slice(0, most).map(({ name }) => JSON.stringify(printable(name, 40)));
  return names.join(", ") + (count > most ? ` and ${count - most} more` : "");
}

/** The rows of a sheet. Closes nothing. @throws FatalError `archive/no-space` if there is no room for the texts */
export async function* rowsOf(workbook: Workbook, sheet: SheetInfo): AsyncGenerator<SheetRow> {
  try {
    yield* workbook.rows(sheet);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SQLITE_ERROR") throw error;
    const reason = (error as Error).message;
    const message = `Cannot keep the texts of a workbook: the folder for temporary files refuses (${reason}). Free some space there, or set TMPDIR`;
    throw new FatalError("archive/no-space", "source", message, { cause: error });
  }
}

function hasXlsxParts(zip: Archive): boolean {
  return zip.entry("[Content_Types].xml") !== undefined || zip.entry("xl/workbook.xml") !== undefined;
}

const AS_TABLE = "save it as .xlsx or as CSV";

function notAWorkbook(zip: Archive): WorkbookError {
  const isNumbers = zip.entry("Index/Document.iwa") !== undefined || zip.entry("Index.zip") !== undefined;
  const found = isNumbers ? "a document of Apple's Numbers" : "a zip that is no workbook";
  const expected = isNumbers ? "Excel or CSV: in Numbers choose File > Export To" : `a table: ${AS_TABLE}`;
  return new WorkbookError("workbook/not-a-workbook", found, expected);
}

function oldFormat(found = "a workbook in the format of Excel 97 to 2003 (.xls)"): WorkbookError {
  return new WorkbookError("workbook/old-format", found, `a workbook of today: open it and ${AS_TABLE}`);
}

function encrypted(): WorkbookError {
  return new WorkbookError(
    "workbook/encrypted",
    "a password",
    `a workbook without a password: open it and ${AS_TABLE}`,
  );
}

/** Bytes of a compound file's directory that are looked at: 64 entries. */
const DIRECTORY_BYTES = 8192;

/** Whether a compound file holds an encrypted workbook. Source: [MS-CFB] 2.2 (header) and 2.6 (directory), [MS-OFFCRYPTO] 2.3.4. */
async function holdsEncrypted(archive: Archive, entry: Entry): Promise<boolean> {
  const bytes = await archive.bytes(entry);
  if (bytes.sizeBytes < 512) return false;
  const header = await bytes.read(0, 512);
  const sector = 2 ** Math.min(header.readUInt16LE(30), 12);
  const at = (header.readUInt32LE(48) + 1) * sector;
  if (at >= bytes.sizeBytes) return false;
  const directory = await bytes.read(at, Math.min(DIRECTORY_BYTES, bytes.sizeBytes - at));
  return directory.includes(Buffer.from("EncryptedPackage", "utf16le"));
}

/** Names the sheets with comments on their cells, with the number of each: `"2018" 3, "2019" 1`. @returns undefined where none has any */
export function commentsIn(
  sheets: readonly SheetInfo[],
): { readonly count: number; readonly words: string } | undefined {
  const some = sheets.flatMap(({ name, comments }) => (comments === undefined ? [] : [{ name, comments }]));
  if (some.length === 0) return undefined;
  const named = some.slice(0, 20).map(({ name, comments }) => `${JSON.stringify(printable(name, 40))} ${comments}`);
  const more = some.length > named.length ? ` and ${some.length - named.length} more sheets` : "";
  return { count: some.reduce((sum, { comments }) => sum + comments, 0), words: `${named.join(", ")}${more}` };
}
