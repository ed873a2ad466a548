/** The columns of a sample, and what their cells can hold. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { isHeartRate } from "../../../../transforms/plausibility/heart-rates.ts";
import { isWeekday } from "../../../formats/weekday-names.ts";
import { narrow } from "../../table/cells/narrow.ts";
import { foldHeader, type HeaderMeaning, type Role } from "../words/header-words.ts";
import {
  inRange,
  isAmount,
  isClock,
  isDateText,
  isDotted,
  isDurationText,
  isLength,
  isNothing,
  isNumber,
  isPace,
  isSerial,
  isShortDate,
  isSpreadsheetTime,
  isText,
  isZero,
  roughNumber,
  splitAmount,
} from "../words/values.ts";
import { REST_WORDS, TYPE_WORDS } from "../words/words.ts";
import { withBareClocks } from "./bare-clocks.ts";
import { withCommaThousandths } from "./comma-thousandths.ts";
import { withCounters } from "./counters.ts";
import { withExtremes } from "./extremes.ts";
import { wordsWithUnits } from "./lines-of-units.ts";
import { repeatsHeader } from "./other-header.ts";
import { isPoolSize } from "./pool-size.ts";
import type { SheetSample } from "./sample.ts";
import { withTimeParts } from "./time-parts.ts";
import { meaningBelow } from "./upper-headers.ts";

/** A column of a sample. */
export interface ColumnSample {
  readonly index: number;
  /** Its name in a mapping file: `Miles#2` is the second column called Miles. */
  readonly name: string;
  readonly meaning: HeaderMeaning;
  /** One cell a row, without blanks around. */
  readonly cells: readonly string[];
  /** The cells that hold something, but for words of rest days. */
  readonly filled: readonly string[];
  /** The evidence that it sums up the rows above or the columns beside it, or that it counts the rows; undefined if it doesn't. */
  readonly sumOf?: string;
  /** The column with the whole, of which it is a part; undefined for a column that stands alone. */
  readonly partOf?: string;
  /** The columns that are added up to the whole, for each of them. */
  readonly addends?: readonly string[];
  /** Its role is only likely, so a person is asked. */
  readonly isLikely?: true;
  /** What says its unit, where that isn't its header: `the title says`. */
  readonly unitSaidBy?: string;
  /** The rows in which a workbook keeps a date. */
  readonly dates: ReadonlySet<number>;
  /** A workbook shows nearly all its cells as elapsed time, which no time of the day is. */
  readonly isElapsed?: true;
  /** How many of its empty cells are formulas that were never computed. */
  readonly uncomputed: number;
}

/** The words that say what a column is. Where its header is blank, they stand in the row above. */
function wordsFor(name: string, above = ""): string {
  return name.replace(/#\d+$/, "") || above;
}

function withSum(meaning: HeaderMeaning, sum: "sure" | "unsure" | "whole" | undefined): HeaderMeaning {
  if (sum === undefined) return meaning;
  if (sum === "whole") return OF_NO_WORKOUT;
  return sum === "sure" ? { ...meaning, roles: ["total"] } : { ...meaning, purpose: "sum" };
}

/** A column called `Note` is a remark, unless all its cells are grades as at a German school. */
function withGrades(meaning: HeaderMeaning, name: string, filled: readonly string[]): HeaderMeaning {
  const isGrades = /^noten?$/.test(foldHeader(name)) && filled.length > 0 && filled.every((cell) => GRADE.test(cell));
  return isGrades ? { ...meaning, roles: ["quality"] } : meaning;
}

/** `2` and `2,5`. */
const GRADE = /^[1-6](?:[.,]\d{1,2})?$/;

/** A cell as its value is read: Japanese input may have wide digits. A longer text is somebody's words. */
function asValue(cell: string): string {
  return cell.length <= LONGEST_VALUE ? narrow(cell) : cell;
}

const LONGEST_VALUE = 20;

/** The meaning of a column beside workouts, as the length of the pool. */
const OF_NO_WORKOUT: HeaderMeaning = { roles: [], unit: undefined, isEnglish: undefined, purpose: "other" };

/** The columns of a sample. */
export function columnsOf({
  header,
  rows,
  units,
  above,
  upper,
  sums,
  provenSums,
}: SheetSample): readonly ColumnSample[] {
  // The line of units is the first row.
  const isHeader = new Set(rows.filter(({ fields }, row) => (row === 0 && units) || repeatsHeader(header, fields)));
  const words = wordsWithUnits(
    header.map((name, index) => wordsFor(name, above[index])),
    units,
  );
  const columns = header.map((name, index) => {
    const cells = rows.map(({ fields }) => asValue((fields[index] ?? "").trim()));
    const filled = cells.filter(
      (cell, row) =>
        !isNothing(cell) && !REST_WORDS.has(foldHeader(cell)) && !isHeader.has(rows[row] as (typeof rows)[0]),
    );
    const sumOf = provenSums.get(name);
    return {
      index,
      name,
      meaning: isPoolSize(name, filled)
        ? OF_NO_WORKOUT
        : withSum(
            withGrades(meaningBelow(upper[index] ?? "", words[index] ?? ""), name, filled),
            sumOf === undefined ? sums.get(name) : "sure",
          ),
      ...(sumOf !== undefined && { sumOf }),
      cells,
      filled,
      dates: new Set([...rows.keys()].filter((row) => rows[row]?.dates?.includes(index))),
      ...(isElapsed(rows, index, filled.length) && { isElapsed: true as const }),
      uncomputed: rows.filter(({ uncomputed }) => uncomputed?.includes(index)).length,
    };
  });
  return withBareClocks(withTimeParts(withExtremes(withCounters(withCommaThousandths(columns)))));
}

/** Whether a workbook shows so many cells of a column as elapsed time, or nearly so many. */
function isElapsed(rows: SheetSample["rows"], index: number, filled: number): boolean {
  const elapsed = rows.filter((row) => row.elapsed?.includes(index)).length;
  return elapsed > 0 && elapsed >= filled * FITTING;
}

/** `169` of `169 bpm`. */
const withoutUnit = (cell: string) => splitAmount(cell).number;

/** A place in a race, perhaps with the number of all who finished: `34`, `34/512`, `3rd of 120`. */
const PLACE = /^\d{1,6}(?:st|nd|rd|th|er|e|[.ºª°])?(?:\s*(?:\/|\(|of|out of|von|sur|de|di|av|af|van)\s*\d{1,6}\)?)?$/i;

/** Whether a cell can hold what a role means. */
const CHECKS: Readonly<Record<Role, (cell: string) => boolean>> = {
  date: (cell) => isDateText(cell) || isSerial(cell) || isShortDate(cell),
  datetime: (cell) => isDateText(cell) || isSerial(cell),
  time: isClock,
  duration: (cell) => isDurationText(cell) || isNumber(cell) || isSpreadsheetTime(cell) || isDotted(cell),
  // A heart rate isn't hours, though `HR` may be both. Seconds past 59 happen.
  hours: inRange(0, 48),
  minutes: inRange(0, 2000),
  seconds: inRange(0, 300),
  distance: isLength,
  pace: isPace,
  speed: isAmount,
  avgHR: (cell) => isHeartRate(Math.round(roughNumber(withoutUnit(cell)))),
  maxHR: (cell) => isHeartRate(Math.round(roughNumber(withoutUnit(cell)))),
  restHR: (cell) => inRange(20, 120)(withoutUnit(cell)),
  weight: (cell) => isAmount(cell) && inRange(25, 600)(withoutUnit(cell)),
  activity: isText,
  type: isText,
  course: isText,
  equipment: (cell) => !isDateText(cell),
  notes: () => true,
  name: (cell) => !isDateText(cell),
  temperature: (cell) => /^[-+−]?\d{1,3}(?:[.,]\d+)?\s*°?\s*[CF]?$/iu.test(cell),
  // `Temps` and `Tiempo` are the weather, or the time.
  conditions: (cell) => isText(cell) && !isDurationText(cell),
  effort: inRange(0, 20),
  quality: inRange(0, 20),
  elevation: isAmount,
  descent: isAmount,
  calories: isAmount,
  cadence: isAmount,
  power: isAmount,
  steps: isAmount,
  fieldPlacement: (cell) => PLACE.test(cell),
  weekday: isWeekday,
  week: () => true,
  total: (cell) => isAmount(cell) || isDurationText(cell),
  plan: () => true,
  id: () => true,
};

/** This share of the cells must fit a role. The others are mistakes, or rows of totals. */
const FITTING = 0.8;

/** So few different words, most of them sports, are sports: nobody knows the others, and a person is asked. */
const FEW_WORDS = 8;

/** Dates, distances and durations are what rows of totals, titles and days without a workout stand between. */
const SPECIAL: ReadonlySet<Role> = new Set(["date", "datetime", "distance", "duration"]);
const FITTING_SPECIAL = 0.5;

/** Heart rates, of which a 0 is "not measured". In more rows than this share, a column of zeros is something else. */
const HEART_RATES: ReadonlySet<Role> = new Set(["avgHR", "maxHR", "restHR"]);
const MOST_UNMEASURED = 0.5;

/** The cells that say what a column is: without the zeros of heart rates. */
function telling(role: Role, filled: readonly string[]): readonly string[] {
  if (!HEART_RATES.has(role)) return filled;
  const measured = filled.filter((cell) => !isZero(cell));
  return measured.length < filled.length * (1 - MOST_UNMEASURED) ? filled : measured;
}

/** Whether the values of a column fit a role. An empty column fits any. */
export function fits(role: Role, { filled: all }: ColumnSample): boolean {
  const filled = telling(role, all);
  const least = SPECIAL.has(role) ? FITTING_SPECIAL : FITTING;
  return filled.filter(CHECKS[role]).length >= filled.length * least;
}

/** Whether most cells are names of sports. Beside several sports, kinds of running are names of one too: `Rolle, Schwimmen, Dauerlauf`. */
export function areSports({ filled }: ColumnSample): boolean {
  const sports = filled.flatMap((cell) => (isNumber(cell) ? [] : (activityNamed(cell) ?? [])));
  if (filled.length > 0 && sports.length >= filled.length * FITTING) return true;
  const kinds = filled.filter((cell) => activityNamed(cell) === undefined && TYPE_WORDS.has(foldHeader(cell))).length;
  const isMixed = new Set(sports).size > 1 && sports.length >= filled.length / 2;
  return isMixed && (sports.length + kinds >= filled.length * FITTING || countTexts(filled).length <= FEW_WORDS);
}

/** Whether most cells are text, and no numbers or dates. */
export function areTexts({ filled }: ColumnSample): boolean {
  return filled.filter((cell) => isText(cell) && !isAmount(cell) && !isDurationText(cell)).length >= filled.length / 2;
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
