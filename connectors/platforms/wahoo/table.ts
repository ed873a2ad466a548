/** Wahoo: the CSV files of the Wahoo Fitness app, one for each workout. README.md lists the parts that are read or left out. */
import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { isOfApp, recordsOf } from "./blocks.ts";
import { DISTANCES, lapsOf } from "./values.ts";

const none = "none" as const;
const inside = { why: "a mark of the app's own" };
const total = (...names: readonly string[]) => names.map((name) => `workout/${name}`);

export const wahoo = platform({
  name: "wahoo",
  title: "Wahoo Fitness export",
  howToGet:
    "Wahoo Fitness app > History > a workout > Share > CSV; an ELEMNT's FIT files need no more than their folder.",
  workouts: [
    {
      from: recordSource({
        files: /\.csv$/i,
        knownBy: ["head", "start"],
        isKnown: isOfApp,
        oneEach: true,
        records: recordsOf,
        issueOf: () => undefined,
      }),
      dates: { order: "iso", zone: "local" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["sport", "activity"],
        ["comments", "notes"],
        ["workout/runningtime", "duration", { format: ["seconds"], zero: none }],
        ...DISTANCES.map((name): ColumnRow => [`workout/${name}`, "distance", { unit: "m", zero: none }]),
        ["workout/hravg", "avgHR"],
        ["laps", "laps", { laps: lapsOf }],
        ["workout/pausedtime", "unsupported", { label: "pauses", unit: "s", zero: none }],
        ["workout/cadavg", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["points", "unsupported", { label: "track" }],
        ["values of laps", "unsupported", { label: "values of laps", notInKey: true }],
        ["blocks", "unsupported", { label: "blocks that nobody knows", notInKey: true }],
        [total("spdavg"), "ignore", { why: "follows from distance and time" }],
        [total("starttime"), "ignore", { why: "0: it counts from the start" }],
        [["head/Device", "head/model", "head/version", "head/AppVersion", "head/BatteryUsage (%)"], "ignore", inside],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: { "maps/": "maps of the device", "plans/": "planned workouts" },
});
