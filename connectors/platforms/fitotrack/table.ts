/** FitoTrack: the workouts of a backup, outdoors and indoors. README.md lists the parts that are read or left out. */

import { isoOfMillis } from "../table/cells/instants.ts";
import type { ColumnRow, WorkoutTable } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { xml } from "../table/sources/xml-source.ts";
import { samples } from "./samples.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the app's own" };

/** The app writes -1 for a missing value. */
const measured = (text: string) => (Number(text) > 0 ? text : undefined);

const files = /\.xml$/i;
const knownBy = ["start", "duration", "workoutTypeId"];
const dates: WorkoutTable["dates"] = { order: "iso", zone: "utc" };

// biome-ignore format: a table is read by its columns
const shared: readonly ColumnRow[] = [
  ["workoutTypeId", "activity"],
  ["start", "datetime", { read: isoOfMillis }],
  ["duration", "duration", { format: ["milliseconds"], zero: none }],
  ["comment", "notes"],
  ["avgHeartRate", "avgHR", { read: measured }],
  ["maxHeartRate", "maxHR", { read: measured }],
  ["pauseDuration", "unsupported", { label: "pauses", unit: "s", per: 1000, zero: none }],
  ["calorie", "unsupported", { label: "calories", unit: "kcal", read: measured }],
  ["end", "ignore", { why: "with the start, the time that passed" }],
  [["edited", "intervalSetUsedId", "intervalSetIncludesPauses"], "ignore", inside],
];

export const fitotrack = platform({
  name: "fitotrack",
  title: "FitoTrack backup",
  howToGet: "FitoTrack > Settings > Backup > Export; it makes a file that ends in .ftb.",
  workouts: [
    {
      layout: "outdoors",
      from: xml({ files, path: ["fito-track", "workouts", "workouts"], knownBy }),
      trackList: samples,
      dates,
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ...shared,
        ["length", "distance", { unit: "m", zero: none }],
        ["topSpeed", "unsupported", { label: "max speed", unit: "m/s", zero: none }],
        ["ascent", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["descent", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["minElevationMSL", "unsupported", { label: "lowest point", unit: "m", zero: none }],
        ["maxElevationMSL", "unsupported", { label: "highest point", unit: "m", zero: none }],
        [["avgSpeed", "avgPace"], "ignore", derived],
      ],
    },
    {
      layout: "indoors",
      from: xml({ files, path: ["fito-track", "indoorWorkouts", "indoorWorkouts"], knownBy }),
      dates,
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        // Outdoor and indoor workouts have separate numbers.
        ["id", "id", { read: (text) => `indoor-${text}` }],
        ...shared,
        ["repetitions", "unsupported", { label: "repetitions", zero: none }],
        ["avgFrequency", "unsupported", { label: "average frequency", read: measured }],
        ["maxFrequency", "unsupported", { label: "max frequency", read: measured }],
        ["avgIntensity", "unsupported", { label: "average intensity", read: measured }],
        ["maxIntensity", "unsupported", { label: "max intensity", read: measured }],
      ],
    },
  ],
  leaves: {},
});
