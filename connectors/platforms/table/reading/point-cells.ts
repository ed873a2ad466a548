/**
 * The numbers of a list of points that a spreadsheet program saved again in a country with decimal commas. No program puts marks between the thousands of a
 * position or a distance, so where commas don't separate the columns, a comma between digits is a decimal one.
 */
import type { Archive, Entry } from "../../../containers/archive.ts";
import { sniffDialect } from "../../../formats/csv/dialect.ts";
import { headOf } from "./head-of.ts";

const WITH_COMMA = /^[-+]?\d{1,9},\d{1,17}$/;

/** Gives the function that turns a cell of a list into the text that its program wrote. */
export async function pointCells(archive: Archive, entry: Entry): Promise<(text: string | undefined) => string> {
  const { delimiter } = sniffDialect(await headOf(archive, entry));
  return (text = "") => {
    const cell = text.trim();
    return delimiter !== "," && WITH_COMMA.test(cell) ? cell.replace(",", ".") : cell;
  };
}
