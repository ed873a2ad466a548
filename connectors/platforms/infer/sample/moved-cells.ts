/** Finds texts whose rows have more cells than the header: decimal commas between commas, texts with commas and no quotes, a last column without a header. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Choice } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { SampleRow, SheetSample } from "./sample.ts";

/** From this share of the rows on, the table is written in another way than it is read. */
const MANY = 0.1;

/** The rows with filled cells behind the last column. Those of a workbook move no other cell. */
function movedRows({ sheetNames, hasHeader, header, rows }: SheetSample): readonly SampleRow[] {
  if (sheetNames !== undefined || !hasHeader) return [];
  return rows.filter(({ fields }) => fields.slice(header.length).some((cell) => cell.trim() !== ""));
}

/** Why a table waits in which many rows have a cell too many; undefined for one with few or none. */
export function manyMovedRows(sample: SheetSample): NoProposal | undefined {
  const { header, rows } = sample;
  const moved = movedRows(sample);
  const [first] = moved;
  if (first === undefined || moved.length < rows.length * MANY) return undefined;
  const says = `${moved.length} of ${rows.length} rows have more cells than the header, such as line ${first.line}: ${printable(first.fields.join(" | "), 80)}`;
  const isDecimal = moved.some(({ fields }) => fields.some((cell, at) => isWhole(cell) && isWhole(fields[at + 1])));
  const why = isDecimal
    ? "A comma within a number seems to part it in two cells"
    : "A mark within a text seems to part it in two cells, or the last column has no header";
  return {
    problem: `${says}. ${why}, and nobody knows which columns the others belong to`,
    next: `Save it once more with a semicolon or a tab between the cells, or as a workbook (.xlsx), and propose again. Where the header lacks the name of a column, write one${header.length > 1 ? ` behind ${JSON.stringify(printable(header.at(-1) ?? "", 40))}` : ""}`,
  };
}

/** What is said of a table in which few rows have a cell too many. */
export function fewMovedRows(sample: SheetSample): readonly Choice[] {
  const moved = movedRows(sample);
  const [first] = moved;
  if (first === undefined) return [];
  const why = `${moved.length} of ${sample.rows.length} rows have more cells than the header, such as line ${first.line}, and wait until you mend them: put quotes around a text with the delimiter in it`;
  return [{ place: "file.delimiter", value: "auto", why, contradicting: moved.length, rows: sample.rows.length }];
}

const isWhole = (cell = "") => /^\d{1,4}$/.test(cell.trim());
