/** Reads the points of an exercise. One file has places and another one measurements, each with its own instants. */
import { someDefined } from "../../../transforms/model/defined.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { isJsonRow } from "../table/sources/json-source.ts";

/** Measurements that become part of a point. The others follow from them, or belong to the app. */
const CARRIED: ReadonlySet<string> = new Set([
  ...["start_time", "end_time", "latitude", "longitude", "altitude", "heart_rate", "cadence", "power"],
  ...[
    "accuracy",
    "speed",
    "calorie",
    "count",
    "elapsed_time",
    "segment",
    "interval",
    "source_type",
    "percent_of_vo2max",
  ],
]);

/**
 * Joins the files of an exercise. Distances are left out. In some versions of the app, it is unknown whether they are sums or the way since the
 * value before.
 */
export function trackOf(documents: readonly unknown[]): RecordedTrack {
  const left = new Set<string>();
  const rows = documents.flatMap((each) => (Array.isArray(each) ? each.filter(isJsonRow) : []));
  const values = rows.flatMap((row): Measured[] => {
    const { start_time: instant, latitude, longitude, altitude, heart_rate, cadence, power } = row;
    for (const [name, value] of Object.entries(row))
      if (!CARRIED.has(name) && typeof value === "number" && value !== 0) left.add(name);
    if (typeof instant !== "number") return [];
    const part = someDefined({
      position: positionOf(latitude, longitude),
      elevation: typeof altitude === "number" ? altitude : undefined,
      heartRate: aboveZero(heart_rate),
      cadence: aboveZero(cadence),
      power: aboveZero(power),
    });
    return part === undefined ? [] : [[instant, part]];
  });
  return { points: joinedPoints(values), left: [...left] };
}
