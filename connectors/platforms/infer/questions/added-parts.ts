/** Finds columns that hold the parts of one workout and no column with their sum: `WU`, `Main` and `CD`. Each alone is shorter than the workout was. */

import type { Answers, Choice } from "../choices/choice.ts";
import { isMain, wordsOf } from "../columns/main-part.ts";
import { numbersOf } from "../columns/numbers-of-columns.ts";
import type { RowTotals } from "../groups/row-totals.ts";
import { areTexts, type ColumnSample, fits } from "../sample/column.ts";
import { lengthUnit, namesPart, type Role, wholeHeader } from "../words/header-words.ts";
import { isNumber } from "../words/values.ts";
import { answered } from "./answers.ts";

/** Headers of what comes before it and behind it. */
const AROUND =
  /(?:^|\s)(?:warm[ -]?ups?|warm[ -]?downs?|swim[ -]?downs?|warming[ -]up|wu|cool[ -]?downs?|cd|einlaufen|auslaufen|aufwarmen|echauffement|retour au calme|calentamiento|enfriamiento|vuelta a la calma|volta a calma|desaquecimento|riscaldamento|defaticamento|aquecimento|inlopen|uitlopen|uppvarmning|nedvarvning|opvarmning|rozgrzewka|schlodzenie)(?:\s|$)/;

/** Fewer rows with several parts show nothing. */
const LEAST_ROWS = 3;

/** The columns, in which the parts of the distance are added up, and the evidence. Parts of a duration stay a question. */
export function withAddedParts(columns: readonly ColumnSample[], answers: Answers): RowTotals {
  const none = { columns, choices: [] };
  const parts = columns.filter(
    (column) =>
      (isPart(column) || isBetween(column, columns)) &&
      ["distance", undefined].includes(answers.get(`columns.${column.name}.field`)),
  );
  const around = parts.filter((column) => AROUND.test(wordsOf(column)));
  const main = parts
    .filter((column) => !around.includes(column))
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)) || sumOf(b) - sumOf(a))[0];
  if (main === undefined || around.length === 0 || rowsWithSeveral(parts) < LEAST_ROWS) return none;
  const others = columns.filter((column) => !parts.includes(column) && column.filled.length > 0);
  const has = (role: Role) => others.some(({ meaning }) => meaning.roles.includes(role) && meaning.purpose !== "other");
  const units = new Set(parts.flatMap(({ meaning }) => meaning.unit ?? []));
  const areLengths = parts.every(hasNumbers) && [...units].every((unit) => lengthUnit(unit) !== undefined);
  // Another distance or duration is that of the whole.
  if (has(areLengths ? "distance" : "duration")) return none;
  if (!areLengths || units.size > 1)
    return {
      columns: columns.map((column) => (column === main ? { ...column, isLikely: true } : column)),
      choices: [],
    };
  if (units.size === 0 && !has("duration")) return none;
  const names = parts.map(({ name }) => name);
  const why = `the headers ${names.slice(0, -1).join(", ")} and ${names.at(-1)} name the parts of a workout, and no column is their sum`;
  return {
    columns: columns.map((column) => {
      if (!parts.includes(column)) return column;
      const { unit, isEnglish } = column.meaning;
      const meaning = { unit: unit ?? [...units][0], isEnglish };
      if (column === main)
        return { ...column, addends: names, meaning: { ...meaning, roles: ["distance"], purpose: "actual" } };
      return { ...column, partOf: main.name, addends: names, meaning: { ...meaning, roles: [], purpose: "other" } };
    }),
    choices: [
      { place: `columns.${main.name}.field`, value: "distance", why, contradicting: 0, rows: main.filled.length },
    ] satisfies Choice[],
  };
}

function isPart(column: ColumnSample): boolean {
  if (column.filled.length === 0 || areTexts(column) || !fits("distance", column)) return isClocks(column);
  return isMain(column) || namesPart(column.name);
}

/** Whether a column in a word that nobody knows stands between the warm-up and the cool-down, as the part between them: `Threshold (km)`. */
function isBetween(column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const isAround = (index: number) => columns.some((one) => one.index === index && AROUND.test(wordsOf(one)));
  if (!isAround(column.index - 1) || !isAround(column.index + 1)) return false;
  const words = wordsOf(column);
  const isUnknown =
    wholeHeader(words) === undefined && lengthUnit(words) === undefined && !/^(?:tot|ges|sum)/.test(words);
  return isUnknown && column.filled.length > 0 && !areTexts(column) && fits("distance", column);
}

/** Parts whose cells are durations. */
function isClocks(column: ColumnSample): boolean {
  return (isMain(column) || namesPart(column.name)) && column.filled.length > 0 && fits("duration", column);
}

const hasNumbers = ({ filled }: ColumnSample) => filled.every(isNumber);

function sumOf(column: ColumnSample): number {
  return numbersOf(column)?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0) ?? 0;
}

function rowsWithSeveral(parts: readonly ColumnSample[]): number {
  const numbers = parts.flatMap((part) => numbersOf(part) ?? []);
  const rows = numbers[0]?.values ?? [];
  return rows.filter((_, row) => numbers.filter(({ values }) => (values[row] ?? 0) > 0).length > 1).length;
}

/** The distance of each row as the mapping will add it up, so that its unit is found by the whole workout. */
export function withSums<T extends ColumnSample>(
  distance: T | undefined,
  columns: readonly ColumnSample[],
  mark: "." | ",",
): T | undefined {
  const { addends } = distance ?? {};
  if (distance === undefined || addends === undefined) return distance;
  const numbers = columns.filter(({ name }) => addends.includes(name)).flatMap((part) => numbersOf(part) ?? []);
  const cells = distance.cells.map((cell, row) => {
    const own = numbers.flatMap(({ values }) => values[row] ?? []);
    if (own.length === 0) return cell;
    const sum = own.reduce((all, one) => all + one, 0);
    return String(Math.round(sum * 1000) / 1000).replace(".", mark);
  });
  return { ...distance, cells, filled: cells.filter((cell) => cell !== "") };
}

/** The choices about a distance, for each part that is added to it. What a person says of one holds for all. */
export function forEachPart(
  choices: readonly (Choice | undefined)[],
  distance: ColumnSample | undefined,
  answers: Answers,
): readonly Choice[] {
  const { addends = [], name = "" } = distance ?? {};
  return addends
    .filter((part) => part !== name)
    .flatMap((part) =>
      choices.flatMap((choice) => {
        if (choice === undefined) return [];
        const place = choice.place.replace(`columns.${name}.`, () => `columns.${part}.`);
        return [{ ...answered(choice, answers), place }];
      }),
    );
}
