/** The workouts of a listing: its filters in SQL, and the place of a slice. */
import type { Queries } from "./database.ts";
import { monthsOf, stretchOf } from "./months.ts";
import type { Slice } from "./slice.ts";
import { type Sql, sql } from "./sql.ts";
import type { WorkoutFilter } from "./store.ts";

/** Column of each field a workout can be filtered by. A workout without the field passes no filter, as NULL does. */
const FILTER_COLUMNS: Record<WorkoutFilter["field"], Sql> = {
  date: sql`date`,
  // '' is the time of an untimed workout, which is less than any other.
  time: sql`NULLIF(time, '')`,
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

/** The place of a slice: the workouts to search, and how many of them to skip. */
export interface Place {
  readonly among: readonly WorkoutFilter[];
  readonly skip: number;
  /** The length of the whole listing, where finding the place has told it. */
  readonly total?: number;
}

/** Whether one statement gives a slice and the length of its listing: a first page begins where the index does, and without a row the listing is empty. */
export function isFirst(slice: Slice, filters: readonly WorkoutFilter[]): boolean {
  return slice.offset === 0 && (!areInMonths(filters) || filters.every(({ operator }) => operator === "eq"));
}

/**
 * Finds the place of a slice. Months are asked only for a page deep in a log. With a filter that months don't count by, the workouts are searched
 * one by one.
 */
export async function findPlace(
  queries: Queries,
  userId: string,
  slice: Slice,
  filters: readonly WorkoutFilter[],
): Promise<Place> {
  if (isFirst(slice, filters) || !areInMonths(filters)) return { among: filters, skip: slice.offset };
  const months = await monthsOf(queries, whereOf(userId, filters));
  const total = months.reduce((sum, { workouts }) => sum + workouts, 0);
  const { from, to, skip } = stretchOf(months, slice) ?? { from: "", to: "", skip: 0 };
  const days: readonly WorkoutFilter[] = [
    { field: "date", operator: "ge", value: from },
    { field: "date", operator: "le", value: to },
  ];
  return { total, among: [...filters, ...days], skip };
}

/** The length of a listing, as a value for a statement. */
export function lengthOf(userId: string, filters: readonly WorkoutFilter[]): Sql {
  const where = whereOf(userId, filters);
  return areInMonths(filters)
    ? sql`(SELECT COALESCE(SUM(workouts), 0) FROM workout_months WHERE ${where})`
    : sql`(SELECT COUNT(*) FROM workouts WHERE ${where})`;
}

/** Whether a listing is one of the usual ones, whose statements have few texts: all workouts, or those of one activity. */
export function isUsual(filters: readonly WorkoutFilter[]): boolean {
  return filters.length <= 1 && filters.every(({ field, operator }) => field === "activityID" && operator === "eq");
}

/** Whether the counts of months (`months.ts`) tell these filters apart. */
function areInMonths(filters: readonly WorkoutFilter[]): boolean {
  return filters.every(({ field }) => field === "activityID");
}

/** The user's workouts that pass every filter. */
export function whereOf(userId: string, filters: readonly WorkoutFilter[]): Sql {
  return filters.reduce(
    (where, { field, operator, value }) => sql`${where} AND ${FILTER_COLUMNS[field]} ${OPERATORS[operator]} ${value}`,
    sql`user_id = ${userId}`,
  );
}
