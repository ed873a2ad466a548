/**
 * The pages' questions to a log besides its records: sums over days and years, neighbours, and the use of courses and equipment. SQLite
 * and PostgreSQL both understand the statements. Like in `Store`, each call sees only one user's records.
 */
import type { Course } from "../model/course.ts";
import type { Equipment } from "../model/equipment.ts";
import { listed } from "../model/texts.ts";
import type { TrainingPlan } from "../model/user.ts";
import type { Workout } from "../model/workout.ts";
import type { Database, Row } from "./database.ts";
import { nameIn, POINTER_COLUMNS, pageOfWorkouts, parse, SUMS, totalsOf } from "./rows.ts";
import type { Found, Slice } from "./slice.ts";
import { part, type Sql, sql } from "./sql.ts";

/** The totals of one activity's workouts. */
export interface Sum {
  readonly activityID: number;
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}

/** The sum of a year, `YYYY`. */
export interface YearSum extends Sum {
  readonly year: string;
}

/** The sum of a day, `YYYY-MM-DD`. */
export interface DaySum extends Sum {
  readonly date: string;
}

/** Days of a log, first and last day included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A workout as a list shows it. */
export interface Entry {
  readonly id: string;
  readonly workout: Workout;
  readonly hasTrack: boolean;
  readonly courseName?: string;
  readonly equipmentName?: string;
}

/** A workout as the one before or after another. */
export interface Neighbour {
  readonly id: string;
  readonly date: string;
  readonly activityID: number;
}

/** The workouts with a course or a piece, as totals, with the first and the last day of use. */
export interface Use {
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
  readonly first?: string;
  readonly last?: string;
}

/** A piece of equipment with its use. */
export interface UsedEquipment {
  readonly id: string;
  readonly equipment: Equipment;
  readonly isRetired: boolean;
  readonly use: Use;
}

/** A course with its use. */
export interface UsedCourse {
  readonly id: string;
  readonly course: Course;
  readonly hasMap: boolean;
  readonly use: Use;
}

/** A training plan with the name of the application that made it; undefined for the user's own. */
export interface MadePlan {
  readonly plan: TrainingPlan;
  readonly madeBy: string | undefined;
}

/** The records a workout can be listed by, each with its column. */
const POINTERS = { course: sql`course_id`, equipment: sql`equipment_id` } as const;

/** The table of each. */
const TABLES = { course: sql`courses`, equipment: sql`equipment` } as const;

/** @throws StoreUnavailable from any call. Any other error is a bug */
export class LogViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By year, the newest first, and by activity. Years without a workout are left out. */
  async years(userId: string): Promise<readonly YearSum[]> {
    const rows = await this.#database.all(sql`SELECT substr(date, 1, 4) AS year, activity_id, ${SUMS}
      FROM workouts WHERE user_id = ${userId}
      GROUP BY substr(date, 1, 4), activity_id ORDER BY 1 DESC, 2`);
    return rows.map((row) => ({ year: row.year as string, ...sumOf(row) }));
  }

  /** By day, the oldest first, and by activity. Days without a workout are left out. */
  async days(userId: string, { from, to }: Days): Promise<readonly DaySum[]> {
    const rows = await this.#database.all(sql`SELECT date, activity_id, ${SUMS} FROM workouts
      WHERE user_id = ${userId} AND date >= ${from} AND date <= ${to}
      GROUP BY date, activity_id ORDER BY 1, 2`);
    return rows.map((row) => ({ date: row.date as string, ...sumOf(row) }));
  }

  /** In the order of `Store.workouts`: newest first. */
  async entries(userId: string, { from, to }: Days, slice: Slice): Promise<Found<Entry>> {
    return this.#entries(sql`user_id = ${userId} AND date >= ${from} AND date <= ${to}`, slice);
  }

  /** Workouts on a course or with a piece of equipment, newest first. */
  async entriesOf(userId: string, what: keyof typeof POINTERS, id: string, slice: Slice): Promise<Found<Entry>> {
    return this.#entries(pointsAt(userId, what, id), slice);
  }

  async #entries(where: Sql, slice: Slice): Promise<Found<Entry>> {
    const counted = await this.#database.get(sql`SELECT COUNT(*) AS total FROM workouts WHERE ${where}`);
    const columns = sql`w.id, w.body, w.upload_id, ${POINTER_COLUMNS}`;
    const rows = await this.#database.all(pageOfWorkouts(columns, where, slice));
    const entries = rows.map((row) => ({
      id: row.id as string,
      workout: listed(parse<Workout>(row.body)),
      hasTrack: row.upload_id !== null,
      ...(typeof row.course_name === "string" && { courseName: nameIn(row, "course_name") }),
      ...(typeof row.equipment_name === "string" && { equipmentName: nameIn(row, "equipment_name") }),
    }));
    return { total: Number(counted?.total), entries };
  }

  /** The last day with a workout before a day, and the first after another. */
  async daysAround(userId: string, { from, to }: Days): Promise<{ before?: string; after?: string }> {
    const rows = await Promise.all([
      this.#database.get(sql`SELECT MAX(date) AS day FROM workouts WHERE user_id = ${userId} AND date < ${from}`),
      this.#database.get(sql`SELECT MIN(date) AS day FROM workouts WHERE user_id = ${userId} AND date > ${to}`),
    ]);
    const [before, after] = rows.map((row) => (row?.day ?? undefined) as string | undefined);
    return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  }

  /** The workouts before and after one in the order of the log. */
  async neighbours(userId: string, id: string): Promise<{ older?: Neighbour; newer?: Neighbour }> {
    const [older, newer] = await Promise.all([
      this.#next(userId, id, sql`<`, sql`DESC`),
      this.#next(userId, id, sql`>`, sql`ASC`),
    ]);
    return { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) };
  }

  async #next(userId: string, id: string, than: Sql, order: Sql): Promise<Neighbour | undefined> {
    const row = await this.#database.get(sql`SELECT w.id, w.date, w.activity_id FROM workouts w
      JOIN workouts self ON self.id = ${id}
      WHERE w.user_id = ${userId} AND (w.date, w.time, w.id) ${than} (self.date, self.time, self.id)
      ORDER BY w.date ${order}, w.time ${order}, w.id ${order} LIMIT 1`);
    return row && { id: row.id as string, date: row.date as string, activityID: row.activity_id as number };
  }

  /** Pieces in use first, then retired ones. In both groups the last used comes first. */
  async equipment(userId: string, slice: Slice): Promise<Found<UsedEquipment>> {
    const rows = await this.#database.all(sql`SELECT e.id, e.body, e.retired, ${USE_COLUMNS}
      FROM equipment e LEFT JOIN (${useBy(userId, "equipment")}) u ON u.id = e.id WHERE e.user_id = ${userId}
      ORDER BY e.retired, u.last_date IS NULL, u.last_date DESC, e.id DESC LIMIT ${slice.limit} OFFSET ${slice.offset}`);
    const entries = rows.map((row) => ({
      id: row.id as string,
      equipment: listed(parse<Equipment>(row.body)),
      isRetired: row.retired === 1,
      use: useOf(row),
    }));
    return { total: await this.count("equipment", userId), entries };
  }

  /** Whether a piece of equipment is retired; false when the user has no such piece. */
  async isRetired(userId: string, id: string): Promise<boolean> {
    const row = await this.#database.get(sql`SELECT retired FROM equipment WHERE user_id = ${userId} AND id = ${id}`);
    return row?.retired === 1;
  }

  /** The totals of the workouts on a course or with a piece of equipment. */
  async use(userId: string, what: keyof typeof POINTERS, id: string): Promise<Use> {
    const row = await this.#database.get(sql`SELECT ${SUMS}, MIN(date) AS first_date, MAX(date) AS last_date
      FROM workouts
      WHERE ${pointsAt(userId, what, id)}`);
    return useOf(row ?? {});
  }

  /** The last used first. */
  async courses(userId: string, slice: Slice): Promise<Found<UsedCourse>> {
    const rows = await this.#database.all(sql`SELECT c.id, c.body, m.course_id AS map, ${USE_COLUMNS}
      FROM courses c LEFT JOIN (${useBy(userId, "course")}) u ON u.id = c.id
      LEFT JOIN course_maps m ON m.course_id = c.id WHERE c.user_id = ${userId}
      ORDER BY u.last_date IS NULL, u.last_date DESC, c.id DESC LIMIT ${slice.limit} OFFSET ${slice.offset}`);
    const entries = rows.map((row) => ({
      id: row.id as string,
      course: listed(parse<Course>(row.body)),
      hasMap: row.map !== null,
      use: useOf(row),
    }));
    return { total: await this.count("courses", userId), entries };
  }

  /** All plans of the user, by the user and by every application, ordered by the day they begin, the latest first. */
  async trainingPlans(userId: string): Promise<readonly MadePlan[]> {
    const rows = await this.#database.all(sql`SELECT p.id, p.body, p.application, a.name FROM training_plans p
      LEFT JOIN applications a ON a.id = p.application
      WHERE p.user_id = ${userId} ORDER BY p.id DESC`);
    const plans = rows.map((row) => ({
      plan: { id: row.id as string, ...listed(parse<Omit<TrainingPlan, "id">>(row.body)) },
      madeBy: row.application === "" ? undefined : ((row.name ?? row.application) as string),
    }));
    return plans.sort((a, b) => (b.plan.beginDate ?? "").localeCompare(a.plan.beginDate ?? "", "en"));
  }

  /** The number of a user's courses or pieces. */
  async count(table: "courses" | "equipment", userId: string): Promise<number> {
    return Number(
      (await this.#database.get(sql`SELECT COUNT(*) AS total FROM ${part(table)} WHERE user_id = ${userId}`))?.total,
    );
  }
}

const USE_COLUMNS = sql`u.workouts, u.metres, u.seconds, u.first_date, u.last_date`;

/** The workouts on a course or with a piece of equipment, which belongs to the user. */
function pointsAt(userId: string, what: keyof typeof POINTERS, id: string): Sql {
  return sql`${POINTERS[what]} = (SELECT id FROM ${TABLES[what]} WHERE user_id = ${userId} AND id = ${id})`;
}

/** The totals of a user's workouts for each course or piece, which belong to the user. */
function useBy(userId: string, what: keyof typeof POINTERS): Sql {
  const column = POINTERS[what];
  return sql`SELECT ${column} AS id, ${SUMS}, MIN(date) AS first_date, MAX(date) AS last_date FROM workouts
    WHERE ${column} IN (SELECT id FROM ${TABLES[what]} WHERE user_id = ${userId}) GROUP BY ${column}`;
}

function sumOf(row: Row): Sum {
  return { activityID: row.activity_id as number, ...totalsOf(row) };
}

function useOf(row: Row): Use {
  return {
    ...totalsOf(row),
    ...(typeof row.first_date === "string" && { first: row.first_date }),
    ...(typeof row.last_date === "string" && { last: row.last_date }),
  };
}
