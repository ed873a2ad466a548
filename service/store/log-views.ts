/**
 * The pages' questions to a log besides its records: sums over days and years, neighbours, and the use of courses and equipment. SQLite
 * and PostgreSQL both understand the statements. Like in `Store`, each call sees only one user's records.
 */
import type { Course } from "../model/course.ts";
import type { Equipment } from "../model/equipment.ts";
import { listed } from "../model/texts.ts";
import type { TrainingPlan } from "../model/user.ts";
import type { Workout } from "../model/workout.ts";
import type { Database, Row, Value } from "./database.ts";
import { nameIn, POINTER_COLUMNS } from "./rows.ts";
import type { Found, Slice } from "./slice.ts";

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
const POINTERS = { course: "course_id", equipment: "equipment_id" } as const;

/** The table of each. */
const TABLES = { course: "courses", equipment: "equipment" } as const;

/** @throws StoreUnavailable from any call. Any other error is a bug */
export class LogViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By year, the newest first, and by activity. Years without a workout are left out. */
  async years(userId: string): Promise<readonly YearSum[]> {
    const rows = await this.#database.all(
      `SELECT substr(date, 1, 4) AS year, activity_id, ${SUMS} FROM workouts WHERE user_id = ?
       GROUP BY substr(date, 1, 4), activity_id ORDER BY 1 DESC, 2`,
      userId,
    );
    return rows.map((row) => ({ year: row.year as string, ...sumOf(row) }));
  }

  /** By day, the oldest first, and by activity. Days without a workout are left out. */
  async days(userId: string, { from, to }: Days): Promise<readonly DaySum[]> {
    const rows = await this.#database.all(
      `SELECT date, activity_id, ${SUMS} FROM workouts WHERE user_id = ? AND date >= ? AND date <= ?
       GROUP BY date, activity_id ORDER BY 1, 2`,
      userId,
      from,
      to,
    );
    return rows.map((row) => ({ date: row.date as string, ...sumOf(row) }));
  }

  /** In the order of `Store.workouts`: newest first. */
  async entries(userId: string, { from, to }: Days, slice: Slice): Promise<Found<Entry>> {
    return this.#entries("user_id = ? AND date >= ? AND date <= ?", [userId, from, to], slice);
  }

  /** Workouts on a course or with a piece of equipment, newest first. */
  async entriesOf(userId: string, what: keyof typeof POINTERS, id: string, slice: Slice): Promise<Found<Entry>> {
    return this.#entries(
      `${POINTERS[what]} = (SELECT id FROM ${TABLES[what]} WHERE user_id = ? AND id = ?)`,
      [userId, id],
      slice,
    );
  }

  async #entries(where: string, values: readonly Value[], slice: Slice): Promise<Found<Entry>> {
    const counted = await this.#database.get(`SELECT COUNT(*) AS total FROM workouts WHERE ${where}`, ...values);
    const rows = await this.#database.all(
      `SELECT w.id, w.body, w.upload_id, ${POINTER_COLUMNS} FROM
         (SELECT id FROM workouts WHERE ${where} ORDER BY date DESC, time DESC, id DESC LIMIT ? OFFSET ?) page
       JOIN workouts w ON w.id = page.id
       LEFT JOIN courses c ON c.id = w.course_id LEFT JOIN equipment e ON e.id = w.equipment_id
       ORDER BY w.date DESC, w.time DESC, w.id DESC`,
      ...values,
      slice.limit,
      slice.offset,
    );
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
      this.#database.get(`SELECT MAX(date) AS day FROM workouts WHERE user_id = ? AND date < ?`, userId, from),
      this.#database.get(`SELECT MIN(date) AS day FROM workouts WHERE user_id = ? AND date > ?`, userId, to),
    ]);
    const [before, after] = rows.map((row) => (row?.day ?? undefined) as string | undefined);
    return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  }

  /** The workouts before and after one in the order of the log. */
  async neighbours(userId: string, id: string): Promise<{ older?: Neighbour; newer?: Neighbour }> {
    const [older, newer] = await Promise.all([this.#next(userId, id, "<", "DESC"), this.#next(userId, id, ">", "ASC")]);
    return { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) };
  }

  async #next(userId: string, id: string, than: "<" | ">", order: "DESC" | "ASC"): Promise<Neighbour | undefined> {
    const row = await this.#database.get(
      `SELECT w.id, w.date, w.activity_id FROM workouts w JOIN workouts self ON self.id = ?
       WHERE w.user_id = ? AND (w.date, w.time, w.id) ${than} (self.date, self.time, self.id)
       ORDER BY w.date ${order}, w.time ${order}, w.id ${order} LIMIT 1`,
      id,
      userId,
    );
    return row && { id: row.id as string, date: row.date as string, activityID: row.activity_id as number };
  }

  /** Pieces in use first, then retired ones. In both groups the last used comes first. */
  async equipment(userId: string, slice: Slice): Promise<Found<UsedEquipment>> {
    const rows = await this.#database.all(
      `SELECT e.id, e.body, e.retired, ${USE_COLUMNS} FROM equipment e LEFT JOIN (${useBy("equipment")}) u ON u.id = e.id
       WHERE e.user_id = ? ORDER BY e.retired, u.last_date IS NULL, u.last_date DESC, e.id DESC LIMIT ? OFFSET ?`,
      userId,
      userId,
      slice.limit,
      slice.offset,
    );
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
    const row = await this.#database.get("SELECT retired FROM equipment WHERE user_id = ? AND id = ?", userId, id);
    return row?.retired === 1;
  }

  /** The totals of the workouts on a course or with a piece of equipment. */
  async use(userId: string, what: keyof typeof POINTERS, id: string): Promise<Use> {
    const row = await this.#database.get(
      `SELECT ${SUMS}, MIN(date) AS first_date, MAX(date) AS last_date FROM workouts
       WHERE ${POINTERS[what]} = (SELECT id FROM ${TABLES[what]} WHERE user_id = ? AND id = ?)`,
      userId,
      id,
    );
    return useOf(row ?? {});
  }

  /** The last used first. */
  async courses(userId: string, slice: Slice): Promise<Found<UsedCourse>> {
    const rows = await this.#database.all(
      `SELECT c.id, c.body, m.course_id AS map, ${USE_COLUMNS} FROM courses c LEFT JOIN (${useBy("course")}) u ON u.id = c.id
       LEFT JOIN course_maps m ON m.course_id = c.id
       WHERE c.user_id = ? ORDER BY u.last_date IS NULL, u.last_date DESC, c.id DESC LIMIT ? OFFSET ?`,
      userId,
      userId,
      slice.limit,
      slice.offset,
    );
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
    const rows = await this.#database.all(
      `SELECT p.id, p.body, p.application, a.name FROM training_plans p LEFT JOIN applications a ON a.id = p.application
       WHERE p.user_id = ? ORDER BY p.id DESC`,
      userId,
    );
    const plans = rows.map((row) => ({
      plan: { id: row.id as string, ...listed(parse<Omit<TrainingPlan, "id">>(row.body)) },
      madeBy: row.application === "" ? undefined : ((row.name ?? row.application) as string),
    }));
    return plans.sort((a, b) => (b.plan.beginDate ?? "").localeCompare(a.plan.beginDate ?? "", "en"));
  }

  /** The number of a user's courses or pieces. */
  async count(table: "courses" | "equipment", userId: string): Promise<number> {
    return Number(
      (await this.#database.get(`SELECT COUNT(*) AS total FROM ${table} WHERE user_id = ?`, userId))?.total,
    );
  }
}

const SUMS = "COUNT(*) AS workouts, COALESCE(SUM(metres), 0) AS metres, COALESCE(SUM(duration), 0) AS seconds";

const USE_COLUMNS = "u.workouts, u.metres, u.seconds, u.first_date, u.last_date";

/** The totals of a user's workouts for each course or piece, which belong to the user. */
function useBy(what: keyof typeof POINTERS): string {
  const column = POINTERS[what];
  return `SELECT ${column} AS id, ${SUMS}, MIN(date) AS first_date, MAX(date) AS last_date FROM workouts
    WHERE ${column} IN (SELECT id FROM ${TABLES[what]} WHERE user_id = ?) GROUP BY ${column}`;
}

function sumOf(row: Row): Sum {
  const { activity_id, workouts, metres, seconds } = row;
  return {
    activityID: activity_id as number,
    workouts: Number(workouts),
    metres: Number(metres),
    seconds: Number(seconds),
  };
}

function useOf(row: Row): Use {
  return {
    workouts: Number(row.workouts ?? 0),
    metres: Number(row.metres ?? 0),
    seconds: Number(row.seconds ?? 0),
    ...(typeof row.first_date === "string" && { first: row.first_date }),
    ...(typeof row.last_date === "string" && { last: row.last_date }),
  };
}

function parse<T>(json: unknown): T {
  return JSON.parse(json as string) as T;
}
