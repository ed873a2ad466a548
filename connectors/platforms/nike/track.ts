/** Reads the points of a run. The app keeps a list for each kind of value. Their times join them. */
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** Lists that become part of a point, and lists that follow from those. */
const CARRIED: readonly string[] = ["latitude", "longitude", "elevation", "heart_rate", "distance", "pace", "speed"];

/** A value of a list: milliseconds since 1970 UTC, and a number. */
interface Value {
  readonly begin: number;
  readonly end: number;
  readonly value: number;
}

/** The part of a list that a row keeps: its name, and its first value. */
export function thinned(list: unknown): unknown {
  return isJsonRow(list) ? { type: list.type, values: listOf(list.values).slice(0, 1) } : list;
}

/**
 * Gives a run the names of its lists with values, and of positions that it names, as `metric_types`. That member is empty or absent in some
 * exports, so `metrics` itself decides.
 */
export function withRecorded(run: JsonRow): JsonRow {
  const filled = listOf(run.metrics).flatMap(({ type, values }) => (listOf(values).length > 0 ? [type] : []));
  const recorded = [...new Set([...filled, ...(namesPositions(run) ? ["latitude"] : [])])];
  return recorded.length > 0 ? { ...run, metric_types: recorded } : run;
}

function namesPositions({ metric_types: types }: JsonRow): boolean {
  return Array.isArray(types) && types.includes("latitude");
}

/** Reads the track of a run. */
export function trackOf(run: JsonRow): RecordedTrack {
  const { metrics } = run;
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
  const isNamed = namesPositions(run) || of("latitude").length > 0;
  return { points, left, lacksPositions: isNamed && !points.some(({ position }) => position !== undefined) };
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
