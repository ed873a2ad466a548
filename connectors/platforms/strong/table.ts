/** The Strong export: one table with a row for each set. README.md lists the parts that are read or left out. */
import { fold } from "../table/columns/columns.ts";
import type { ColumnRow, RowSource, WorkoutTable } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { csv, csvEach } from "../table/sources/csv-source.ts";
import { SESSION_COLUMNS, sessions } from "../table/sources/sessions.ts";
import { headless, inOtherLanguage } from "./headless.ts";
import { COLUMNS, clock, leftRunning, setOf } from "./values.ts";

const inNotes = { why: "in the words of the set" };

// biome-ignore format: a table is read by its columns
const columns: readonly ColumnRow[] = [
  [COLUMNS.workoutNotes, "notes"],
  ...SESSION_COLUMNS,
  [COLUMNS.date, "datetime"],
  [COLUMNS.workout, "name"],
  [COLUMNS.duration, "duration", { format: ["h:mm:ss", "text"], read: clock }],
  ["Duration (sec)", "duration", { format: ["seconds"], read: clock }],
  [COLUMNS.duration, "unsupported", { label: "clock left running", read: leftRunning }],
  ["Duration (sec)", "unsupported", { label: "clock left running", unit: "s", read: leftRunning }],
  [COLUMNS.exercise, "ignore", inNotes],
  [COLUMNS.order, "ignore", inNotes],
  [[...COLUMNS.weight, "Weight (kg)", "Weight (lbs)", "kg"], "ignore", { ...inNotes, decimal: "float" }],
  [COLUMNS.reps, "ignore", inNotes],
  [[...COLUMNS.distance, "Distance (meters)", "km"], "ignore", { ...inNotes, decimal: "float" }],
  [[...COLUMNS.seconds, "RPE"], "ignore", { ...inNotes, decimal: "float" }],
  [["Weight Unit", "Distance Unit"], "ignore", inNotes],
  [COLUMNS.notes, "ignore", inNotes],
  ["Workout #", "ignore", { why: "counts the workouts of one export" }],
];

const tableOf = (source: RowSource): WorkoutTable => ({
  ...sessions(source, { start: COLUMNS.date, by: [COLUMNS.workout], set: setOf }),
  dates: { order: "iso", zone: "local" },
  columns,
});

export const strong = platform({
  name: "strong",
  title: "Strong export",
  howToGet: "Strong > Profile > Settings > Export Strong data; it makes one CSV file.",
  workouts: [
    tableOf(csv(undefined, [COLUMNS.date, COLUMNS.workout, COLUMNS.exercise, COLUMNS.order, COLUMNS.reps])),
    tableOf(headless),
    { ...tableOf(inOtherLanguage), onlyAlone: true },
  ],
  days: [
    {
      from: csvEach(/\.csv$/i, (header) => /^date,weight \((?:kg|lbs)\)$/.test(header.map(fold).join())),
      columns: [
        ["Date", "day", { read: (text) => text.slice(0, 10) }],
        ["Weight (kg)", "weight", { unit: "kg", zero: "none" }],
        ["Weight (lbs)", "weight", { unit: "lb", zero: "none" }],
      ],
    },
  ],
  leaves: { "*weight*": "weights of days without a workout" },
});
