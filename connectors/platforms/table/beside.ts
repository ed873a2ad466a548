/** Reads the small lists beside a table. A missing list counts as empty. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { ReadSession } from "../session.ts";
import { cutRows } from "./cut-row.ts";
import { isRecord, readTable } from "./read-table.ts";

/** Finds a list by its name, in the folder of the table. */
export type FindBeside = (name: string) => Entry | undefined;

/** Finds entries in the folder of a table. */
export function findBeside(archive: Archive, table: Entry): FindBeside {
  const folder = table.path.slice(0, table.path.lastIndexOf("/") + 1);
  return (name) => archive.entry(folder + name);
}

/** Reads the rows of a list below its header. An unreadable line is reported and left out. */
export async function* readListRows(
  session: ReadSession,
  entry: Entry | undefined,
): AsyncGenerator<{ readonly line: number; readonly fields: readonly string[] }> {
  if (entry === undefined) return;
  let isHeader = true;
  const cutIn = cutRows();
  for await (const row of readTable(session.archive, entry)) {
    const error = isRecord(row) ? cutIn(row) : row.error;
    if (!isRecord(row) || error !== undefined) {
      session.report({ ...(error as Issue), severity: "warning" }, session.origin(entry.path, `line ${row.line}`));
      continue;
    }
    if (!isHeader) yield row;
    isHeader = false;
  }
}
