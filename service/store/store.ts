import type { TrainingPlan } from "../model/user.ts";
import type { Workout } from "../model/workout.ts";

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

/** A workout made of the recording with this number (from 0) of an imported file. */
export interface ImportedWorkout {
  readonly recording: number;
  readonly workout: Workout;
}
