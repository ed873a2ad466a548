/** The JEFIT backup: sessions, their exercises and their sets in one text file. README.md lists the parts that are read or left out. */
import { START_IN_UTC } from "../../../transforms/model/workout.ts";
import { platform } from "../table/platform.ts";
import { SESSION_COLUMNS, sessions } from "../table/sources/sessions.ts";
import { backup } from "./source.ts";

const inNotes = { why: "in the words of the set" };

export const jefit = platform({
  name: "jefit",
  title: "JEFIT backup",
  howToGet: "JEFIT > Settings > Backup & export; it makes one text file with many tables.",
  workouts: [
    {
      ...sessions(backup, {
        start: "mydate",
        by: ["session", "instant"],
        set: (cellOf) => ({
          exercise: cellOf("ename"),
          more: cellOf("words"),
          reps: cellOf("reps"),
          weight: cellOf("weight"),
          weightUnit: cellOf("unit"),
          distance: cellOf("miles"),
          distanceUnit: "mi",
          seconds: cellOf("seconds"),
        }),
      }),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ...SESSION_COLUMNS,
        ["mydate", "date"],
        ["instant", "instant"],
        ["total_time", "duration", { format: ["seconds"], zero: "none" }],
        ["start in UTC", "instant"],
        ["start in UTC", "unsupported", { label: START_IN_UTC }],
        ["workout_time", "unsupported", { label: "time of exercise", zero: "none" }],
        ["rest_time", "unsupported", { label: "time of rest", zero: "none" }],
        ["wasted_time", "unsupported", { label: "wasted time", zero: "none" }],
        ["session", "ignore", { why: "joins the tables" }],
        [["ename", "weight", "unit", "reps", "miles", "seconds", "words"], "ignore", inNotes],
      ],
    },
  ],
  leaves: {},
});
