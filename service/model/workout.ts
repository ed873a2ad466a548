/**
 * A workout, as saved and as shown. The document gives save and get different forms (`time` and `timeOfDay`, a list of equipment and a
 * single piece). So there are three forms: the save body, the stored workout, and the shown workout.
 */
import Type, { type TString } from "typebox";
import {
  BOUNDS,
  type DATE_MODES,
  FIELD_CODES,
  LONGEST,
  MOST_INTERVALS,
  RANGES,
  REQUIRED,
  WORKOUT_SUMMARY,
} from "../gaps.ts";
import { withoutEmpty } from "../http/envelope.ts";
import { type Activity, namesOf } from "./activities.ts";
import { beginOf } from "./calendar.ts";
import { AccumulatedDistance, accumulated, Distance, Temperature, Weight } from "./measure.ts";
import {
  type Body,
  Count,
  Day,
  Flags,
  ForDisplay,
  group,
  HeartRate,
  Ignored,
  saveBody,
  TimeOfDay,
} from "./save-body.ts";
import { Notes, ShortText } from "./texts.ts";

/** Decimal seconds, see `DURATION_UNIT`. */
const Duration = Type.Number({ ...BOUNDS.seconds, description: "Decimal seconds" });

const Reference = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: LONGEST.text }), name: Ignored },
  { additionalProperties: false },
);

const Details = group({ distance: Distance, duration: Duration });

const RaceStats = group({
  fieldPlacement: Count,
  fieldSize: Count,
  groupMaxAge: Count,
  groupMinAge: Count,
  groupPlacement: Count,
  groupSize: Count,
});

/** See INTERVAL_SET_ID_IS_KEPT. */
function intervalSetOf(text: TString) {
  return group({
    id: text,
    name: text,
    intervals: Type.Array(group({ distance: Distance, duration: Duration, type: text }), { maxItems: MOST_INTERVALS }),
  });
}

/** The members with the same form in a save and a get. */
const SAME_BOTH_WAYS = {
  notes: Type.String(),
  details: Details,
  health: group({ avgHR: HeartRate, maxHR: HeartRate, restHR: HeartRate, weight: Weight }),
  intervalSet: intervalSetOf(Type.String()),
  raceStats: RaceStats,
  ratings: group({ effort: Type.Integer(RANGES.rating), quality: Type.Integer(RANGES.rating) }),
  weather: group({ conditions: Flags, temperature: Temperature }),
};

/** The Workout of the document, as a save takes it. */
export const WorkoutBody = saveBody(
  {
    id: ForDisplay,
    activityID: Type.Integer(RANGES.count),
    activityName: ForDisplay,
    workoutID: Type.Integer(RANGES.count),
    workoutName: ForDisplay,
    date: Day,
    time: TimeOfDay,
    course: Reference,
    equipment: Type.Array(Reference, { maxItems: 1 }),
    ...SAME_BOTH_WAYS,
    notes: Notes,
    intervalSet: intervalSetOf(ShortText),
  },
  REQUIRED.workout,
);
export type WorkoutBody = Body<typeof WorkoutBody>;

/** The stored workout: the save body without its display members, with the references as plain ids. */
export type Workout = Omit<WorkoutBody, "id" | "activityName" | "workoutName" | "course" | "equipment"> & {
  readonly course?: string;
  readonly equipment?: string;
};

/** A record that a workout points at, with its current name. A record without a name has no `name` here. */
export const Named = saveBody({ id: Type.String(), name: Type.String() }, ["id"]);
export type Named = { readonly id: string; readonly name: string };

/** The Workout of the document, as a get returns it. */
export const ShownWorkout = saveBody(
  {
    id: Type.String(),
    activityID: Type.Integer(),
    activityName: Type.String(),
    workoutID: Type.Integer(),
    workoutName: Type.String(),
    date: Day,
    timeOfDay: TimeOfDay,
    course: Named,
    equipment: Named,
    ...SAME_BOTH_WAYS,
  },
  ["id", "activityID", "date"],
);
export type ShownWorkout = Body<typeof ShownWorkout>;

/** One entry of the workout listing. Without `fields` it has the members of `WORKOUT_SUMMARY`, with `fields` the id and those members. */
export const ShownSummary = saveBody(
  {
    id: Type.String(),
    activityID: Type.Integer(),
    activityName: Type.String(),
    workoutID: Type.Integer(),
    workoutName: Type.String(),
    date: Day,
    time: TimeOfDay,
    course: Named,
    equipment: Named,
    details: Details,
    notes: Type.String(),
    raceStats: RaceStats,
  },
  ["id"],
);
export type ShownSummary = Body<typeof ShownSummary>;

/** One entry of the workout listing with `dateMode`: the sums of a period. */
export const ShownSum = saveBody(
  {
    date: Type.String({ format: "date", description: "The first day of the period" }),
    numWorkouts: Type.Integer({ minimum: 1 }),
    details: saveBody({ distance: AccumulatedDistance, duration: Type.Number({ minimum: 0 }) }, [
      "distance",
      "duration",
    ]),
  },
  ["date", "numWorkouts", "details"],
);
export type ShownSum = Body<typeof ShownSum>;

/** The sums of one day's workouts. */
export interface PeriodSum {
  readonly date: string;
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}

/** The part of a workout that a listing holds. */
export interface WorkoutSummary {
  readonly id: string;
  readonly activityID: number;
  readonly workoutID?: number;
  readonly date: string;
  readonly time?: string;
  readonly course?: Named;
  readonly equipment?: Named;
  readonly details?: { readonly distance?: Distance; readonly duration?: number };
  /** The whole record, when the caller asked for it. */
  readonly workout?: Workout;
}

/** A stored workout with its id, and with the names of the records it points at. */
export interface FoundWorkout {
  readonly id: string;
  readonly workout: Workout;
  readonly course?: Named;
  readonly equipment?: Named;
}

/** Turns a checked save body into the stored workout. */
export function toWorkout(body: WorkoutBody): Workout {
  const { id: _id, activityName: _activity, workoutName: _workout, course, equipment, ...own } = body;
  return withoutEmpty({ ...own, course: course?.id, equipment: equipment?.[0]?.id }) as Workout;
}

/** The document's Workout, as a get returns it. */
export function shownWorkout(found: FoundWorkout, activities: readonly Activity[]): ShownWorkout {
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
  }) as ShownWorkout;
}

/** A code of the listing's `fields`. */
export type FieldCode = keyof typeof FIELD_CODES;

/** Whether these codes need more of a workout than its summary. */
export function needRecord(codes: readonly FieldCode[]): boolean {
  return codes.some((code) => FIELD_CODES[code].some((path) => path === "notes" || path.startsWith("raceStats.")));
}

/** What a summary has to show, before members are chosen from it. */
type Showable = WorkoutSummary & ReturnType<typeof namesOf> & { [M in "notes" | "raceStats"]: Workout[M] | undefined };

/**
 * Makes the entries of the workout listing. Here the time of day is `time` (known M). The members are chosen once for the whole page.
 * @param codes the codes in `fields`; undefined for the members of a summary
 */
export function summariesWith(
  activities: readonly Activity[],
  codes: readonly FieldCode[] | undefined,
): (summary: WorkoutSummary) => ShownSummary {
  const members = membersOf(
    codes === undefined ? WORKOUT_SUMMARY : ["id", ...codes.flatMap((one) => FIELD_CODES[one])],
  );
  return (summary) => {
    const { notes, raceStats } = summary.workout ?? {};
    // Apart from the summary, which need not be copied then.
    const more: Partial<Showable> = { ...namesOf(activities, summary.activityID, summary.workoutID), notes, raceStats };
    const entry: Record<string, unknown> = {};
    for (const [name, parts] of members) {
      const value = more[name] ?? (summary as Partial<Showable>)[name];
      // Left out here, so that `withoutEmpty` seldom has something to leave out: it would copy the entry.
      if (value !== undefined) entry[name] = parts === undefined ? value : chosenFrom(value, parts);
    }
    return withoutEmpty(entry) as ShownSummary;
  };
}

/** Groups paths such as `date` and `details.distance` by member. A member has undefined when it is shown whole. */
function membersOf(paths: readonly string[]): ReadonlyMap<keyof Showable, readonly string[] | undefined> {
  const members = new Map<keyof Showable, readonly string[] | undefined>();
  for (const path of paths) {
    const [name, part] = path.split(".") as [keyof Showable, string | undefined];
    members.set(name, part === undefined ? undefined : [...(members.get(name) ?? []), part]);
  }
  return members;
}

function chosenFrom(value: object | string | number, parts: readonly string[]): object {
  return Object.fromEntries(parts.map((part) => [part, (value as Record<string, unknown>)[part]]));
}

/** Combines the sums of days into sums of longer periods, in the order of the days. */
export function sumsOf(days: readonly PeriodSum[], period: (typeof DATE_MODES)[number]): readonly PeriodSum[] {
  const sums = new Map<string, PeriodSum>();
  for (const day of days) {
    const date = beginOf(period, day.date);
    const { workouts, metres, seconds } = sums.get(date) ?? { workouts: 0, metres: 0, seconds: 0 };
    sums.set(date, {
      date,
      workouts: workouts + day.workouts,
      metres: metres + day.metres,
      seconds: seconds + day.seconds,
    });
  }
  return [...sums.values()];
}

/** One entry of the workout listing with `dateMode`. */
export function shownSum({ date, workouts, metres, seconds }: PeriodSum): ShownSum {
  return {
    date,
    numWorkouts: workouts,
    details: { distance: accumulated(metres), duration: Math.round(seconds * 1000) / 1000 },
  };
}
