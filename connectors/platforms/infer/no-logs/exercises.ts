/** Finds tables with an exercise a row. Their days are workouts, and their rows are none. */

import type { NoProposal } from "../choices/no-proposal.ts";
import { setsColumn } from "../columns/lifts.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";

/** Where a person says that each exercise is a workout. */
export const EXERCISES = "rows.exercises";

/** So many rows a day, in the mean, are exercises. */
const LEAST_A_DAY = 1.5;

/** Why such a table waits; undefined for any other, and where a person says that each row is a workout. */
export function exerciseRows({ columns, days, answers }: DatedTable): NoProposal | undefined {
  const sets = setsColumn(columns);
  const isMeasured = columns.some(
    ({ role, isGuess, filled }) => (role === "distance" || role === "duration") && !isGuess && filled.length > 0,
  );
  if (answers.get(EXERCISES) === WORKOUTS || sets === undefined || isMeasured) return undefined;
  const dated = days.filter((day) => day !== undefined);
  const each = new Set(dated).size;
  if (each === 0 || dated.length < each * LEAST_A_DAY) return undefined;
  return {
    problem: `each row seems to be an exercise, with the column ${JSON.stringify(sets.name)}: ${dated.length} rows are of ${each} days. A workout has all exercises of its day`,
    next: `Make one row of each day, with its exercises in a column Notes, and propose again. If each row is a workout of its own, run this again with --set ${EXERCISES}=${WORKOUTS}`,
  };
}
