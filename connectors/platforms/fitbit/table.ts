/** Fitbit and its successor Google Health: every exercise-0.json, and the newest tables. README.md lists the parts that are read or left out. */

import type { ColumnWords, WorkoutTable } from "../table/description.ts";
import { givenForRoads } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { OF_TABLES, withTables } from "./beside-tables.ts";
import { clockOfJson } from "./clock.ts";
import { exercises } from "./exercises.ts";
import { positions } from "./positions.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the platform's own" };

const UNITS: ReadonlyMap<string, string> = new Map([
  ["Kilometer", "km"],
  ["Mile", "mi"],
  ["Meter", "m"],
  ["Yard", "yd"],
]);

const WITH_UNIT =
  "a distanceUnit of Kilometer, Mile, Meter or Yard beside it. Where it has none, say it for all records: --distance-unit km, or --distance-unit mi";

/** The unit of a distance: its own, or the one that a person gave. */
const unitBy: ColumnWords["unitBy"] = (cellOf, _shown, _sport, given) => {
  const word = cellOf("distanceUnit");
  return word === "" ? givenForRoads(given) : UNITS.get(word);
};

/** The usual kind of entry is left out. */
const kindOf = (text: string) => (/^(tracker|mobile_run)$/.test(text) ? undefined : text.replaceAll("_", " "));

/** Turns `05/04/24` and `05/04/24 00:00:00` into a day. A day that has nothing is `null`. */
function isoDay(text: string): string | undefined {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d\d)\b/.exec(text) ?? [];
  return year === undefined ? undefined : `20${year}-${month}-${day}`;
}

const logged: WorkoutTable = {
  layout: "of Fitbit",
  from: withTables(
    json({
      // Its owner may have renamed a copy: `exercise-100 backup.json`. A name outside this pattern would count as left with its folder.
      files: /(^|\/)[^/]*exercise[^/]*\.json$/i,
      knownBy: ["logId", "activityName", "startTime", "logType"],
      lists: [["*"]],
    }),
  ),
  skips: (cellOf) => (cellOf(OF_TABLES.removed) === "" ? undefined : "removed by its owner"),
  dates: { order: "mdy", zone: "utc" },
  decimal: "float",
  trackDays: positions,
  clock: (session, rows) => clockOfJson(session, logged, rows),
  // biome-ignore format: a table is read by its columns
  columns: [
    ["logId", "id"],
    ["logId", "recorder", { read: () => "exercise.json" }],
    ["activityName", "activity"],
    ["startTime", "datetime", { expected: "month/day/year and a time, in UTC" }],
    [OF_TABLES.offset, "offset"],
    [OF_TABLES.removed, "ignore", { why: "such a row is skipped" }],
    ["distance", "distance", { unitBy, zero: none, expected: WITH_UNIT }],
    ["activeDuration", "duration", { format: ["milliseconds"], zero: none }],
    ["duration", "duration", { format: ["milliseconds"], zero: none, otherwise: true }],
    ["averageHeartRate", "avgHR"],
    ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
    ["elevationGain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
    ["steps", "unsupported", { label: "steps", zero: none }],
    ["swimLengths", "unsupported", { label: "lengths", zero: none }],
    ["poolLength", "unsupported", { label: "pool length", zero: none }],
    ["poolLengthUnit", "unsupported", { label: "unit of the pool length" }],
    ["logType", "unsupported", { label: "kind of entry", read: kindOf }],
    ["hasGps", "series", { label: "track", read: (text) => (text === "true" ? "not in the export" : undefined) }],
    ["distanceUnit", "ignore", { why: "read with its value" }],
    [["speed", "pace"], "ignore", derived],
    ...leftByName(["heartRateZones", "activityLevel", "activeZoneMinutes"]),
    [["originalStartTime", "originalDuration"], "ignore", { why: "as it was before its owner changed it" }],
    [["activityTypeId", "manualValuesSpecified", "source", "lastModified", "shouldFetchDetails", "hasActiveZoneMinutes", "tcxLink"], "ignore", inside],
  ],
};

export const fitbit = platform({
  name: "fitbit",
  title: "Fitbit or Google Health export",
  howToGet: "takeout.google.com, with Fitbit or Google Health selected; Google gives a zip.",
  // Both may have the same workout. The table comes first, because it has the zone and the highest heart rate.
  workouts: [exercises, logged],
  // A hundred exercises a file: `exercise-0.json`, `exercise-100.json`.
  numbered: [{ files: /(^|\/)exercise-(?<number>\d{1,7})(?!\d)[^/]{0,40}\.json$/i, numberAt: (place) => place * 100 }],
  // `weight-2024-05-04.json` is in pounds in every account. A resting heart rate of 0 stands for a day without one.
  days: [
    {
      from: json({ files: /(^|\/)weight-[^/]*\.json$/i, knownBy: ["logId", "weight", "date"], lists: [["*"]] }),
      columns: [
        ["date", "day", { read: isoDay }],
        ["weight", "weight", { unit: "lb", zero: none }],
      ],
    },
    {
      from: json({ files: /(^|\/)resting_heart_rate[^/]*\.json$/i, knownBy: ["dateTime", "value"], lists: [["*"]] }),
      columns: [
        [["value/date", "dateTime"], "day", { read: isoDay }],
        ["value/value", "restHR", { zero: none }],
      ],
    },
  ],
  recordings: /\.tcx$/i,
  filesByStart: true,
  ownerFiles: [{ files: /(^|\/)(Your Profile\/Profile\.csv|UserProfileData\.csv|Takeout\/Profile\/Profile\.json)$/ }],
  leaves: {
    "Global Export Data/": "steps, heart rates and sleep without a workout, and the weights of days without one",
    "Physical Activity/": "steps, heart rates and minutes without a workout",
    "Your Profile/": "the account",
    "distance*": "days, without a workout",
    "heart_rate*": "days, without a workout",
    "resting_heart_rate*": "days, without a workout",
    "weight-*": "weights of days, without a workout",
    "time_in_heart_rate_zones*": "days, without a workout",
    "*_active_minutes*": "days, without a workout",
    "sedentary_minutes*": "days, without a workout",
    "sleep*": "nights without a workout",
    "UserActivityProbabilities*": "what the platform thought of each minute",
    "UserSensorCompressionToken*": "marks of the platform's own",
    "gps_location_*": "positions of days; tracks are made of those of a workout",
    "README.txt": "a description",
  },
});
