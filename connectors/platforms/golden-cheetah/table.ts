/** Golden Cheetah: the activities of an athlete's folder. README.md lists the parts that are read or left out. */
import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { mended, trackOf } from "./track.ts";
import { utcOf, withSamples, withTotals } from "./values.ts";

const derived = { why: "follows from the start and the recorded series" };
const inside = { why: "a mark of the program's own" };

/** The path to a value that a person typed over the measured one. */
const typed = (name: string) => `OVERRIDES/${name}/value`;
const tags = (...names: readonly string[]) => names.map((name) => `TAGS/${name}`);

/** What a person types about a ride. */
// biome-ignore format: a table is read by its columns
const typedTags: readonly ColumnRow[] = [
  ["TAGS/Workout Title", "name"],
  ["TAGS/Workout Code", "type"],
  ["TAGS/Notes", "notes"],
  ["TAGS/Objective", "notes", { label: "Objective" }],
  ["TAGS/Keywords", "notes", { label: "Keywords" }],
  ["TAGS/Route", "course"],
  ["TAGS/Equipment", "equipment"],
  ["TAGS/RPE", "effort", { zero: "none" }],
  ["TAGS/Weight", "weight", { unit: "kg", zero: "none" }],
];

/** What else Golden Cheetah writes about a ride. Any other tag is one of the person's own. */
// biome-ignore format: a table is read by its columns
const otherTags: readonly ColumnRow[] = [
  ["TAGS/Feel", "unsupported", { label: "feel", unit: "of 100", zero: "none" }],
  ["TAGS/SubSport", "unsupported", { label: "kind of sport" }],
  ["TAGS/Commute", "unsupported", { label: "commute", zero: "none" }],
  ["TAGS/Trainer", "unsupported", { label: "indoor", zero: "none" }],
  ["TAGS/Pool Length", "unsupported", { label: "pool length", zero: "none" }],
  [tags("Athlete", "Calendar Text", "Change History", "Data", "Device", "Device Info", "File Format", "Filename", "Source Filename"), "ignore", inside],
  [tags("Month", "Weekday", "Year", "Start Date", "Start Time", "Recording Interval", "Duration", "Time Moving", "Time Riding", "Distance", "Work", "Elevation Gain", "Average Speed", "Average Power", "Average Heart Rate"), "ignore", derived],
];

export const goldenCheetah = platform({
  name: "golden-cheetah",
  title: "Golden Cheetah library",
  howToGet: "Copy the athlete's folder from the library of Golden Cheetah; its activities lie in activities/.",
  workouts: [
    {
      from: json({
        files: /^(?!(?:.*\/)?(?:planned|config|cache|tempActivities)\/).*\.json$/i,
        knownBy: ["STARTTIME", "RECINTSECS"],
        lists: [["RIDE"]],
        bare: true,
        series: ["REFERENCES", "XDATA", "CALIBRATIONS"],
        summarises: ["SAMPLES"],
        completes: withSamples,
        mends: mended,
      }),
      track: trackOf,
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      sameBy: (cellOf) => cellOf("STARTTIME"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["local", "datetime"],
        ["STARTTIME", "instant", { read: utcOf }],
        ["TAGS/Sport", "activity"],
        ...typedTags,
        [typed("total_distance"), "distance", { unit: "km", zero: "none" }],
        ["SAMPLES/KM/last", "distance", { unit: "km", zero: "none", otherwise: true }],
        [[typed("time_riding"), typed("time_moving")], "moving"],
        [typed("workout_time"), "elapsed"],
        ["seconds", "elapsed", { otherwise: true }],
        [typed("average_hr"), "avgHR"],
        ["SAMPLES/HR/mean", "avgHR", { otherwise: true }],
        [typed("max_heartrate"), "maxHR"],
        ["SAMPLES/HR/max", "maxHR", { otherwise: true }],
        ["SAMPLES/WATTS/mean", "unsupported", { label: "average power while pedalling", unit: "W", zero: "none" }],
        ["SAMPLES/WATTS/max", "unsupported", { label: "max power", unit: "W", zero: "none" }],
        [typed("elevation_gain"), "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        [typed("total_work"), "unsupported", { label: "work", unit: "kJ", zero: "none" }],
        [typed("average_speed"), "ignore", { why: "follows from distance and time" }],
        ...otherTags,
        ["series", "series", { label: "recorded series" }],
        ["INTERVALS", "unsupported", { label: "intervals" }],
        ["SAMPLES", "ignore", { why: "summed up" }],
        [["REFERENCES", "XDATA", "CALIBRATIONS"], "ignore", inside],
        [["RECINTSECS", "DEVICETYPE", "IDENTIFIER"], "ignore", inside],
      ],
    },
    {
      layout: "a list of rides",
      from: json({
        files: /\.json$/i,
        knownBy: ["date", "METRICS"],
        lists: [["RIDES", "*"]],
        completes: withTotals,
      }),
      onlyAlone: true,
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      sameBy: (cellOf) => cellOf("date"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["local", "datetime"],
        ["date", "instant", { read: utcOf }],
        ["sport", "activity"],
        ...typedTags,
        ["totals/total_distance", "distance", { unit: "km", zero: "none" }],
        [["totals/time_riding", "totals/time_moving"], "moving", { zero: "none" }],
        ["totals/workout_time", "elapsed", { zero: "none" }],
        ["totals/average_hr", "avgHR", { zero: "none" }],
        ["totals/max_heartrate", "maxHR", { zero: "none" }],
        ["totals/elevation_gain", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["totals/total_work", "unsupported", { label: "work", unit: "kJ", zero: "none" }],
        [["METRICS", "totals"], "ignore", { why: "read by their parts, and many more that follow from them" }],
        ["TAGS/Sport", "ignore", { why: "the same as sport" }],
        ...otherTags,
        ["weight", "unsupported", { label: "last weight that was typed", unit: "kg", zero: "none" }],
        [["filename", "data", "INTERVALS", "crc", "fingerprint", "timestamp", "metacrc", "present", "color", "samples", "zonerange", "hrzonerange", "pacezonerange", "planned", "linkedfilename", "overrides", "XDATA"], "ignore", inside],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  ownerFiles: [{ files: /(^|\/)activities\/[^/]*\.json$/, head: /"Athlete"\s*:\s*"(?<name>[^"\\]+)"/ }],
  leaves: {
    "planned/": "plans",
    "config/": "settings",
    "cache/": "the same once more, summed up",
    "*.csv": "the series of rides without their places",
    "tempActivities/": "activities that nobody kept",
  },
  leavesWorkouts: ["planned/", "tempActivities/"],
});
