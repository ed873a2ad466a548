/** The activities of the account export: pages of `summarizedActivities.json`. Lengths are in centimetres, times in milliseconds. */

import { isoOfMillis } from "../table/cells/instants.ts";
import type { ColumnRow, ColumnWords, WorkoutTable } from "../table/description.ts";
import { json } from "../table/sources/json-source.ts";
import { OTHER_SPORTS } from "./words.ts";

/** The export's calories in kilocalories: 1692.768 is 404 kcal. The factor is the same in every activity. */
const KILOCALORIE = 4.19;

const inside = { why: "a mark of the platform's own" };
const derived = { why: "follows from what is read" };
const place = { why: "the device file has the places" };

const none = "none" as const;
const metres = { unit: "m", per: 100, zero: none } as const;
const seconds: Partial<ColumnWords> = { unit: "s", per: 1000, zero: none };
const watts: Partial<ColumnWords> = { unit: "W", zero: none };
const perMinute: Partial<ColumnWords> = { unit: "a minute", zero: none };

/** Turns a local time into text. Its milliseconds include the distance from UTC already. So, read as UTC, they show the local time. */
const wallClock = (text: string) => isoOfMillis(text).replace(/Z$/, "");

const kilocalories = (text: string) => String(Math.round(Number(text) / KILOCALORIE));

/** A running cadence counts only one foot. */
const bothFeet = (text: string) => String(Number(text) * 2);

/** The numbers of `eventTypeId` with a meaning. Source: tcgoetz/GarminDB, garmin_connect_enums.py. */
const EVENTS: Readonly<Record<string, string>> = {
  2: "recreation",
  3: "special event",
  5: "transportation",
  6: "touring",
  7: "geocaching",
  8: "fitness",
};

/** The reason why a row is not a workout. The legs of a triathlon are workouts, and have their own rows. */
function skips(cellOf: (column: string) => string): string | undefined {
  if (cellOf("parent") === "true") return "a multisport activity as a whole: each leg is an activity of its own";
  return /transition/i.test(cellOf("activityType")) ? "the change between two legs" : undefined;
}

/** Values that were once left out without a count. They are no part of the key of a rejected row. */
const COUNTED: readonly ColumnRow[] = (
  [
    ["lapCount", "number of laps", {}],
    ["avgStrokes", "strokes a length", {}],
    ["avgStrokeDistance", "distance of a stroke", {}],
    ["activeSets", "active sets", {}],
    ["floorsDescended", "floors descended", {}],
    ["maxVerticalSpeed", "max vertical speed", {}],
    ["minRespirationRate", "lowest breaths", perMinute],
    ["maxRespirationRate", "highest breaths", perMinute],
    ["bmrCalories", "calories at rest", { read: kilocalories, unit: "kcal" }],
    ["waterEstimated", "water lost", {}],
    ["intensityFactor", "intensity factor", {}],
    ["moderateIntensityMinutes", "minutes of moderate intensity", {}],
    ["vigorousIntensityMinutes", "minutes of vigorous intensity", {}],
    ["avgStress", "average stress", {}],
    ["maxStress", "highest stress", {}],
    ["startStress", "stress at the start", {}],
    ["endStress", "stress at the end", {}],
    ["differenceStress", "change of stress", {}],
    ["differenceBodyBattery", "body battery", {}],
    ["trainingEffectLabel", "kind of training effect", {}],
  ] as const
).map(([name, label, how]) => [name, "unsupported", { zero: none, ...how, label, notInKey: true }]);

/** The activities of the export of the account. */
export const activities: WorkoutTable = {
  from: json({
    files: /summarizedActivities\.json$/i,
    knownBy: ["activityId", "activityType"],
    lists: [["*", "summarizedActivitiesExport", "*"], ["summarizedActivitiesExport", "*"], ["*"]],
  }),
  filesById: true,
  dates: { order: "iso", zone: "local" },
  sports: OTHER_SPORTS,
  skips,
  // biome-ignore format: a table is read by its columns
  columns: [
    ["activityId", "id"],
    [["activityType", "activityType/typeKey"], "activity"],
    ["startTimeLocal", "datetime", { read: wallClock }],
    [["startTimeGmt", "beginTimestamp"], "instant", { read: isoOfMillis }],
    ["name", "name"],
    ["description", "notes"],
    ["distance", "distance", metres],
    ["duration", "duration", { format: ["milliseconds"] }],
    ["avgHr", "avgHR"],
    ["maxHr", "maxHR"],
    ["workoutRpe", "effort", { per: 10, zero: none }],
    ["eventTypeId", "type", { read: (text) => (text === "1" ? "race" : undefined) }],
    ["eventTypeId", "unsupported", { label: "kind of event", read: (text) => EVENTS[text] }],
    ["locationName", "unsupported", { label: "place" }],
    ["elapsedDuration", "unsupported", { label: "elapsed time", ...seconds }],
    ["movingDuration", "unsupported", { label: "moving time", ...seconds }],
    ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none, read: kilocalories }],
    ["elevationGain", "unsupported", { label: "elevation gain", ...metres }],
    ["elevationLoss", "unsupported", { label: "elevation loss", ...metres }],
    ["minElevation", "unsupported", { label: "lowest elevation", unit: "m", per: 100 }],
    ["maxElevation", "unsupported", { label: "highest elevation", unit: "m", per: 100 }],
    ["minTemperature", "unsupported", { label: "lowest temperature", unit: "C" }],
    ["maxTemperature", "unsupported", { label: "highest temperature", unit: "C" }],
    ["minHr", "unsupported", { label: "lowest heart rate", ...perMinute }],
    ["maxSpeed", "unsupported", { label: "max speed", unit: "m/s", per: 0.1, zero: none }],
    ["avgGradeAdjustedSpeed", "unsupported", { label: "grade adjusted speed", unit: "m/s", per: 0.1, zero: none }],
    ["avgRunCadence", "unsupported", { label: "average cadence", ...perMinute, read: bothFeet }],
    ["maxRunCadence", "unsupported", { label: "max cadence", ...perMinute, read: bothFeet }],
    ["avgBikeCadence", "unsupported", { label: "average cadence", ...perMinute }],
    ["maxBikeCadence", "unsupported", { label: "max cadence", ...perMinute }],
    [["avgStrokeCadence", "avgSwimCadence"], "unsupported", { label: "average stroke rate", ...perMinute }],
    [["maxStrokeCadence", "maxSwimCadence"], "unsupported", { label: "max stroke rate", ...perMinute }],
    ["avgPower", "unsupported", { label: "average power", ...watts }],
    ["maxPower", "unsupported", { label: "max power", ...watts }],
    ["normPower", "unsupported", { label: "normalized power", ...watts }],
    ["max20MinPower", "unsupported", { label: "max power of 20 minutes", ...watts }],
    ["avgStrideLength", "unsupported", { label: "stride length", ...metres }],
    ["avgVerticalOscillation", "unsupported", { label: "vertical oscillation", unit: "cm", zero: none }],
    ["avgVerticalRatio", "unsupported", { label: "vertical ratio", unit: "%", zero: none }],
    ["avgGroundContactTime", "unsupported", { label: "ground contact time", unit: "ms", zero: none }],
    ["avgRespirationRate", "unsupported", { label: "average breaths", ...perMinute }],
    ["steps", "unsupported", { label: "steps", zero: none }],
    ["strokes", "unsupported", { label: "strokes", zero: none }],
    ["avgSwolf", "unsupported", { label: "SWOLF", zero: none }],
    ["poolLength", "unsupported", { label: "pool length", ...metres }],
    ["activeLengths", "unsupported", { label: "lengths", zero: none }],
    ["totalSets", "unsupported", { label: "sets", zero: none }],
    ["totalReps", "unsupported", { label: "repetitions", zero: none }],
    ["floorsClimbed", "unsupported", { label: "floors climbed", zero: none }],
    ["jumpCount", "unsupported", { label: "jumps", zero: none }],
    ["surfaceInterval", "unsupported", { label: "surface interval", ...seconds }],
    ["workoutFeel", "unsupported", { label: "feeling, of 100" }],
    ["vO2MaxValue", "unsupported", { label: "VO2 max", zero: none }],
    ["activityTrainingLoad", "unsupported", { label: "training load", zero: none }],
    ["aerobicTrainingEffect", "unsupported", { label: "aerobic training effect", zero: none }],
    ["anaerobicTrainingEffect", "unsupported", { label: "anaerobic training effect", zero: none }],
    ["trainingStressScore", "unsupported", { label: "training stress score", zero: none }],
    ...COUNTED,
    [["avgSpeed", "avgDoubleCadence", "maxDoubleCadence", "avgFractionalCadence", "maxFractionalCadence", "sportType"], "ignore", derived],
    [["startLatitude", "startLongitude", "endLatitude", "endLongitude", "minLatitude", "maxLatitude", "minLongitude", "maxLongitude"], "ignore", place],
    ["splits", "unsupported", { label: "splits", notInKey: true }],
    ["summarizedExerciseSets", "unsupported", { label: "sets of exercises", notInKey: true }],
    ["summarizedDiveInfo", "unsupported", { label: "dives", notInKey: true }],
    ["splitSummaries", "ignore", { why: "follows from the splits, which are counted" }],
    [[0, 1, 2, 3, 4, 5, 6, 7].flatMap((zone) => [`hrTimeInZone_${zone}`, `powerTimeInZone_${zone}`]), "ignore", { why: "follows from the recorded series" }],
    ["pr", "ignore", { why: "a record follows from the activities" }],
    [["aerobicTrainingEffectMessage", "anaerobicTrainingEffectMessage"], "ignore", { why: "the words for a training effect, which is counted" }],
    [["parent", "parentId"], "ignore", { why: "say which activities are legs of one" }],
    [["timeZoneId"], "ignore", { why: "a number of the platform's own: the two starts say the distance from UTC" }],
    [["uuidLsb", "uuidMsb", "userProfileId", "deviceId", "manufacturer", "workoutId", "rule", "favorite", "purposeful", "decoDive"], "ignore", inside],
    [["atpActivity", "autoCalcCalories", "elevationCorrected", "isRunPowerWindDataEnabled", "runPowerWindDataEnabled"], "ignore", inside],
  ],
};
