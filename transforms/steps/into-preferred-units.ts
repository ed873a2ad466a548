import type { Preference } from "../model/account.ts";
import type { Workout } from "../model/workout.ts";
import { convert, type Dimension, type Measure, roundMeasure, type UnitOf } from "../units.ts";
import type { Transform } from "./transform.ts";

/**
 * Every measure stands in the log owner's unit, rounded as the log is written: here and nowhere else. Interval distances
 * below one whole unit would lose too much to that (400 m is 0.25 mi), so they are written in metres.
 */
export function intoPreferredUnits(preference: Preference): Transform {
  const distance = (measure: Measure<"distance">) => written("distance", measure, preference.distanceUnit);
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
  const { distance, health, intervalSet, weather } = workout;
  return {
    ...workout,
    ...(distance !== undefined && { distance: written("distance", distance, preference.distanceUnit) }),
    ...(health?.weight !== undefined && {
      health: { ...health, weight: written("weight", health.weight, preference.weightUnit) },
    }),
    ...(intervalSet !== undefined && {
      intervalSet: {
        ...intervalSet,
        intervals: intervalSet.intervals.map((interval) =>
          interval.distance === undefined
            ? interval
            : { ...interval, distance: intervalDistance(interval.distance, preference.distanceUnit) },
        ),
      },
    }),
    ...(weather?.temperature !== undefined && {
      weather: { ...weather, temperature: written("temperature", weather.temperature, preference.temperatureUnit) },
    }),
  };
}

function intervalDistance(distance: Measure<"distance">, preferred: UnitOf<"distance">): Measure<"distance"> {
  const converted = convert("distance", distance, preferred);
  return Math.abs(converted.value) < 1 ? written("distance", distance, "m") : roundMeasure("distance", converted);
}

function written<D extends Dimension>(dimension: D, measure: Measure<D>, unit: UnitOf<D>): Measure<D> {
  return roundMeasure(dimension, convert(dimension, measure, unit));
}
