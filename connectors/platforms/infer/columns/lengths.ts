/** Tells by the cells of a column whether they are the lengths of workouts. */
import type { ColumnSample } from "../sample/column.ts";
import { lengthUnit } from "../words/header-words.ts";
import { isLength, roughNumber, splitAmount } from "../words/values.ts";
import { sportInTitle } from "../words/words.ts";

/** This share of the cells must be lengths. */
const SHARE = 0.8;

/**
 * Whether a column is called like a sport, and its cells are lengths: `2,150m` below `Swim`, and `1.250` and `1650` below `Schwimmen`. Below `m` alone,
 * the lengths of pools are metres: no minutes are 400, 750 and 1500.
 */
export function areLengthsOfSport({ name, filled }: ColumnSample): boolean {
  if (/^m$/i.test(name)) return filled.length > 0 && filled.filter(isPoolLength).length >= filled.length * SHARE;
  const lengths = filled.filter((cell) => isLength(cell) && lengthUnit(splitAmount(cell).unit) !== undefined);
  if (sportInTitle(name) === undefined || filled.length === 0) return false;
  return lengths.length >= filled.length * SHARE || areMetres(filled);
}

/** Whether a cell is a multiple of 25, from 200 on. */
const isPoolLength = (cell: string) => /^\d{3,4}$/.test(cell) && Number(cell) >= 200 && Number(cell) % 25 === 0;

/** Whether cells are metres of pools, in some of them with a mark of thousands. */
function areMetres(filled: readonly string[]): boolean {
  const metres = filled.filter((cell) => /^(?:[1-9][.,]?)?\d(?:00|25|50|75)$/.test(cell));
  return filled.some((cell) => /^\d[.,]/.test(cell)) && metres.length >= filled.length * SHARE;
}

/** Whether cells are numbers as distances of workouts are: not all whole, and half of them between 1 and 60. */
export function areLengths(filled: readonly string[]): boolean {
  const numbers = filled
    .map(roughNumber)
    .filter((value) => !Number.isNaN(value))
    .toSorted((a, b) => a - b);
  const middle = numbers[Math.floor(numbers.length / 2)] ?? 0;
  return (
    numbers.length >= filled.length * 0.8 &&
    middle >= 1 &&
    middle <= 60 &&
    numbers.some((value) => !Number.isInteger(value))
  );
}
