/** The Attackpoint training log: a CSV file. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { csvEach } from "../table/sources/csv-source.ts";

const none = "none" as const;

const KNOWN_BY = ["activity", "t-intensity", "spiked", "restday"];

/** Why rows are no workouts. */
const [A_NOTE, A_REST] = [
  "a note about a day, and no workout: to load such notes, say --sport Note=other",
  "a day of rest",
];

/** A mark counts only if it is set. */
const ifSet = (text: string) => (text === "1" ? "yes" : undefined);
/** Times that mean "none": zero, and the placeholder of one second. */
const unlessPlaceholder = (text: string) => (/^00:00:0[01]$/.test(text) ? undefined : text);

/** The time in each intensity, from 0 to 5. */
const intensities = [0, 1, 2, 3, 4, 5].map(
  (level): ColumnRow => [`i${level}`, "unsupported", { label: `time at intensity ${level}`, read: unlessPlaceholder }],
);

export const attackpoint = platform({
  name: "attackpoint",
  title: "Attackpoint training log",
  howToGet: "attackpoint.org > Log > Export, as CSV.",
  workouts: [
    {
      from: csvEach(/\.csv$/i, KNOWN_BY),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            date: "2011-08-21",
            activity: "Running",
            workout: "race",
            time: "00:38:00",
            "distance(km)": "5.5",
            shoes: "VJ Bold",
          },
          gives: {
            date: "2011-08-21",
            activity: "run",
            type: "race",
            duration: "0:38:00",
            distance: "5.5 km",
            equipment: "VJ Bold",
          },
        },
      ],
      // biome-ignore format: a table is read by its columns
      columns: [
        ["date", "date"],
        // Attackpoint keeps only the whole hour.
        ["hour", "time", { read: (text) => `${text}:00`, expected: "an hour from 0 to 23" }],
        ["activity", "activity"],
        ["workout", "type"],
        ["keywords", "name"],
        ["time", "duration", { format: ["h:mm:ss"], read: unlessPlaceholder }],
        ["distance(km)", "distance", { unit: "km", zero: none }],
        ["ahr", "avgHR", { zero: none }],
        ["mhr", "maxHR", { zero: none }],
        ["rhr", "restHR", { zero: none }],
        ["weight(kg)", "weight", { unit: "kg", zero: none }],
        ["shoes", "equipment"],
        ["route", "course"],
        ["description", "notes"],
        ["private note", "notes", { label: "Private note", isPrivate: true }],
        ["controls", "notes", { label: "Controls" }],
        ["spiked", "notes", { label: "Controls found at once" }],
        ["climb(m)", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["intensity", "unsupported", { label: "intensity" }],
        ...intensities,
        ["sleep", "unsupported", { label: "sleep", unit: "h", zero: none }],
        ["injured", "unsupported", { label: "injured", read: ifSet }],
        ["sick", "unsupported", { label: "sick", read: ifSet }],
        ["restday", "unsupported", { label: "rest day", read: ifSet }],
        ["t-intensity", "ignore", { why: "follows from the times in each intensity" }],
      ],
      types: { intervals: "interval", hills: "hill" },
      skips: (cellOf, sports) => {
        // Whoever wants these notes in the log says the activity for them: --sport Note=other.
        if (cellOf("activity").toLowerCase() === "note") return sports.has("note") ? undefined : A_NOTE;
        const isEmpty = unlessPlaceholder(cellOf("time")) === undefined || cellOf("time") === "";
        return cellOf("restday") === "1" && isEmpty ? A_REST : undefined;
      },
      countsSkipped: [A_NOTE, A_REST],
    },
  ],
  // Many days have a note with them, beside the workouts.
  days: [
    {
      from: csvEach(/\.csv$/i, KNOWN_BY),
      columns: [
        ["date", "day"],
        ["rhr", "restHR", { zero: none }],
        ["weight(kg)", "weight", { unit: "kg", zero: none }],
      ],
    },
  ],
  // The file of a log has the number of the user.
  ownerFiles: [{ files: /(^|\/)log-(?<id>\d{1,20})-\d{4}-\d{2}-\d{2}[^/]*\.csv$/i }],
  leaves: {},
});
