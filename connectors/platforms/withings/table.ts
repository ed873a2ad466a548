/** The Withings export: activities.csv among forty tables. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { activities, weights } from "./source.ts";

const zones = [0, 1, 2, 3].map(
  (zone): ColumnRow => [
    `Data/hr_zone_${zone}`,
    "unsupported",
    { label: `heart rate zone ${zone}`, unit: "s", zero: "none" },
  ],
);

const LEFT: Readonly<Record<string, readonly string[]>> = {
  "days and nights without a workout": [
    ...["sleep.csv", "weight.csv", "bp.csv", "height.csv", "note.csv", "oxy.csv", "pwv.csv", "ecg.csv", "stetho.csv"],
    ...["signal.csv", "aggregates_*", "raw_tracker_sleep-state.csv"],
  ],
  "series of measurements beside the workouts": ["raw_*"],
};

export const withings = platform({
  name: "withings",
  title: "Withings export",
  howToGet: "Withings app or website > your profile > Export my data; the link to a zip comes by mail.",
  workouts: [
    {
      from: activities,
      dates: { order: "iso", zone: "offset" },
      sameBy: (cellOf) => `${cellOf("from")} ${cellOf("Activity type")}`,
      skips: (cellOf) => (cellOf("double") === "yes" ? "another row has the same time, and its data" : undefined),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["begin", "datetime"],
        ["Timezone", "zone"],
        ["Activity type", "activity"],
        ["seconds", "duration", { format: ["seconds"] }],
        ["way", "distance", { unit: "m", zero: "none", decimal: "float" }],
        ["Data/hr_average", "avgHR", { zero: "none" }],
        ["Data/hr_max", "maxHR", { zero: "none" }],
        ["Data/hr_min", "unsupported", { label: "lowest heart rate", unit: "a minute", zero: "none" }],
        ...zones,
        ["way of steps", "unsupported", { label: "distance of steps", unit: "m", zero: "none" }],
        ["Data/calories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["Data/manual_calories", "unsupported", { label: "calories typed by hand", unit: "kcal", zero: "none" }],
        ["Data/steps", "unsupported", { label: "steps", zero: "none" }],
        ["Data/elevation", "unsupported", { label: "elevation", zero: "none" }],
        ["Data/intensity", "unsupported", { label: "intensity", zero: "none" }],
        ["Data/strokes", "unsupported", { label: "strokes", zero: "none" }],
        ["Data/laps", "unsupported", { label: "lengths", zero: "none" }],
        ["Data/pool_length", "unsupported", { label: "pool length", zero: "none" }],
        ["Data/type", "unsupported", { label: "kind" }],
        ...leftByName(["metcumul"], "Data/"),
        [["Data/distance", "Data/manual_distance", "Data/pause_duration"], "ignore", { why: "in the columns that follow from it" }],
        [["from", "to", "from (manual)", "to (manual)"], "ignore", { why: "in the columns that follow from it" }],
        [["Data/device_startdate", "Data/device_enddate"], "ignore", { why: "the same times once more" }],
        ["Data", "ignore", { why: "read member by member" }],
        ["GPS", "unsupported", { label: "ends of the way", notInKey: true }],
        ["Modified", "ignore", { why: "a mark of the platform's own" }],
        ["double", "ignore", { why: "such a row is skipped" }],
      ],
    },
  ],
  days: [
    {
      from: weights,
      columns: [
        ["day", "day", { read: (text) => text.slice(0, 10) }],
        ["weight in kg", "weight", { unit: "kg", zero: "none" }],
        ["weight in lb", "weight", { unit: "lb", zero: "none" }],
        // A stone is 14 pounds.
        ["weight in st", "weight", { unit: "lb", per: 1 / 14, zero: "none" }],
      ],
    },
  ],
  leaves: Object.fromEntries(Object.entries(LEFT).flatMap(([why, names]) => names.map((name) => [name, why] as const))),
});
