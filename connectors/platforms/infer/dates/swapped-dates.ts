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

/** Why the table can't be read before a person looked; undefined if nothing speaks for swapped dates. A new computer may swap only those from a row on. */
export function swappedDates(dates: MixedDates): NoProposal | undefined {
  const { days, own } = dates;
  const rows = [...days.keys()].filter((row) => days[row] !== undefined);
  const isFree = (row: number) => own.has(row) && !isTwelve(days[row]);
  const [first, last] = [rows.findIndex(isFree), rows.findLastIndex(isFree)];
  if (first === -1) return swappedAmong(dates, rows, "");
  const [head, tail] = [rows.slice(0, first), rows.slice(last + 1)];
  const until = `up to ${days[rows[first] ?? -1]}`;
  const since = `after ${days[rows[last] ?? -1]}`;
  return swappedAmong(dates, tail, since) ?? swappedAmong(dates, head, until);
}

const isTwelve = (day: string | undefined) => Number(day?.slice(8)) <= 12;

/** Looks at some of the rows. @param where which these are, in words; empty for all */
function swappedAmong(dates: MixedDates, rows: readonly number[], where: string): NoProposal | undefined {
  const { days, own, isAmbiguous, name, order } = dates;
  const typed = rows.filter((row) => !own.has(row));
  const real = rows.filter((row) => own.has(row));
  if (real.length < LEAST || typed.length < LEAST || typed.some(isAmbiguous)) return undefined;
  const swapped = rows.map((row) => (own.has(row) ? swap(days[row] ?? "") : (days[row] ?? "")));
  const [now, then] = [jumps(rows.map((row) => days[row] ?? "")), jumps(swapped)];
  // Some dates in front of the change may be right, and would jump if they were swapped.
  const isBetter = where === "" ? then <= now : then < now;
  if (!isBetter || swapped.every((day, at) => day === days[rows[at] ?? -1])) return undefined;
  const text = order === "dmy" ? "dd/mm/yyyy" : "mm/dd/yyyy";
  const those = where === "" ? "" : ` ${where}`;
  return {
    problem: `${real.length} dates${those} in the column ${JSON.stringify(name)} seem to have their day and month swapped, as a spreadsheet program does with days typed in another order than its own. None of the ${real.length} dates that it took for dates has a day past the 12th. All ${typed.length} that stayed text have one. Rows that jump against the order of the others: ${now}. With day and month swapped: ${then}`,
    next: `Put them right in the workbook${where === "" ? "" : ", those alone"}: add a column with =IF(ISNUMBER(A2),TEXT(DATE(YEAR(A2),DAY(A2),MONTH(A2)),"${text}"),A2), where A2 is the first ${where === "" ? "date" : "of them"}. If they are right as they are, run this again with --set dates.order=${order}`,
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
