/**
 * Reads CSV tables with a line above their header that names the table, as Samsung writes them. Such a line identifies the table under any file
 * name. Rows may end with an extra empty cell. Other tables of the kind may have more data about a row.
 */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import { fold, namesOf } from "../columns/columns.ts";
import type { FoundRows, RowSource } from "../description.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { csvRows } from "../reading/csv-rows.ts";
import { isRecord, readTable } from "../reading/read-table.ts";

/** A table with a title. */
export interface TitledCsv {
  /** Names of files that may have the title. */
  readonly files: RegExp;
  /** The first cell of the first line. */
  readonly title: string;
  /** A column that each such table has, by its spellings. */
  readonly knownBy: readonly string[];
  /** A table with at most one row for each row of this one. Its columns are called `as/name`. The name is the part after the last dot. */
  readonly joins?: {
    readonly title: string;
    /** The column with the id of a row. */
    readonly by: string;
    /** The spellings of the column of this table with that id. */
    readonly id: readonly string[];
    readonly as: string;
  };
}

interface Table {
  readonly entry: Entry;
  readonly header: readonly string[];
}

/** Makes a source of rows from all tables with a title. They may have different columns, in any order. */
export function titledCsv(described: TitledCsv): RowSource {
  const known = new Set(described.knownBy.map(fold));
  const isKnown = (table: Table | undefined) => table?.header.some((name) => known.has(fold(name))) === true;
  return {
    table: { called: `its tables with the title ${described.title}` },
    claims: async (archive, entry) => isKnown(await tableIn(archive, entry, described.title)),
    async find(archive: Archive): Promise<FoundRows | undefined> {
      const { title, joins } = described;
      const tables = (await tablesOf(archive, described.files, title)).filter(isKnown);
      const [first, ...others] = tables;
      if (first === undefined) return undefined;
      const beside = joins === undefined ? [] : await tablesOf(archive, described.files, joins.title);
      const own = [...new Set(tables.flatMap(({ header }) => header))];
      const added = [...new Set(beside.flatMap(({ header }) => header.map((name) => addedName(name, joins?.as))))];
      return {
        saw: `${printable(first.entry.path, 80)} with the title ${title}`,
        entries: [first.entry, ...others.map(({ entry }) => entry)],
        header: [...own, ...added],
        holds: (path) => [...tables, ...beside].some(({ entry }) => entry.path === path),
        async *rows(session, entry, mapping, report) {
          const header = tables.find((table) => table.entry === entry)?.header ?? [];
          const more = await rowsById(session, beside, mapping, described);
          const idAt = header.findIndex((name) => joins?.id.some((id) => fold(id) === fold(name)));
          for await (const row of csvRows(session, entry, { ...mapping.file, skip: 1 }, report)) {
            if (!("fields" in row)) {
              yield row;
              continue;
            }
            const cells = new Map(header.map((name, index) => [name, row.fields[index] ?? ""]));
            const joined = more.get(row.fields[idAt] ?? "");
            const extra = row.fields.slice(header.length);
            const fields = [
              ...own.map((name) => cells.get(name) ?? ""),
              ...added.map((name) => joined?.get(name) ?? ""),
            ];
            yield { ...row, fields: [...fields, ...extra] };
          }
        },
      };
    },
  };
}

function addedName(name: string, as = ""): string {
  return `${as}/${name.slice(name.lastIndexOf(".") + 1)}`;
}

/** The tables with a title, each with its header. */
async function tablesOf(archive: Archive, files: RegExp, title: string): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const entry of archive.entries()) {
    const table = files.test(entry.path) ? await tableIn(archive, entry, title) : undefined;
    if (table !== undefined) tables.push(table);
  }
  return tables;
}

/** The table in a file, if it has this title. */
async function tableIn(archive: Archive, entry: Entry, title: string): Promise<Table | undefined> {
  const [first, second] = await firstLines(archive, entry);
  return first?.[0]?.trim() === title && second !== undefined ? { entry, header: namesOf(second) } : undefined;
}

async function firstLines(archive: Archive, entry: Entry): Promise<readonly (readonly string[])[]> {
  const lines: (readonly string[])[] = [];
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row)) break;
    lines.push(row.fields);
    if (lines.length === 2) break;
  }
  return lines;
}

/** The cells of the joined tables, by the ids of their rows in the main table. */
async function rowsById(
  session: ReadSession,
  beside: readonly Table[],
  mapping: Conventions,
  { joins }: TitledCsv,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = new Map<string, ReadonlyMap<string, string>>();
  for (const { entry, header } of beside) {
    const names = header.map((name) => addedName(name, joins?.as));
    const idAt = names.indexOf(addedName(joins?.by ?? "", joins?.as));
    for await (const row of csvRows(session, entry, { ...mapping.file, skip: 1 })) {
      const error = "fields" in row ? row.cut : row.error;
      if (error !== undefined) session.report({ ...error, severity: "warning" }, row.origin);
      const id = "fields" in row ? (row.fields[idAt] ?? "") : "";
      if ("fields" in row && id !== "") rows.set(id, new Map(names.map((name, at) => [name, row.fields[at] ?? ""])));
    }
  }
  return rows;
}
