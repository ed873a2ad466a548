/** Converts between rows of the database and the records of a log. */
import { LONGEST } from "../gaps.ts";
import type { FoundEquipment } from "../model/equipment.ts";
import { type Distance, metresOf } from "../model/measure.ts";
import { cutTo, listed } from "../model/texts.ts";
import type { Named, Workout, WorkoutSummary } from "../model/workout.ts";
import type { Row } from "./database.ts";
import type { PackedFile, Slice } from "./slice.ts";
import { part, type Sql, sql } from "./sql.ts";

/** A piece of equipment with the total of its workouts, read from an index alone. */
export const EQUIPMENT_COLUMNS = sql`id, body,
  (SELECT COALESCE(SUM(w.metres), 0) FROM workouts w WHERE w.equipment_id = equipment.id) AS metres`;

/** The name of a piece: its brand, a space, and its model. */
const LONGEST_NAME = 2 * LONGEST.text + 1;

/**
 * The course `c` and the piece of equipment `e` that the workout `w` points at. It reads enough of their names for `nameIn` to tell
 * whether there is more: a character is stored as five at most (`encodeText`).
 */
export const POINTER_COLUMNS = part(`w.course_id, w.equipment_id,
  substr(c.name, 1, ${6 * LONGEST_NAME}) AS course_name,
  substr(e.name, 1, ${6 * LONGEST_NAME}) AS equipment_name`);

/** The columns of a workout `w` that `toSummary` reads. A caller adds `body` to get the whole record. */
export const SUMMARY_COLUMNS = sql`w.id, w.activity_id, w.workout_id, w.date, w.time, w.duration, w.distance_unit,
  w.distance_value, ${POINTER_COLUMNS}`;

/**
 * A page of the workouts `w` that meet a condition, the newest first. The page is found first, so that names are looked up for its workouts alone.
 * Neither database reads a column of it that the statement doesn't show.
 */
export function pageOfWorkouts(columns: Sql, where: Sql, { limit, offset }: Slice): Sql {
  return sql`SELECT ${columns} FROM (SELECT * FROM workouts WHERE ${where}
      ORDER BY date DESC, time DESC, id DESC LIMIT ${limit} OFFSET ${offset}) w
    LEFT JOIN courses c ON c.id = w.course_id LEFT JOIN equipment e ON e.id = w.equipment_id
    ORDER BY w.date DESC, w.time DESC, w.id DESC`;
}

/** The totals of workouts, which `totalsOf` reads. */
export const SUMS = sql`COUNT(*) AS workouts, COALESCE(SUM(metres), 0) AS metres, COALESCE(SUM(duration), 0) AS seconds`;

/** The totals in a row; 0 where it has none. */
export function totalsOf({ workouts, metres, seconds }: Row) {
  return { workouts: Number(workouts ?? 0), metres: Number(metres ?? 0), seconds: Number(seconds ?? 0) };
}

/** A name of `POINTER_COLUMNS`, at most as long as a save allows. */
export function nameIn(row: Row, column: "course_name" | "equipment_name"): string {
  return cutTo(column === "course_name" ? LONGEST.text : LONGEST_NAME, row[column] as string);
}

/** The columns of a workout that are sorted, filtered or added up, and the whole workout as JSON. */
export function toColumns(workout: Workout): Record<string, string | number | null> {
  const { distance, duration } = workout.details ?? {};
  return {
    activity_id: workout.activityID,
    workout_id: workout.workoutID ?? null,
    date: workout.date,
    time: workout.time ?? "",
    duration: duration ?? null,
    distance_unit: distance?.unit ?? null,
    distance_value: distance?.value ?? null,
    metres: metres(distance),
    course_id: workout.course ?? null,
    equipment_id: workout.equipment ?? null,
    body: JSON.stringify(workout),
  };
}

/** Turns a row of the listing into a summary. */
export function toSummary(row: Row): WorkoutSummary {
  const details = {
    ...(row.distance_value !== null && {
      distance: { unit: row.distance_unit, value: row.distance_value } as Distance,
    }),
    ...(row.duration !== null && { duration: row.duration as number }),
  };
  return {
    id: row.id as string,
    activityID: row.activity_id as number,
    ...(row.workout_id !== null && { workoutID: row.workout_id as number }),
    date: row.date as string,
    ...(row.time !== "" && { time: row.time as string }),
    ...pointedAt(row),
    details,
    ...(row.body !== undefined && { workout: listed(parse<Workout>(row.body)) }),
  };
}

/**
 * The course and the piece of equipment that a joined row points at. A record that somebody deleted directly in the database has the name
 * null, and is left out.
 */
export function pointedAt(row: Row): { course?: Named; equipment?: Named } {
  return {
    ...(row.course_name !== null && { course: { id: row.course_id as string, name: nameIn(row, "course_name") } }),
    ...(row.equipment_name !== null && {
      equipment: { id: row.equipment_id as string, name: nameIn(row, "equipment_name") },
    }),
  };
}

/** A row of `EQUIPMENT_COLUMNS`. */
export function equipmentFrom(row: Row): FoundEquipment {
  return { id: row.id as string, equipment: parse(row.body), metres: row.metres as number };
}

/** A row with a packed file. */
export function toPackedFile(row: Row): PackedFile {
  return { format: row.format as PackedFile["format"], packed: row.packed as Uint8Array };
}

/** The value of a distance in its column. */
export function metres(distance: Distance | undefined): number | null {
  return distance === undefined ? null : metresOf(distance);
}

/** Parses a column of JSON. */
export function parse<T>(json: unknown): T {
  return JSON.parse(json as string) as T;
}
