/**
 * A log as CSV. Each table is a file in UTF-8 with a byte order mark. A spreadsheet then opens it by double click and shows every letter. If a
 * spreadsheet would run a text as a formula, the text is written in a form that it doesn't run.
 */
import { join } from "node:path";
import { type Cell, csvFormatter, guarded } from "../formats/csv/write.ts";
import { openFile } from "./output-file.ts";
import { tableWriter } from "./table-writer.ts";
import { type ColumnType, toHeader } from "./tables.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** Values that a spreadsheet may interpret, by the type of their column. */
const PLAIN: Readonly<Partial<Record<ColumnType, RegExp>>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2})?$/,
  // Ids join tables, so every format writes them the same. A spreadsheet may show `12e5` as a number. XLSX has the id as text. An id that could be
  // a formula is guarded too.
  id: /^[A-Za-z0-9][\w.:-]*$/,
};

/** Makes the writer of CSV. */
export function csvWriter(options: WriterOptions): LogWriter {
  return tableWriter(options.choice.tables, (table) => {
    const name = `${table.name}.csv`;
    // Quotes are necessary here. Without them, a row of one empty cell is an empty line, and programs don't read that as a row.
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
