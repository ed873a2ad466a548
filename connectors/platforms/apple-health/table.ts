/** Apple Health: the workouts of export.xml, with their routes. README.md lists the parts that are read or left out. */

import type { ColumnRow, WorkoutTable } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { platform } from "../table/platform.ts";
import { csv } from "../table/sources/csv-source.ts";
import { xml } from "../table/sources/xml-source.ts";
import { heartRatesIn } from "./heart-rates.ts";
import { MEASUREMENT } from "./measurement.ts";
import { ofParts } from "./parts.ts";
import { dayOf, instantOf, isOfADay, percent, routeOf, sportOf, temperature, withUnits, zoneOf } from "./values.ts";

const derived = { why: "follows from start and duration" };
const inside = { why: "a mark of the phone's own" };
const DISTANCES = [
  "DistanceWalkingRunning",
  "DistanceCycling",
  "DistanceSwimming",
  "DistanceWheelchair",
  "DistanceDownhillSnowSports",
  "DistanceCrossCountrySkiing",
  "DistanceRowing",
  "DistancePaddleSports",
  "DistanceSkatingSports",
];

/** The path to a value of a statistic. */
const statistic = (type: string, value: string) => `WorkoutStatistics[type=HKQuantityTypeIdentifier${type}]/${value}`;
/** The paths to a value that a person or an app wrote beside the workout. */
const beside = (...keys: readonly string[]) => keys.map((key) => `MetadataEntry[key=${key}]/value`);

/** The attributes of a workout. Old tables made from the export have them as columns. */
// biome-ignore format: a table is read by its columns
const attributes: readonly ColumnRow[] = [
  ["workoutActivityType", "activity", { read: sportOf }],
  ["startDate", "datetime", { read: instantOf }],
  ["totalDistance", "distance", { unitColumn: "totalDistanceUnit", zero: "none" }],
  ["sourceName", "recorder"],
  [["totalDistanceUnit", "durationUnit", "totalEnergyBurnedUnit"], "ignore", { why: "read with its value" }],
  ["endDate", "ignore", derived],
  ["sourceVersion", "ignore", inside],
  ["device", "ignore", inside],
  ["creationDate", "ignore", inside],
];

const conventions: Pick<WorkoutTable, "dates" | "decimal" | "sameBy"> = {
  dates: { order: "iso", zone: "utc" },
  decimal: "float",
  sameBy: (cellOf) => `${instantOf(cellOf("startDate"))} ${cellOf("workoutActivityType")} ${cellOf("sourceName")}`,
};

export const appleHealth = platform({
  name: "apple-health",
  title: "Apple Health export",
  howToGet: "iPhone > Health > your picture > Export All Health Data; it makes a zip.",
  workouts: [
    {
      ...conventions,
      layout: "export.xml",
      from: xml({
        files: /\.xml$/i,
        path: ["HealthData", "Workout"],
        knownBy: ["workoutActivityType", "startDate"],
        skips: ["Location"],
        mostly: MEASUREMENT,
        completes: (workout) => ({ ...withUnits(workout), ...ofParts(workout) }),
        elsewhere: heartRatesIn,
      }),
      // biome-ignore format: a table is read by its columns
      columns: [
        ...attributes,
        [beside("HKTimeZone", "HKMetadataKeyTimeZone"), "zone", { read: zoneOf }],
        [".[durationUnit=min]/duration", "duration", { format: ["minutes"] }],
        [".[durationUnit=s]/duration", "duration", { format: ["seconds"] }],
        [[".[durationUnit=hr]/duration", ".[durationUnit=h]/duration"], "duration", { format: ["hours"] }],
        ...DISTANCES.map((type): ColumnRow => [statistic(type, "sum"), "distance", { unitColumn: statistic(type, "unit"), zero: "none", otherwise: true }]),
        [DISTANCES.map((type) => statistic(type, "unit")), "ignore", { why: "read with its value" }],
        [[statistic("HeartRate", "average"), "avgBeats"], "avgHR", { zero: "none" }],
        [[statistic("HeartRate", "maximum"), "maxBeats"], "maxHR", { zero: "none" }],
        [statistic("HeartRate", "minimum"), "unsupported", { label: "lowest heart rate", unit: "a minute", zero: "none" }],
        [beside("HKWeatherTemperature"), "temperature", { unit: "C", decimal: ".", read: temperature }],
        [beside("HKWeatherHumidity"), "unsupported", { label: "humidity", read: percent }],
        ["WorkoutRoute/FileReference/path", "file", { read: routeOf }],
        ["WorkoutRoute/Location", "unsupported", { label: "route inside the table" }],
        [[".[totalEnergyBurnedUnit=kcal]/totalEnergyBurned", ".[totalEnergyBurnedUnit=Cal]/totalEnergyBurned"], "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        [".[totalEnergyBurnedUnit=kJ]/totalEnergyBurned", "unsupported", { label: "energy", unit: "kJ", zero: "none" }],
        ["activeEnergy", "unsupported", { label: "active energy" }],
        ["maxSpeed", "unsupported", { label: "max speed" }],
        [[statistic("ActiveEnergyBurned", "sum"), statistic("RunningSpeed", "maximum")], "ignore", { why: "read with its unit" }],
        [statistic("RunningSpeed", "average"), "ignore", { why: "follows from distance and duration" }],
        [statistic("BasalEnergyBurned", "sum"), "unsupported", { label: "energy of the body at rest", zero: "none" }],
        [statistic("StepCount", "sum"), "unsupported", { label: "steps", zero: "none" }],
        [statistic("SwimmingStrokeCount", "sum"), "unsupported", { label: "strokes", zero: "none" }],
        [statistic("RunningPower", "average"), "unsupported", { label: "average power", unit: "W", zero: "none" }],
        [statistic("CyclingPower", "average"), "unsupported", { label: "average power", unit: "W", zero: "none" }],
        ["strideLength", "unsupported", { label: "stride length" }],
        ["verticalOscillation", "unsupported", { label: "vertical oscillation" }],
        ["groundContactTime", "unsupported", { label: "ground contact time" }],
        [["RunningStrideLength", "RunningVerticalOscillation", "RunningGroundContactTime"].map((type) => statistic(type, "average")), "ignore", { why: "read with its unit" }],
        [statistic("CyclingCadence", "average"), "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        [beside("HKElevationAscended"), "unsupported", { label: "elevation gain" }],
        [beside("HKElevationDescended"), "unsupported", { label: "elevation loss" }],
        [beside("HKIndoorWorkout"), "unsupported", { label: "indoor", zero: "none" }],
        [beside("HKAverageMETs"), "unsupported", { label: "average METs" }],
        [beside("HKLapLength", "HKMetadataKeyLapLength"), "unsupported", { label: "pool length" }],
        [beside("HKSwimmingLocationType"), "unsupported", { label: "pool (1) or open water (2)", zero: "none" }],
        [beside("HKWorkoutBrandName"), "unsupported", { label: "class" }],
        [beside("HKWasUserEntered"), "unsupported", { label: "typed by hand", zero: "none" }],
        [["sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate", "MetadataEntry"].map((name) => `WorkoutRoute/${name}`), "ignore", inside],
        ["WorkoutEvent", "unsupported", { label: "pauses, laps and marks" }],
        ["WorkoutActivity", "ignore", { why: "read as legs, where there are several; else the same numbers once more" }],
        ["legs", "laps", { laps: (legs) => legs as readonly TableLap[] }],
        ["legMetres", "distance", { unit: "m", zero: "none", otherwise: true }],
        ["legSports", "unsupported", { label: "sports of its parts" }],
      ],
    },
    {
      ...conventions,
      layout: "table of workouts",
      from: csv("Workout.csv", ["workoutActivityType", "startDate", "duration", "sourceName"]),
      // biome-ignore format: a table is read by its columns
      columns: [
        ...attributes,
        ["duration", "duration", { format: ["minutes"] }],
        ["totalEnergyBurned", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
      ],
      onlyAlone: true,
    },
  ],
  days: [
    {
      from: xml({
        files: /\.xml$/i,
        path: ["HealthData", "Record"],
        knownBy: ["type"],
        where: isOfADay,
        mostly: MEASUREMENT,
        completes: dayOf,
      }),
      columns: [
        // The clock of the phone on the day of the export: no measurement names its zone.
        ["startDate", "day", { read: (text) => text.slice(0, 10) }],
        ["rest", "restHR", { zero: "none" }],
        ["kilograms", "weight", { unit: "kg", zero: "none" }],
        ["pounds", "weight", { unit: "lb", zero: "none" }],
      ],
      besideWorkouts: true,
    },
  ],
  recordings: /(^|\/)workout-routes\/[^/]*\.gpx$/i,
  ownerFiles: [
    { files: /(^|\/)export\.xml$/, head: /DateOfBirth="(?<born>\d{4})-/ },
    { files: /(^|\/)export\.xml$/, head: /BiologicalSex="HKBiologicalSex(?<sex>Female|Male)"/ },
  ],
  leaves: {
    "export_cda.xml": "the same in the form of clinics",
    "electrocardiograms/": "hearts without a workout",
    "clinical-records/": "records of clinics",
  },
});
