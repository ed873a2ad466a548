/** The columns of a sample, and what their cells can hold. */
import { activityNamed } from "../../../transforms/activities.ts";
import { isHeartRate } from "../../../transforms/plausibility/heart-rates.ts";
import { foldHeader, type HeaderMeaning, type Role, readHeaderWords } from "./header-words.ts";
import type { SheetSample } from "./sample.ts";
import {
  inRange,
  isAmount,
  isClock,
  isDateText,
  isDurationText,
  isLength,
  isNothing,
  isNumber,
  isPace,
  isSerial,
  isText,
  roughNumber,
} from "./values.ts";
import { isWeekday } from "./weekdays.ts";

/** A column of a sample. */
export interface ColumnSample {
  readonly index: number;
  /** Its name in a mapping file: `Miles#2` is the second column called Miles. */
  readonly name: string;
  readonly meaning: HeaderMeaning;
  /** One cell a row, without blanks around. */
  readonly cells: readonly string[];
  /** The cells that hold something. */
  readonly filled: readonly string[];
}

/** The columns of a sample. */
export function columnsOf({ header, rows }: SheetSample): readonly ColumnSample[] {
  return header.map((name, index) => {
    const cells = rows.map(({ fields }) => (fields[index] ?? "").trim());
    const filled = cells.filter((cell) => !isNothing(cell));
    return { index, name, meaning: readHeaderWords(name.replace(/#\d+$/, "")), cells, filled };
  });
}

/** Whether a cell can hold what a role means. */
const CHECKS: Readonly<Record<Role, (cell: string) => boolean>> = {
  date: (cell) => isDateText(cell) || isSerial(cell),
  datetime: (cell) => isDateText(cell) || isSerial(cell),
  time: isClock,
  duration: (cell) => isDurationText(cell) || isNumber(cell),
  hours: isNumber,
  minutes: isNumber,
  seconds: isNumber,
  distance: isLength,
  pace: isPace,
  speed: isAmount,
  avgHR: (cell) => isHeartRate(Math.round(roughNumber(cell))),
  maxHR: (cell) => isHeartRate(Math.round(roughNumber(cell))),
  restHR: inRange(20, 120),
  weight: (cell) => isAmount(cell) && inRange(25, 600)(cell.replace(/\s*\p{L}+$/u, "")),
  activity: isText,
  type: isText,
  course: isText,
  equipment: (cell) => !isDateText(cell),
  notes: () => true,
  name: (cell) => !isDateText(cell),
  temperature: (cell) => /^[-+−]?\d{1,3}(?:[.,]\d+)?\s*°?\s*[CF]?$/iu.test(cell),
  conditions: isText,
  effort: inRange(0, 20),
  quality: inRange(0, 20),
  elevation: isAmount,
  calories: isAmount,
  cadence: isAmount,
  power: isAmount,
  steps: isAmount,
  fieldPlacement: (cell) => Number.isInteger(roughNumber(cell)),
  weekday: isWeekday,
  week: () => true,
  total: (cell) => isAmount(cell) || isDurationText(cell),
  id: () => true,
};

/** This share of the cells must fit a role. The others are mistakes, or rows of totals. */
const FITTING = 0.8;

/** Dates can't be taken for anything else. A column of them may have many rows of totals and titles between. */
const FITTING_DATES = 0.5;

/** Whether the values of a column fit a role. An empty column fits any. */
export function fits(role: Role, { filled }: ColumnSample): boolean {
  const least = role === "date" || role === "datetime" ? FITTING_DATES : FITTING;
  return filled.filter(CHECKS[role]).length >= filled.length * least;
}

/** Whether most cells are names of sports. */
export function areSports({ filled }: ColumnSample): boolean {
  return (
    filled.length > 0 && filled.filter((cell) => activityNamed(cell) !== undefined).length >= filled.length * FITTING
  );
}

/** Whether most cells are text, and no numbers or dates. */
export function areTexts({ filled }: ColumnSample): boolean {
  return filled.filter(isText).length >= filled.length / 2;
}

/** Whether most cells are durations with colons or words. */
export function areDurations({ filled }: ColumnSample): boolean {
  return filled.length > 0 && filled.filter(isDurationText).length >= filled.length * FITTING;
}

/** The distinct texts of cells with their numbers, the most frequent first. */
export function countTexts(cells: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, { text: string; count: number }>();
  for (const cell of cells) {
    const key = foldHeader(cell);
    const found = counts.get(key) ?? { text: cell, count: 0 };
    found.count++;
    counts.set(key, found);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ text, count }) => [text, count] as const);
}
