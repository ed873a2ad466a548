/** Reads the small lists beside a table. A missing list counts as empty. */
import type { Issue } from "../../../../transforms/model/issue.ts";
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

/**
 * Reads the rows of a list below its header. An unreadable line is reported and left out. So is a header without a line end: a list that was cut there
 * would otherwise look like one without rows.
 */
export async function* readListRows(
  session: ReadSession,
  entry: Entry | undefined,
): AsyncGenerator<{ readonly line: number; readonly fields: readonly string[] }> {
  if (entry === undefined) return;
  let isHeader = true;
  const reportAt = (issue: Issue, line: number) =>
    session.report({ ...issue, severity: "warning" }, session.origin(entry.path, `line ${line}`));
  const cutIn = cutRows();
  for await (const row of readTable(session.archive, entry)) {
    const error = isRecord(row) ? cutIn(row) : row.error;
    if (!isRecord(row) || error !== undefined) {
      reportAt(error as Issue, row.line);
      continue;
    }
    if (!isHeader) yield row;
    else if (row.isUnended) reportAt(CUT_HEADER, row.line);
    isHeader = false;
  }
}
