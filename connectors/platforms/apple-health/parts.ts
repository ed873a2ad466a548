/** The parts of a workout of several sports, which phones write since iOS 16: each with its time and its distance. */
import { defined } from "../../../transforms/model/defined.ts";
import { inMetres, type Measure, unitSpelt } from "../../../transforms/units.ts";
import type { XmlRecord } from "../../formats/xml/each.ts";
import { elementsOf, numberOf } from "../../formats/xml/members.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { sportOf } from "./values.ts";

/** Seconds of each unit of a duration. */
const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, hr: 3600 };

/**
 * What the parts of a workout add to it: its legs, and their distances together, in metres, for a workout that has none of its own. Nothing says which
 * sport a part is but a mark in some exports. A workout in one part has nothing to add: the part repeats it.
 */
export function ofParts(workout: XmlRecord): Readonly<Record<string, unknown>> {
  const parts = elementsOf(workout, "WorkoutActivity");
  if (parts.length < 2) return {};
  const legs = parts.map(legOf);
  const metres = legs.reduce((sum, { distance }) => sum + (distance === undefined ? 0 : inMetres(distance)), 0);
  const sports = parts.flatMap((part) => sportsIn(part));
  return defined({
    legs,
    legMetres: metres === 0 ? undefined : String(Math.round(metres * 1000) / 1000),
    legSports: sports.length === 0 ? undefined : sports.join(", "),
  });
}

function legOf(part: XmlRecord): TableLap {
  const time = numberOf(part.duration);
  const each = SECONDS[typeof part.durationUnit === "string" ? part.durationUnit : "min"];
  return defined({
    distance: elementsOf(part, "WorkoutStatistics").flatMap(distanceOf)[0],
    timer: time === undefined || each === undefined ? undefined : Math.round(time * each * 1000) / 1000,
  });
}

function distanceOf({ type, sum, unit }: XmlRecord): readonly Measure<"distance">[] {
  const value = numberOf(sum);
  if (typeof type !== "string" || !type.startsWith("HKQuantityTypeIdentifierDistance")) return [];
  const length = typeof unit === "string" ? unitSpelt("distance", unit) : undefined;
  return value === undefined || value === 0 || length === undefined ? [] : [{ unit: length, value }];
}

function sportsIn(part: XmlRecord): readonly string[] {
  const texts = [part.workoutActivityType, ...elementsOf(part, "MetadataEntry").map(({ value }) => value)];
  return texts
    .filter((text) => typeof text === "string")
    .filter((text) => text.startsWith("HKWorkoutActivityType"))
    .map(sportOf)
    .slice(0, 1);
}
