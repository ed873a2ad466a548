/**
 * A log as CSV: a file a table, UTF-8 with a byte order mark, so that a spreadsheet opens it by double click and shows every
 * letter. Text that a spreadsheet would run as a formula is written so that it doesn't.
 */
import { join } from "node:path";
import { type Cell, csvFormatter, guarded } from "../formats/csv/write.ts";
import { openFile } from "./output-file.ts";
import { tableWriter } from "./table-writer.ts";
import { type ColumnType, toHeader } from "./tables.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** What a spreadsheet may take for what it is, by the type of its column. */
const PLAIN: Readonly<Partial<Record<ColumnType, RegExp>>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2})?$/,
  // An id is there to be joined by, so it is the same in every format. A spreadsheet may show `12e5` as a number: what reads XLSX has it as text.
  // One that could be a formula is guarded all the same.
  id: /^[A-Za-z0-9][\w.:-]*$/,
};

/** A writer of CSV. */
export function csvWriter(options: WriterOptions): LogWriter {
  return tableWriter(options.choice.tables, (table) => {
    const name = `${table.name}.csv`;
    // A row of one empty cell would be a line with nothing on it, which is no row to whoever reads it.
    const quoteAll = table.columns.length === 1;
    const formatter = csvFormatter({ byteOrderMark: true, quoteAll });
    const file = openFile<readonly Cell[]>(join(options.folder, name), formatter);
    const write = (row: readonly Cell[]) =>
      file.write(
        row.map((cell, index) => {
          if (typeof cell !== "string" || options.rawCsv) return cell;
          return PLAIN[table.columns[index]?.type ?? "text"]?.test(cell) === true ? cell : guarded(cell);
        }),
      );
    return { name, begin: () => file.write(toHeader(table)), write, end: file.close, abandon: file.abandon };
  });
}
