/** Polar before Flow: ProTrainer 5, polarpersonaltrainer.com and the UpLink Tool. README.md lists the parts that are read or left out. */

import type { DayTable } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { givenForRoads } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { xml } from "../table/sources/xml-source.ts";
import { dayNotes, proTrainer } from "./protrainer.ts";
import { samplesSum, secondsOf, withLaps, withStart } from "./values.ts";

const derived = { why: "follows from distance and time" };
const settings = { why: "settings of the watch and of the athlete" };
const readByParts = { why: "read by its parts" };
const lapsAsMade = (laps: unknown) => laps as readonly TableLap[];

/** The settings in an HRM file. */
const SETTINGS = [
  ...["Version", "Monitor", "Mode", "SMode", "Interval", "StartDelay", "ActiveLimit", "MaxHR", "VO2max"],
  ...["Upper1", "Lower1", "Upper2", "Lower2", "Upper3", "Lower3", "Timer1", "Timer2", "Timer3"],
];

/**
 * The athlete's weight and resting heart rate in the settings of each exercise, as they were on its day. As columns of the workouts they would change the
 * keys of rows without an id.
 */
const dailySettings: DayTable = {
  from: xml({
    files: /\.(xml|ped)$/i,
    path: ["polar-exercise-data", "calendar-items", "exercise"],
    knownBy: ["created"],
    sums: { samples: samplesSum },
  }),
  columns: [
    ["time", "day", { read: (text) => text.slice(0, 10) }],
    ["result/user-settings/weight", "weight", { unit: "kg", zero: "none" }],
    ["result/user-settings/heart-rate/resting", "restHR", { zero: "none" }],
  ],
  besideWorkouts: true,
};

export const polarBeforeFlow = platform({
  name: "polar-before-flow",
  title: "Polar export from before Flow",
  howToGet:
    "Copy the folder of ProTrainer 5 (HRM and PDD files), or the .xml and .ped files of polarpersonaltrainer.com.",
  workouts: [
    {
      layout: "ProTrainer",
      from: proTrainer(),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      filesByName: true,
      sameBy: (cellOf) => cellOf("start"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["untimed", "untimed"],
        ["sport", "activity"],
        ["title", "name"],
        ["notes", "notes"],
        ["lapNotes", "notes", { label: "Laps" }],
        ["link", "notes", { label: "Link" }],
        ["seconds", "elapsed", { zero: "none" }],
        ["metres", "distance", { unit: "m", zero: "none" }],
        ["distance", "distance", { unitBy: (cellOf, _shown, _sport, given) => cellOf("unit") || givenForRoads(given), zero: "none", otherwise: true, expected: "its unit, which the file does not say. Say it for all records: --distance-unit km, or --distance-unit mi" }],
        ["avgHR", "avgHR"],
        ["maxHR", "maxHR"],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["lapDistances", "unsupported", { label: "laps whose distance isn't sure", zero: "none" }],
        ["gpx", "file"],
        ["kilocalories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["feeling", "unsupported", { label: "feeling", unit: "of 5, where 0 is good" }],
        ["recovery", "unsupported", { label: "recovery", unit: "of 4" }],
        ["series", "unsupported", { label: "recorded series" }],
        ["unit", "ignore", { why: "read with the distance" }],
        ["twin", "ignore", { why: "such a file is skipped" }],
        ["settings/RestHR", "unsupported", { label: "resting heart rate of the watch's settings", zero: "none" }],
        ["settings/Weight", "unsupported", { label: "weight of the watch's settings", zero: "none" }],
        [SETTINGS.map((name) => `settings/${name}`), "ignore", settings],
      ],
      skips: (cellOf) => (cellOf("twin") === "" ? undefined : `the beats of ${cellOf("twin")}`),
    },
    {
      layout: "polarpersonaltrainer.com",
      from: xml({
        files: /\.(xml|ped)$/i,
        path: ["polar-exercise-data", "calendar-items", "exercise"],
        knownBy: ["created"],
        sums: { samples: samplesSum },
        completes: withLaps,
      }),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["time", "datetime"],
        ["sport", "activity"],
        ["result/speed/type", "activity", { otherwise: true }],
        ["name", "name"],
        ["note", "notes"],
        ["result/duration", "duration", { format: ["seconds"], read: secondsOf }],
        ["result/distance", "distance", { unit: "m", zero: "none" }],
        ["result/heart-rate/average", "avgHR"],
        ["result/heart-rate/maximum", "maxHR"],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["result/calories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        [["result/speed/speed/maximum", "result/speed/maximum"], "unsupported", { label: "max speed", unit: "km/h", zero: "none" }],
        ["result/samples/types", "unsupported", { label: "recorded series" }],
        [["result/speed/speed/average", "result/speed/average"], "ignore", derived],
        [["result/laps", "result/autolaps"], "ignore", readByParts],
        ...leftByName(["zones", "summary-zone"], "result/"),
        [["result/user-settings", "result/recording-rate"], "ignore", settings],
        ["created", "ignore", { why: "when the exercise was sent, and not when it was done" }],
      ],
    },
    {
      layout: "RS200",
      from: xml({ files: /\.xml$/i, path: ["rs200_session"], knownBy: ["session_data"], completes: withStart }),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      // The RS200 is a watch for runners.
      sport: "run",
      sameBy: (cellOf) => cellOf("start"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["session_data/name", "name"],
        ["session_data/summary/length", "duration", { format: ["seconds"] }],
        ["session_data/summary/total_distance", "distance", { unit: "m", zero: "none" }],
        ["session_data/summary/avg_hr", "avgHR"],
        ["session_data/summary/max_hr", "maxHR"],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["session_data/summary/calories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["session_data/summary/max_pace", "unsupported", { label: "fastest pace", unit: "s/km", zero: "none" }],
        ["session_data/summary/avg_pace", "ignore", derived],
        ...leftByName(["best_lap", "best_laptime", "number_of_laps"], "session_data/summary/"),
        [["year", "month", "day", "start_hour", "start_minute", "start_second", "laps"].map((name) => `session_data/${name}`), "ignore", readByParts],
        [["session_data/summary/max_set_hr", "session_data/has_pace_data", "user"], "ignore", settings],
        ...leftByName(["limiterzones", "sportzones"], "session_data/"),
        ["id", "ignore", { why: "the name and the start once more" }],
      ],
    },
  ],
  days: [
    dailySettings,
    {
      from: dayNotes(),
      columns: [
        ["day", "day"],
        ["note", "left", { label: "notes of a day" }],
      ],
      besideWorkouts: true,
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  leaves: {
    "*.ppp": "the person's own list of sports, whose layout isn't known",
    "*.PPP": "the person's own list of sports, whose layout isn't known",
  },
});
