/** Smashrun: runs that programs save from its interface. README.md lists the parts that are read or left out. */
import type { TableLap } from "../table/mapping/fields.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { trackOf, withLaps } from "./values.ts";

const none = "none" as const;
const readByParts = { why: "read by its parts" };
const lapsAsMade = (laps: unknown) => laps as readonly TableLap[];

export const smashrun = platform({
  name: "smashrun",
  title: "Smashrun runs",
  howToGet: "Smashrun gives a TCX or GPX file for each run; programs that ask its service save JSON.",
  workouts: [
    {
      from: json({
        files: /\.(json|jsonl|ndjson)$/i,
        knownBy: ["activityId", "startDateTimeLocal", "duration"],
        lists: [["*"]],
        linewise: true,
        series: ["recordingValues"],
        completes: withLaps,
      }),
      track: trackOf,
      filesById: true,
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["activityId", "id"],
        ["startDateTimeLocal", "datetime"],
        ["activityType", "activity"],
        ["notes", "notes"],
        ["duration", "duration", { format: ["seconds"], zero: none }],
        ["distance", "distance", { unit: "km", zero: none }],
        ["heartRateAverage", "avgHR", { zero: none }],
        ["heartRateMax", "maxHR", { zero: none }],
        ["temperature", "temperature", { unit: "C" }],
        ["weatherType", "conditions"],
        ["howFelt", "unsupported", { label: "how it felt" }],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["heartRateMin", "unsupported", { label: "lowest heart rate", unit: "a minute", zero: none }],
        ["cadenceAverage", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["cadenceMax", "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ["cadenceMin", "unsupported", { label: "lowest cadence", unit: "a minute", zero: none }],
        ["temperatureApparent", "unsupported", { label: "temperature as it felt", unit: "C" }],
        ["terrain", "unsupported", { label: "terrain" }],
        ["source", "unsupported", { label: "source" }],
        ["recordingKeys", "series", { label: "recorded series" }],
        [["recordingValues", "laps"], "ignore", readByParts],
        [["startLatitude", "startLongitude"], "ignore", { why: "the first point of the track" }],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  leaves: {},
});
