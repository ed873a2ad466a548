/**
 * Values of GPX points besides position, elevation and time. GPX has no heart rate of its own. A dozen extensions have one, each
 * with its own prefix, so the local name decides.
 */
import type { Point } from "../recording.ts";

/** A point that is being read. */
export type Draft = { -readonly [K in keyof Point]: Point[K] };

/** The fields an extension can fill. */
export type Reading = "heartRate" | "cadence" | "power" | "temperature" | "speed" | "distance";

/**
 * Local names in lower case, and the field that each fills. Units are those of the schemas: beats a minute, revolutions a minute,
 * watts, degrees Celsius, metres a second, metres.
 *
 * Sources: Garmin TrackPointExtension v1 and v2 (`gpxtpx:`, also as `ns3:`, or without any prefix: hr, cad, atemp, speed),
 * Garmin GpxExtensions v3 (`gpxx:Temperature`), Cluetrust GPXData (`gpxdata:`: hr, cadence, temp, distance, speed),
 * PowerExtension v1 (`PowerInWatts`), GPX 1.0's own `speed`, Strava's bare `power`, mapstogpx's bare `heartrate` and `cadence`.
 */
export const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["hr", "heartRate"],
  ["heartrate", "heartRate"],
  ["heart_rate", "heartRate"],
  ["heartratebpm", "heartRate"],
  ["cad", "cadence"],
  ["cadence", "cadence"],
  ["runcadence", "cadence"],
  ["power", "power"],
  ["powerinwatts", "power"],
  ["watts", "power"],
  ["atemp", "temperature"],
  ["temp", "temperature"],
  ["temperature", "temperature"],
  ["speed", "speed"],
  ["distance", "distance"],
]);

/** Puts a value into its field. The first of several values stays: `speed` of GPX 1.0 comes before the speed of an extension. */
export function fill(draft: Draft, reading: Reading, value: number): void {
  if (draft[reading] !== undefined) return;
  if (reading === "temperature") draft.temperature = { unit: "C", value };
  else if (reading === "distance") draft.distance = { unit: "m", value };
  else draft[reading] = value;
}
