/** Tells the weights that somebody lifted from the weight of the body. */
import { type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader, wholeHeader } from "../words/header-words.ts";
import { namesBody, namesLift } from "../words/lifted-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";

/** Columns of a log of strength training. */
const OF_LIFTS =
  /^(?:exercises?|sets?|reps?|repetitions?|sets? ?(?:x|\/) ?reps?|ubung|ubungen|satze|wiederholungen|wdh|exercices?|series|repeticiones|ejercicios?|esercizi|esercizio|serie|ripetizioni|ovning|ovningar|oefening)$/;
/** The columns of exercises among them that count something. */
const OF_SETS =
  /^(?:sets?|reps?|repetitions?|sets? ?(?:x|\/) ?reps?|satze|wiederholungen|wdh|series|repeticiones|serie|ripetizioni)$/;

/** The column with the number of sets or repetitions; undefined if a table has none. */
export function setsColumn<T extends ColumnSample>(columns: readonly T[]): T | undefined {
  return columns.find(({ name, filled }) => filled.length > 0 && OF_SETS.test(foldHeader(name)));
}

/**
 * Whether a column of weights is what somebody lifted: its header says so, or it stands beside exercises, sets or repetitions, or beside another weight
 * that is rather that of the body. A header that names the body says it is none.
 */
export function isLifted(column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const header = headerOf(column);
  if (namesBody(header)) return false;
  const { roles } = column.meaning;
  if (namesLift(header) && roles.every((role) => role === "weight")) return true;
  if (!roles.includes("weight")) return false;
  if (columns.some(({ name }) => OF_LIFTS.test(foldHeader(name)))) return true;
  const others = columns.filter(
    (other) =>
      other !== column && other.filled.length > 0 && other.meaning.roles.includes("weight") && fits("weight", other),
  );
  return (
    others.some((other) => namesBody(headerOf(other))) ||
    (!isPlain(column) && others.some(isPlain)) ||
    (jumpsOf(column) !== undefined &&
      others.some((other) => !namesLift(headerOf(other)) && jumpsOf(other) === undefined))
  );
}

/** A header without the number of a repeated one, folded. */
const headerOf = ({ name }: ColumnSample) => foldHeader(name.replace(/#\d+$/, ""));

/** Whether a header says a weight and nothing else: `Weight`, `Gewicht (kg)`. */
function isPlain(column: ColumnSample): boolean {
  const words = headerOf(column)
    .split(/[\s,()[\]]+/)
    .filter((word) => word !== "" && !UNIT.test(word))
    .join(" ");
  return words === "" || (wholeHeader(words)?.roles.includes("weight") ?? false);
}

/** Whether a header has a word for a weight, or only its unit. A unit behind other words may be that of anything. */
export function saysWeight(column: ColumnSample): boolean {
  const header = headerOf(column);
  if (namesBody(header) || isPlain(column)) return true;
  return header.split(/[^\p{L}]+/u).some((word) => !UNIT.test(word) && endsInWeight(word));
}

const UNIT = /^(?:kgs?|lbs?|pounds)$/;
const endsInWeight = (word: string) =>
  (wholeHeader(word)?.roles.includes("weight") ?? false) || /(?:weight|gewicht|vikt|vaegt)$/.test(word);

/** No body becomes so much lighter or heavier from one day to the next. */
const FIFTH = 1.2;

/** Fewer jumps, or a smaller share of them, are slips of the keyboard. */
const [LEAST_JUMPS, JUMPING] = [3, 0.1];

/** A kilogram in pounds. */
const KILOGRAM = 2.20462;

/** Weights that jump up and down from row to row. */
export interface WeightJumps {
  readonly jumps: number;
  /** How many rows have a row before them. */
  readonly steps: number;
  /** The first jump: `from 120 to 95`. */
  readonly example: string;
}

/** How the weights of a column jump up and down as none of a body does; undefined if they don't. */
export function jumpsOf({ filled }: ColumnSample): WeightJumps | undefined {
  const weights = filled.flatMap((cell) => {
    const { number, unit } = splitAmount(cell);
    const value = roughNumber(number) / (/^(?:lbs?|pounds)$/i.test(unit) ? KILOGRAM : 1);
    return value > 0 ? [{ cell, value }] : [];
  });
  const steps = weights.slice(1).map(({ cell, value }, at) => {
    const before = weights[at] ?? { cell, value };
    return { factor: value / before.value, example: `from ${before.cell} to ${cell}` };
  });
  const [up, down] = [steps.filter(({ factor }) => factor >= FIFTH), steps.filter(({ factor }) => factor <= 1 / FIFTH)];
  const jumps = up.length + down.length;
  const [first] = [...down, ...up];
  if (first === undefined || up.length === 0 || down.length === 0) return undefined;
  if (jumps < Math.max(LEAST_JUMPS, steps.length * JUMPING)) return undefined;
  return { jumps, steps: steps.length, example: first.example };
}
