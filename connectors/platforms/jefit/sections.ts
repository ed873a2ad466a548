/** A JEFIT backup is one text file with many tables. A line `### WORKOUT SESSIONS ###` begins each, and a line of `#` ends it. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Entry } from "../../containers/archive.ts";
import type { ReadSession } from "../session.ts";
import { fold } from "../table/columns/columns.ts";
import { cutRows } from "../table/reading/cut-row.ts";
import { headOf } from "../table/reading/head-of.ts";
import { pointCells } from "../table/reading/point-cells.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";

/** A row of one of the tables, or a record that can't be read. */
export type SectionRow = { readonly origin: Origin } & (
  | {
      /** Upper case: `EXERCISE LOGS`. */
      readonly section: string;
      readonly cellOf: (column: string) => string;
      readonly cut?: Issue;
    }
  | { readonly section: string; readonly header: readonly string[] }
  | { readonly error: Issue; readonly endsFile?: true }
);

/** A line that begins a table. */
export const TITLE = /^#{2,10} ?([A-Z][A-Z ]{0,60}?) ?#{2,200}$/;

/** JEFIT writes commas, and a spreadsheet program may have put semicolons in their place. The tables differ in width, so the first header decides. */
async function delimiterOf({ archive }: ReadSession, entry: Entry): Promise<"," | ";"> {
  const lines = (await headOf(archive, entry)).split(/\r\n|\r|\n/);
  const header = lines.find((line) => /^"?\w/.test(line)) ?? "";
  return header.includes(";") && !header.includes(",") ? ";" : ",";
}

/** Gives the header of each table, and its rows. */
export async function* sectionRows(session: ReadSession, entry: Entry): AsyncGenerator<SectionRow> {
  let section: string | undefined;
  let header: ReadonlyMap<string, number> | undefined;
  let cutIn = cutRows();
  const cellOfFile = await pointCells(session.archive, entry);
  const delimiter = await delimiterOf(session, entry);
  let last = 1;
  for await (const row of readTable(session.archive, entry, { delimiter })) {
    const origin = session.origin(entry.path, `line ${row.line}`);
    last = row.line;
    if (!isRecord(row)) {
      yield { origin, error: row.error };
      continue;
    }
    const { fields } = row;
    if (fields[0]?.startsWith("##")) {
      section = TITLE.exec(fields[0].trim())?.[1];
      header = undefined;
      cutIn = cutRows();
    } else if (section !== undefined) {
      const cut = cutIn(row);
      if (header === undefined) {
        header = new Map(fields.map((name, index) => [fold(name), index]));
        yield { origin, section, header: fields.map((name) => name.trim()) };
        continue;
      }
      const indexes = header;
      const cellOf = (column: string) => cellOfFile(fields[indexes.get(fold(column)) ?? -1]);
      yield { origin, section, cellOf, ...(cut !== undefined && { cut }) };
    }
  }
  if (section !== undefined)
    yield { origin: session.origin(entry.path, `line ${last}`), error: withoutEnd(section), endsFile: true };
}

/** The tables are joined, so a table that is cut costs the workouts of others their sets. */
function withoutEnd(section: string): Issue {
  return {
    severity: "error",
    rule: "jefit/no-end",
    found: `the table ${printable(section, 60)} breaks off: the file seems to be cut here`,
    expected: "a line of # behind each table. Make the backup once more",
  };
}
