/**
 * Reads a table of an archive as rows: a text such as CSV, or a sheet of a workbook. The bytes decide, not the name. A faulty record keeps its place
 * among them, so that a record too long to read counts like any other.
 */
import { TextDecoder } from "node:util";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { type CsvRecord, type Delimiter, readCsv } from "../../../formats/csv/read.ts";
import type { LegacyEncoding } from "../../../formats/legacy-encoding.ts";
import { beginsLikeHtml, htmlRows } from "../../../formats/sheets/html-rows.ts";
import { type Cell, type CellIssue, UNCOMPUTED, WorkbookError } from "../../../formats/sheets/sheet.ts";
import type { OpenWorkbook, SheetName } from "./workbook.ts";
import { type WorkbookHead, workbookHead } from "./workbook-head.ts";

/** A row that can be read. */
export interface TableRecord extends CsvRecord {
  /**
   * The cells of a workbook, by column, with their kinds. Absent for a text. `fields` has their texts: `2024-03-01`, `0:45:30`, `12.5`. `line` is the
   * number of the row.
   */
  readonly cells?: readonly (Cell | undefined)[];
  /** The places of formulas that were never computed. Their texts are empty. */
  readonly uncomputed?: readonly number[];
}

/** A row, or a faulty record of the file. `error` has the severity `error` and gives the reason. With `endsFile`, nothing behind it was read. */
export type Row = TableRecord | { readonly line: number; readonly error: Issue; readonly endsFile?: true };

/** Facts about a table that are known before reading. */
export interface TableOptions {
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for tables that quote nothing. */
  readonly quotes?: false | undefined;
  /** If left out, detected from the bytes. */
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding | undefined;
  /** The sheet of a workbook. If left out, the workbook's only sheet with rows. */
  readonly sheet?: SheetName | undefined;
  /** The workbook, if it is open already. It stays open, so that a thousand sheets don't cost a thousand openings. */
  readonly workbook?: OpenWorkbook | undefined;
  /** Receives issues that cost no record. `column` is the place of the cell in a workbook, from 0. */
  readonly report?: (issue: Issue, line: number, column?: number) => void;
}

/**
 * Reads a table row by row. No content makes it throw. If the entry can't be unpacked, or is a workbook that can't be used, it ends with an `error`
 * row.
 */
export async function* readTable(archive: Archive, entry: Entry, options: TableOptions = {}): AsyncGenerator<Row> {
  let line = 0;
  try {
    if (options.workbook !== undefined) {
      for await (const row of rowsIn(options.workbook, options)) {
        line = row.line;
        yield row;
      }
      return;
    }
    const bytes = archive.stream(entry)[Symbol.asyncIterator]();
    const first = await bytes.next();
    const head = first.done === true ? undefined : workbookHead(first.value);
    const isHtml = first.done !== true && head === undefined && beginsLikeHtml(first.value);
    const rows =
      head !== undefined
        ? sheetRows(archive, entry, head, options)
        : isHtml
          ? htmlRows(joined(first, bytes))
          : textRows(joined(first, bytes), options);
    if (head !== undefined) await bytes.return?.();
    for await (const row of rows) {
      line = row.line;
      yield row;
    }
  } catch (error) {
    if (error instanceof WorkbookError) yield { line: line + 1, error: error.issue, endsFile: true };
    else if (error instanceof ArchiveError)
      yield { line: line + 1, error: { severity: "error", rule: error.rule, found: error.message }, endsFile: true };
    else throw error;
  }
}

/** Whether a row is a record that can be read. */
export function isRecord(row: Row): row is TableRecord {
  return "fields" in row;
}

async function* textRows(bytes: AsyncIterable<Uint8Array>, options: TableOptions): AsyncGenerator<Row> {
  const errors: Row[] = [];
  const report = (issue: Issue, line: number) => {
    const endsFile = issue.rule === "csv/unclosed-quote" && ({ endsFile: true } as const);
    if (issue.severity === "error") errors.push({ line, error: issue, ...endsFile });
    else options.report?.(issue, line);
  };
  const chunks = options.encoding === undefined ? bytes : intoUtf8(bytes, options.encoding);
  try {
    for await (const record of readCsv(chunks, { delimiter: options.delimiter, quotes: options.quotes, report })) {
      // The reader parses a piece of text before it gives the records in it, and reports problems at once. Here each problem waits for
      // the records before it.
      while ((errors[0]?.line ?? record.line) < record.line) yield errors.shift() as Row;
      yield record;
    }
  } catch (error) {
    // The problems so far come before the end of the file.
    yield* errors.splice(0);
    throw error;
  }
  yield* errors.splice(0);
}

/** The chunks of a stream whose first step was taken. */
async function* joined(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

async function* intoUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** The rows of a sheet. The reader of workbooks is large, so it is loaded only for one. */
async function* sheetRows(
  archive: Archive,
  entry: Entry,
  head: WorkbookHead,
  options: TableOptions,
): AsyncGenerator<Row> {
  const { openWorkbook } = await import("./workbook.ts");
  const workbook = await openWorkbook(archive, entry, head);
  try {
    yield* rowsIn(workbook, options);
  } finally {
    await workbook.close();
  }
}

/** The rows of a sheet of an open workbook. */
async function* rowsIn(workbook: OpenWorkbook, { sheet: name, report }: TableOptions): AsyncGenerator<Row> {
  const { chosenSheet, rowsOf } = await import("./workbook.ts");
  const sheet = await chosenSheet(workbook, name);
  for await (const row of rowsOf(workbook, sheet)) {
    const line = row.number;
    if ("error" in row) {
      yield { line, error: row.error };
      continue;
    }
    for (const { column, issue } of row.issues) report?.(issue, line, column);
    if (row.cells.length === 0) continue;
    const { cells } = row;
    yield { line, fields: cells.map((cell) => cell?.text ?? ""), cells, ...uncomputedIn(row.issues) };
  }
}

function uncomputedIn(issues: readonly CellIssue[]): Pick<TableRecord, "uncomputed"> {
  const places = issues.flatMap(({ column, issue }) =>
    column !== undefined && issue.found === UNCOMPUTED ? [column] : [],
  );
  return places.length === 0 ? {} : { uncomputed: places };
}
