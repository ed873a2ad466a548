/**
 * Counts of workouts for each month of a log and each activity, stored beside the workouts. With them, the store finds a page deep in a
 * log of 50,000 by looking into that page's months. It gets the total without counting. By itself neither database does either fast.
 */
import type { Workout } from "../model/workout.ts";
import type { Queries } from "./database.ts";
import type { Slice } from "./slice.ts";
import { type Sql, sql } from "./sql.ts";

/** A month, `YYYY-MM`, and how many workouts it holds. */
export interface Month {
  readonly month: string;
  readonly workouts: number;
}

/** The days that hold a slice of the listing, first and last included, and the number of their workouts before the slice. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly skip: number;
}

/**
 * The months that hold workouts, newest first.
 * @param where condition for the workouts, on `user_id` and `activity_id` alone
 */
export async function monthsOf(queries: Queries, where: Sql): Promise<readonly Month[]> {
  const rows = await queries.all(sql`SELECT month, SUM(workouts) AS workouts FROM workout_months WHERE ${where}
    GROUP BY month ORDER BY month DESC`);
  return rows.map((row) => ({ month: row.month as string, workouts: row.workouts as number }));
}

/** The members of a workout that the counts need. */
export type Counted = Pick<Workout, "date" | "activityID">;

/** Adds and removes workouts in the counts. Call it within the transaction that adds or moves them. */
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
  // Always in the same order, so that two transactions that change the same counts can't block each other.
  for (const key of [...changes.keys()].sort()) {
    const { month, activityID, change } = changes.get(key) as { month: string; activityID: number; change: number };
    if (change === 0) continue;
    await queries.run(sql`INSERT INTO workout_months (user_id, month, activity_id, workouts)
      VALUES (${userId}, ${month}, ${activityID}, ${change})
      ON CONFLICT (user_id, month, activity_id) DO UPDATE
      SET workouts = workout_months.workouts + excluded.workouts`);
  }
}

/**
 * Finds the days of a listing's slice.
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
  // No month has a 99th day. As text it comes after every real day.
  return { from: `${last}-00`, to: `${first.month}-99`, skip: first.skip };
}
