/** Reads the small lists beside a table. A missing list counts as empty. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import { cutRows } from "../reading/cut-row.ts";
import { isRecord, readTable } from "../reading/read-table.ts";

const CUT_HEADER: Issue = {
  severity: "warning",
  rule: "csv/cut-row",
  found: "a header without a line end: the file seems to be cut here",
  expected: "a list, or a header with a line end",
};

/** Finds a list by its name, in the folder of the table. */
export type FindBeside = (name: string) => Entry | undefined;

/** Finds entries in the folder of a table. */
export function findBeside(archive: Archive, table: Entry): FindBeside {
  const folder = table.path.slice(0, table.path.lastIndexOf("/") + 1);
  return (name) => archive.entry(folder + name);
}

/** The columns of a list: those that are read, in the order in which they are given, and those that are left on purpose. */
export interface ListColumns {
  readonly read: readonly RegExp[];
  readonly left: RegExp;
}

/**
 * Reads the rows of a list below its header. An unreadable line is reported and left out. So is a header without a line end: a list that was cut there
 * would otherwise look like one without rows.
 *
 * @param columns finds the columns by their names, and names those that nobody knows. Where one of the names isn't in the header, the places count
 */
export async function* readListRows(
  session: ReadSession,
  entry: Entry | undefined,
  columns?: ListColumns,
): AsyncGenerator<{ readonly line: number; readonly fields: readonly string[] }> {
  if (entry === undefined) return;
  let isHeader = true;
  let places: readonly number[] | undefined;
  const reportAt = (issue: Issue, line: number) =>
    session.report({ ...issue, severity: "warning" }, session.origin(entry.path, `line ${line}`));
  const cutIn = cutRows();
  for await (const row of readTable(session.archive, entry)) {
    const error = isRecord(row) ? cutIn(row) : row.error;
    if (!isRecord(row) || error !== undefined) {
      reportAt(error as Issue, row.line);
      continue;
    }
    if (!isHeader) yield places === undefined ? row : { ...row, fields: places.map((at) => row.fields[at] ?? "") };
    else if (row.isUnended) reportAt(CUT_HEADER, row.line);
    else if (columns !== undefined) {
      places = placesIn(row.fields, columns.read);
      for (const name of places === undefined ? [] : strangersIn(row.fields, columns))
        reportAt(stranger(name), row.line);
    }
    isHeader = false;
  }
}

/** The place of each column in a header; undefined if one is not there, or is there twice. */
function placesIn(header: readonly string[], names: readonly RegExp[]): readonly number[] | undefined {
  const found = names.map((name) => header.flatMap((cell, at) => (name.test(cell.trim()) ? [at] : [])));
  return found.every(({ length }) => length === 1) ? found.flat() : undefined;
}

function strangersIn(header: readonly string[], { read, left }: ListColumns): readonly string[] {
  return header
    .map((cell) => cell.trim())
    .filter((cell) => ![...read, left].some((name) => name.test(cell)) && cell !== "");
}

function stranger(name: string): Issue {
  return {
    severity: "warning",
    rule: "table/unknown-column",
    field: printable(name, 60),
    expected: "a known column; it was left out",
  };
}
