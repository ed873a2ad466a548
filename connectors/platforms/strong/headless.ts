/** Reads a table of Strong that lost its header. Its cells identify it: there are 13, with units in words. */
import { printable } from "../../../transforms/text/printable.ts";
import type { Entry } from "../../containers/archive.ts";
import { mappingEntries } from "../csv/find-mapping.ts";
import { csvRows, readHeader } from "../table/csv-rows.ts";
import type { RowSource } from "../table/description.ts";

/** The columns of the layout, in order, with the form of their cells. Without a form, any text fits. */
const CELLS: readonly (readonly [column: string, form?: RegExp])[] = [
  ["Date", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ["Workout Name"],
  ["Exercise Name", /\S/],
  ["Set Order", /^(?:\d{1,3}|[WDF]|[A-Z_]{1,20}|Rest Timer|Note)$/],
  ["Weight", /^[\d.]{0,20}$/],
  ["Weight Unit", /^(?:kgs?|lbs?)$/],
  ["Reps", /^[\d.]{0,20}$/],
  ["RPE", /^[\d.]{0,20}$/],
  ["Distance", /^[\d.]{0,20}$/],
  ["Distance Unit", /^(?:m|km|mi|meters|miles)?$/],
  ["Seconds", /^[\d.]{0,20}$/],
  ["Notes"],
  ["Workout Notes"],
];

const HEADER = CELLS.map(([column]) => column);

/** Most tables to check by their first row. */
const MOST_LOOKED_AT = 20;

/** Finds the only table without a header. */
export const headless: RowSource = {
  async find(archive) {
    if (mappingEntries(archive).length > 0) return undefined;
    const tables = [...archive.entries()].filter(({ path }) => /\.csv$/i.test(path));
    const found: Entry[] = [];
    for (const entry of tables.slice(0, MOST_LOOKED_AT)) {
      if (isOurs((await readHeader(archive, entry)) ?? [])) found.push(entry);
    }
    const [entry] = found;
    if (entry === undefined || found.length > 1) return undefined;
    return {
      saw: `${printable(entry.path, 80)} with the ${HEADER.length} cells of a set in each row`,
      byContent: true,
      entries: [entry],
      header: HEADER,
      rows: (session, _, { file }, report) => csvRows(session, entry, { ...file, header: false }, report),
      holds: (path) => path === entry.path,
    };
  },
};

function isOurs(cells: readonly string[]): boolean {
  return (
    cells.length === HEADER.length && CELLS.every(([, form], index) => form?.test((cells[index] ?? "").trim()) ?? true)
  );
}
