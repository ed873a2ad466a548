/** Finds the splits of a run. The app notes the end of each kilometre, and the pauses. */
import type { TableLap } from "../table/mapping/fields.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** A moment of a run. */
interface Moment {
  readonly key: unknown;
  readonly value: unknown;
  readonly timestamp: number;
}

/** The names of the splits among a run's moments, with the metres of each. A run has both kinds, and the log takes one of them. */
const SPLITS = [
  { key: "split_km", metres: 1000 },
  { key: "split_mile", metres: 1609.344 },
] as const;

/** The end of a run counts as an interval only from this length on. */
const SHORTEST_METRES = 10;

/** Adds `splits` to a run: metres and seconds of each whole kilometre, and of the rest. Pauses don't count. */
export function withSplits(run: JsonRow): JsonRow {
  const { start_epoch_ms: start, active_duration_ms: active, moments, summaries } = run;
  if (typeof start !== "number" || typeof active !== "number" || !Array.isArray(moments)) return run;
  const sorted = moments.filter(isMoment).sort((a, b) => a.timestamp - b.timestamp);
  for (const { key, metres } of SPLITS) {
    const ends = sorted.filter((moment) => moment.key === key);
    const isWhole = ends.every(({ value }, index) => value === String(index + 1));
    if (ends.length === 0 || !isWhole) continue;
    const seconds = ends.map(({ timestamp }) => (timestamp - start - pausedUntil(timestamp, sorted)) / 1000);
    const splits = seconds.map((end, index) => ({ metres, seconds: end - (seconds[index - 1] ?? 0) }));
    const rest = {
      metres: Math.round((totalOf(summaries) * 1000 - metres * ends.length) * 100) / 100,
      seconds: active / 1000 - (seconds.at(-1) ?? 0),
    };
    const all = rest.metres >= SHORTEST_METRES && rest.seconds > 0 ? [...splits, rest] : splits;
    return all.every((split) => split.seconds > 0) ? { ...run, splits: all.map(rounded) } : run;
  }
  return run;
}

/** Turns the splits into laps. */
export function lapsOf(value: unknown): readonly TableLap[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap(({ metres, seconds }: { metres: number; seconds: number }) => [
    { distance: { unit: "m", value: metres }, timer: seconds },
  ]);
}

/** Milliseconds of pauses before an instant. A pause without an end lasts until the end of the run. */
function pausedUntil(instant: number, moments: readonly Moment[]): number {
  let paused = 0;
  let since: number | undefined;
  for (const { key, value, timestamp } of moments) {
    if (key !== "halt" || timestamp > instant) continue;
    if (value === "pause" || value === "auto_pause") since ??= timestamp;
    else if (since !== undefined) {
      paused += timestamp - since;
      since = undefined;
    }
  }
  return since === undefined ? paused : paused + instant - since;
}

/** The total distance in kilometres; 0 if the run has none. */
function totalOf(summaries: unknown): number {
  const all: readonly unknown[] = Array.isArray(summaries) ? summaries : [];
  const found = all.filter(isJsonRow).find(({ metric, summary }) => metric === "distance" && summary === "total");
  return typeof found?.value === "number" ? found.value : 0;
}

function rounded({ metres, seconds }: { readonly metres: number; readonly seconds: number }) {
  return { metres, seconds: Math.round(seconds * 1000) / 1000 };
}

function isMoment(value: unknown): value is Moment {
  return isJsonRow(value) && typeof value.timestamp === "number";
}
