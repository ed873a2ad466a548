/**
 * Translates our words into the log's. Measures keep their unit and value, because the step `intoPreferredUnits` has already rounded them.
 * Only a unit that no log was seen to accept (yards) is converted here.
 */
import { UNITS_TO_WRITE } from "../../transforms/assumptions.ts";
import type { Course } from "../../transforms/model/course.ts";
import { defined, someDefined } from "../../transforms/model/defined.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { convert, type Dimension, type Measure, type UnitOf } from "../../transforms/units.ts";
import type { CourseRead, EquipmentRead, WorkoutRead } from "./decode.ts";
import type { CourseToSave, EquipmentToSave, WireFlags, WireMeasure, WorkoutToSave } from "./wire.ts";

/** The numbers and ids by which the log knows parts of a workout. */
export interface WorkoutReferences {
  readonly activityID: number;
  readonly workoutID?: number | undefined;
  readonly courseId?: string | undefined;
  readonly equipmentId?: string | undefined;
}

/**
 * Makes the save body of a workout.
 *
 * The log has no field for name, sport, track and `unsupported`, so they are left out. (`nameInNotes` has put the name into the notes.)
 *
 * @throws Error when the workout has no local date: `resolveLocalTime` comes first
 */
export function workoutToWire(workout: Workout, references: WorkoutReferences): WorkoutToSave {
  const { start, health, intervalSet, weather } = workout;
  const { activityID, workoutID, courseId, equipmentId } = references;
  if (start.date === undefined) throw new Error("Cannot write a workout: it has no local date");
  return {
    activityID,
    date: start.date,
    ...defined({
      workoutID,
      time: start.time,
      notes: workout.notes,
      course: courseId === undefined ? undefined : { id: courseId },
      equipment: equipmentId === undefined ? undefined : ([{ id: equipmentId }] as const),
      details: someDefined({ distance: measure("distance", workout.distance), duration: workout.duration }),
      health:
        health &&
        someDefined({
          avgHR: health.avgHR,
          maxHR: health.maxHR,
          restHR: health.restHR,
          weight: measure("weight", health.weight),
        }),
      intervalSet: intervalSet && {
        ...defined({ name: intervalSet.name }),
        intervals: intervalSet.intervals.map(({ distance, duration, type }) => ({
          ...defined({ distance: measure("distance", distance), duration, type }),
        })),
      },
      raceStats: workout.raceStats && someDefined({ ...workout.raceStats }),
      ratings: workout.ratings && someDefined({ ...workout.ratings }),
      weather:
        weather &&
        someDefined({
          conditions: flags(weather.conditions, weather.falseConditions),
          temperature: measure("temperature", weather.temperature),
        }),
    }),
  };
}

/** Makes the save body of a course. Its map is saved separately. */
export function courseToWire(course: Course): CourseToSave {
  return {
    name: course.name,
    ...defined({
      notes: course.notes,
      distance: measure("distance", course.distance),
      surfaces: flags(course.surfaces, course.falseSurfaces),
    }),
  };
}

/** Makes the save body of a piece of equipment. The log has no way to receive accumulated distance and retirement. */
export function equipmentToWire(
  equipment: Omit<Equipment, "activity">,
  references: { readonly activityID: number },
): EquipmentToSave {
  const { brandName, modelName, serial, gender, notes, ratings, purchaseDate, price } = equipment;
  return {
    activityID: references.activityID,
    ...defined({
      brandName,
      modelName,
      serial,
      gender,
      notes,
      ratings: ratings && someDefined({ ...ratings }),
      purchaseDate,
      price,
    }),
  };
}

/**
 * Turns a workout of the log into the form of a save, so that it can be written back with changes. It keeps every field that the document
 * can save, and drops display-only fields. It also drops measures in units that no log was seen to accept, because they can't be sent.
 */
export function workoutToSaveFrom(read: WorkoutRead): Partial<WorkoutToSave> {
  const { details, health, intervalSet, weather } = read;
  const piece = read.equipment?.[0];
  return defined({
    activityID: read.activityID,
    workoutID: read.workoutID,
    date: read.date,
    time: read.timeOfDay,
    notes: read.notes,
    course: read.course && { id: read.course.id },
    equipment: piece && ([{ id: piece.id }] as const),
    details: details && someDefined({ distance: resent("distance", details.distance), duration: details.duration }),
    health: health && someDefined({ ...health, weight: resent("weight", health.weight) }),
    intervalSet:
      intervalSet &&
      defined({
        id: intervalSet.id,
        name: intervalSet.name,
        intervals: intervalSet.intervals?.map((interval) =>
          defined({ ...interval, distance: resent("distance", interval.distance) }),
        ),
      }),
    raceStats: read.raceStats,
    ratings: read.ratings,
    weather:
      weather &&
      someDefined({
        conditions: flags(weather.conditions, weather.falseConditions),
        temperature: resent("temperature", weather.temperature),
      }),
  });
}

/** The fields of a workout of the log that `workoutToSaveFrom` can't carry as they are, in the words of the document. */
export function unsavable(read: WorkoutRead): readonly string[] {
  const { details, health, weather, intervalSet, equipment = [] } = read;
  const isLost = (dimension: Dimension, value: WireMeasure | undefined) => resent(dimension, value) !== value;
  const fields: readonly (readonly [field: string, isLost: boolean])[] = [
    ["details.distance", isLost("distance", details?.distance)],
    ["health.weight", isLost("weight", health?.weight)],
    ["weather.temperature", isLost("temperature", weather?.temperature)],
    ["intervalSet", intervalSet?.intervals?.some(({ distance }) => isLost("distance", distance)) === true],
    ["equipment", equipment.length > 1],
  ];
  return fields.flatMap(([field, lost]) => (lost ? [field] : []));
}

/** Turns a course of the log into the form of a save. */
export function courseToSaveFrom(read: CourseRead): Partial<CourseToSave> {
  const { name, notes, distance, surfaces, falseSurfaces } = read;
  return defined({ name, notes, distance: resent("distance", distance), surfaces: flags(surfaces, falseSurfaces) });
}

/** Turns a piece of equipment of the log into the form of a save. */
export function equipmentToSaveFrom(read: EquipmentRead): EquipmentToSave {
  const { activityID, brandName, modelName, serial, gender, notes, ratings, purchaseDate, price } = read;
  return defined({ activityID, brandName, modelName, serial, gender, notes, ratings, purchaseDate, price });
}

/** Units that replace a unit that no log was seen to accept. */
const INSTEAD: { readonly [D in Dimension]: UnitOf<D> } = { distance: "m", weight: "kg", temperature: "C" };

function measure<D extends Dimension>(dimension: D, value: Measure<D> | undefined): WireMeasure | undefined {
  if (value === undefined) return undefined;
  const { unit, value: amount } = isWritten(dimension, value.unit)
    ? value
    : convert(dimension, value, INSTEAD[dimension] as UnitOf<D>);
  return { unit, value: amount };
}

function resent(dimension: Dimension, value: WireMeasure | undefined): WireMeasure | undefined {
  if (value === undefined || isWritten(dimension, value.unit)) return value;
  return dimension === "distance" && value.unit === "yd"
    ? measure("distance", { unit: "yd", value: value.value })
    : undefined;
}

function isWritten(dimension: Dimension, unit: string): boolean {
  return (UNITS_TO_WRITE[dimension] as readonly string[]).includes(unit);
}

/** Combines the set flags and the explicitly false ones. A name on both lists is set. */
function flags(set: readonly string[] = [], unset: readonly string[] = []): WireFlags | undefined {
  if (set.length + unset.length === 0) return undefined;
  return Object.fromEntries([...unset.map((name) => [name, false]), ...set.map((name) => [name, true])]);
}
