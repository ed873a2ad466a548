/** Finds tables in which each row is what a phone counted in a whole day. It is no workout. */

import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";

/** Where a person says that each row is a workout. */
export const DAILY = "rows.daily";

/** Fewer rows show nothing. */
const LEAST_ROWS = 10;

/** This share of the rows must have a number of steps, and follow the day before. */
const SHARE = 0.8;

/** A day in milliseconds. */
const DAY = 86_400_000;

/** What a workout has, and the steps of a day have not. */
const OF_WORKOUTS: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "activity", "type", "avgHR", "time"]);

/** Why such a table waits; undefined for any other, and where a person says that each row is a workout. */
export function dailyTotals({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(DAILY) === WORKOUTS) return undefined;
  const steps = columns.find(({ role, filled }) => role === "steps" && filled.length >= days.length * SHARE);
  const isWorkout = columns.some(({ role = "", filled }) => OF_WORKOUTS.has(role) && filled.length > 0);
  if (steps === undefined || isWorkout) return undefined;
  const known = days.filter((day) => day !== undefined).toSorted();
  const next = known.filter((day, at) => at > 0 && Date.parse(day) - Date.parse(known[at - 1] ?? "") === DAY);
  if (known.length < LEAST_ROWS || next.length < (known.length - 1) * SHARE) return undefined;
  return {
    problem: `each row seems to be what was counted in a whole day, with the column ${JSON.stringify(steps.name)}, and no column has a duration. The sum of a day is no workout`,
    next: `If each row is one workout, run this again with --set ${DAILY}=${WORKOUTS}`,
  };
}
