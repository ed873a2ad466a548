/** Repairs rows of FitNotes for Android. The app does not quote exercises with a comma, so their cells are shifted. */

import type { SheetRow } from "../table/cells/sheet-row.ts";
import { fold } from "../table/columns/columns.ts";
import type { FoundRows, RowSource } from "../table/description.ts";

/** The app's own categories. */
const CATEGORIES = ["abs", "back", "biceps", "cardio", "chest", "legs", "shoulders", "triceps"];

/** `weight`, `weight (lbs)`, and not the unit of a weight. */
const WEIGHT = /^weight(?: \(\w{1,10}\))?$/;

/** Makes a source whose rows have as many cells as its header. A row that can't be repaired is rejected. */
export function repaired(source: RowSource): RowSource {
  return {
    ...(source.claims && { claims: source.claims }),
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      return found && withRepairedRows(found);
    },
  };
}

function withRepairedRows(found: FoundRows): FoundRows {
  const width = found.header.length;
  const names = found.header.map(fold);
  const [exercise, category] = ["exercise", "category"].map((name) => names.indexOf(name));
  if (exercise === undefined || category === undefined) return found;
  const places: Places = { width, exercise, category, weight: names.findIndex((name) => WEIGHT.test(name)) };
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return {
    ...found,
    async *rows(session, entry, mapping, report) {
      const categories = known.get(entry.path) ?? categoriesOf(found.rows(session, entry, mapping), places);
      known.set(entry.path, categories);
      for await (const row of found.rows(session, entry, mapping, report))
        yield "fields" in row ? repairedRow(row, await categories, places) : row;
    },
  };
}

/** The number of cells in the header, and where its columns are. */
interface Places {
  readonly width: number;
  readonly exercise: number;
  readonly category: number;
  readonly weight: number;
}

/** Whether a weight is a number or empty. In a shifted row it is the category. Rows may lack their last cells, so the number of cells alone says little. */
function isNumber(weight = ""): boolean {
  return /^-?[\d.,]{0,20}$/.test(weight.trim());
}

/** The app's categories and those of the sound rows, because a person may add categories. */
async function categoriesOf(
  rows: AsyncIterable<SheetRow>,
  { width, category, weight }: Places,
): Promise<ReadonlySet<string>> {
  const categories = new Set(CATEGORIES);
  for await (const row of rows)
    if ("fields" in row && row.fields.length <= width && isNumber(row.fields[weight]))
      categories.add(fold(row.fields[category] ?? ""));
  categories.delete("");
  return categories;
}

/** Joins the cells of an exercise, up to the next cell that is a category. In a table with moved columns nothing shows where they end. */
function repairedRow(
  row: Extract<SheetRow, { fields: readonly string[] }>,
  categories: ReadonlySet<string>,
  { width, exercise, category, weight }: Places,
): SheetRow {
  const { origin, fields } = row;
  if (fields.length <= width && isNumber(fields[weight])) return row;
  const isInOrder = category === exercise + 1;
  const at = isInOrder ? fields.findIndex((cell, index) => index > category && categories.has(fold(cell))) : -1;
  const joined = [...fields.slice(0, exercise), fields.slice(exercise, at).join(","), ...fields.slice(at)];
  if (at !== -1 && joined.length <= width && isNumber(joined[weight])) return { ...row, fields: joined };
  const expected = `${width}, as many as the header has: there is a comma in a cell without quotes`;
  return { origin, error: { severity: "error", rule: "table/row-width", found: `${fields.length} cells`, expected } };
}
