/**
 * Finds the distances of swimming strokes in a column each: `Free`, `Back`, `Kick`. A swim is as long as all of them together. The same goes for the
 * surfaces of a run: `Road km`, `Trail km`, `Treadmill km` beside one time.
 */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Answers } from "../choices/choice.ts";
import { wordsOf } from "../columns/main-part.ts";
import { numbersOf } from "../columns/numbers-of-columns.ts";
import { type RowTotals, withRowTotals } from "../groups/row-totals.ts";
import { type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";
import { isNumber } from "../words/values.ts";
import { withAddedParts } from "./added-parts.ts";

/** Headers of strokes and drills, folded. */
const STROKES =
  /^(?:free|freestyle|front crawl|crawl|back|backstroke|breast|breaststroke|fly|butterfly|im|kick|pull|drill|drills|freistil|kraul|rucken|brust|schmetterling|delfin|delphin|beine|arme|dos|brasse|papillon|nage libre|libre|espalda|braza|mariposa|stile libero|dorso|rana|farfalla|delfino|costas|brucos|peito|borboleta|borstcrawl|rugslag|schoolslag|vlinderslag|fritt|frisim|ryggsim|brostsim|fjaril)(?: \(?(?:m|yd|yds|yards|metres|meters)\)?)?$/;

/** Two such headers may be anything: `Back` and `Drill` of a gym. */
const LEAST_STROKES = 3;

/** Headers of surfaces, without their unit, folded. */
const SURFACES =
  /^(?:road|street|trail|trails|treadmill|track|grass|gravel|asphalt|pavement|off[ -]?road|indoor|indoors|outdoor|outdoors|strasse|wald|waldweg|laufband|bahn|gelande|schotter|feldweg|asphalte?|route|sentier|sentiers|tapis|piste|chemin|herbe|asfalto|carretera|montana|cinta|pista|sendero|strada|sterrato|tapis roulant|sentiero|estrada|esteira|trilha|weg|verhard|onverhard|loopband|baan|bos|asfalt|skog|terrang|lopband|bana|grus|skov|lobeband|bane|szosa|ulica|las|bieznia|teren)$/;

/** Two surfaces are enough, where each header has the unit of a length. */
const LEAST_SURFACES = 2;

/** The columns, where one is the sum of others, or where several are added up: strokes of a swim, or parts of a workout. */
export function wholesOf(columns: readonly ColumnSample[], answers: Answers): RowTotals {
  const totals = withRowTotals(columns);
  if (totals.columns !== columns) return totals;
  const strokes = [STROKE_PARTS, SURFACE_PARTS]
    .map((kind) => withAddedStrokes(columns, answers, kind))
    .find((one) => one.columns !== columns) ?? { columns, choices: [] };
  return strokes.columns === columns ? withAddedParts(columns, answers) : strokes;
}

/** Columns that are added up. */
interface AddedKind {
  readonly isOne: (column: ColumnSample) => boolean;
  readonly least: number;
  /** What they are, for people. */
  readonly are: string;
  /** Whether they must have one duration beside them, without which each may be a workout of its own. */
  readonly isTimed: boolean;
}

const STROKE_PARTS: AddedKind = {
  ...{ isOne: ({ name }) => STROKES.test(foldHeader(name)), least: LEAST_STROKES },
  ...{ are: "strokes of one swim", isTimed: false },
};

const SURFACE_PARTS: AddedKind = {
  isOne: (column) => SURFACES.test(wordsOf(column)) && lengthUnit(column.meaning.unit) !== undefined,
  ...{ least: LEAST_SURFACES, are: "surfaces of one workout", isTimed: true },
};

/** The columns, in which such columns are added up to the distance, and the evidence. Where another column is the distance, they stay. */
function withAddedStrokes(columns: readonly ColumnSample[], answers: Answers, kind: AddedKind): RowTotals {
  const none = { columns, choices: [] };
  const durations = columns.filter(({ meaning, filled }) => filled.length > 0 && meaning.roles.includes("duration"));
  if (kind.isTimed && durations.length !== 1) return none;
  const strokes = columns.filter(
    (column) =>
      kind.isOne(column) &&
      ["distance", undefined].includes(answers.get(`columns.${column.name}.field`)) &&
      column.filled.length > 0 &&
      column.filled.every(isNumber),
  );
  const isOther = (column: ColumnSample) =>
    !strokes.includes(column) && column.meaning.roles.includes("distance") && fits("distance", column);
  if (strokes.length < kind.least || columns.some((column) => column.filled.length > 0 && isOther(column))) return none;
  const units = new Set(strokes.flatMap(({ meaning }) => meaning.unit ?? []));
  const [unit] = units;
  if (units.size > 1 || (unit !== undefined && lengthUnit(unit) === undefined)) return none;
  const sumOf = (column: ColumnSample) =>
    numbersOf(column)?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0) ?? 0;
  const main = strokes.toSorted((a, b) => sumOf(b) - sumOf(a))[0] as ColumnSample;
  const names = strokes.map(({ name }) => name);
  const why = `the headers ${alternatives(names, "and")} are ${kind.are}, and no column is their sum`;
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
