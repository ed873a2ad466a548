/** Finds a column of temperatures in which some rows are in degrees Celsius, and others in Fahrenheit. */
import type { AssignedColumn } from "../columns/roles.ts";
import { roughNumber, splitAmount } from "../words/values.ts";

/** So many rows must be in degrees Celsius. A single number that is too hot for these shows that one unit can't be true of all. */
const LEAST_ROWS = 4;

/** Nobody trains in hotter air, in degrees Celsius. Above it, a number is in Fahrenheit. */
const HOTTEST = 48;

/**
 * Degrees without any value between the two units, or between the last rows in one and the first in the other. Few days of a winter and a spring in
 * Minneapolis are 15 °F apart by chance.
 */
const leastGap = (rows: number) => (rows < 40 ? 20 : rows < 80 ? 15 : 10);

/** Rows on each side of a jump. The weather changes, but seldom by so much for so many workouts. */
const AROUND = 5;

/** How far the middle of the warmer numbers may be from that of the others in Fahrenheit: seasons differ. */
const TOLERANCE = 15;

/** Why one unit can't be true of all rows; undefined if it may be. A cell with a unit of its own says it. */
export function mixedTemperatures(column: AssignedColumn): string | undefined {
  const rows = bareTemperatures(column);
  const found = gapIn(rows.map(({ value }) => value)) ?? jumpIn(rows);
  if (found === undefined) return undefined;
  return `${found}, as degrees Celsius and Fahrenheit are apart. If so, one unit can't be true of all rows: write the other unit into each of its cells, as in 54 F, and propose again`;
}

/** A temperature without a unit of its own. */
interface Bare {
  readonly cell: string;
  readonly value: number;
}

/** The cells without a unit of their own, in the order of the table. */
export function bareTemperatures({ filled }: Pick<AssignedColumn, "filled">): readonly Bare[] {
  return filled.flatMap((cell) => {
    const { number, unit } = splitAmount(cell);
    const value = roughNumber(number);
    return Number.isNaN(value) || unit !== "" ? [] : [{ cell, value }];
  });
}

/** Two heaps of numbers with nothing between them, in whatever order they stand. */
function gapIn(values: readonly number[]): string | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, at) => ({ at: at + 1, gap: value - (sorted[at] ?? value) }));
  const [widest] = gaps.filter(({ at }) => at >= LEAST_ROWS).toSorted((a, b) => b.gap - a.gap);
  if (widest === undefined || widest.gap < leastGap(values.length)) return undefined;
  const [low, high] = [sorted.slice(0, widest.at), sorted.slice(widest.at)];
  if (!areApart(low, high)) return undefined;
  return `the numbers are ${low[0]} to ${low.at(-1)} or ${high[0]} to ${high.at(-1)}, with none between`;
}

/** A row from which on the numbers are in the other unit: the one with the widest gap around it. */
function jumpIn(rows: readonly Bare[]): string | undefined {
  const values = rows.map(({ value }) => value);
  let widest = { at: 0, gap: 0, isUp: true };
  for (let at = AROUND; at <= values.length - AROUND; at++) {
    const [before, behind] = [values.slice(at - AROUND, at), values.slice(at, at + AROUND)];
    const up = Math.min(...behind) - Math.max(...before);
    const down = Math.min(...before) - Math.max(...behind);
    const gap = Math.max(up, down);
    if (gap > widest.gap) widest = { at, gap, isUp: up > down };
  }
  const { at, gap, isUp } = widest;
  const sides = [values.slice(0, at), values.slice(at)] as const;
  const [low, high] = isUp ? sides : [sides[1], sides[0]];
  if (gap < leastGap(values.length) || !areApart(low, high)) return undefined;
  const around = (side: readonly number[]) => (side === sides[0] ? side.slice(-AROUND) : side.slice(0, AROUND));
  const jump = middleOf(around(high)) - inFahrenheit(middleOf(around(low)));
  if (Math.abs(jump) > TOLERANCE) return undefined;
  return `from the row with ${rows[at]?.cell} on the numbers are ${isUp ? "higher" : "lower"}`;
}

/** Whether the lower numbers may be degrees Celsius, the higher ones can't all be, and both are one climate. */
function areApart(low: readonly number[], high: readonly number[]): boolean {
  const [hottestLow, hottest] = [low, high].map((side) =>
    side.reduce((most, value) => Math.max(most, value), -Infinity),
  );
  return (
    (hottestLow ?? 0) <= HOTTEST &&
    (hottest ?? 0) > HOTTEST &&
    Math.abs(inFahrenheit(middleOf(low)) - middleOf(high)) <= TOLERANCE
  );
}

const inFahrenheit = (celsius: number) => celsius * 1.8 + 32;

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
