/** The Concept2 Logbook: a CSV file a season. README.md lists the parts that are read or left out. */

import type { TableLap } from "../table/mapping/fields.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { intervalsOf } from "./intervals.ts";

const derived = { why: "follows from distance and time" };
const none = "none" as const;

export const concept2 = platform({
  name: "concept2",
  title: "Concept2 Logbook",
  howToGet: "log.concept2.com > History > Season > Download CSV, for each season.",
  workouts: [
    {
      from: withCells(csvEach(/\.csv$/i, ["Work Time (Seconds)", "Work Distance", "Description"]), {
        // A piece that a person typed has no time of day.
        "no time of day": (cellOf) => (cellOf("Date").endsWith(" 00:00:00") ? "yes" : ""),
        intervals: intervalsOf,
      }),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            Date: "2018-04-22 10:24:00",
            Description: "10x0:30/1:00r row",
            "Work Time (Seconds)": "300",
            "Work Distance": "1497",
            Type: "Indoor Rower",
          },
          gives: {
            date: "2018-04-22",
            time: "10:24:00",
            name: "10x0:30/1:00r row",
            duration: "0:05:00",
            distance: "1497 m",
            activity: "row",
          },
        },
      ],
      sameBy: (cellOf) => [cellOf("Date"), cellOf("Description"), cellOf("Work Distance")].join("\n"),
      // biome-ignore format: a table is read by its columns
      columns: [
        [["Log ID", "ID"], "id"],
        ["Date", "datetime"],
        ["no time of day", "untimed"],
        ["Type", "activity"],
        ["Description", "name"],
        ["Work Time (Seconds)", "duration", { format: ["seconds"], zero: none }],
        ["Work Distance", "distance", { unit: "m", zero: none }],
        ["intervals", "laps", { laps: (laps) => laps as readonly TableLap[] }],
        ["Avg Heart Rate", "avgHR", { zero: none }],
        ["Comments", "notes"],
        ["Rest Time (Seconds)", "unsupported", { label: "rest", unit: "s", zero: none }],
        ["Rest Distance", "unsupported", { label: "distance in the rests", unit: "m", zero: none }],
        [["Stroke Rate/Cadence", "Stroke Rate"], "unsupported", { label: "stroke rate", unit: "a minute", zero: none }],
        ["Stroke Count", "unsupported", { label: "strokes", zero: none }],
        ["Avg Watts", "unsupported", { label: "average power", unit: "W", zero: none }],
        ["Total Cal", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["Drag Factor", "unsupported", { label: "drag factor", zero: none }],
        ["Ranked", "unsupported", { label: "ranked", read: (text) => (text === "Yes" ? "yes" : undefined) }],
        [["Work Time (Formatted)", "Rest Time (Formatted)"], "ignore", { why: "the same in seconds stands beside it" }],
        [["Pace", "Cal/Hour"], "ignore", derived],
        ["Age", "ignore", { why: "of the person, and not of the piece" }],
        ["Weight", "ignore", { why: "the weight class of the ranking, and not a weight" }],
        ["Date Entered", "ignore", { why: "a mark of the platform's own" }],
      ],
      sports: { "Indoor Rower": "row", RowErg: "row", SkiErg: "ski", BikeErg: "bike" },
    },
  ],
  leaves: {},
});
