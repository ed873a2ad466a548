/** Polar Flow: the training sessions of an account's export, in the old and the new layout. README.md lists the parts that are read or left out. */

import type { Activity } from "../../../transforms/activities.ts";
import { offsetOfMinutes } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { trackOf } from "./track.ts";
import {
  lapsOf,
  OFFSETS,
  SESSION_CALORIES,
  sameStart,
  secondsOf,
  sportOf,
  withoutNaN,
  withoutRepeatedCalories,
} from "./values.ts";

const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the service's own" };
const noWorkout = "no workout";

/** Numbers of sports that no source names and the log lacks. */
const OTHERS = [
  ...[10, 56, 61, 62, 63, 67, 88, 89, 90, 91, 100, 101, 102, 104, 107, 108, 109, 110, 114, 115],
  ...[129, 130, 131, 133, 134, 136, 137, 139, 140, 141, 142, 143],
];

/** The path to a value of a statistic. */
const statistic = (type: string, value: string) =>
  `exercises/statistics/statistics[type=STATISTICS_TYPE_${type}]/${value}`;

const CALENDAR = /(^|\/)calendar-items[^/]*\.json$/i;

/** The day of `2025-07-04T06:00:00`. */
const dayOf = (text: string) => text.slice(0, 10);

export const polar = platform({
  name: "polar",
  title: "Polar Flow export",
  howToGet: "account.polar.com > Download your data; a link to the zip comes by mail.",
  workouts: [
    {
      layout: [
        [/"timezoneOffsetMinutes"/, "with timezoneOffsetMinutes"],
        [/"exportVersion"\s*:\s*"([^"]{1,20})"/, "of version $1"],
      ],
      from: json({
        files: /(^|\/)training-session[^/]*\.json$/i,
        knownBy: ["startTime", "stopTime", "exercises"],
        lists: [],
        series: ["samples", "routes"],
        each: {
          list: "exercises",
          totals: [
            "distance",
            "duration",
            "averageHeartRate",
            "maximumHeartRate",
            "kiloCalories",
            "calories",
            "distanceMeters",
            "durationMillis",
            "hrAvg",
            "hrMax",
          ],
          once: { kiloCalories: SESSION_CALORIES, calories: SESSION_CALORIES },
        },
        completes: withoutRepeatedCalories,
        mends: withoutNaN,
      }),
      dates: { order: "iso", zone: "local" },
      track: trackOf,
      sameBy: sameStart,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["exercises/startTime", "datetime"],
        ["startTime", "datetime", { otherwise: true }],
        [OFFSETS, "offset", { read: offsetOfMinutes }],
        ["exercises/sport/id", "activity", { read: sportOf }],
        ["exercises/sport", "activity"],
        ["sport/id", "activity", { read: sportOf, otherwise: true }],
        ["name", "name"],
        ["note", "notes"],
        [["exercises/distance", "exercises/distanceMeters"], "distance", { unit: "m", zero: "none" }],
        [["distance", "distanceMeters"], "distance", { unit: "m", zero: "none", otherwise: true }],
        ["exercises/duration", "duration", { format: ["seconds"], read: secondsOf }],
        ["exercises/durationMillis", "duration", { format: ["milliseconds"] }],
        ["duration", "duration", { format: ["seconds"], read: secondsOf, otherwise: true }],
        ["durationMillis", "duration", { format: ["milliseconds"], otherwise: true }],
        [["exercises/heartRate/avg", statistic("HEART_RATE", "avg")], "avgHR"],
        [["averageHeartRate", "hrAvg"], "avgHR", { otherwise: true }],
        [["exercises/heartRate/max", statistic("HEART_RATE", "max")], "maxHR"],
        [["maximumHeartRate", "hrMax"], "maxHR", { otherwise: true }],
        [["exercises/heartRate/min", statistic("HEART_RATE", "min")], "unsupported", { label: "lowest heart rate", unit: "a minute", zero: "none" }],
        [["physicalInformation/weightKg", "physicalInformationSnapshot/weight, kg"], "weight", { unit: "kg", zero: "none" }],
        [["physicalInformation/restingHeartRate", "physicalInformationSnapshot/restingHeartRate"], "restHR", { zero: "none" }],
        [["physicalInformation/vo2Max", "physicalInformationSnapshot/vo2Max"], "unsupported", { label: "VO2 max", zero: "none" }],
        ["physicalInformationSnapshot/weight", "unsupported", { label: "weight in an unknown unit", zero: "none" }],
        ["exercises/laps", "laps", { laps: lapsOf }],
        ["exercises/autoLaps", "laps", { laps: lapsOf }],
        [["exercises/kiloCalories", "calories", "kiloCalories"], "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        [SESSION_CALORIES, "unsupported", { label: "calories of the session", unit: "kcal", zero: "none" }],
        [["exercises/ascent", "exercises/ascentMeters"], "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        [["exercises/descent", "exercises/descentMeters"], "unsupported", { label: "elevation loss", unit: "m", zero: "none" }],
        [["exercises/speed/max", statistic("SPEED", "max")], "unsupported", { label: "max speed", unit: "km/h", zero: "none" }],
        [["exercises/speed/avg", statistic("SPEED", "avg")], "ignore", derived],
        [["exercises/cadence/avg", statistic("CADENCE", "avg")], "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        [["exercises/cadence/max", statistic("CADENCE", "max")], "unsupported", { label: "max cadence", unit: "a minute", zero: "none" }],
        ["exercises/power/avg", "unsupported", { label: "average power", unit: "W", zero: "none" }],
        ["exercises/power/max", "unsupported", { label: "max power", unit: "W", zero: "none" }],
        ["exercises/altitude/max", "unsupported", { label: "highest altitude", unit: "m" }],
        ["exercises/altitude/min", "unsupported", { label: "lowest altitude", unit: "m" }],
        ["exercises/altitude/avg", "unsupported", { label: "average altitude", unit: "m" }],
        ["exercises/samples", "series", { label: "recorded series" }],
        ["exercises/routes", "series", { label: "recorded route" }],
        [["exercises/latitude", "exercises/longitude", "latitude", "longitude"], "ignore", { why: "the first position of the recorded route" }],
        [["stopTime", "exercises/stopTime"], "ignore", { why: "said by the start and the duration" }],
        ["exercises/zones", "unsupported", { label: "heart rate and speed zones" }],
        ["exercises/pauseTimes", "unsupported", { label: "pauses" }],
        ...leftByName(["trainingLoad", "recoveryTimeMillis"]),
        ["exercises/loadInformation", "unsupported", { label: "training load" }],
        [["physicalInformationSnapshot", "physicalInformation"], "ignore", { why: "read by its parts; the rest is a setting of the account" }],
        [["exportVersion", "identifier", "exercises/identifier", "created", "modified", "product", "application", "deviceId"], "ignore", inside],
      ],
      sports: {
        ...Object.fromEntries(OTHERS.map((number): [string, Activity] => [`Polar sport ${number}`, "other"])),
        ...{ "mountain bike orienteering": "bike", snowshoeing: "hike", "ski orienteering": "ski", telemark: "ski" },
        ...{
          bootcamp: "weight",
          "body pump": "weight",
          "grit strength": "weight",
          "body and mind": "yoga",
          "ball game": "other",
        },
      },
    },
  ],
  // The file of an account's calendar. A public reader of such files names their members. Their days are local.
  days: [
    {
      from: json({ files: CALENDAR, knownBy: ["weight", "date"], lists: [["weights", "*"]] }),
      columns: [
        ["date", "day", { read: dayOf }],
        ["weight", "weight", { unit: "kg", zero: "none" }],
      ],
    },
    {
      from: json({ files: CALENDAR, knownBy: ["dateTime"], lists: [["physicalInformations", "*"]] }),
      columns: [
        ["dateTime", "day", { read: dayOf }],
        [["weight, kg", "weight"], "weight", { unit: "kg", zero: "none" }],
        ["restingHeartRate", "restHR", { zero: "none" }],
      ],
    },
  ],
  ownerFiles: [{ files: /(^|\/)account-(data|profile)[^/]*\.json$/ }],
  leaves: {
    "activity-*": noWorkout,
    "247ohr*": noWorkout,
    "sleep*": noWorkout,
    "nightly*": noWorkout,
    "training-target*": "plans",
    "favourite-targets*": "plans",
    "programs*": "plans",
    "fitness-test-results*": noWorkout,
    "calendar-items*": "remarks, feelings and settings of days, but for the weight and the resting heart rate",
    "account-*": "the account",
    "sport-profiles*": "settings",
    "products-devices*": "settings",
    "planned-route*": "its layout isn't known",
    "profile-picture*": "the log has no place for pictures",
  },
});
