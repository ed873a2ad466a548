/** The workouts of a listing: its filters in SQL, and the place of a slice. */
import type { Database, Value } from "./database.ts";
import { monthsOf, stretchOf } from "./months.ts";
import type { Slice } from "./slice.ts";
import type { WorkoutFilter } from "./store.ts";

/** Column of each field a workout can be filtered by. */
const FILTER_COLUMNS: Record<WorkoutFilter["field"], string> = {
  date: "date",
  time: "time",
  activityID: "activity_id",
  workoutID: "workout_id",
  duration: "duration",
};

const OPERATORS: Record<WorkoutFilter["operator"], string> = { eq: "=", ge: ">=", le: "<=", gt: ">", lt: "<" };

/** The length of a listing, and the place of a slice: the days to search, and the number of workouts to skip. */
export async function findPlace(
  database: Database,
  userId: string,
  slice: Slice,
  filters: readonly WorkoutFilter[],
): Promise<{ readonly total: number; readonly among: readonly WorkoutFilter[]; readonly skip: number }> {
  const { where, values } = whereOf(userId, filters);
  if (filters.some(({ field }) => field !== "activityID")) {
    const row = await database.get(`SELECT COUNT(*) AS total FROM workouts WHERE ${where}`, ...values);
    return { total: row?.total as number, among: filters, skip: slice.offset };
  }
  const months = await monthsOf(database, where, values);
  const total = months.reduce((sum, { workouts }) => sum + workouts, 0);
  const { from, to, skip } = stretchOf(months, slice) ?? { from: "", to: "", skip: 0 };
  const days: readonly WorkoutFilter[] = [
    { field: "date", operator: "ge", value: from },
    { field: "date", operator: "le", value: to },
  ];
  return { total, among: [...filters, ...days], skip };
}

/** The user's workouts that pass every filter. */
export function whereOf(userId: string, filters: readonly WorkoutFilter[]): { where: string; values: Value[] } {
  const conditions = filters.map(({ field, operator }) => ` AND ${FILTER_COLUMNS[field]} ${OPERATORS[operator]} ?`);
  return { where: `user_id = ?${conditions.join("")}`, values: [userId, ...filters.map((filter) => filter.value)] };
}
