/** Reads the points of an exercise, in the old and in the new layout. README.md says where they stand. */
import { defined, someDefined } from "../../../transforms/model/defined.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

type Part = Measured[1];

/** The series by their names in both layouts. Each function turns Polar's value into the part of a point. */
const SERIES: Readonly<Record<string, (value: number) => Part | undefined>> = {
  heartrate: (value) => someDefined({ heartRate: aboveZero(value) }),
  cadence: (value) => someDefined({ cadence: aboveZero(value) }),
  altitude: (value) => ({ elevation: value }),
  distance: (value) => ({ distance: { value, unit: "m" } }),
  speed: (value) => ({ speed: value / 3.6 }),
  power: (value) => ({ power: value }),
};

/** The track of the exercise in a row. Without the distance from UTC, the times are unknown, and there are no points. */
export function trackOf(row: JsonRow): RecordedTrack {
  const { exercises: exercise } = row;
  if (!isJsonRow(exercise)) return { points: [] };
  const minutes = [
    exercise.timezoneOffset,
    exercise.timezoneOffsetMinutes,
    row.timeZoneOffset,
    row.timezoneOffsetMinutes,
  ].find((offset) => typeof offset === "number");
  if (typeof minutes !== "number") return { points: [] };
  const clock: Clock = { minutes, start: instantOf(exercise.startTime ?? row.startTime, minutes) };
  const left = namesOf(exercise.samples).filter((name) => name !== "recordedRoute" && seriesNamed(name) === undefined);
  return { points: joinedPoints([...oldValues(exercise, clock), ...newValues(exercise, clock)]), left };
}

/** The names of all series with values, in either layout. */
function namesOf(samples: unknown): readonly string[] {
  if (!isJsonRow(samples)) return [];
  const isFilled = (values: unknown) => Array.isArray(values) && values.length > 0;
  if (Array.isArray(samples.samples))
    return listOf(samples.samples).flatMap(({ type, values }) => (isFilled(values) ? [String(type)] : []));
  return Object.entries(samples).flatMap(([name, values]) => (isFilled(values) ? [name] : []));
}

function seriesNamed(name: string): ((value: number) => Part | undefined) | undefined {
  return SERIES[name.toLowerCase().replaceAll("_", "")];
}

/** The clock of an exercise: minutes from UTC, and its start. */
interface Clock {
  readonly minutes: number;
  readonly start: number;
}

/** In the old layout, each value has its own local time. */
function* oldValues({ samples }: JsonRow, { minutes, start }: Clock): Generator<Measured> {
  if (!isJsonRow(samples)) return;
  const route = listOf(samples.recordedRoute);
  const late = lateness(instantOf(route[0]?.dateTime, minutes), start);
  for (const { dateTime, latitude, longitude, altitude } of route)
    yield [instantOf(dateTime, minutes) - late, placeOf(latitude, longitude, altitude)];
  for (const [name, list] of Object.entries(samples)) {
    const part = seriesNamed(name);
    if (part === undefined) continue;
    for (const { dateTime, value } of listOf(list)) {
      const found = typeof value === "number" ? part(value) : undefined;
      if (found !== undefined) yield [instantOf(dateTime, minutes), found];
    }
  }
}

/** In the new layout, values follow each other at equal intervals from the start. */
function* newValues({ samples, routes }: JsonRow, { minutes, start }: Clock): Generator<Measured> {
  const route = isJsonRow(routes) && isJsonRow(routes.route) ? routes.route : {};
  const routeStart = instantOf(route.startTime, minutes);
  const began = Number.isNaN(routeStart) ? start : routeStart - lateness(routeStart, start);
  for (const { elapsedMillis, latitude, longitude, altitude } of listOf(route.wayPoints))
    if (typeof elapsedMillis === "number") yield [began + elapsedMillis, placeOf(latitude, longitude, altitude)];
  for (const { type, intervalMillis, values } of listOf(isJsonRow(samples) ? samples.samples : undefined)) {
    const part = seriesNamed(String(type));
    if (part === undefined || typeof intervalMillis !== "number" || !Array.isArray(values)) continue;
    for (const [index, value] of values.entries()) {
      const found = typeof value === "number" ? part(value) : undefined;
      if (found !== undefined) yield [start + index * intervalMillis, found];
    }
  }
}

/** A route may begin later than its exercise, because the watch looks for satellites first. If it begins an hour later, it has another clock. */
const LATEST_START_MS = 15 * 60_000;

/** Milliseconds by which the clock of a route is wrong. */
function lateness(route: number, start: number): number {
  const apart = route - start;
  return apart < -1000 || apart > LATEST_START_MS ? apart : 0;
}

function placeOf(latitude: unknown, longitude: unknown, altitude: unknown): Part {
  // Without a barometer and a map, the altitude is 0 from end to end.
  const elevation = typeof altitude === "number" && altitude !== 0 ? altitude : undefined;
  return defined({ position: positionOf(latitude, longitude), elevation });
}

/** Turns a local time `2017-01-23T18:20:18.000` into milliseconds since 1970 UTC; NaN for any other value. */
function instantOf(local: unknown, minutes: number): number {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?/;
  const text = typeof local === "string" ? form.exec(local)?.[0] : undefined;
  return text === undefined ? Number.NaN : Date.parse(`${text}Z`) - minutes * 60_000;
}

function listOf(value: unknown): readonly JsonRow[] {
  return Array.isArray(value) ? value.filter(isJsonRow) : [];
}
