/** Reads the points of a run. The app keeps a list for each kind of value. Their times join them. */
import type { RecordedTrack } from "../table/description.ts";
import { isJsonRow, type JsonRow } from "../table/json-source.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/points.ts";

/** Lists that become part of a point, and lists that follow from those. */
const CARRIED: readonly string[] = ["latitude", "longitude", "elevation", "heart_rate", "distance", "pace", "speed"];

/** A value of a list: milliseconds since 1970 UTC, and a number. */
interface Value {
  readonly begin: number;
  readonly end: number;
  readonly value: number;
}

/** Reads the track of a run. */
export function trackOf({ metrics }: JsonRow): RecordedTrack {
  const lists = new Map(listOf(metrics).map(({ type, values }) => [type, listOf(values).flatMap(readingOf)]));
  const of = (type: string) => lists.get(type) ?? [];
  const longitudes = new Map(of("longitude").map(({ begin, value }) => [begin, value]));
  const places = of("latitude").map(
    ({ begin, value }): Measured => [begin, { position: positionOf(value, longitudes.get(begin)) } as Measured[1]],
  );
  const left = [...lists].flatMap(([name, values]) => {
    return typeof name !== "string" || values.length === 0 || CARRIED.includes(name) ? [] : [name];
  });
  const points = joinedPoints([
    ...places.filter(([, { position }]) => position !== undefined),
    ...of("elevation").map(({ begin, value }): Measured => [begin, { elevation: value }]),
    ...of("heart_rate").flatMap(({ begin, value }): Measured[] => {
      const heartRate = aboveZero(value);
      return heartRate === undefined ? [] : [[begin, { heartRate }]];
    }),
    ...distances(of("distance")),
  ]);
  return { points, left };
}

/** Each distance is the way since the value before, in kilometres. */
function* distances(values: readonly Value[]): Generator<Measured> {
  let sum = 0;
  for (const { end, value } of values.toSorted((a, b) => a.end - b.end)) {
    sum += value;
    yield [end, { distance: { value: Math.round(sum * 100_000) / 100, unit: "m" } }];
  }
}

function readingOf({ start_epoch_ms: begin, end_epoch_ms: end, value }: JsonRow): Value[] {
  if (typeof begin !== "number" || typeof value !== "number") return [];
  return [{ begin, end: typeof end === "number" ? end : begin, value }];
}

function listOf(value: unknown): readonly JsonRow[] {
  return Array.isArray(value) ? value.filter(isJsonRow) : [];
}
