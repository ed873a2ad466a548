/** Two tables of a platform may have their rows in one file. A fault of the whole file is told by the first of them. */
import type { SheetRow } from "../cells/sheet-row.ts";

/**
 * The rows of a table, without a fault of the whole file that another table told.
 *
 * @param table the table that reads the rows. It may read them several times
 * @param told by the path of a file, the table that told its fault
 */
export async function* toldOnce(
  rows: AsyncIterable<SheetRow>,
  path: string,
  table: object,
  told: Map<string, object>,
): AsyncGenerator<SheetRow> {
  for await (const row of rows) {
    if ("error" in row && row.origin.locator === undefined) {
      const first = told.get(path) ?? table;
      told.set(path, first);
      if (first !== table) continue;
    }
    yield row;
  }
}
