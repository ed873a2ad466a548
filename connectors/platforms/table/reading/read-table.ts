/**
 * Reads a table of an archive as rows: a text such as CSV, or a sheet of a workbook. The bytes decide, not the name. A faulty record keeps its place
 * among them, so that a record too long to read counts like any other.
 */
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { beginsLikeHtml, htmlRows } from "../../../formats/sheets/html-rows.ts";
import { type CellIssue, UNCOMPUTED, WorkbookError } from "../../../formats/sheets/sheet.ts";
import type { Row, TableOptions, TableRecord } from "./table-row.ts";
import { textRows } from "./text-rows.ts";
import type { OpenWorkbook } from "./workbook.ts";
import { type WorkbookHead, workbookHead } from "./workbook-head.ts";

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
          : textRows(joined(first, bytes), () => archive.stream(entry), options);
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

/** The chunks of a stream whose first step was taken. */
async function* joined(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
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
