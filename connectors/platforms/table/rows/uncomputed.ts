/**
 * Formulas of a workbook that no program ever computed. Somebody sees a value there, as soon as a spreadsheet program opens the file. So a value of a
 * workout is missing, and only its field says so. For the rules of a mapping and for the key of a row the cell is empty.
 */
import { UNCOMPUTED } from "../../../formats/sheets/sheet.ts";
import type { SheetRow } from "../cells/sheet-row.ts";
import type { Columns } from "../columns/columns.ts";
import type { ColumnSpec } from "../mapping/fields.ts";

/** Fields whose missing value keeps the old account open. */
const NEEDED: ReadonlySet<string> = new Set<ColumnSpec["field"]>([
  ...(["date", "datetime", "time", "distance", "duration", "moving", "elapsed"] as const),
  ...(["duration.hours", "duration.minutes", "duration.seconds", "avgHR", "maxHR", "restHR"] as const),
]);

/** Whether a cell is a formula without a value, in a field whose value a workout must not lack. */
export function lacksNeeded(field: string, text: string): boolean {
  return text === UNCOMPUTED && NEEDED.has(field);
}

/** A cell for those to whom such a formula is empty. */
export function computed(text: string): string {
  return text === UNCOMPUTED ? "" : text;
}

/** The rows of a sheet, with such formulas only where a field needs their values. */
export async function* withNeededAlone(rows: AsyncIterable<SheetRow>, { columns }: Columns): AsyncGenerator<SheetRow> {
  const needed = new Set(columns.flatMap(({ index, spec }) => (NEEDED.has(spec.field) ? [index] : [])));
  for await (const row of rows) {
    if (!("fields" in row) || !row.fields.includes(UNCOMPUTED)) yield row;
    else yield { ...row, fields: row.fields.map((text, index) => (needed.has(index) ? text : computed(text))) };
  }
}
