/**
 * How many workouts of each activity each month of a log holds, kept beside them. With it a page deep in a log of 50,000 is found by
 * looking into the months it lies in, and the total without counting: no database does either fast by itself.
 */
import type { Workout } from "../model/workout.ts";
import type { Queries, Value } from "./database.ts";
import type { Slice } from "./slice.ts";

/** A month, `YYYY-MM`, and how many workouts it holds. */
export interface Month {
  readonly month: string;
  readonly workouts: number;
}

/** Days that hold a slice of the listing, both counted in, and how many of their workouts come before it. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly skip: number;
}

/**
 * The months that hold workouts, newest first.
 *
 * @param where of which workouts: a condition on `user_id` and `activity_id` alone, with its values
 */
export async function monthsOf(queries: Queries, where: string, values: readonly Value[]): Promise<readonly Month[]> {
  const sql = `SELECT month, SUM(workouts) AS workouts FROM workout_months WHERE ${where} GROUP BY month ORDER BY month DESC`;
  const rows = await queries.all(sql, ...values);
  return rows.map((row) => ({ month: row.month as string, workouts: row.workouts as number }));
}

/** What is counted of a workout. */
export type Counted = Pick<Workout, "date" | "activityID">;

/** Counts workouts that came and went; within the transaction that adds or moves them. */
export async function recount(
  queries: Queries,
  userId: string,
  came: readonly Counted[],
  went: readonly Counted[] = [],
): Promise<void> {
  const changes = new Map<string, { readonly month: string; readonly activityID: number; change: number }>();
  for (const [counted, step] of [...came.map((one) => [one, 1] as const), ...went.map((one) => [one, -1] as const)]) {
    const { activityID } = counted;
    const month = counted.date.slice(0, 7);
    const key = `${month} ${activityID}`;
    const entry = changes.get(key) ?? { month, activityID, change: 0 };
    changes.set(key, { ...entry, change: entry.change + step });
  }
  // In one order everywhere: two that change the same counts can't wait for each other.
  for (const key of [...changes.keys()].sort()) {
    const { month, activityID, change } = changes.get(key) as { month: string; activityID: number; change: number };
    if (change === 0) continue;
    await queries.run(
      `INSERT INTO workout_months (user_id, month, activity_id, workouts) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, month, activity_id) DO UPDATE SET workouts = workout_months.workouts + excluded.workouts`,
      userId,
      month,
      activityID,
      change,
    );
  }
}

/**
 * Where a slice of a listing lies.
 *
 * @param months newest first
 * @returns undefined when it begins after the last workout
 */
export function stretchOf(months: readonly Month[], { limit, offset }: Slice): Stretch | undefined {
  let before = 0;
  let first: { readonly month: string; readonly skip: number } | undefined;
  for (const { month, workouts } of months) {
    if (first === undefined && offset < before + workouts) first = { month, skip: offset - before };
    before += workouts;
    if (first !== undefined && offset + limit <= before) return stretch(month, first);
  }
  return first && stretch(months.at(-1)?.month as string, first);
}

function stretch(last: string, first: { readonly month: string; readonly skip: number }): Stretch {
  // No month has a 99th; as text it comes after every day that there is.
  return { from: `${last}-00`, to: `${first.month}-99`, skip: first.skip };
}
