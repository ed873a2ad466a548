/**
 * Whether a table is metric or imperial, by everything but the distances themselves. Each sign has a weight: the natural logarithm of how many
 * times likelier it is in an imperial table. Weights add up, as in Fellegi and Sunter's record linkage. They are rough, so a choice needs much more than one sign.
 */

import type { AssignedColumn } from "../columns/roles.ts";
import { distancesIn } from "../columns/whole-texts.ts";
import type { DateReading } from "../dates/dates.ts";
import { lengthUnit } from "../words/header-words.ts";
import { isNumber, splitAmount } from "../words/values.ts";

/** A sign, with the words for people. A weight above 0 says imperial, below 0 metric. */
export interface Sign {
  readonly weight: number;
  readonly says: string;
  /** Whether the header of a pace or a speed says it: the values may contradict it. */
  readonly isRate?: true;
}

/** Signs with this weight together are enough: wrong about once in 150 tables. */
export const ENOUGH = 5;

/** Signs by the units that headers name. */
const HEADERS: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/^(?:mph|min\/mi|min\/mile|\/mi|per mile|mpm)$/, 9],
  [/^(?:km\/h|kmh|kph|min\/km|\/km|per km)$/, -9],
  [/^(?:lbs?|pounds)$/, 3],
  [/^(?:kg|kgs)$/, -1],
  [/^(?:°?f|fahrenheit)$/, 4],
  [/^(?:°?c|celsius)$/, -1],
  [/^(?:ft|feet)$/, 3],
  [/^(?:hm|hohenmeter)$/, -5],
];

/**
 * The signs of a table.
 *
 * @param language the English name of the header's language, for people; undefined if unknown
 */
export function signsOf(
  columns: readonly AssignedColumn[],
  dates: DateReading,
  language: string | undefined,
  decimal: "." | ",",
): readonly Sign[] {
  const signs: Sign[] = [];
  for (const { meaning, role, name, filled } of columns) {
    const words = [meaning.unit, name.toLowerCase()].filter((word) => word !== undefined);
    const inCells = sameUnit(filled);
    const sign =
      HEADERS.find(([pattern]) => words.some((word) => pattern.test(word))) ??
      HEADERS.find(([pattern]) => inCells !== undefined && pattern.test(inCells));
    if (sign !== undefined && role !== "distance" && role !== "duration")
      signs.push({
        weight: sign[1],
        says: `the column ${JSON.stringify(name)}`,
        ...((role === "pace" || role === "speed") && { isRate: true }),
      });
    if (role === "elevation" && lengthUnit(meaning.unit) === "m") signs.push({ weight: -2, says: "climbs in metres" });
  }
  // Of the languages that logferry knows, only English has countries with miles.
  const isForeign = foreignHeaders(columns);
  if (isForeign)
    signs.push({
      weight: -6,
      says: language === undefined ? "the header is not English" : `the header is ${language}`,
    });
  if (decimal === ",") signs.push({ weight: -5, says: "numbers have a decimal comma" });
  const isSure = dates.order.options === undefined;
  if (isSure && dates.order.value === "mdy") signs.push({ weight: 2.5, says: "dates have the month first" });
  if (isSure && dates.order.value === "dmy") signs.push({ weight: -0.5, says: "dates have the day first" });
  return signs;
}

/** The unit behind the number in all cells of a column: `lbs` of `165 lbs`. */
function sameUnit(filled: readonly string[]): string | undefined {
  const units = new Set(filled.map((cell) => splitAmount(cell).unit.replaceAll(" ", "").toLowerCase()));
  const [only = ""] = units;
  return units.size === 1 && only !== "" ? only : undefined;
}

/** Whether more headers are words of other languages than English ones. */
function foreignHeaders(columns: readonly AssignedColumn[]): boolean {
  const count = (isEnglish: boolean) => columns.filter(({ meaning }) => meaning.isEnglish === isEnglish).length;
  return count(false) > count(true);
}

/** The sum of signs. */
export function weigh(signs: readonly Sign[]): number {
  return signs.reduce((sum, { weight }) => sum + weight, 0);
}

/** The signs that speak for a side, in words, the strongest first. */
export function describeSigns(signs: readonly Sign[], isImperial: boolean): string {
  return signs
    .filter(({ weight }) => weight > 0 === isImperial)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .map(({ says }) => says)
    .join("; ");
}

/** The decimal mark of a table, by the cells that only one of the marks can read. */
export function decimalOf(columns: readonly AssignedColumn[]): {
  mark: "." | "," | undefined;
  commas: number;
  points: number;
} {
  let [commas, points] = [0, 0];
  const measured = new Set([
    "distance",
    "minutes",
    "hours",
    "duration",
    "speed",
    "weight",
    "temperature",
    "effort",
    "quality",
    "pace",
  ]);
  for (const { role, filled, split } of columns) {
    if (role !== undefined && !measured.has(role)) continue;
    for (const cell of split === undefined ? filled : distancesIn(filled, split.patterns)) {
      const number = /^[-+]?[\d.,]+/.exec(cell)?.[0] ?? "";
      if (!isNumber(number)) continue;
      // Three digits behind a mark may be thousands.
      if (/,\d{1,2}$|,\d{4,}$|\.\d{3},\d+$/.test(number)) commas++;
      if (/\.\d{1,2}$|\.\d{4,}$|,\d{3}\.\d+$/.test(number)) points++;
    }
  }
  const mark = commas > points ? "," : points > commas ? "." : undefined;
  return { mark, commas, points };
}
