/** Ride with GPS: the list of trips in the form of its service. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { zoneNamed } from "./zones.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the service's own" };

const lost = (column: string, label: string, unit: string): ColumnRow => [
  column,
  "unsupported",
  { label, unit, zero: none },
];

export const rideWithGps = platform({
  name: "ride-with-gps",
  title: "Ride with GPS list of trips",
  howToGet:
    "ridewithgps.com gives a TCX, GPX or FIT file for each ride; the page users/<your number>/trips.json lists all of them.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "departed_at"],
        lists: [["results", "*"], ["*"]],
      }),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      sport: "bike",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["name", "name"],
        ["description", "notes"],
        ["departed_at", "datetime", { expected: "a date with a time and its distance from UTC" }],
        ["time_zone", "zone", { read: (text) => zoneNamed(text) ?? text }],
        ["duration", "duration", { format: ["h:mm:ss", "mm:ss", "seconds"], zero: none }],
        ["distance", "distance", { unit: "m", zero: none }],
        ["hr_avg", "avgHR"],
        ["hr_max", "maxHR"],
        lost("hr_min", "lowest heart rate", "a minute"),
        lost("elevation_gain", "elevation gain", "m"),
        lost("elevation_loss", "elevation loss", "m"),
        lost("watts_avg", "average power", "W"),
        lost("watts_max", "max power", "W"),
        lost("cad_avg", "average cadence", "a minute"),
        lost("cad_max", "max cadence", "a minute"),
        lost("speed_max", "max speed", "km/h"),
        ["speed_avg", "ignore", derived],
        ...leftByName(["watts_min", "cad_min", "speed_min"]),
        [["gear_id", "gear"], "unsupported", { label: "gear" }],
        [["is_gps", "visibility"], "ignore", inside],
      ],
    },
  ],
  toldTotal: { files: /\.json$/i, list: ["results", "*"], total: ["results_count"] },
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: {},
});
