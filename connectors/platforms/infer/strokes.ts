/** Finds the distances of swimming strokes in a column each: `Free`, `Back`, `Kick`. A swim is as long as all of them together. */
import { alternatives } from "../../../transforms/text/zod-messages.ts";
import { withAddedParts } from "./added-parts.ts";
import type { Answers } from "./choice.ts";
import { type ColumnSample, fits } from "./column.ts";
import { foldHeader, lengthUnit } from "./header-words.ts";
import { numbersOf } from "./numbers-of-columns.ts";
import { type RowTotals, withRowTotals } from "./row-totals.ts";
import { isNumber } from "./values.ts";

/** Headers of strokes and drills, folded. */
const STROKES =
  /^(?:free|freestyle|front crawl|crawl|back|backstroke|breast|breaststroke|fly|butterfly|im|kick|pull|drill|drills|freistil|kraul|rucken|brust|schmetterling|delfin|delphin|beine|arme|dos|brasse|papillon|nage libre|libre|espalda|braza|mariposa|stile libero|dorso|rana|farfalla|delfino|costas|brucos|peito|borboleta|borstcrawl|rugslag|schoolslag|vlinderslag|fritt|frisim|ryggsim|brostsim|fjaril)(?: \(?(?:m|yd|yds|yards|metres|meters)\)?)?$/;

/** Two such headers may be anything: `Back` and `Drill` of a gym. */
const LEAST_STROKES = 3;

/** The columns, where one is the sum of others, or where several are added up: strokes of a swim, or parts of a workout. */
export function wholesOf(columns: readonly ColumnSample[], answers: Answers): RowTotals {
  const totals = withRowTotals(columns);
  if (totals.columns !== columns) return totals;
  const strokes = withAddedStrokes(columns, answers);
  return strokes.columns === columns ? withAddedParts(columns, answers) : strokes;
}

/** The columns, in which the strokes are added up to the distance, and the evidence. Where another column is the distance, they stay. */
function withAddedStrokes(columns: readonly ColumnSample[], answers: Answers): RowTotals {
  const none = { columns, choices: [] };
  const strokes = columns.filter(
    (column) =>
      STROKES.test(foldHeader(column.name)) &&
      ["distance", undefined].includes(answers.get(`columns.${column.name}.field`)) &&
      column.filled.length > 0 &&
      column.filled.every(isNumber),
  );
  const isOther = (column: ColumnSample) =>
    !strokes.includes(column) && column.meaning.roles.includes("distance") && fits("distance", column);
  if (strokes.length < LEAST_STROKES || columns.some((column) => column.filled.length > 0 && isOther(column)))
    return none;
  const units = new Set(strokes.flatMap(({ meaning }) => meaning.unit ?? []));
  const [unit] = units;
  if (units.size > 1 || (unit !== undefined && lengthUnit(unit) === undefined)) return none;
  const sumOf = (column: ColumnSample) =>
    numbersOf(column)?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0) ?? 0;
  const main = strokes.toSorted((a, b) => sumOf(b) - sumOf(a))[0] as ColumnSample;
  const names = strokes.map(({ name }) => name);
  const why = `the headers ${alternatives(names, "and")} are strokes of one swim, and no column is their sum`;
  return {
    columns: columns.map((column) => {
      if (!strokes.includes(column)) return column;
      const meaning = { unit, isEnglish: column.meaning.isEnglish };
      if (column === main)
        return { ...column, addends: names, meaning: { ...meaning, roles: ["distance"], purpose: "actual" } };
      return { ...column, partOf: main.name, addends: names, meaning: { ...meaning, roles: [], purpose: "other" } };
    }),
    choices: [
      { place: `columns.${main.name}.field`, value: "distance", why, contradicting: 0, rows: main.filled.length },
    ],
  };
}
