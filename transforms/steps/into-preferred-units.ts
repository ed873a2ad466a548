import type { Preference } from "../model/account.ts";
import type { Interval, Seconds, Workout } from "../model/workout.ts";
import { convert, type Dimension, type Measure, roundMeasure, roundTo, type UnitOf } from "../units.ts";
import type { Transform } from "./transform.ts";

/**
 * Converts every measure to the log owner's unit, and rounds it to the log's precision. This is the only place that does so. A distance
 * below one whole unit is written in metres, as swimmers and track runners count it: 32 m instead of 0.02 mi. A duration is written to the
 * millisecond, the finest precision of devices. The laps of a file may add up to 3922.990000000001 s, for example, and took 3922.99 s.
 */
export function intoPreferredUnits(preference: Preference): Transform {
  const distance = (measure: Measure<"distance">) => writtenDistance(measure, preference.distanceUnit);
  return (item) => {
    switch (item.kind) {
      case "workout":
        return { ...item, value: workoutIn(item.value, preference) };
      case "course":
      case "equipment":
        return item.value.distance === undefined
          ? item
          : ({ ...item, value: { ...item.value, distance: distance(item.value.distance) } } as typeof item);
    }
  };
}

function workoutIn(workout: Workout, preference: Preference): Workout {
  const { distance, duration, health, intervalSet, weather } = workout;
  return {
    ...workout,
    ...(distance !== undefined && { distance: writtenDistance(distance, preference.distanceUnit) }),
    ...(duration !== undefined && { duration: writtenDuration(duration) }),
    ...(health?.weight !== undefined && {
      health: { ...health, weight: written("weight", health.weight, preference.weightUnit) },
    }),
    ...(intervalSet !== undefined && {
      intervalSet: {
        ...intervalSet,
        intervals: intervalSet.intervals.map((interval) => intervalIn(interval, preference)),
      },
    }),
    ...(weather?.temperature !== undefined && {
      weather: { ...weather, temperature: written("temperature", weather.temperature, preference.temperatureUnit) },
    }),
  };
}

function intervalIn(interval: Interval, preference: Preference): Interval {
  const { distance, duration } = interval;
  return {
    ...interval,
    ...(distance !== undefined && { distance: writtenDistance(distance, preference.distanceUnit) }),
    ...(duration !== undefined && { duration: writtenDuration(duration) }),
  };
}

function writtenDuration(seconds: Seconds): Seconds {
  return roundTo(seconds, 3);
}

function writtenDistance(distance: Measure<"distance">, preferred: UnitOf<"distance">): Measure<"distance"> {
  const converted = convert("distance", distance, preferred);
  return Math.abs(converted.value) < 1 ? written("distance", distance, "m") : roundMeasure("distance", converted);
}

function written<D extends Dimension>(dimension: D, measure: Measure<D>, unit: UnitOf<D>): Measure<D> {
  return roundMeasure(dimension, convert(dimension, measure, unit));
}
