/** Reads values in the form of the Wahoo Fitness app. */
import type { TableLap } from "../table/mapping/fields.ts";

/** The columns with a distance, in metres. The first one that is not 0 counts. */
export const DISTANCES = ["gpsdist", "wheeldist", "stridedist", "manualdist"] as const;

/** A last lap shorter than this, in seconds, comes from pressing the stop button. */
const STOP_PRESS = 10;

/** The laps of a workout. */
export function lapsOf(value: unknown): readonly TableLap[] {
  const rows = Array.isArray(value) ? (value as readonly Readonly<Record<string, string>>[]) : [];
  const laps = rows.map((row): TableLap => {
    const metres = DISTANCES.map((name) => Number(row[name])).find((each) => each > 0);
    return {
      timer: Number(row.runningtime) || 0,
      ...(metres !== undefined && { distance: { unit: "m", value: metres } }),
    };
  });
  const last = laps.at(-1);
  return last !== undefined && (last.timer ?? 0) < STOP_PRESS ? laps.slice(0, -1) : laps;
}
