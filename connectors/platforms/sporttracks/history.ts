/**
 * The history of the athlete: weights, resting heart rates and more, an entry a day. Source of the fitlog's names and units: its schema, version 2, by
 * ZoneFiveSoftware (martoe/Runners-Revenge, fitnesslog2.xsd). Nobody wrote down the entries of a logbook.
 */
import type { DayColumn, DayTable } from "../table/description.ts";
import { xml } from "../table/sources/xml-source.ts";
import { withPoints } from "./commas.ts";

/** The other values of an entry, each with its name for people. */
const OTHERS: Readonly<Record<string, string>> = {
  BodyFatPercentage: "body fat",
  MaximumHeartRateBPM: "max heart rate of the athlete",
  SystolicBloodPressure: "systolic blood pressure",
  DiastolicBloodPressure: "diastolic blood pressure",
  CaloriesConsumed: "calories eaten",
  Mood: "mood",
  SleepHours: "hours of sleep",
  SleepQuality: "quality of sleep",
  InjuredText: "injury",
  SickText: "illness",
  MissedWorkoutText: "missed workout",
  Notes: "notes of a day",
};

/** Marks that count only if they are set. */
const MARKS = { Injured: "injured", Sick: "sick", MissedWorkout: "workout missed" } as const;

/** What an entry of a logbook's history is called: it has no known names. */
const IN_LOGBOOK = "entries of the athlete's history, whose layout isn't known";

/** XML writes a mark as `true` or as `1`. */
const ifSet = (text: string) => (text === "true" || text === "1" ? "yes" : undefined);

export const historyOfAthlete: readonly DayTable[] = [
  {
    from: xml({
      files: /\.(fitlog\d?|xml)$/i,
      path: ["FitnessWorkbook", "AthleteLog", "History"],
      knownBy: ["Date"],
      completes: withPoints,
    }),
    columns: [
      // A date of XML may end with its zone: `2010-05-06Z`, `2010-05-06+02:00`.
      ["Date", "day", { read: (text) => text.slice(0, 10) }],
      ["WeightKilograms", "weight", { unit: "kg", zero: "none" }],
      ["RestingHeartRateBPM", "restHR", { zero: "none" }],
      ...Object.entries(OTHERS).map(([name, label]): DayColumn => [name, "left", { label, zero: "none" }]),
      ...Object.entries(MARKS).map(([name, label]): DayColumn => [name, "left", { label, read: ifSet }]),
    ],
    besideWorkouts: true,
  },
  {
    from: xml({
      files: /\.logbook\d?$/i,
      path: ["Logbook", "Athlete", "History", "*"],
      knownBy: [],
      completes: () => ({ entry: "yes" }),
    }),
    columns: [["entry", "left", { label: IN_LOGBOOK }]],
    besideWorkouts: true,
  },
];
