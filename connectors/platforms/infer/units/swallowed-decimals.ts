/**
 * Finds distances of which a spreadsheet program made dates. Where decimals have a comma, somebody who types 20.8 gets August 20 of the year. 20.13 and 32.5 are no
 * days, so they stay what they are.
 */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Answers } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";

/** Fewer dates are slips, and a person is asked about the column. */
const LEAST = 3;

/** Why the table can't be read before a person mended it; undefined if no such column has dates. */
export function swallowedDecimals(columns: readonly AssignedColumn[], answers: Answers): NoProposal | undefined {
  const column = columns.find(
    ({ dates, meaning, role }) => dates.size >= LEAST && meaning.roles[0] === "distance" && role !== "date",
  );
  if (column === undefined || answers.has(fieldPlace(column))) return undefined;
  const days = [...column.dates].map((row) => column.cells[row]?.slice(0, 10) ?? "");
  const typed = days.find((day) => !day.endsWith("-01")) ?? days[0] ?? "";
  const [, month, day] = typed.split("-").map(Number);
  const name = JSON.stringify(printable(column.name));
  return {
    problem: `${column.dates.size} of ${column.filled.length} cells of the column ${name} are dates, such as ${typed}. A spreadsheet program makes them of decimals, if it writes decimals with a comma: ${day}.${month} became ${typed}`,
    next: `Put them right in the workbook: add a column with =IF(A2<20000,A2,IF(DAY(A2)=1,"?",DAY(A2)+MONTH(A2)/IF(MONTH(A2)<10,10,100))), where A2 is the first cell of ${name}. Give it a number format, and type the number where it shows ?: it may have been 1.8 or 8.18. A German program writes WENN, TAG and MONAT, with ; for each comma. If the column may stay out, run this again with --set 'columns.${printable(column.name)}.field=ignore'`,
  };
}
