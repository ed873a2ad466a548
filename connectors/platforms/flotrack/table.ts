/** The FloTrack running log, which closed: one CSV file. README.md lists the parts that are read or left out. */

import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csvEach } from "../table/sources/csv-source.ts";

const UNITS: Readonly<Record<string, string>> = { miles: "mi", km: "km" };

/** The word in the column. Without a word, the sport is running. Many rides have their sport only in the name: `Home and back (bike)`. */
function sportOf(cellOf: CellOf): string {
  const word = cellOf("Cross Train Type");
  if (word !== "") return word;
  return /\(bike\)/i.test(cellOf("Name")) ? "bike" : "run";
}

/** The time in seconds. Rides without a time have 0 minutes and 0 seconds. Cells that are no numbers are given as they are, so that they are named. */
function secondsOf(cellOf: CellOf): string {
  const [minutes, seconds] = [cellOf("Minutes"), cellOf("Seconds")];
  const typed = /^(\d{1,4}):([0-5]\d)$/.exec(minutes);
  const all =
    typed !== null && Number(seconds) === 0
      ? Number(typed[1]) * 60 + Number(typed[2])
      : Number(minutes) * 60 + Number(seconds);
  if (Number.isNaN(all)) return `${minutes} min ${seconds || 0} s`;
  return all > 0 ? String(all) : "";
}

/** Older rows have a backslash before each apostrophe. */
const withoutBackslashes = (text: string) => text.replaceAll("\\'", "'");

export const flotrack = platform({
  name: "flotrack",
  title: "FloTrack running log",
  howToGet: "FloTrack closed. Take the CSV file YYYYMMDD-running-logs.csv that you saved before.",
  workouts: [
    {
      from: withCells(csvEach(/\.csv$/i, ["Minutes", "Seconds", "Unit", "Feel", "Cross Train Type"]), {
        sport: sportOf,
        "seconds in all": secondsOf,
      }),
      dates: { order: "iso", zone: "local" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Date", "date"],
        ["Name", "name", { read: withoutBackslashes }],
        ["sport", "activity"],
        ["seconds in all", "duration", { format: ["seconds"] }],
        [["Minutes", "Seconds"], "ignore", { why: "read as seconds in all" }],
        ["Distance", "distance", { unitBy: (cellOf) => UNITS[cellOf("Unit").toLowerCase()], zero: "none" }],
        ["Notes", "notes", { read: withoutBackslashes }],
        ["Feel", "unsupported", { label: "feel, of 5", zero: "none" }],
        [["Field 1", "Field 2"], "notes", { label: "Field of your own" }],
        ["Unit", "ignore", { why: "read with the distance" }],
        ["Cross Train Type", "ignore", { why: "read with the sport" }],
        ["Pace", "ignore", { why: "follows from distance and time" }],
        [["Calulate Pace", "Calculate Pace"], "ignore", { why: "a mark of the platform's own" }],
      ],
      sports: { core: "weight", mountainbike: "bike", skiing: "ski" },
    },
  ],
  leaves: {},
});
