/** The Runkeeper export: cardioActivities.csv and a GPX file for each activity with GPS. README.md says what is read and what is left. */
import { csv } from "../table/csv-source.ts";
import { platform } from "../table/platform.ts";

const derived = { why: "follows from distance and time" };

export const runkeeper = platform({
  name: "runkeeper",
  title: "Runkeeper export",
  howToGet: "runkeeper.com > Settings > Export Data; the page gives a zip to download.",
  workouts: [
    {
      from: csv("cardioActivities.csv", ["Date", "Type", "Duration", "Average Pace", "Calories Burned", "GPX File"]),
      dates: { order: "iso", zone: "local" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Activity Id", "id"],
        ["Date", "datetime"],
        ["Type", "activity"],
        ["Route Name", "course"],
        ["Distance (km)", "distance", { unit: "km", zero: "none" }],
        ["Distance (mi)", "distance", { unit: "mi", zero: "none" }],
        ["Duration", "duration", { format: ["h:mm:ss", "mm:ss"] }],
        ["Average Pace", "ignore", derived],
        [["Average Speed (km/h)", "Average Speed (mph)"], "ignore", derived],
        ["Calories Burned", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["Climb (m)", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["Climb (ft)", "unsupported", { label: "elevation gain", unit: "ft", zero: "none" }],
        ["Average Heart Rate (bpm)", "avgHR"],
        ["Friend's Tagged", "unsupported", { label: "friends" }],
        ["Notes", "notes"],
        ["GPX File", "file"],
      ],
    },
  ],
  recordings: /\.gpx$/i,
  leaves: {
    "measurements.csv": "weights and other measurements without a workout",
    "photos/": "the log has no place for pictures",
  },
});
