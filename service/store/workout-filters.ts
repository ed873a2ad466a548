/** The workouts of a listing: its filters in SQL, and the place of a slice. */
import type { Database } from "./database.ts";
import { monthsOf, stretchOf } from "./months.ts";
import type { Slice } from "./slice.ts";
import { type Sql, sql } from "./sql.ts";
import type { WorkoutFilter } from "./store.ts";

/** Column of each field a workout can be filtered by. */
const FILTER_COLUMNS: Record<WorkoutFilter["field"], Sql> = {
  date: sql`date`,
  time: sql`time`,
  activityID: sql`activity_id`,
  workoutID: sql`workout_id`,
  duration: sql`duration`,
};

const OPERATORS: Record<WorkoutFilter["operator"], Sql> = {
  eq: sql`=`,
  ge: sql`>=`,
  le: sql`<=`,
  gt: sql`>`,
  lt: sql`<`,
};

/** The length of a listing, and the place of a slice: the days to search, and the number of workouts to skip. */
export async function findPlace(
  database: Database,
  userId: string,
  slice: Slice,
  filters: readonly WorkoutFilter[],
): Promise<{ readonly total: number; readonly among: readonly WorkoutFilter[]; readonly skip: number }> {
  const where = whereOf(userId, filters);
  if (filters.some(({ field }) => field !== "activityID")) {
    const row = await database.get(sql`SELECT COUNT(*) AS total FROM workouts WHERE ${where}`);
    return { total: row?.total as number, among: filters, skip: slice.offset };
  }
  const months = await monthsOf(database, where);
  const total = months.reduce((sum, { workouts }) => sum + workouts, 0);
  const { from, to, skip } = stretchOf(months, slice) ?? { from: "", to: "", skip: 0 };
  const days: readonly WorkoutFilter[] = [
    { field: "date", operator: "ge", value: from },
    { field: "date", operator: "le", value: to },
  ];
  return { total, among: [...filters, ...days], skip };
}

/** The user's workouts that pass every filter. */
export function whereOf(userId: string, filters: readonly WorkoutFilter[]): Sql {
  return filters.reduce(
    (where, { field, operator, value }) => sql`${where} AND ${FILTER_COLUMNS[field]} ${OPERATORS[operator]} ${value}`,
    sql`user_id = ${userId}`,
  );
}
