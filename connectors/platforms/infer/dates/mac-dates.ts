/** Finds dates that were pasted from a workbook of the old Mac, which counts from 1904 and not from 1900: they lie 1,462 days too early. */
import { addDays, asIfUtc } from "../../../../transforms/calendar.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import type { DatedTable } from "./dated-table.ts";

/** Where a person says that the dates are right. */
export const EPOCH = "rows.epoch";

/** The days between the two counts. */
const BETWEEN = 1462;

/** The days that a jump may be shorter than that: how far two workouts in a row are apart. */
const NEAR = 31;

/** So many rows must lie on each side. A single one is a slip of the keyboard. */
const LEAST_ROWS = 3;

/** Why a table with such dates waits; undefined without them, and where a person says that they are right. */
export function macDates({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(EPOCH) === WORKOUTS) return undefined;
  const column = columns.find(({ role }) => role === "date" || role === "datetime");
  const dated = days.filter((day) => day !== undefined);
  const early = earlyDays(dated) ?? earlyDays(dated.toReversed());
  const [first, last] = [early?.[0], early?.at(-1)];
  if (column === undefined || early === undefined || first === undefined || last === undefined) return undefined;
  return {
    problem: `${early.length} dates in the column ${JSON.stringify(column.name)}, from ${first} to ${last}, seem to be 1,462 days too early, as those are that were pasted from a workbook that counts its days from 1904. With 1,462 days more all rows are in the order of their days, and the first of these dates is ${addDays(first, BETWEEN)}`,
    next: `Put them right in the workbook: type 1462 into an empty cell, copy it, select these dates, and paste it with Paste Special, Add. If they are right as they are, run this again with --set ${EPOCH}=${WORKOUTS}`,
  };
}

/** The days behind a jump back by so many days; undefined unless all days are in their order with them moved. */
function earlyDays(days: readonly string[]): readonly string[] | undefined {
  const early: string[] = [];
  let before: string | undefined;
  let isEarly = false;
  for (const day of days) {
    const step = before === undefined ? 0 : (asIfUtc({ date: day }) - asIfUtc({ date: before })) / 86_400_000;
    if (!isEarly && step >= -BETWEEN && step <= NEAR - BETWEEN) isEarly = true;
    else if (isEarly && step >= BETWEEN && step <= NEAR + BETWEEN) isEarly = false;
    else if (step < 0) return undefined;
    if (isEarly) early.push(day);
    before = day;
  }
  return early.length >= LEAST_ROWS && days.length - early.length >= LEAST_ROWS ? early : undefined;
}
