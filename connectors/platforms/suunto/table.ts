/** Suunto: logs of the watch as JSON, SML and XML of Movescount, and summaries of the app. README.md lists the parts that are read or left out. */

import { isoOfMillis, offsetOfMinutes, startOfNight } from "../table/cells/instants.ts";
import type { ColumnRow, WorkoutTable } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { xml } from "../table/sources/xml-source.ts";
import { movescount } from "./movescount.ts";
import { lapsAsMade, samplesSum, withSamples } from "./samples.ts";
import { joinedSamples, type ReadSample, readSample, SAMPLE, trackOf, trackOfSml, withSamplesFile } from "./track.ts";
import { celsius, kilocalories, lapsOf, perMinute, sportOfApp, sportOfWatch, withMove } from "./values.ts";

const derived = { why: "follows from distance and time" };
const settings = { why: "settings of the watch" };

/** Members of a log's head, in JSON and in SML. */
// biome-ignore format: a table is read by its columns
const headOf = (at: string): readonly ColumnRow[] => [
  [`${at}ActivityType`, "activity", { read: sportOfWatch }],
  [`${at}Distance`, "distance", { unit: "m", zero: "none" }],
  [`${at}Notes`, "notes"],
  [`${at}Feeling`, "unsupported", { label: "feeling", unit: "of 5", zero: "none" }],
  [`${at}Energy`, "unsupported", { label: "calories", unit: "kcal", zero: "none", read: kilocalories }],
  [`${at}Ascent`, "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
  [`${at}Descent`, "unsupported", { label: "elevation loss", unit: "m", zero: "none" }],
  [`${at}Altitude/Max`, "unsupported", { label: "highest altitude", unit: "m" }],
  [`${at}Altitude/Min`, "unsupported", { label: "lowest altitude", unit: "m" }],
  [`${at}PoolLength`, "unsupported", { label: "pool length", unit: "m", zero: "none" }],
  [`${at}Speed/Max`, "unsupported", { label: "max speed", unit: "m/s", zero: "none" }],
  [[`${at}TimeISO8601`, `${at}Speed/Avg`], "ignore", derived],
  ...leftByName(["Speed/Min"], at),
  ...leftByName(["AscentTime", "DescentTime", "PoolLengths"], at),
  ...leftByName(["EPOC", "MAXVO2", "MoveType", "PeakTrainingEffect", "RecoveryTime", "TraingingLoadPeak"], at),
  [["Activity", "Device", "HrZones", "Personal", "SpeedZones", "Targets"].map((name) => at + name), "ignore", settings],
];

/** Averages and maxima of a log. */
// biome-ignore format: a table is read by its columns
const averagesOf = (at: string): readonly ColumnRow[] => [
  [`${at}HR/Avg`, "avgHR", { read: perMinute }],
  [`${at}HR/Max`, "maxHR", { read: perMinute }],
  [`${at}HR/Min`, "unsupported", { label: "lowest heart rate", unit: "a minute", zero: "none", read: perMinute }],
  [`${at}Cadence/Avg`, "unsupported", { label: "average cadence", unit: "a minute", zero: "none", read: perMinute }],
  [`${at}Cadence/Max`, "unsupported", { label: "max cadence", unit: "a minute", zero: "none", read: perMinute }],
  [`${at}Cadence/Min`, "unsupported", { label: "lowest cadence", unit: "a minute", zero: "none", read: perMinute }],
  [`${at}Temperature/Avg`, "unsupported", { label: "temperature at the wrist", unit: "C", read: celsius }],
  [`${at}Temperature/Max`, "unsupported", { label: "highest temperature at the wrist", unit: "C", read: celsius }],
  [`${at}Temperature/Min`, "unsupported", { label: "lowest temperature at the wrist", unit: "C", read: celsius }],
];

/** Members of logs in SML and XML. */
// biome-ignore format: a table is read by its columns
const movesOf = (at: string): readonly ColumnRow[] => [
  [`${at}DateTime`, "datetime"],
  ["offset", "offset", { read: offsetOfMinutes }],
  [`${at}Duration`, "duration", { format: ["seconds"] }],
  ...headOf(at),
  ...averagesOf(at),
  [`${at}Temperature`, "unsupported", { label: "temperature at the wrist", unit: "C", read: celsius }],
  ["lapList", "laps", { laps: lapsAsMade }],
  ["Samples/series", "series", { label: "recorded series" }],
  ["Samples/legs", "unsupported", { label: "legs of several sports" }],
  ["Samples", "ignore", { why: "read by its parts" }],
];

/** The start of such logs. */
const clockOf = (at: string): Pick<WorkoutTable, "dates" | "decimal" | "sameBy"> => ({
  dates: { order: "iso", zone: "local" },
  decimal: "float",
  sameBy: (cellOf) => startOfNight(cellOf(`${at}DateTime`), cellOf("offset")),
});

export const suunto = platform({
  name: "suunto",
  title: "Suunto export",
  howToGet:
    "Suunto app or its storage on an Android phone: JSON files of workouts. Moveslink2: SML files. Movescount: XML files.",
  workouts: [
    {
      layout: "device logs",
      from: json({
        files: /\.json$/i,
        knownBy: ["DeviceLog"],
        lists: [],
        series: ["Samples", "R-R"],
        completes: withMove,
      }),
      track: trackOf,
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      sameBy: (cellOf) => cellOf("DeviceLog/Header/DateTime"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["DeviceLog/Header/DateTime", "datetime"],
        ["moving", "moving"],
        ["DeviceLog/Header/Duration", "elapsed"],
        ["DeviceLog/Header/PauseDuration", "ignore", { why: "the time that passed, without the time that the athlete moved" }],
        ...headOf("DeviceLog/Header/"),
        ...averagesOf("move/"),
        ["move/Speed/Max", "unsupported", { label: "max speed", unit: "m/s", zero: "none" }],
        ["move", "ignore", { why: "read by its parts" }],
        ["DeviceLog/Windows", "laps", { laps: lapsOf }],
        ["DeviceLog/Samples", "series", { label: "recorded series" }],
        ["DeviceLog/R-R", "unsupported", { label: "recorded beats" }],
        ["DeviceLog/Device", "ignore", settings],
      ],
    },
    {
      layout: "SML",
      from: xml({
        files: /\.sml$/i,
        path: ["sml", "DeviceLog"],
        knownBy: ["Header"],
        skips: ["R-R"],
        sums: { Samples: samplesSum },
        gathers: { Samples: { points: "Sample", members: SAMPLE } },
        completes: (log) => withSamples(log, "Header"),
      }),
      track: trackOfSml,
      ...clockOf("Header/"),
      columns: [...movesOf("Header/"), [["R-R", "Device"], "ignore", settings]],
    },
    {
      layout: "Movescount",
      from: movescount(),
      ...clockOf("header/"),
      columns: [...movesOf("header/"), [["IBI", "Device"], "ignore", settings]],
    },
    {
      layout: "summaries of the app",
      from: json({
        files: /(summary|workouts)[^/]*\.json$/i,
        knownBy: ["workoutKey", "activityId", "startTime", "totalTime"],
        lists: [["*"]],
        completes: withSamplesFile,
      }),
      trackFiles: {
        columns: ["samples file"],
        byPath: true,
        files: /samples[^/]{0,100}\.json$/i,
        list: { at: ["Samples"], keep: readSample },
        track: (samples) => joinedSamples(samples as readonly ReadSample[]),
      },
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["workoutKey", "id"],
        ["startTime", "datetime", { read: isoOfMillis }],
        ["timeOffsetInMinutes", "offset", { read: offsetOfMinutes }],
        ["activityId", "activity", { read: sportOfApp }],
        ["description", "notes"],
        ["totalTime", "duration", { format: ["seconds"] }],
        ["totalDistance", "distance", { unit: "m", zero: "none" }],
        ["hrdata/avg", "avgHR"],
        ["hrdata/max", "maxHR"],
        ["totalAscent", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["totalDescent", "unsupported", { label: "elevation loss", unit: "m", zero: "none" }],
        ["maxSpeed", "unsupported", { label: "max speed", unit: "m/s", zero: "none" }],
        ["energyConsumption", "unsupported", { label: "energy", zero: "none" }],
        ["isManuallyAdded", "unsupported", { label: "typed by hand", read: (text) => (text === "true" ? text : undefined) }],
        [["avgSpeed", "avgPace", "stopTime"], "ignore", derived],
        ["samples file", "ignore", { why: "names the file with its points" }],
        ["startPosition", "ignore", { why: "the first position of the recorded route" }],
        ...leftByName(["cadence"]),
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: {},
});
