/**
 * Finds dates whose day and month a spreadsheet program swapped. Where somebody types 3/4/2014 for 3 April into a program that has the month first, it
 * becomes the date of March 4. Past the 12th there is no such month, so the cell stays a text.
 */
import type { NoProposal } from "../choices/no-proposal.ts";

/** A column with dates of the workbook's own and typed ones. */
export interface MixedDates {
  readonly name: string;
  readonly order: "dmy" | "mdy";
  /** The days of the rows; undefined for a cell without one. */
  readonly days: readonly (string | undefined)[];
  /** The rows whose date is the workbook's own. */
  readonly own: ReadonlySet<number>;
  /** Whether a typed date can be read in the other order as well. */
  readonly isAmbiguous: (row: number) => boolean;
}

/** Fewer dates show nothing. */
const LEAST = 3;

/** Why the table can't be read before a person looked; undefined if nothing speaks for swapped dates. */
export function swappedDates(dates: MixedDates): NoProposal | undefined {
  const { days, own, isAmbiguous, name, order } = dates;
  const rows = [...days.keys()].filter((row) => days[row] !== undefined);
  const typed = rows.filter((row) => !own.has(row));
  const real = rows.filter((row) => own.has(row));
  const isTwelve = (row: number) => Number(days[row]?.slice(8)) <= 12;
  if (real.length < LEAST || typed.length < LEAST || !real.every(isTwelve) || typed.some(isAmbiguous)) return undefined;
  const isOwn = (row: number) => own.has(row);
  const swapped = rows.map((row) => (isOwn(row) ? swap(days[row] ?? "") : (days[row] ?? "")));
  const [now, then] = [jumps(rows.map((row) => days[row] ?? "")), jumps(swapped)];
  if (now < then || swapped.every((day, at) => day === days[rows[at] ?? -1])) return undefined;
  const text = order === "dmy" ? "dd/mm/yyyy" : "mm/dd/yyyy";
  return {
    problem: `${real.length} dates in the column ${JSON.stringify(name)} seem to have their day and month swapped, as a spreadsheet program does with days typed in another order than its own. None of the ${real.length} dates that it took for dates has a day past the 12th. All ${typed.length} that stayed text have one. Rows that jump against the order of the others: ${now}. With day and month swapped: ${then}`,
    next: `Put them right in the workbook: add a column with =IF(ISNUMBER(A2),TEXT(DATE(YEAR(A2),DAY(A2),MONTH(A2)),"${text}"),A2), where A2 is the first date. If they are right as they are, run this again with --set dates.order=${order}`,
  };
}

function swap(day: string): string {
  const [year, month, date] = day.split("-");
  return `${year}-${date}-${month}`;
}

/** How many rows go against the direction of the most. */
function jumps(days: readonly string[]): number {
  const steps = days.slice(1).map((day, at) => day.localeCompare(days[at] ?? ""));
  return Math.min(steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length);
}
