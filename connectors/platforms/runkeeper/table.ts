/** The Runkeeper export: cardioActivities.csv and a GPX file for each activity with GPS. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv } from "../table/sources/csv-source.ts";

const derived = { why: "follows from distance and time" };

export const runkeeper = platform({
  name: "runkeeper",
  title: "Runkeeper export",
  howToGet: "runkeeper.com > Settings > Export Data; the page gives a zip to download.",
  workouts: [
    {
      from: csv("cardioActivities.csv", ["Date", "Type", "Duration", "Average Pace", "Calories Burned", "GPX File"]),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            Date: "2023-12-31 06:55:59",
            Type: "Running",
            "Distance (km)": "4.21",
            Duration: "23:38",
            "Climb (m)": "22",
          },
          gives: { date: "2023-12-31", time: "06:55:59", activity: "run", distance: "4.21 km", duration: "0:23:38" },
        },
        {
          cells: {
            Date: "2020-03-01 08:54:40",
            Type: "Cross-Country Skiing",
            "Distance (km)": "90.00",
            Duration: "10:44:00",
          },
          gives: { date: "2020-03-01", activity: "ski", distance: "90 km", duration: "10:44:00" },
        },
      ],
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
  // `2014-06-03 00:00:00,weight,80.7394`: the unit is kilograms in every account.
  days: [
    {
      from: withCells(csv("measurements.csv", ["Date", "Type", "Value"]), {
        kilograms: (cellOf) => (cellOf("Type") === "weight" ? cellOf("Value") : ""),
        other: (cellOf) => (cellOf("Type") === "weight" ? "" : cellOf("Type")),
      }),
      numbers: ["Value"],
      columns: [
        ["Date", "day", { read: (text) => text.slice(0, 10) }],
        ["kilograms", "weight", { unit: "kg", zero: "none" }],
        ["other", "left"],
      ],
    },
  ],
  recordings: /\.gpx$/i,
  leaves: {
    "measurements.csv": "measurements without a workout, but for the weight",
    "photos/": "the log has no place for pictures",
  },
});
