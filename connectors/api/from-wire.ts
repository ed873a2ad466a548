/**
 * Translates the log's words into ours. Values that we can't hold (an unknown unit, fields beyond the document) go into `unsupported` as
 * text, so that a backup or a comparison counts them.
 */
import type { Activity, WorkoutType } from "../../transforms/activities.ts";
import { ACTIVITY_IDS, UNITS_SEEN, WORKOUT_IDS } from "../../transforms/assumptions.ts";
import type { Preference } from "../../transforms/model/account.ts";
import type { Course } from "../../transforms/model/course.ts";
import { defined, someDefined } from "../../transforms/model/defined.ts";
import type { UnsupportedValue, Workout } from "../../transforms/model/workout.ts";
import { type Dimension, type Measure, type UnitOf, unitSpelt } from "../../transforms/units.ts";
import type { CourseRead, EquipmentRead, PreferenceRead, WorkoutRead } from "./decode.ts";
import { jsonText, type Remark } from "./fields.ts";
import type { Extra, WireMeasure } from "./wire.ts";

/** The log's numbers, as far as the owner's log differs from the assumed ones. */
export interface LogNumbers {
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
  readonly workoutIDs: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
}

/** A workout of the log in our words, with the fields that only the log has. */
export interface LoggedWorkout {
  readonly id: string | undefined;
  readonly activityID: number | undefined;
  readonly activityName: string | undefined;
  readonly workoutID: number | undefined;
  readonly workoutName: string | undefined;
  /** Display names of the course and the equipment of the workout, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly intervalSetId: string | undefined;
  /** `course` and `equipment` hold the log's ids. `activity` is absent if the table does not have the log's number. */
  readonly workout: Workout;
}

const ASSUMED: LogNumbers = { activityIDs: ACTIVITY_IDS, workoutIDs: WORKOUT_IDS };

/** Translates a workout of the log into our words. */
export function workoutFromWire(read: WorkoutRead, numbers: LogNumbers = ASSUMED): LoggedWorkout {
  const { details, health, intervalSet, weather, activityID, workoutID } = read;
  const unsupported: UnsupportedValue[] = [];
  const activity = keyOf(numbers.activityIDs, activityID) as Activity | undefined;
  const workoutTypes = activity === undefined ? undefined : numbers.workoutIDs[activity];
  const linked = [...(read.course === undefined ? [] : [read.course]), ...(read.equipment ?? [])];
  const workout: Workout = {
    start: defined({ date: read.date, time: read.timeOfDay }),
    ...defined({
      activity,
      sport: activity === undefined ? read.activityName : undefined,
      type: keyOf(workoutTypes, workoutID) as WorkoutType | undefined,
      notes: read.notes,
      course: read.course?.id,
      equipment: read.equipment?.map(({ id }) => id),
      distance: measure("distance", details?.distance, "distance", unsupported),
      duration: details?.duration,
      health:
        health &&
        someDefined({
          avgHR: health.avgHR,
          maxHR: health.maxHR,
          restHR: health.restHR,
          weight: measure("weight", health.weight, "weight", unsupported),
        }),
      intervalSet: intervalSet && {
        ...defined({ name: intervalSet.name }),
        intervals: (intervalSet.intervals ?? []).map(({ type, distance, duration }, i) => ({
          ...defined({
            type,
            distance: measure("distance", distance, `interval ${i + 1} distance`, unsupported),
            duration,
          }),
        })),
      },
      raceStats: read.raceStats,
      ratings: read.ratings,
      weather:
        weather &&
        someDefined({
          conditions: weather.conditions,
          falseConditions: weather.falseConditions,
          temperature: measure("temperature", weather.temperature, "temperature", unsupported),
        }),
    }),
  };
  return {
    id: read.id,
    activityID,
    activityName: read.activityName,
    workoutID,
    workoutName: read.workoutName,
    names: new Map(linked.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const]))),
    intervalSetId: intervalSet?.id,
    workout: { ...workout, ...withUnsupported(unsupported, read.extra) },
  };
}

/** Translates a course of the log into our words. A course without a name gets an empty name. */
export function courseFromWire(read: CourseRead): { readonly id: string | undefined; readonly course: Course } {
  const unsupported: UnsupportedValue[] = [];
  const course: Course = {
    name: read.name ?? "",
    ...defined({
      notes: read.notes,
      distance: measure("distance", read.distance, "distance", unsupported),
      surfaces: read.surfaces,
      falseSurfaces: read.falseSurfaces,
    }),
  };
  return { id: read.id, course: { ...course, ...withUnsupported(unsupported, read.extra) } };
}

/**
 * Translates a piece of equipment of the log into our words.
 *
 * @param retired whether the listings show it as retired (see `retiredEquipment`); undefined if they were not read
 */
export function equipmentFromWire(
  read: EquipmentRead,
  numbers: Pick<LogNumbers, "activityIDs"> = ASSUMED,
  retired?: boolean,
) {
  const { activityID, brandName, modelName, serial, gender, notes, ratings, purchaseDate, price } = read;
  const unsupported: UnsupportedValue[] = [];
  const equipment = defined({
    activity: keyOf(numbers.activityIDs, activityID) as Activity | undefined,
    brandName,
    modelName,
    serial,
    gender,
    notes,
    ratings,
    purchaseDate,
    price,
    distance: measure("distance", read.distance, "distance", unsupported),
    retired,
  });
  return {
    id: read.id,
    activityID,
    brandID: read.brandID,
    modelID: read.modelID,
    equipment: { ...equipment, ...withUnsupported(unsupported, read.extra) },
  };
}

/**
 * Translates a preference into our words. If a unit is missing or unknown, the unit that was seen on the wire (mi, lb, F) replaces it. An
 * issue says so, because everything will be written in this unit.
 */
export function preferenceFromWire(read: PreferenceRead, remark: Remark): Preference {
  const unit = <D extends Dimension>(dimension: D, field: string, spelling: string | undefined): UnitOf<D> => {
    const known = spelling === undefined ? undefined : unitSpelt(dimension, spelling);
    if (known !== undefined) return known;
    const seen = UNITS_SEEN[dimension] as UnitOf<D>;
    remark({
      severity: "warning",
      rule: "api/preference-without-unit",
      field,
      ...defined({ found: spelling }),
      expected: `a unit of ${dimension}: taken for ${seen}`,
    });
    return seen;
  };
  return {
    ...defined({ utcOffset: read.utcOffset }),
    distanceUnit: unit("distance", "distanceUnit", read.distanceUnit),
    weightUnit: unit("weight", "weightUnit", read.weightUnit),
    temperatureUnit: unit("temperature", "temperatureUnit", read.temperatureUnit),
  };
}

function measure<D extends Dimension>(
  dimension: D,
  wire: WireMeasure | undefined,
  field: string,
  unsupported: UnsupportedValue[],
): Measure<D> | undefined {
  if (wire === undefined) return undefined;
  const unit = unitSpelt(dimension, wire.unit);
  if (unit !== undefined) return { unit, value: wire.value };
  unsupported.push({ field, value: `${wire.value} ${wire.unit}` });
  return undefined;
}

function withUnsupported(
  unsupported: readonly UnsupportedValue[],
  extra: Extra | undefined,
): { unsupported?: readonly UnsupportedValue[] } {
  const extras = Object.entries(extra ?? {}).map(([field, value]) => ({
    field,
    value: typeof value === "string" ? value : (jsonText(value) ?? ""),
  }));
  const all = [...unsupported, ...extras];
  return all.length === 0 ? {} : { unsupported: all };
}

function keyOf(table: Readonly<Record<string, number | undefined>> | undefined, number: number | undefined) {
  if (number === undefined || table === undefined) return undefined;
  return Object.keys(table).find((key) => table[key] === number);
}
