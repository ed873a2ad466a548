/** Finds rows whose average heart rate is above the highest: the two columns changed places, as in a new export pasted below an older one. */
import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import { isNumber, roughNumber } from "../words/values.ts";

/** Where a person says that these rows are workouts as they are. */
export const SWAPPED = "rows.heartRates";

/** Fewer such rows, or a smaller share, are slips: a plan leaves out their heart rates and counts them. */
const [LEAST_ROWS, LEAST_SHARE] = [4, 0.05];

/** In more rows the headers are wrong, and nothing changed on the way: all rows of such a table wait in a plan. */
const MOST_SHARE = 0.9;

/** Why such a table waits; undefined for any other, and where a person says that the rows may stay as they are. */
export function swappedHeartRates({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(SWAPPED) === WORKOUTS) return undefined;
  const [mean, highest] = ["avgHR", "maxHR"].map((role) => columns.find((column) => column.role === role));
  if (mean === undefined || highest === undefined) return undefined;
  const rows = [...days.keys()].flatMap((row) => {
    const [one = "", other = ""] = [mean.cells[row], highest.cells[row]];
    const day = days[row];
    return day !== undefined && areRates(one, other) ? [{ day, isOdd: roughNumber(one) > roughNumber(other) }] : [];
  });
  const odd = rows.filter(({ isOdd }) => isOdd);
  const [first, last] = [odd[0], odd.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (odd.length < LEAST_ROWS || odd.length < rows.length * LEAST_SHARE || odd.length > rows.length * MOST_SHARE)
    return undefined;
  const [one, other] = [JSON.stringify(mean.name), JSON.stringify(highest.name)];
  return {
    problem: `in ${odd.length} of ${rows.length} rows the average in the column ${one} is above the highest heart rate in ${other}, from ${first.day} to ${last.day}. The columns seem exchanged there, and these heart rates would be left out`,
    next: `Exchange the two cells in these rows of the table, and propose again. If all rows are as they should be, run this again with --set ${SWAPPED}=${WORKOUTS}`,
  };
}

/** Whether both cells hold a heart rate. A 0 was not measured. */
function areRates(...cells: readonly string[]): boolean {
  return cells.every((cell) => isNumber(cell) && roughNumber(cell) > 0);
}
