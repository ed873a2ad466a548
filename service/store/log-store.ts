/** The logs in either SQL database: SQLite and PostgreSQL both understand all statements here. */
import { FIRST_CUSTOM_ACTIVITY_ID } from "../gaps.ts";
import { newId } from "../http/ids.ts";
import type { Activity } from "../model/activities.ts";
import type { Course, FoundCourse } from "../model/course.ts";
import { type Equipment, type FoundEquipment, nameOfEquipment } from "../model/equipment.ts";
import type { Preference } from "../model/preference.ts";
import type { Profile, TrainingPlan } from "../model/user.ts";
import type { FoundWorkout, PeriodSum, Workout, WorkoutSummary } from "../model/workout.ts";
import type { Database, Queries, Row } from "./database.ts";
import { LogViews } from "./log-views.ts";
import { recount } from "./months.ts";
import { compareNames } from "./names.ts";
import {
  EQUIPMENT_COLUMNS,
  equipmentFrom,
  metres,
  POINTER_COLUMNS,
  pageOfWorkouts,
  parse,
  pointedAt,
  SUMMARY_COLUMNS,
  SUMS,
  toColumns,
  toPackedFile,
  toSummary,
  totalsOf,
} from "./rows.ts";
import type { Found, PackedFile, Slice, Track } from "./slice.ts";
import { assigned, kept, part, row, type Sql, sql } from "./sql.ts";
import type { CourseOrder, ImportedWorkout, NewTrainingPlan, TokenRecord, WorkoutFilter } from "./store.ts";
import { findPlace, isFirst, isUsual, lengthOf, whereOf } from "./workout-filters.ts";

const COURSE_ORDERS: Record<Exclude<CourseOrder, "name">, Sql> = {
  "last used": sql`last_used IS NULL, last_used DESC, id DESC`,
  distance: sql`metres IS NULL, metres, id`,
};

/**
 * The logs in a prepared database.
 * @throws StoreUnavailable from any call. Any other error is a bug
 */
export class LogStore {
  /** The pages' other questions: sums, neighbours, and the use of courses and equipment. */
  readonly views: LogViews;
  readonly #database: Database;

  constructor(database: Database) {
    this.views = new LogViews(database);
    this.#database = database;
  }

  /** The token with this hash, or undefined. */
  async token(hash: string): Promise<TokenRecord | undefined> {
    const row = await this.#database.get(kept(sql`SELECT * FROM tokens WHERE hash = ${hash}`));
    if (row === undefined) return undefined;
    return {
      hash: row.hash as string,
      userId: row.user_id as string,
      application: row.application as string,
      readsProfile: row.reads_profile === 1,
    };
  }

  /** The user's profile. The user exists: a token points at it. */
  async profile(userId: string): Promise<Profile> {
    return parse((await this.#database.get(sql`SELECT profile FROM users WHERE id = ${userId}`))?.profile);
  }

  async replaceProfile(userId: string, profile: Profile): Promise<void> {
    await this.#database.run(sql`UPDATE users SET profile = ${JSON.stringify(profile)} WHERE id = ${userId}`);
  }

  async preference(userId: string): Promise<Preference> {
    return parse((await this.#database.get(sql`SELECT preference FROM users WHERE id = ${userId}`))?.preference);
  }

  async replacePreference(userId: string, preference: Preference): Promise<void> {
    await this.#database.run(sql`UPDATE users SET preference = ${JSON.stringify(preference)} WHERE id = ${userId}`);
  }

  /** The user's own activities, by id. The built-in ones are not stored. */
  async activities(userId: string): Promise<readonly Activity[]> {
    const rows = await this.#database.all(sql`SELECT * FROM activities WHERE user_id = ${userId}
      ORDER BY activity_id`);
    return rows.map((row) => ({ id: row.activity_id as number, name: row.name as string, types: parse(row.types) }));
  }

  /** Saves a new workout. Its course and equipment must exist. @returns the id */
  async addWorkout(userId: string, workout: Workout): Promise<string> {
    return this.#database.transaction(async (queries) => {
      const id = await insertWorkout(queries, userId, workout, null, null);
      await recount(queries, userId, [workout]);
      return id;
    });
  }

  /** Saves a file and the workouts made of it, all or none. @returns their ids, in order */
  async addImport(userId: string, file: PackedFile, workouts: readonly ImportedWorkout[]): Promise<readonly string[]> {
    return this.#database.transaction(async (queries) => {
      const uploadId = newId();
      await queries.run(sql`INSERT INTO uploads (id, user_id, format, packed)
        VALUES (${uploadId}, ${userId}, ${file.format}, ${file.packed})`);
      const ids: string[] = [];
      for (const { workout, recording } of workouts)
        ids.push(await insertWorkout(queries, userId, workout, uploadId, recording));
      await recount(
        queries,
        userId,
        workouts.map(({ workout }) => workout),
      );
      return ids;
    });
  }

  /** Replaces a workout (`PUT_REPLACES`), keeping its track. @returns false when there is none */
  async replaceWorkout(userId: string, id: string, workout: Workout): Promise<boolean> {
    const columns = toColumns(workout);
    return this.#database.transaction(async (queries) => {
      // Changes nothing, but locks the row, so that these old values stay valid until the update.
      const old = await queries.get(sql`UPDATE workouts SET date = date WHERE id = ${id} AND user_id = ${userId}
        RETURNING date, activity_id`);
      if (old === undefined) return false;
      await queries.run(sql`UPDATE workouts SET ${assigned(columns)} WHERE id = ${id}`);
      await recount(queries, userId, [workout], [{ date: old.date as string, activityID: old.activity_id as number }]);
      return true;
    });
  }

  async workout(userId: string, id: string): Promise<FoundWorkout | undefined> {
    const found = sql`SELECT w.id, w.body, ${POINTER_COLUMNS}
      FROM workouts w LEFT JOIN courses c ON c.id = w.course_id LEFT JOIN equipment e ON e.id = w.equipment_id
      WHERE w.id = ${id} AND w.user_id = ${userId}`;
    const row = await this.#database.get(kept(found));
    if (row === undefined) return undefined;
    return { id: row.id as string, workout: parse(row.body), ...pointedAt(row) };
  }

  /**
   * Newest first. On each day, workouts with a time come before those without. Among equals the last made comes first.
   * @param withRecords whether each summary comes with its whole record; default false
   */
  async workouts(
    userId: string,
    slice: Slice,
    filters: readonly WorkoutFilter[],
    withRecords = false,
  ): Promise<Found<WorkoutSummary>> {
    const record = withRecords ? sql`, w.body` : sql``;
    const read = async (queries: Queries): Promise<Found<WorkoutSummary>> => {
      const { total, among, skip } = await findPlace(queries, userId, slice, filters);
      if (total !== undefined && slice.offset >= total) return { total, entries: [] };
      // Part of the same statement, so that a database far away is asked once.
      const length = total === undefined ? sql`, ${lengthOf(userId, filters)} AS total` : sql``;
      const page = { limit: slice.limit, offset: skip };
      const asked = pageOfWorkouts(sql`${SUMMARY_COLUMNS}${record}${length}`, whereOf(userId, among), page);
      const rows = await queries.all(isUsual(filters) ? kept(asked) : asked);
      const entries = rows.map(toSummary);
      const counted = total ?? rows[0]?.total;
      if (counted !== undefined || slice.offset === 0) return { total: Number(counted ?? 0), entries };
      const row = await queries.get(sql`SELECT ${lengthOf(userId, filters)} AS total`);
      return { total: Number(row?.total), entries };
    };
    return isFirst(slice, filters) ? read(this.#database) : this.#database.snapshot(read);
  }

  /** The sums of each day's workouts, newest day first. Days without a workout are left out. */
  async days(userId: string, filters: readonly WorkoutFilter[]): Promise<readonly PeriodSum[]> {
    const where = whereOf(userId, filters);
    const rows = await this.#database.all(sql`SELECT date, ${SUMS} FROM workouts WHERE ${where}
      GROUP BY date ORDER BY date DESC`);
    return rows.map((row) => ({ date: row.date as string, ...totalsOf(row) }));
  }

  /** The file an imported workout came from; undefined for a workout that was saved. */
  async track(userId: string, workoutId: string): Promise<Track | undefined> {
    const row = await this.#database.get(sql`SELECT u.format, u.packed, w.recording FROM workouts w
      JOIN uploads u ON u.id = w.upload_id
      WHERE w.id = ${workoutId} AND w.user_id = ${userId}`);
    return row === undefined ? undefined : { ...toPackedFile(row), recording: row.recording as number };
  }

  async addCourse(userId: string, course: Course): Promise<string> {
    const id = newId();
    await this.#database.run(sql`INSERT INTO courses (id, user_id, name, metres, body)
      VALUES (${id}, ${userId}, ${course.name}, ${metres(course.distance)}, ${JSON.stringify(course)})`);
    return id;
  }

  async replaceCourse(userId: string, id: string, course: Course): Promise<boolean> {
    const changes = await this.#database.run(sql`UPDATE courses SET name = ${course.name}, 
      metres = ${metres(course.distance)}, body = ${JSON.stringify(course)} WHERE id = ${id} AND user_id = ${userId}`);
    return changes > 0;
  }

  async course(userId: string, id: string): Promise<FoundCourse | undefined> {
    const row = await this.#database.get(
      kept(sql`SELECT id, body FROM courses WHERE id = ${id} AND user_id = ${userId}`),
    );
    return row === undefined ? undefined : courseFrom(row);
  }

  async courses(userId: string, slice: Slice, order: CourseOrder): Promise<Found<FoundCourse>> {
    return this.#database.snapshot(async (queries) => {
      const total = (await queries.get(sql`SELECT COUNT(*) AS total FROM courses WHERE user_id = ${userId}`))
        ?.total as number;
      if (order === "name") return { total, entries: await coursesByName(queries, userId, slice) };
      const rows = await queries.all(sql`SELECT id, body FROM
          (SELECT id, body, metres, (SELECT MAX(w.date) FROM workouts w WHERE w.course_id = courses.id) AS last_used
          FROM courses WHERE user_id = ${userId}) listed
        ORDER BY ${COURSE_ORDERS[order]} LIMIT ${slice.limit} OFFSET ${slice.offset}`);
      return { total, entries: rows.map(courseFrom) };
    });
  }

  /** Puts a map on a course, in place of the one it has (`A_NEW_MAP_REPLACES`). @returns false when there is no such course */
  async putCourseMap(userId: string, courseId: string, map: PackedFile): Promise<boolean> {
    const changes = await this.#database.run(sql`INSERT INTO course_maps (course_id, format, packed)
      SELECT id, ${map.format}, ${map.packed} FROM courses WHERE id = ${courseId} AND user_id = ${userId}
      ON CONFLICT (course_id) DO UPDATE SET format = excluded.format, packed = excluded.packed`);
    return changes > 0;
  }

  async courseMap(userId: string, courseId: string): Promise<PackedFile | undefined> {
    const row = await this.#database.get(sql`SELECT m.format, m.packed FROM course_maps m JOIN courses c
      ON c.id = m.course_id
      WHERE c.id = ${courseId} AND c.user_id = ${userId}`);
    return row === undefined ? undefined : toPackedFile(row);
  }

  /** Whether the user has this course, or this piece of equipment. Reading a piece would add up all its workouts. */
  async has(what: "courses" | "equipment", userId: string, id: string): Promise<boolean> {
    const found = sql`SELECT 1 AS found FROM ${part(what)} WHERE id = ${id} AND user_id = ${userId}`;
    return (await this.#database.get(kept(found))) !== undefined;
  }

  async addEquipment(userId: string, equipment: Equipment): Promise<string> {
    const id = newId();
    await this.#database.run(sql`INSERT INTO equipment (id, user_id, activity_id, retired, name, body)
      VALUES (${id}, ${userId}, ${equipment.activityID}, 0, ${nameOfEquipment(equipment)},
      ${JSON.stringify(equipment)})`);
    return id;
  }

  async replaceEquipment(userId: string, id: string, equipment: Equipment): Promise<boolean> {
    const changes = await this.#database.run(sql`UPDATE equipment SET activity_id = ${equipment.activityID}, 
      name = ${nameOfEquipment(equipment)}, body = ${JSON.stringify(equipment)} WHERE id = ${id} AND user_id = ${userId}`);
    return changes > 0;
  }

  async equipment(userId: string, id: string): Promise<FoundEquipment | undefined> {
    const row = await this.#database.get(sql`SELECT ${EQUIPMENT_COLUMNS} FROM equipment WHERE id = ${id}
      AND user_id = ${userId}`);
    return row === undefined ? undefined : equipmentFrom(row);
  }

  /** In the order they were made. `activityID` undefined means all activities. */
  async equipments(
    userId: string,
    slice: Slice,
    which: { readonly activityID: number | undefined; readonly showRetired: boolean },
  ): Promise<Found<FoundEquipment>> {
    const ofActivity = which.activityID === undefined ? sql`` : sql`AND activity_id = ${which.activityID}`;
    const where = sql`user_id = ${userId} ${ofActivity} ${which.showRetired ? sql`` : sql`AND retired = 0`}`;
    return this.#database.snapshot(async (queries) => {
      const total = (await queries.get(sql`SELECT COUNT(*) AS total FROM equipment WHERE ${where}`))?.total as number;
      const rows = await queries.all(sql`SELECT ${EQUIPMENT_COLUMNS} FROM equipment WHERE ${where}
        ORDER BY id LIMIT ${slice.limit} OFFSET ${slice.offset}`);
      return { total, entries: rows.map(equipmentFrom) };
    });
  }

  /** All plans of the user, except the commercial ones of other applications. */
  async trainingPlans(userId: string, application: string): Promise<readonly TrainingPlan[]> {
    const rows = await this.#database.all(sql`SELECT id, body FROM training_plans WHERE user_id = ${userId}
      AND (commercial = 0 OR application = ${application}) ORDER BY id`);
    return rows.map((row) => ({ id: row.id as string, ...parse<Omit<TrainingPlan, "id">>(row.body) }));
  }

  /** Operators write the records below. No route does. */
  async addUser(profile: Profile, preference: Preference): Promise<string> {
    const id = newId();
    await this.#database.run(sql`INSERT INTO users (id, profile, preference)
      VALUES (${id}, ${JSON.stringify(profile)}, ${JSON.stringify(preference)})`);
    return id;
  }

  async addToken(token: TokenRecord): Promise<void> {
    await this.#database.run(sql`INSERT INTO tokens (hash, user_id, application, reads_profile)
      VALUES (${token.hash}, ${token.userId}, ${token.application}, ${token.readsProfile})`);
  }

  /** @returns the activity's id, unique for the user */
  async addActivity(userId: string, name: string, types: readonly string[]): Promise<number> {
    return this.#database.transaction(async (queries) => {
      // Two simultaneous calls take turns at the user's row, so they can't take the same id.
      await queries.run(sql`UPDATE users SET profile = profile WHERE id = ${userId}`);
      const row = await queries.get(sql`INSERT INTO activities (user_id, activity_id, name, types)
        SELECT ${userId}, COALESCE(MAX(activity_id) + 1, ${FIRST_CUSTOM_ACTIVITY_ID}), ${name},
        ${JSON.stringify(types)} FROM activities WHERE user_id = ${userId} RETURNING activity_id`);
      return row?.activity_id as number;
    });
  }

  async addTrainingPlan(userId: string, { application, ...plan }: NewTrainingPlan): Promise<string> {
    const id = newId();
    await this.#database.run(sql`INSERT INTO training_plans (id, user_id, application, commercial, body)
      VALUES (${id}, ${userId}, ${application ?? ""}, ${plan.attributes?.commercial === true},
      ${JSON.stringify(plan)})`);
    return id;
  }

  /** @returns false when the user has no such equipment */
  async retireEquipment(userId: string, id: string): Promise<boolean> {
    return (
      (await this.#database.run(sql`UPDATE equipment SET retired = 1 WHERE id = ${id} AND user_id = ${userId}`)) > 0
    );
  }
}

async function insertWorkout(
  queries: Queries,
  userId: string,
  workout: Workout,
  uploadId: string | null,
  recording: number | null,
): Promise<string> {
  const id = newId();
  const columns = row({ id, user_id: userId, ...toColumns(workout), upload_id: uploadId, recording });
  await queries.run(sql`INSERT INTO workouts ${columns}`);
  return id;
}

function courseFrom(row: Row): FoundCourse {
  return { id: row.id as string, course: parse(row.body) };
}

/** Neither database can sort in this order. So only the names are read and sorted here, then the records of the slice are read. */
async function coursesByName(
  queries: Queries,
  userId: string,
  { limit, offset }: Slice,
): Promise<readonly FoundCourse[]> {
  const names = await queries.all(sql`SELECT id, name FROM courses WHERE user_id = ${userId} ORDER BY id`);
  const wanted = names.sort((a, b) => compareNames(a.name as string, b.name as string)).slice(offset, offset + limit);
  const found: FoundCourse[] = [];
  for (const { id } of wanted) {
    const row = await queries.get(sql`SELECT id, body FROM courses WHERE id = ${id as string}`);
    if (row !== undefined) found.push(courseFrom(row));
  }
  return found;
}
