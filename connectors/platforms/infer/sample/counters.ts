/** Finds a column that counts the workouts: 1, 2, 3 below `Run #` or `Run`. Such a header may be that of a distance as well. */
import { type HeaderMeaning, lengthUnit } from "../words/header-words.ts";
import { isLength, roughNumber } from "../words/values.ts";
import { sportInTitle } from "../words/words.ts";

/** Fewer rows count by chance. */
const LEAST_ROWS = 6;

/** This share of the steps must be by one. The others are rows that somebody deleted. */
const STEPS = 0.9;

/** Headers that say that they count. */
const NUMBERS = /[#№]|(?:^|[\s-])(?:no|nr|num|number|nummer|nº|n°|numero|número)\.?$/iu;

/** A column, as far as it may be such. */
interface Column {
  readonly name: string;
  readonly meaning: HeaderMeaning;
  readonly filled: readonly string[];
}

/**
 * The columns, where one that counts is no distance and is left with its reason. Without another distance and without a word for numbers in its
 * header, a runner may have gone one kilometre further each time: that is a question.
 */
export function withCounters<T extends Column>(
  columns: readonly T[],
): readonly (T & { readonly sumOf?: string; readonly isLikely?: true })[] {
  return columns.map((column) => {
    if (!mayCount(column)) return column;
    const { meaning, name, filled } = column;
    const isSaid = NUMBERS.test(name);
    const hasOther = columns.some((other) => other !== column && isDistance(other, filled.length));
    // From somewhere else than 1 only a number of a longer log counts, and its header says it.
    if (!isSaid && !isFromOne(filled)) return column;
    if (!isSaid && !hasOther) return { ...column, isLikely: true as const };
    const sumOf = `it counts the rows: ${filled.slice(0, 3).join(", ")} …`;
    return { ...column, meaning: { ...meaning, roles: ["total" as const], unit: undefined }, sumOf };
  });
}

/** Whether a header may be that of a distance without its unit, above numbers that go on by one. */
function mayCount({ name, meaning, filled }: Column): boolean {
  const { roles, unit } = meaning;
  const isOpen = roles.includes("distance") || (roles.length === 0 && sportInTitle(name) !== undefined);
  if (!isOpen || lengthUnit(unit) !== undefined || filled.length < LEAST_ROWS) return false;
  if (!filled.every((cell) => /^\d{1,5}$/.test(cell))) return false;
  const steps = filled.slice(1).map((cell, at) => Number(cell) - Number(filled[at]));
  const isOneWay = steps.every((step) => step > 0) || steps.every((step) => step < 0);
  return isOneWay && steps.filter((step) => Math.abs(step) === 1).length >= steps.length * STEPS;
}

function isFromOne(filled: readonly string[]): boolean {
  return [filled[0], filled.at(-1)].some((cell) => roughNumber(cell ?? "") === 1);
}

/** Whether a column is a distance by its header, in at least half as many rows. */
function isDistance({ meaning, filled }: Column, rows: number): boolean {
  return meaning.roles.includes("distance") && filled.filter(isLength).length >= rows / 2;
}
