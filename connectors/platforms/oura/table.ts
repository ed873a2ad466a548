/** The Oura export: workout.csv among its tables. README.md lists the parts that are read or left out. */
import { csv } from "../table/csv-source.ts";
import { platform } from "../table/platform.ts";

export const oura = platform({
  name: "oura",
  title: "Oura export",
  howToGet: "Oura > Membership Hub > Export data; it makes a zip of tables.",
  workouts: [
    {
      from: csv("workout.csv", ["id", "day", "activity", "intensity", "source", "start_datetime", "end_datetime"]),
      dates: { order: "iso", zone: "offset" },
      // biome-ignore format: a table is read by its columns
      columns: [
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
      ],
    },
  ],
  leaves: {
    "dailyactivity.csv": "steps and sums of days",
    "dailyreadiness.csv": "days without a workout",
    "sleepmodel.csv": "nights without a workout",
  },
});
