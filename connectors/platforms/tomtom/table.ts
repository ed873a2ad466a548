/** TomTom Sports: files of its watches, and tables that programs made of these files. README.md lists the parts that are read or left out. */
import type { ColumnRow } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { platform } from "../table/platform.ts";
import { trackOfPoints } from "../table/sources/points-source.ts";
import { pointTables, watchFiles } from "./sources.ts";
import { trackOf } from "./ttbin.ts";

const none = "none" as const;
const lapsAsMade = (laps: unknown) => laps as readonly TableLap[];

/** The numbers of sports. */
const SPORTS: Readonly<Record<string, string>> = {
  ...{ 0: "Running", 1: "Cycling", 2: "Swimming", 7: "Treadmill", 8: "Freestyle on a TomTom", 9: "Gym", 10: "Hiking" },
  ...{ 11: "Indoor cycling", 14: "Trail running", 15: "Skiing", 16: "Snowboarding" },
};
const sportOf = (text: string) => SPORTS[text] ?? `sport ${text}`;

// biome-ignore format: a table is read by its columns
const values: readonly ColumnRow[] = [
  ["activity", "activity", { read: sportOf }],
  ["seconds", "duration", { format: ["seconds"], zero: none }],
  ["metres", "distance", { unit: "m", zero: none }],
  ["avgHR", "avgHR"],
  ["maxHR", "maxHR"],
  ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
  ["series", "series", { label: "recorded series" }],
];
const sports = { "Freestyle on a TomTom": "other" } as const;

export const tomtom = platform({
  name: "tomtom",
  title: "TomTom watch files",
  howToGet:
    "TomTom Sports closed in 2022: take the .ttbin files that its program or ttwatch kept, in a folder for each day.",
  inDays: true,
  workouts: [
    {
      layout: "of the watch",
      from: watchFiles(),
      track: trackOf,
      filesByName: true,
      sameBy: (cellOf) => cellOf("start"),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      sports,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "instant"],
        ["offset", "offset"],
        ["form", "recorder"],
        ...values,
        ["laps", "laps", { laps: lapsAsMade }],
        ["poolMetres", "unsupported", { label: "pool length", unit: "m", zero: none }],
      ],
    },
    {
      layout: "table of points",
      from: pointTables(),
      track: trackOfPoints,
      filesByName: true,
      sameBy: (cellOf) => cellOf("start"),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      sports,
      columns: [["start", "datetime"], ["form", "recorder"], ["laps", "laps", { laps: lapsAsMade }], ...values],
    },
  ],
  recordings: /\.(fit|gpx|tcx)$/i,
  leaves: { "*.protobuf": "sums of days", "*.pwx": "a copy of a workout", "*.kml": "a copy of a workout" },
});
