/** TrainerRoad: rides in the form of its service. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";

const none = "none" as const;

export const trainerroad = platform({
  name: "trainerroad",
  title: "TrainerRoad rides",
  howToGet:
    "TrainerRoad gives a FIT or TCX file for each ride; programs that ask its service save a JSON record for each.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["WorkoutDate", "WorkoutName", "TotalMinutes", "TotalKM", "Kj"],
        lists: [["*"]],
      }),
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      sport: "bike",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Id", "id"],
        ["WorkoutName", "name"],
        ["WorkoutNotes", "notes"],
        ["WorkoutDate", "datetime"],
        ["TotalMinutes", "duration", { format: ["minutes"], zero: none }],
        ["TotalKM", "distance", { unit: "km", zero: none }],
        ["AvgWatts", "unsupported", { label: "average power", unit: "W", zero: none }],
        ["Kj", "unsupported", { label: "work", unit: "kJ", zero: none }],
        ["Guid", "ignore", { why: "a mark of the service's own" }],
      ],
    },
  ],
  recordings: /\.(fit|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: {},
});
