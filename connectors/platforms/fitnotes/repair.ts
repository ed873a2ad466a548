/** Repairs rows of FitNotes for Android. The app does not quote exercises with a comma, so their rows have too many cells. */

import { fold } from "../table/columns.ts";
import type { FoundRows, RowSource } from "../table/description.ts";
import type { SheetRow } from "../table/sheet-row.ts";

/** The app's own categories. */
const CATEGORIES = ["abs", "back", "biceps", "cardio", "chest", "legs", "shoulders", "triceps"];

/** Makes a source whose rows have as many cells as its header. A row that can't be repaired is rejected. */
export function repaired(source: RowSource): RowSource {
  return {
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      return found && withRepairedRows(found);
    },
  };
}

function withRepairedRows(found: FoundRows): FoundRows {
  const width = found.header.length;
  const [exercise, category] = ["exercise", "category"].map((name) => found.header.map(fold).indexOf(name));
  if (exercise === undefined || category !== exercise + 1) return found;
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return {
    ...found,
    async *rows(session, entry, mapping, report) {
      const categories = known.get(entry.path) ?? categoriesOf(found.rows(session, entry, mapping), width, category);
      known.set(entry.path, categories);
      for await (const row of found.rows(session, entry, mapping, report))
        yield "fields" in row ? repairedRow(row, await categories, width, exercise) : row;
    },
  };
}

/** The app's categories and those of the sound rows, because a person may add categories. */
async function categoriesOf(
  rows: AsyncIterable<SheetRow>,
  width: number,
  category: number,
): Promise<ReadonlySet<string>> {
  const categories = new Set(CATEGORIES);
  for await (const row of rows)
    if ("fields" in row && row.fields.length === width) categories.add(fold(row.fields[category] ?? ""));
  categories.delete("");
  return categories;
}

/** Joins the cells of an exercise, up to the next cell that is a category. */
function repairedRow(
  row: Extract<SheetRow, { fields: readonly string[] }>,
  categories: ReadonlySet<string>,
  width: number,
  exercise: number,
): SheetRow {
  const { origin, fields } = row;
  const extra = fields.length - width;
  if (extra <= 0) return row;
  const at = fields.findIndex((cell, index) => index > exercise && categories.has(fold(cell)));
  if (at !== exercise + 1 + extra) {
    const expected = `${width}, as many as the header has: there is a comma in a cell without quotes`;
    return { origin, error: { severity: "error", rule: "table/row-width", found: `${fields.length} cells`, expected } };
  }
  const name = fields.slice(exercise, at).join(",");
  return { ...row, fields: [...fields.slice(0, exercise), name, ...fields.slice(at)] };
}
