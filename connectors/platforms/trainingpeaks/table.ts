/** TrainingPeaks: workouts.csv, PWX files, and the zips of device files beside it. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { metricsAlone, restingPulses } from "./metrics.ts";
import { pwx, pwxWeights } from "./pwx.ts";
import { RACE, raceOf, reportingRaces } from "./races.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };

const zones = (what: string, label: string) =>
  Array.from(
    { length: 10 },
    (_, zone): ColumnRow => [
      `${what}Zone${zone + 1}Minutes`,
      "unsupported",
      { label: `${label} zone ${zone + 1}`, unit: "min", zero: none },
    ],
  );

export const trainingPeaks = platform({
  name: "trainingpeaks",
  title: "TrainingPeaks export",
  howToGet:
    "trainingpeaks.com > your name > Settings > Export Data: workout summaries, and workout files. Each is a zip.",
  workouts: [
    {
      from: reportingRaces(
        csvEach(/\.csv$/i, ["WorkoutType", "WorkoutDay", "TimeTotalInHours", "DistanceInMeters"]),
        "WorkoutType",
      ),
      // Excel changes the dates when it saves an export again. Such rows are rejected, and their issues name the dates.
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            WorkoutDay: "2019-01-05",
            WorkoutType: "Run",
            Title: "Easy",
            TimeTotalInHours: "0.635277777777778",
            DistanceInMeters: "2560.32006835938",
            Rpe: "4",
          },
          gives: {
            date: "2019-01-05",
            activity: "run",
            name: "Easy",
            duration: "0:38:07",
            distance: "2560.32006835938 m",
            effort: "4",
          },
        },
        {
          cells: { WorkoutDay: "2019-01-06", WorkoutType: "Other", TimeTotalInHours: "0.5" },
          gives: { date: "2019-01-06", activity: "other", duration: "0:30:00" },
        },
      ],
      // A word of its list of sports, for what is none of the others.
      sports: { Other: "other" },
      presumes: { [RACE]: "run" },
      decimal: "float",
      filesFill: false,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["WorkoutDay", "date"],
        ["WorkoutType", "activity"],
        ["WorkoutType", "type", { read: raceOf }],
        ["Title", "name"],
        ["AthleteComments", "notes"],
        ["WorkoutDescription", "notes", { label: "Planned" }],
        ["CoachComments", "notes", { label: "Coach" }],
        ["TimeTotalInHours", "duration", { format: ["hours"], zero: none }],
        ["DistanceInMeters", "distance", { unit: "m", zero: none }],
        ["HeartRateAverage", "avgHR", { zero: none }],
        ["HeartRateMax", "maxHR", { zero: none }],
        ["Rpe", "effort", { zero: none }],
        ["Feeling", "unsupported", { label: "feeling", zero: none }],
        ["PlannedDuration", "unsupported", { label: "planned duration", unit: "h", zero: none }],
        ["PlannedDistanceInMeters", "unsupported", { label: "planned distance", unit: "m", zero: none }],
        ["PowerAverage", "unsupported", { label: "average power", unit: "W", zero: none }],
        ["PowerMax", "unsupported", { label: "max power", unit: "W", zero: none }],
        ["Energy", "unsupported", { label: "energy", unit: "kJ", zero: none }],
        ["CadenceAverage", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["CadenceMax", "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ["VelocityMax", "unsupported", { label: "max speed", unit: "m/s", zero: none }],
        [["TorqueAverage", "TorqueMax"], "unsupported", { label: "torque", zero: none }],
        ["IF", "unsupported", { label: "intensity factor", zero: none }],
        ["TSS", "unsupported", { label: "training stress score", zero: none }],
        ...zones("HR", "heart rate"),
        ...zones("PWR", "power"),
        ["VelocityAverage", "ignore", derived],
      ],
      skips: (cellOf) => {
        if (cellOf("WorkoutType").toLowerCase() === "day off") return "a day off";
        const done = ["TimeTotalInHours", "DistanceInMeters", "HeartRateAverage", "PowerAverage", "AthleteComments"];
        return done.every((column) => cellOf(column) === "") ? "planned, and not done" : undefined;
      },
      countsSkipped: ["a day off"],
    },
    pwx,
    metricsAlone,
  ],
  days: [
    pwxWeights,
    {
      from: restingPulses,
      numbers: ["Value"],
      columns: [
        ["day", "day"],
        ["pulse", "restHR", { zero: none }],
        ["other", "left"],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  ownerFiles: [{ files: /\.pwx(\.gz)?$/i, head: /<athlete>\s*<name>(?<name>[^<&]+)</ }],
  leaves: {
    "*metrics.csv": "days: sleep, and weights whose unit nothing in the table says, but for the resting heart rate",
  },
});
