/** Reads the sets of an exercise of JEFIT. They are in the log of the exercise, `60x10,65x8`, and as rows in the table of sets. */
import { convert } from "../../../transforms/units.ts";
import { parseNumber } from "../table/cells/cells.ts";

/** A row of the table of sets, whose units are pounds and miles. */
export interface SetRow {
  readonly index: number;
  readonly cells: Readonly<Record<"weight_lbs" | "reps" | "distance_mi" | "speed_mph" | "laps" | "duration", string>>;
}

/** A set, as the cells that the table reads. */
export interface ReadSet {
  readonly weight?: string;
  readonly unit?: "kg" | "lb" | undefined;
  readonly reps?: string;
  readonly miles?: string;
  readonly seconds?: string;
  /** The note after the set. */
  readonly words?: string;
}

/** A weight, an `x` and repetitions. */
const LOGGED = /^(\d{1,6}(?:\.\d{1,10})?)x(\d{1,6})$/;

/**
 * Reads the sets of an exercise.
 *
 * @param logs weight and repetitions of each set, in the person's unit
 * @param rows the same sets in pounds, in order; empty if the backup has none
 * @param unreadable receives each part that is not a set
 */
export function setsOf(logs: string, rows: readonly SetRow[], unreadable: (text: string) => void): readonly ReadSet[] {
  const pieces = logs.split(",").map((piece) => piece.trim());
  const logged = pieces.map((piece) => LOGGED.exec(piece));
  if (rows.some(isCardio) || logs === "") return rows.map(setOfRow);
  return logged.flatMap((match, index): ReadSet[] => {
    if (match === null) {
      unreadable(pieces[index] ?? "");
      return [];
    }
    const [, weight = "", reps = ""] = match;
    const row = rows.length === logged.length ? rows[index] : undefined;
    return [{ weight, reps, unit: row && unitOf(weight, row.cells.weight_lbs) }];
  });
}

/** The person's unit, if the table has the same weight in pounds. Equal numbers mean pounds. Numbers equal after conversion mean kilograms. */
function unitOf(weight: string, inPounds: string): "kg" | "lb" | undefined {
  const [value = 0, pounds = 0] = [parseNumber(weight, "."), parseNumber(inPounds, ".")];
  if (value <= 0 || pounds <= 0) return undefined;
  const isNear = (one: number) => Math.abs(one - pounds) < pounds / 100;
  if (isNear(value)) return "lb";
  return isNear(convert("weight", { unit: "kg", value }, "lb").value) ? "kg" : undefined;
}

function positive(text: string): number | undefined {
  const value = parseNumber(text, ".");
  return value !== undefined && value > 0 ? value : undefined;
}

function isCardio({ cells }: SetRow): boolean {
  return [cells.distance_mi, cells.duration, cells.laps].some((text) => positive(text) !== undefined);
}

function setOfRow({ cells }: SetRow): ReadSet {
  const { weight_lbs: weight, reps, distance_mi: miles, laps } = cells;
  const seconds = secondsOf(cells);
  const words = [
    positive(laps) === undefined ? "" : `(${laps} laps)`,
    seconds === undefined && positive(cells.duration) !== undefined ? `(duration ${cells.duration})` : "",
  ];
  return {
    weight,
    reps,
    unit: "lb",
    miles,
    words: words.join(" ").trim(),
    ...(seconds !== undefined && { seconds: String(seconds) }),
  };
}

/** Finds the unit of `duration`, which the backup doesn't state. Distance and speed show whether it is seconds or minutes. */
export function secondsOf({ distance_mi, speed_mph, duration }: SetRow["cells"]): number | undefined {
  const [miles, speed, time] = [positive(distance_mi), positive(speed_mph), positive(duration)];
  if (miles === undefined || speed === undefined || time === undefined) return undefined;
  const expected = (miles / speed) * 3600;
  return [time, time * 60].find((seconds) => Math.abs(seconds - expected) < expected / 10);
}
