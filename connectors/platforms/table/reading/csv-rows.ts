/** Gives the rows of a table between its header and its end, without comments and blank rows. */
import { defined } from "../../../../transforms/model/defined.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { sniffDialect } from "../../../formats/csv/dialect.ts";
import type { Delimiter } from "../../../formats/csv/read.ts";
import type { ReadSession } from "../../session.ts";
import type { ReportAt, SheetRow } from "../cells/sheet-row.ts";
import { namesOf } from "../columns/columns.ts";
import type { DecimalCommas } from "../mapping/decimal-commas.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { cutRows, swallowedLines } from "./cut-row.ts";
import { headOf } from "./head-of.ts";
import { isRecord, readTable } from "./read-table.ts";
import { type SheetWords, sheetPlace } from "./sheet-words.ts";
import type { Row, TableOptions, TableRecord } from "./table-row.ts";

type FileWords = Omit<Mapping["file"], "decimal">;

const DELIMITERS: Readonly<Record<FileWords["delimiter"], Delimiter | undefined>> = {
  auto: undefined,
  comma: ",",
  semicolon: ";",
  tab: "\t",
  pipe: "|",
};

/** The options for opening the file of a table. */
export function tableOptions({ delimiter, encoding }: FileWords): TableOptions {
  return { delimiter: DELIMITERS[delimiter], ...(encoding !== "auto" && { encoding }) };
}

/** Facts about the file of a table. */
export type TableFile = FileWords &
  Pick<TableOptions, "quotes" | "workbook"> & {
    readonly sheetWords?: SheetWords | undefined;
    readonly commas?: DecimalCommas;
  };

/** Gives the rows of a table, each with its line number. For a sheet of a workbook, it is the number of the row. */
export async function* csvRows(
  session: ReadSession,
  entry: Entry,
  file: TableFile,
  report?: ReportAt,
): AsyncGenerator<SheetRow> {
  const words = file.sheetWords;
  const originOf = (line: number, column?: number) =>
    session.origin(entry.path, words === undefined ? `line ${line}` : sheetPlace(words.sheet, line, column));
  const options: TableOptions = {
    ...tableOptions(file),
    ...defined({ quotes: file.quotes, sheet: words?.sheet, workbook: file.workbook }),
    report: (issue, line, column) => {
      if (column === undefined || words?.reads(column) !== false) report?.(issue, originOf(line, column));
    },
  };
  for await (const row of withPoints(session.archive, entry, file, options)) {
    const origin = originOf(row.line);
    if ("error" in row) yield { origin, error: row.error, ...defined({ endsFile: row.endsFile }) };
    else if (words !== undefined) yield { origin, fields: words.fieldsOf(row), ...defined({ cut: row.cut }) };
    else yield { origin, fields: row.fields, ...defined({ cut: row.cut, missing: row.missing }) };
  }
}

/** The rows of a table. Decimal commas that a spreadsheet program put into it become points. */
function withPoints(archive: Archive, entry: Entry, file: TableFile, options: TableOptions): AsyncIterable<RowOfSheet> {
  const read = (asked: TableOptions) => {
    const header: string[] = [];
    const rows = rowsOfSheet(readTable(archive, entry, asked), file, (names) => header.push(...names));
    return { rows, header: () => header };
  };
  const { commas } = file;
  if (commas === undefined) return read(options).rows;
  const { report, ...quiet } = options;
  const again = async () => {
    const delimiter = options.delimiter ?? sniffDialect(await headOf(archive, entry)).delimiter;
    return delimiter === "," && !commas.areQuoted ? undefined : read(quiet);
  };
  return commas.rows(entry.path, read(options), again, (issue) => report?.(issue, 1));
}

/** Reads the fields of a table's header; undefined if there is no readable one. */
export async function readHeader(
  archive: Archive,
  entry: Entry,
  delimiter: FileWords["delimiter"] = "auto",
): Promise<readonly string[] | undefined> {
  const options = { delimiter: DELIMITERS[delimiter] };
  for await (const row of readTable(archive, entry, options)) return isRecord(row) ? row.fields : undefined;
  return undefined;
}

/** A row of a table. If it is incomplete, `cut` gives the reason. `missing` has the columns that it has no cell for. */
type RowOfSheet = Row & { readonly cut?: Issue; readonly missing?: readonly string[] };

async function* rowsOfSheet(
  rows: AsyncIterable<Row>,
  file: FileWords,
  onHeader: (names: readonly string[]) => void,
): AsyncGenerator<RowOfSheet> {
  const held: RowOfSheet[] = [];
  let isHeader = file.header;
  let header: readonly string[] = [];
  const cutIn = cutRows();
  const faultsIn = (row: TableRecord) =>
    defined({
      cut: cutIn(row) ?? (header.length > 0 ? swallowedLines(row, header.length) : undefined),
      missing: missingIn(row, header),
    });
  for await (const row of rows) {
    if (row.line <= file.skip) continue;
    if (isRecord(row)) {
      if (isHeader) {
        isHeader = false;
        header = namesOf(row.fields);
        onHeader(header);
        cutIn(row);
        continue;
      }
      if (row.fields.every((cell) => cell.trim() === "")) continue;
      if (file.comment !== undefined && row.fields[0]?.trimStart().startsWith(file.comment)) continue;
    }
    held.push(isRecord(row) ? { ...row, ...faultsIn(row) } : row);
    if (held.length > file.skipEnd) yield held.shift() as RowOfSheet;
  }
}

/** The columns behind the last cell of a row. A sheet of a workbook stores no empty cells, so there it says nothing. */
function missingIn({ fields, cells }: TableRecord, header: readonly string[]): readonly string[] | undefined {
  return cells === undefined && fields.length < header.length ? header.slice(fields.length) : undefined;
}
