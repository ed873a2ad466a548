/**
 * The store of the logs, and the only access to the database. Routes call only this interface, so a second database is a second
 * implementation.
 * Every call with a user sees only that user's records. Another user's id counts as unknown. A write that has resolved survives a kill of
 * the process and of the machine. Nothing is ever deleted: the interface has no delete.
 */
import type { Activity } from "../model/activities.ts";
import type { Course, FoundCourse } from "../model/course.ts";
import type { Equipment, FoundEquipment } from "../model/equipment.ts";
import type { Preference } from "../model/preference.ts";
import type { Profile, TrainingPlan } from "../model/user.ts";
import type { FoundWorkout, PeriodSum, Workout, WorkoutSummary } from "../model/workout.ts";
import type { LogViews } from "./log-views.ts";
import type { Found, PackedFile, Slice, Track } from "./slice.ts";

/** The caller of a request: the owner of the token, the application it was granted to, and whether it reaches private information. */
export interface Caller {
  readonly userId: string;
  readonly application: string;
  /** Whether the user granted access to private information. */
  readonly readsProfile: boolean;
}

/** The stored form of a token, never in clear text. */
export interface TokenRecord extends Caller {
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
}

/** One triplet of the workout listing's `filters`, already checked: the value has the type of its field. */
export interface WorkoutFilter {
  readonly field: "date" | "time" | "activityID" | "workoutID" | "duration";
  readonly operator: "eq" | "ge" | "le" | "gt" | "lt";
  readonly value: string | number;
}

/** The order of courses: the latest workout on them first, by name, or shortest first. Courses without a value come last. */
export type CourseOrder = "last used" | "name" | "distance";

/** Fields of a new training plan besides its id. `application` made it. When the plan is commercial, only that application sees it. */
export interface NewTrainingPlan extends Omit<TrainingPlan, "id"> {
  readonly application?: string;
}

/** @throws StoreUnavailable from any call. Any other error is a bug */
export interface Store {
  /** The pages' other questions: sums, neighbours, and the use of courses and equipment. */
  readonly views: LogViews;

  /** The token with this hash, or undefined. */
  token(hash: string): Promise<TokenRecord | undefined>;

  /** The user's profile. The user exists: a token points at it. */
  profile(userId: string): Promise<Profile>;
  replaceProfile(userId: string, profile: Profile): Promise<void>;
  preference(userId: string): Promise<Preference>;
  replacePreference(userId: string, preference: Preference): Promise<void>;
  /** The user's own activities, by id. The built-in ones are not stored. */
  activities(userId: string): Promise<readonly Activity[]>;

  /** Saves a new workout. Its course and equipment must exist. @returns the id */
  addWorkout(userId: string, workout: Workout): Promise<string>;
  /** Saves a file and the workouts made of it, all or none. @returns their ids, in order */
  addImport(userId: string, file: PackedFile, workouts: readonly ImportedWorkout[]): Promise<readonly string[]>;
  /** Replaces a workout (`PUT_REPLACES`), keeping its track. @returns false when there is none */
  replaceWorkout(userId: string, id: string, workout: Workout): Promise<boolean>;
  workout(userId: string, id: string): Promise<FoundWorkout | undefined>;
  /**
   * Newest first. On each day, workouts with a time come before those without. Among equals the last made comes first.
   * @param withRecords whether each summary comes with its whole record; default false
   */
  workouts(
    userId: string,
    slice: Slice,
    filters: readonly WorkoutFilter[],
    withRecords?: boolean,
  ): Promise<Found<WorkoutSummary>>;
  /** The sums of each day's workouts, newest day first. Days without a workout are left out. */
  days(userId: string, filters: readonly WorkoutFilter[]): Promise<readonly PeriodSum[]>;
  /** The file an imported workout came from; undefined for a workout that was saved. */
  track(userId: string, workoutId: string): Promise<Track | undefined>;

  addCourse(userId: string, course: Course): Promise<string>;
  replaceCourse(userId: string, id: string, course: Course): Promise<boolean>;
  course(userId: string, id: string): Promise<FoundCourse | undefined>;
  courses(userId: string, slice: Slice, order: CourseOrder): Promise<Found<FoundCourse>>;
  /** Puts a map on a course, in place of the one it has (`A_NEW_MAP_REPLACES`). @returns false when there is no such course */
  putCourseMap(userId: string, courseId: string, map: PackedFile): Promise<boolean>;
  courseMap(userId: string, courseId: string): Promise<PackedFile | undefined>;

  addEquipment(userId: string, equipment: Equipment): Promise<string>;
  replaceEquipment(userId: string, id: string, equipment: Equipment): Promise<boolean>;
  equipment(userId: string, id: string): Promise<FoundEquipment | undefined>;
  /** In the order they were made. `activityID` undefined means all activities. */
  equipments(
    userId: string,
    slice: Slice,
    which: { readonly activityID: number | undefined; readonly showRetired: boolean },
  ): Promise<Found<FoundEquipment>>;

  /** All plans of the user, except the commercial ones of other applications. */
  trainingPlans(userId: string, application: string): Promise<readonly TrainingPlan[]>;

  /** Operators write the records below. No route does. */
  addUser(profile: Profile, preference: Preference): Promise<string>;
  addToken(token: TokenRecord): Promise<void>;
  /** @returns the activity's id, unique for the user */
  addActivity(userId: string, name: string, types: readonly string[]): Promise<number>;
  addTrainingPlan(userId: string, plan: NewTrainingPlan): Promise<string>;
  /** @returns false when the user has no such equipment */
  retireEquipment(userId: string, id: string): Promise<boolean>;
}

/** A workout made of the recording with this number (from 0) of an imported file. */
export interface ImportedWorkout {
  readonly recording: number;
  readonly workout: Workout;
}
