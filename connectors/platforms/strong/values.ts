/** Reads sets and durations in the form of Strong. */
import { parseDuration } from "../table/cells/durations.ts";
import type { NoSet, SetCellOf } from "../table/sources/sessions.ts";
import type { GymSet } from "../table/sources/sets.ts";

// biome-ignore format: the spellings of a column stand in one line
export const COLUMNS = {
  date: ["Date", "Datum", "日期"],
  workout: ["Workout Name", "Nom de l'entraînement", "Workout-Name", "锻炼名称"],
  duration: ["Duration", "Durée", "Dauer", "Workout-Dauer", "时长", "Workout Duration"],
  exercise: ["Exercise Name", "Nom de l'exercice", "Name der Übung", "运动名称"],
  order: ["Set Order", "Ordre de la série", "Reihenfolge festlegen", "设置顺序"],
  weight: ["Weight", "Poids", "Gewicht", "重量"],
  reps: ["Reps", "Réps", "Wiederh.", "次"],
  distance: ["Distance", "Entfernung", "距离"],
  seconds: ["Seconds", "Secondes", "Sekunden", "秒"],
  notes: ["Notes", "Notizen", "备注"],
  workoutNotes: ["Workout Notes", "Notes d'entraînement", "Workout-Notizen", "锻炼备注"],
} as const;

/** Weight columns with a unit in their names. */
const WEIGHTS: readonly (readonly [column: string, unit: string])[] = [
  ["Weight (kg)", "kg"],
  ["Weight (lbs)", "lb"],
  ["kg", "kg"],
];

const KINDS: Readonly<Record<string, string>> = {
  w: "warm-up",
  warm_up: "warm-up",
  d: "drop set",
  f: "to failure",
  failure: "to failure",
};

/** Rows between the sets. */
const NO_SETS: Readonly<Record<string, string>> = { "rest timer": "a rest timer", note: "a row with a note only" };

/** Reads a row. In the layouts with a plain `Weight` and `Distance`, the file does not state the unit. */
export function setOf(cellOf: SetCellOf): GymSet | NoSet {
  const order = cellOf(COLUMNS.order).toLowerCase();
  const [exercise, note] = [cellOf(COLUMNS.exercise), cellOf(COLUMNS.notes)];
  const leave = NO_SETS[order];
  if (leave !== undefined) return { leave, exercise, note };
  const [column, weightUnit] = WEIGHTS.find(([name]) => cellOf(name) !== "") ?? [COLUMNS.weight, cellOf("Weight Unit")];
  return {
    exercise,
    kind: KINDS[order] ?? (/^\d*$/.test(order) ? undefined : `(${cellOf(COLUMNS.order)})`),
    reps: cellOf(COLUMNS.reps),
    weight: cellOf(column),
    weightUnit,
    ...distanceOf(cellOf),
    seconds: cellOf(COLUMNS.seconds),
    rpe: cellOf("RPE"),
    note,
  };
}

function distanceOf(cellOf: SetCellOf): Pick<GymSet, "distance" | "distanceUnit"> {
  const [metres, kilometres] = [cellOf("Distance (meters)"), cellOf("km")];
  if (metres !== "") return { distance: metres, distanceUnit: "m" };
  if (kilometres !== "") return { distance: kilometres, distanceUnit: "km" };
  return { distance: cellOf(COLUMNS.distance), distanceUnit: cellOf("Distance Unit") };
}

/** Longest time of a workout, in seconds. People leave the app's clock running for days. */
const LONGEST = 6 * 3600;

/** Turns `1小时13分钟` into `1h 13m`; undefined for 0, and for a clock that was left running. */
export function clock(text: string): string | undefined {
  const words = inLatin(text);
  const seconds = secondsOf(words);
  return seconds === 0 || (seconds !== undefined && seconds > LONGEST) ? undefined : words;
}

/** The time of a clock that was left running. */
export function leftRunning(text: string): string | undefined {
  const seconds = secondsOf(inLatin(text));
  return seconds !== undefined && seconds > LONGEST ? text : undefined;
}

function secondsOf(text: string): number | undefined {
  return parseDuration(text, ["h:mm:ss", "text", "seconds"], ".");
}

function inLatin(text: string): string {
  return text.replace("小时", "h ").replace("分钟", "m ").replace("秒", "s").trim();
}
