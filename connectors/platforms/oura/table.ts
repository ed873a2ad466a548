/** The Oura export: workout.csv among its tables. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { csv } from "../table/sources/csv-source.ts";
import { json } from "../table/sources/json-source.ts";

/** The same names in the table and in the records of earlier exports. */
// biome-ignore format: a table is read by its columns
const columns: readonly ColumnRow[] = [
        ["id", "id"],
        ["start_datetime", "datetime"],
        ["end_datetime", "end"],
        ["activity", "activity"],
        ["label", "name"],
        ["distance", "distance", { unit: "m", zero: "none", decimal: "float" }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["intensity", "unsupported", { label: "intensity" }],
        ["source", "unsupported", { label: "kind of entry" }],
        ["day", "ignore", { why: "the day of the start" }],
      ];

export const oura = platform({
  name: "oura",
  title: "Oura export",
  howToGet: "Oura > Membership Hub > Export data; it makes a zip of tables.",
  workouts: [
    {
      from: csv("workout.csv", ["id", "day", "activity", "intensity", "source", "start_datetime", "end_datetime"]),
      dates: { order: "iso", zone: "offset" },
      columns,
    },
    {
      layout: "JSON",
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "day", "activity", "intensity", "start_datetime", "end_datetime"],
        lists: [["workout", "*"], ["workouts", "*"], ["*"]],
      }),
      onlyAlone: true,
      dates: { order: "iso", zone: "offset" },
      columns,
    },
  ],
  leaves: {
    "dailyactivity.csv": "steps and sums of days",
    "daily*": "days without a workout",
    "sleepmodel.csv": "nights without a workout",
    "sleeptime.csv": "advice about bedtime",
    "heartrate.csv": "heart rates without a workout",
    "temperature.csv": "measurements without a workout",
    "vo2max.csv": "measurements without a workout",
    "session.csv": "breathing and meditation",
    "restmodeperiod.csv": "days of rest",
    "tag.csv": "marks of days",
    "enhancedtag.csv": "marks of days",
    "ringconfiguration.csv": "the ring",
    "ringbatterylevel.csv": "the ring",
  },
});
