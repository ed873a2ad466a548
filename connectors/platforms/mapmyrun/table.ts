/** MapMyRun and its siblings (MapMyRide, MapMyFitness, MapMyWalk): one CSV table. README.md lists the parts that are read or left out. */

import { AS_IT_WAS } from "../table/columns/date-order.ts";
import { givenForRoads } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { csv } from "../table/sources/csv-source.ts";
import { dayOf, idOf, notesOf, shoesOf } from "./values.ts";

const derived = { why: "follows from distance and time" };

const WITHOUT_UNIT =
  "its unit, which the table doesn't say. Say it for all rows: --distance-unit km, or --distance-unit mi";

export const mapMyRun = platform({
  name: "mapmyrun",
  title: "MapMyRun workout history",
  howToGet: "mapmyfitness.com/workout/export/csv, while you are logged in; it gives user_workout_history.csv.",
  workouts: [
    {
      from: csv("user_workout_history.csv", ["Workout Date", "Activity Type", "Workout Time (seconds)", "Link"]),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            "Workout Date": "2025-05-06",
            "Activity Type": "Indoor Run / Jog",
            "Distance (mi)": "4.0",
            "Workout Time (seconds)": "2036",
            "Avg Heart Rate": "146",
          },
          gives: { date: "2025-05-06", activity: "run", distance: "4 mi", duration: "0:33:56", avgHR: "146" },
        },
        {
          cells: {
            "Workout Date": "2022-06-04",
            "Activity Type": "Bike Ride",
            "Distance (mi)": "7.59992",
            "Workout Time (seconds)": "0",
          },
          gives: { date: "2022-06-04", activity: "bike", distance: "7.59992 mi" },
        },
      ],
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Link", "id", { read: idOf }],
        ["Workout Date", "date", { read: dayOf, expected: `a day like May 6, 2025: ${AS_IT_WAS}` }],
        ["Activity Type", "activity"],
        ["Distance (km)", "distance", { unit: "km", zero: "none" }],
        ["Distance (mi)", "distance", { unit: "mi", zero: "none" }],
        ["Distance", "distance", { unitBy: (_cells, _shown, _sport, given) => givenForRoads(given), zero: "none", expected: WITHOUT_UNIT }],
        ["Workout Time (seconds)", "duration", { format: ["seconds"], zero: "none" }],
        ["Avg Heart Rate", "avgHR"],
        ["Notes", "notes", { read: notesOf }],
        ["Notes", "equipment", { read: shoesOf, separator: "\n" }],
        ["Calories Burned (kCal)", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["Steps", "unsupported", { label: "steps", zero: "none" }],
        ["Max Speed (km/h)", "unsupported", { label: "max speed", unit: "km/h", zero: "none" }],
        ["Max Speed (mi/h)", "unsupported", { label: "max speed", unit: "mi/h", zero: "none" }],
        ["Max Speed", "unsupported", { label: "max speed", zero: "none" }],
        [["Max Pace (min/mi)", "Max Pace (min/km)", "Max Pace"], "ignore", { why: "the max speed once more" }],
        [["Avg Pace (min/mi)", "Avg Pace (min/km)", "Avg Pace"], "ignore", derived],
        [["Avg Speed (km/h)", "Avg Speed (mi/h)", "Avg Speed"], "ignore", derived],
        ["Date Submitted", "ignore", { why: "the day it was saved, which may be later" }],
        ["Source", "ignore", { why: "the app that recorded it" }],
      ],
    },
  ],
  leaves: {},
});
