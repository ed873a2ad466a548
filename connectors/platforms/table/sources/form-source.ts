/**
 * Recognises CSV tables by the forms of their cells: tables without a header, and tables with a header in a language that nobody here has seen.
 * Their columns are read by place.
 */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { fold } from "../columns/columns.ts";
import type { AnyColumn, RowSource } from "../description.ts";
import { mappingEntries } from "../mapping/mapping-files.ts";
import { csvRows } from "../reading/csv-rows.ts";
import { isRecord, readTable } from "../reading/read-table.ts";

/** A column: its name in the description, and the form of its cells. Without a form, any text fits. */
export type FormColumn = readonly [column: string, form?: RegExp];

/** The layouts of a table. */
export interface Forms {
  /** The columns in order, for each number of columns that the table may have. */
  readonly layouts: readonly (readonly FormColumn[])[];
  /** Whether a line with the names of the columns stands above the rows. */
  readonly header: boolean;
  /** The row, for people: `a set`. */
  readonly of: string;
  /** Whether the values of a row agree with one another, as those of swapped columns of one form don't. */
  readonly agrees?: (cellOf: (column: string) => string) => boolean;
}

/** Most columns that a newer table may have behind those of a layout. They are reported by name. */
const MOST_ADDED = 3;

/** Most tables whose first row is checked. */
const MOST_LOOKED_AT = 20;

/** Finds the only table whose first row has the forms of a layout. If the archive has a mapping file, that file says what its tables are. */
export function csvByForm(forms: Forms): RowSource {
  const { header, of } = forms;
  return {
    async find(archive, described) {
      if (mappingEntries(archive).length > 0) return undefined;
      const tables = [...archive.entries()].filter(({ path }) => /\.csv$/i.test(path));
      const found: { readonly entry: Entry; readonly columns: readonly string[]; readonly placed: number }[] = [];
      for (const entry of tables.slice(0, MOST_LOOKED_AT)) {
        const layout = await layoutOf(archive, entry, forms, described);
        if (layout !== undefined) found.push({ entry, ...layout });
      }
      const [only, ...others] = found;
      if (only === undefined || others.length > 0) return undefined;
      const { entry, columns, placed } = only;
      const byPlace = placed < columns.length ? `the first ${placed}` : `the ${placed}`;
      const expected = `a header in a language that logferry knows; ${byPlace} columns are read by their places`;
      return {
        saw: `${printable(entry.path, 80)} with the ${columns.length} cells of ${of} in each row`,
        byContent: true,
        entries: [entry],
        header: columns,
        rows: (session, _, { file }, report) => csvRows(session, entry, { ...file, header }, report),
        holds: (path) => path === entry.path,
        ...(header && { remarks: [{ severity: "warning", rule: "table/columns-by-place", expected }] }),
      };
    },
  };
}

/**
 * The names of the columns of a table whose first row has the form of a layout, and how many of them have it by their place. A line above it must not
 * have the form of a row.
 */
async function layoutOf(
  archive: Archive,
  entry: Entry,
  { layouts, header, agrees = () => true }: Forms,
  described: readonly AnyColumn[],
): Promise<{ readonly columns: readonly string[]; readonly placed: number } | undefined> {
  let above: readonly string[] | undefined;
  const longestFirst = [...layouts].sort((a, b) => b.length - a.length);
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row)) return undefined;
    if (header && above === undefined) {
      above = row.fields;
      continue;
    }
    const layout = longestFirst.find((columns) => fits(row.fields, columns, header ? MOST_ADDED : 0));
    if (layout === undefined) return undefined;
    const names = layout.map(([name]) => name);
    const placed = names.length;
    if (!agrees((column) => (row.fields[names.indexOf(column)] ?? "").trim())) return undefined;
    if (above !== undefined && !names.every((name, index) => mayBe(above?.[index] ?? "", name, described)))
      return undefined;
    if (above === undefined) return { columns: names, placed };
    const isData = fits(above, layout, MOST_ADDED) || above.length !== row.fields.length;
    // A second column of one name has it in our language, too.
    const seen = above.slice(0, placed);
    const added = above.slice(placed).map((name) => {
      const first = seen.findIndex((other) => fold(other) === fold(name));
      return first === -1 ? name.trim() : `${names[first]}#2`;
    });
    return isData ? undefined : { columns: [...names, ...added], placed };
  }
  return undefined;
}

/** Whether a header cell can stand above a column: its word is unknown, or one of the column's own. */
function mayBe(word: string, column: string, described: readonly AnyColumn[]): boolean {
  const rows = described.map(([theirs]) => [theirs].flat().map(fold)).filter((names) => names.includes(fold(word)));
  return rows.length === 0 || rows.some((names) => names.includes(fold(column)));
}

function fits(cells: readonly string[], columns: readonly FormColumn[], added: number): boolean {
  const isOfWidth = cells.length >= columns.length && cells.length <= columns.length + added;
  return isOfWidth && columns.every(([, form], index) => form?.test((cells[index] ?? "").trim()) ?? true);
}
