/** Dailymile entries that people saved before the service closed in 2018. README.md lists the parts that are read or left out. */
import { MIDNIGHT_OR_NOON } from "../../../transforms/model/workout.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { type JsonRow, json } from "../table/sources/json-source.ts";

const none = "none" as const;
const UNITS: Readonly<Record<string, string>> = { miles: "mi", kilometers: "km", meters: "m", yards: "yd" };

/**
 * If an entry had no time of day, dailymile wrote local midnight or noon as UTC. In every zone with whole hours, that is a whole hour. Which whole hours
 * are midnight or noon shows only where the zone is known.
 */
const WHOLE_HOUR = /T\d\d:00:00Z$/;

function unitOf(cellOf: CellOf): string | undefined {
  return UNITS[cellOf("distance_units").toLowerCase()];
}

const A_POST = "a post without a workout";

/** Marks an entry whose time stands for none. */
const withClock = (entry: JsonRow): JsonRow => ({
  ...entry,
  ...(WHOLE_HOUR.test(`${entry.at}`) && { "no time of day": MIDNIGHT_OR_NOON }),
});

export const dailymile = platform({
  name: "dailymile",
  title: "Dailymile entries",
  howToGet: "dailymile closed in 2018. Take the TSV or CSV file that an exporter saved before.",
  workouts: [
    {
      from: withCells(csvEach(/\.(tsv|csv)$/i, ["activity_type", "felt", "distance_units", "duration_seconds"]), {
        "no time of day": (cellOf) => (WHOLE_HOUR.test(cellOf("timestamp")) ? MIDNIGHT_OR_NOON : ""),
      }),
      dates: { order: "iso", zone: "utc" },
      golden: [
        {
          cells: {
            timestamp: "2010-05-29T12:30:00",
            title: "Hills",
            activity_type: "Running",
            duration_seconds: "2400",
            gear: "None",
          },
          gives: { date: "2010-05-29", name: "Hills", activity: "run", duration: "0:40:00" },
        },
      ],
      nulls: ["None"],
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["timestamp", "datetime"],
        ["no time of day", "untimed"],
        ["title", "name"],
        ["activity_type", "activity"],
        ["duration_seconds", "duration", { format: ["seconds"], zero: none }],
        ["distance", "distance", { unitBy: unitOf, zero: none }],
        ["distance_units", "ignore", { why: "read with the distance" }],
        ["description", "notes"],
        ["gear", "equipment"],
        ["felt", "unsupported", { label: "felt" }],
        ["effort_outof_5", "unsupported", { label: "effort, of 5", zero: none }],
        ["weather", "notes", { label: "Weather" }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["url", "ignore", { why: "the service is gone" }],
      ],
      skips: (cellOf) => (/^(?:None)?$/.test(cellOf("activity_type")) ? A_POST : undefined),
      countsSkipped: [A_POST],
    },
    {
      layout: "JSON",
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "url", "at"],
        marks: ["workout", "activity_type", "felt"],
        lists: [["entries", "*"], ["*"]],
        completes: withClock,
      }),
      onlyAlone: true,
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["at", "datetime"],
        ["no time of day", "untimed"],
        ["workout/title", "name"],
        ["workout/activity_type", "activity"],
        ["workout/duration", "duration", { format: ["seconds"], zero: none }],
        ["workout/distance/value", "distance", { unitBy: (cellOf) => UNITS[cellOf("workout/distance/units").toLowerCase()], zero: none }],
        ["workout/distance/units", "ignore", { why: "read with the distance" }],
        ["message", "notes"],
        ["location/name", "notes", { label: "Location" }],
        ["workout/felt", "unsupported", { label: "felt" }],
        ["url", "ignore", { why: "the service is gone" }],
      ],
      skips: (cellOf) => (cellOf("workout/activity_type") === "" ? A_POST : undefined),
      countsSkipped: [A_POST],
    },
  ],
  // These files have no times. Each is the line of a route, and not a recording.
  recordings: /\.gpx$/i,
  leaves: {},
});
