/** The rows of a CSV table: those between its header and its end, without comments and blank ones. */
import type { Archive, Entry } from "../../containers/archive.ts";
import type { Delimiter } from "../../formats/csv/read.ts";
import type { ReadSession } from "../session.ts";
import type { Mapping } from "./mapping.ts";
import { isRecord, type Row, readTable, type TableOptions } from "./read-table.ts";
import type { ReportAt, SheetRow } from "./sheet-row.ts";

type FileWords = Omit<Mapping["file"], "decimal">;

const DELIMITERS: Readonly<Record<FileWords["delimiter"], Delimiter | undefined>> = {
  auto: undefined,
  comma: ",",
  semicolon: ";",
  tab: "\t",
};

/** How the file of a table is opened. */
export function tableOptions({ delimiter, encoding }: FileWords): TableOptions {
  return { delimiter: DELIMITERS[delimiter], ...(encoding !== "auto" && { encoding }) };
}

/** The rows of a table, each at its line. */
export async function* csvRows(
  session: ReadSession,
  entry: Entry,
  file: FileWords,
  report?: ReportAt,
): AsyncGenerator<SheetRow> {
  const originOf = (line: number) => session.origin(entry.path, `line ${line}`);
  const options: TableOptions = {
    ...tableOptions(file),
    ...(report !== undefined && { report: (issue, line) => report(issue, originOf(line)) }),
  };
  for await (const row of rowsOfSheet(readTable(session.archive, entry, options), file)) {
    yield isRecord(row)
      ? { origin: originOf(row.line), fields: row.fields }
      : { origin: originOf(row.line), error: row.error };
  }
}

/** The fields of a table's header; undefined where there is none that can be read. */
export async function readHeader(archive: Archive, entry: Entry): Promise<readonly string[] | undefined> {
  for await (const row of readTable(archive, entry)) return isRecord(row) ? row.fields : undefined;
  return undefined;
}

async function* rowsOfSheet(rows: AsyncIterable<Row>, file: FileWords): AsyncGenerator<Row> {
  const held: Row[] = [];
  let isHeader = file.header;
  for await (const row of rows) {
    if (row.line <= file.skip) continue;
    if (isRecord(row)) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      if (row.fields.every((cell) => cell.trim() === "")) continue;
      if (file.comment !== undefined && row.fields[0]?.trimStart().startsWith(file.comment)) continue;
    }
    held.push(row);
    if (held.length > file.skipEnd) yield held.shift() as Row;
  }
}
