/** Fitbod: one table with a row for each set. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { csv } from "../table/sources/csv-source.ts";
import { SESSION_COLUMNS, sessions } from "../table/sources/sessions.ts";
import { setOf, startOf } from "./values.ts";

const inNotes = { why: "in the words of the set" };

export const fitbod = platform({
  name: "fitbod",
  title: "Fitbod export",
  howToGet: "Fitbod > Settings > Export workout data; it makes WorkoutExport.csv.",
  workouts: [
    {
      layout: [
        [/Weight\(kg\)/, "since 2020"],
        [/./, "of 2019"],
      ],
      ...sessions(csv("WorkoutExport.csv", ["Date", "Exercise", "Reps", "isWarmup"]), {
        start: "Date",
        by: [],
        set: setOf,
        decimal: "float",
      }),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ...SESSION_COLUMNS,
        ["Date", "datetime", { read: startOf }],
        [["Weight(kg)", "Weight", "Duration(s)", "Distance(m)"], "ignore", { ...inNotes, decimal: "float" }],
        [["Exercise", "Sets", "Reps"], "ignore", inNotes],
        [["Incline", "Resistance", "isWarmup", "Note", "multiplier"], "ignore", inNotes],
      ],
    },
  ],
  leaves: {},
});
