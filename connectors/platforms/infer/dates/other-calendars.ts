/** Finds dates of another calendar by their years: 2564 is 2021 in Thailand, and 1400 is of 2021 in Iran. Each plan rejects such rows. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";

/** This share of the dates must have such a year. */
const SHARE = 0.8;

/** The years of the Gregorian calendar that a log may have, in another one. */
const BUDDHIST = { least: 2443, most: 2643, ahead: 543 } as const;
const ISLAMIC_OR_IRANIAN = { least: 1279, most: 1523 } as const;

/** Why such a table waits, and what to write; undefined for any other. @param days the days of the rows, as they are read */
export function ofOtherCalendar(
  { name, filled, cells }: AssignedColumn,
  days: readonly (string | undefined)[],
): NoProposal | undefined {
  const years = days.map((day) => (day === undefined ? undefined : Number(day.slice(0, 4))));
  const within = ({ least, most }: { readonly least: number; readonly most: number }) => {
    const is = (year: number | undefined) => year !== undefined && year >= least && year <= most;
    return years.filter(is).length >= filled.length * SHARE ? years.findIndex(is) : -1;
  };
  const [buddhist, other] = [within(BUDDHIST), within(ISLAMIC_OR_IRANIAN)];
  const row = Math.max(buddhist, other);
  if (row < 0) return undefined;
  const shown = `the dates in the column ${JSON.stringify(name)}, such as ${JSON.stringify(printable(cells[row] ?? "", 40))}, seem to be of`;
  const year = years[row] ?? 0;
  if (row === buddhist)
    return {
      problem: `${shown} the Buddhist calendar, which is ${BUDDHIST.ahead} years ahead`,
      next: `Write ${year - BUDDHIST.ahead} for ${year}, and so for each year, and propose again`,
    };
  return {
    problem: `${shown} the Iranian or the Islamic calendar, whose days logferry doesn't convert`,
    next: "Write the days as your phone shows them in the Gregorian calendar, such as 2021-03-23, and propose again",
  };
}
