/**
 * A workout on its way in and out. The document gives save and get different forms (`time` and `timeOfDay`, a list of
 * equipment and a single piece), so there are three: the save body, what is stored, and what is shown.
 */
import Type from "typebox";
import { withoutEmpty } from "../envelope.ts";
import { RANGES, REQUIRED, WORKOUT_SUMMARY } from "../gaps.ts";
import { type Activity, namesOf } from "./activities.ts";
import { Distance, Temperature, Weight } from "./measure.ts";
import { type Body, Count, Day, Flags, group, HeartRate, Ignored, saveBody, TimeOfDay } from "./save-body.ts";

/** Decimal seconds, see `DURATION_UNIT`. */
const Duration = Type.Number({ minimum: 0 });

const Reference = Type.Object({ id: Type.String({ minLength: 1 }), name: Ignored }, { additionalProperties: false });

/** The Workout of the document, as a save takes it. */
export const WorkoutBody = saveBody(
  {
    id: Type.Unknown(),
    activityID: Type.Integer(),
    activityName: Type.Unknown(),
    workoutID: Type.Integer(),
    workoutName: Type.Unknown(),
    date: Day,
    time: TimeOfDay,
    notes: Type.String(),
    course: Reference,
    equipment: Type.Array(Reference, { maxItems: 1 }),
    details: group({ distance: Distance, duration: Duration }),
    health: group({ avgHR: HeartRate, maxHR: HeartRate, restHR: HeartRate, weight: Weight }),
    // See INTERVAL_SET_ID_IS_KEPT.
    intervalSet: group({
      id: Type.String(),
      name: Type.String(),
      intervals: Type.Array(group({ distance: Distance, duration: Duration, type: Type.String() })),
    }),
    raceStats: group({
      fieldPlacement: Count,
      fieldSize: Count,
      groupMaxAge: Count,
      groupMinAge: Count,
      groupPlacement: Count,
      groupSize: Count,
    }),
    ratings: group({ effort: Type.Integer(RANGES.rating), quality: Type.Integer(RANGES.rating) }),
    weather: group({ conditions: Flags, temperature: Temperature }),
  },
  REQUIRED.workout,
);
export type WorkoutBody = Body<typeof WorkoutBody>;

/** What is stored: the save body without what is for display only, the references as plain ids. */
export type Workout = Omit<WorkoutBody, "id" | "activityName" | "workoutName" | "course" | "equipment"> & {
  readonly course?: string;
  readonly equipment?: string;
};

/** Something a workout points at, with the name it has now. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a listing holds of a workout. */
export interface WorkoutSummary {
  readonly id: string;
  readonly activityID: number;
  readonly workoutID?: number;
  readonly date: string;
  readonly time?: string;
  readonly course?: Named;
  readonly equipment?: Named;
  readonly details?: { readonly distance?: Distance; readonly duration?: number };
}

/** A stored workout with its id and the names it points at. */
export interface FoundWorkout {
  readonly id: string;
  readonly workout: Workout;
  readonly course?: Named;
  readonly equipment?: Named;
}

/** From a checked save body to what is stored. */
export function workoutOf(body: WorkoutBody): Workout {
  const { id: _id, activityName: _activity, workoutName: _workout, course, equipment, ...own } = body;
  return withoutEmpty({ ...own, course: course?.id, equipment: equipment?.[0]?.id }) as Workout;
}

/** The document's Workout, as a get returns it. */
export function shownWorkout(found: FoundWorkout, activities: readonly Activity[]): object {
  const { activityID, workoutID, date, time, course: _course, equipment: _equipment, ...rest } = found.workout;
  const names = namesOf(activities, activityID, workoutID);
  return withoutEmpty({
    id: found.id,
    activityID,
    activityName: names.activityName,
    workoutID,
    workoutName: names.workoutName,
    date,
    timeOfDay: time,
    course: found.course,
    equipment: found.equipment,
    ...rest,
  });
}

/** One entry of the workout listing. Here the time of day is `time` (known M). */
export function shownSummary(summary: WorkoutSummary, activities: readonly Activity[]): object {
  const shown = { ...summary, ...namesOf(activities, summary.activityID, summary.workoutID) };
  return withoutEmpty(Object.fromEntries(WORKOUT_SUMMARY.map((name) => [name, shown[name]])));
}
