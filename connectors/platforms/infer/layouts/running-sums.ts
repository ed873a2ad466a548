/**
 * Finds columns that are the running sum of another one over the rows: `total km` beside `km`, begun anew each year, month or week. Such a column
 * says nothing of its own row, and read as a workout it would be loaded a second time.
 */

import { type Numbers, numbersOf } from "../columns/numbers-of-columns.ts";
import type { ColumnSample } from "../sample/column.ts";
import { isRole, type Role } from "../words/header-words.ts";

/** What can be summed up. A heart rate or a weight can't. */
const SUMMED: ReadonlySet<Role> = new Set(
  "distance duration hours minutes time elevation calories steps total week".split(" ").filter(isRole),
);

/** Fewer rows that go on from the sum above show nothing. */
const LEAST_STEPS = 4;

/** Fewer different values are no sum that grows. */
const LEAST_VALUES = 3;

/** This share of the rows must go on, or begin anew. The others are mistakes of the sheet. */
const SHARE = 0.9;

/** Rows without the value in which the sum goes on all the same, for each row that shows the sum: it may count more than this value. */
const MOST_JUMPS = 1 / 3;

/** Rows of a sum that stands at the end of a week or a month only. */
const MOST_BETWEEN = 40;

/** The columns that are running sums, with the evidence for people. */
export function runningSums(columns: readonly ColumnSample[]): ReadonlyMap<string, string> {
  const numbers = columns.flatMap((column) => {
    const { roles } = column.meaning;
    const isPossible = roles.length === 0 || roles.some((role) => SUMMED.has(role));
    const numbers = isPossible && column.filled.length > 1 ? numbersOf(column) : undefined;
    return numbers === undefined ? [] : [{ column, ...numbers, unit: unitOf(column) }];
  });
  const found = new Map<string, string>();
  for (const sum of numbers.filter(({ column }) => column.filled.length > LEAST_STEPS && grows(column))) {
    const parts = numbers.filter(
      (part) => part !== sum && !found.has(part.column.name) && isSummable(part.column, sum.column),
    );
    const evidence = [...parts, ...together(parts)].flatMap((part) => {
      const rows = Math.max(
        ...scalesOf(part, sum).flatMap((scale) => ORDERS.map((order) => steps(scaled(part, scale), sum, order))),
      );
      return rows === 0 ? [] : [`the running sum of ${part.name}: ${rows} rows go on from the sum before`];
    });
    const [first] = evidence;
    if (first !== undefined) found.set(sum.column.name, first);
  }
  return found;
}

/** What a column measures, as far as its header or its colons say. */
function kindOf({ meaning, filled }: ColumnSample): Role | undefined {
  const isClock = filled.filter((cell) => /^\d+:\d\d/.test(cell)).length > filled.length / 2;
  return isClock ? "duration" : KINDS.find(([role]) => meaning.roles.includes(role))?.[1];
}

/** Roles, and what each of them measures. */
const KINDS: readonly (readonly [role: Role, kind: Role])[] = [
  ["distance", "distance"],
  ...(["duration", "hours", "minutes"] as const).map((role) => [role, "duration"] as const),
  ...(["elevation", "calories", "steps"] as const).map((role) => [role, role] as const),
];

/** Whether one column may be the sum of another: times are no sum of kilometres, and no kilometres are a sum of hours of sleep. */
function isSummable(part: ColumnSample, sum: ColumnSample): boolean {
  const [one, other] = [kindOf(part), kindOf(sum)];
  if (other !== undefined && part.meaning.purpose === "other") return false;
  return one === undefined || other === undefined || one === other;
}

/** Whether a column has so many different values as a sum has within a week. A commute of 22.4 miles each time is the sum of nothing. */
function grows({ filled }: ColumnSample): boolean {
  return new Set(filled).size >= LEAST_VALUES;
}

/** Numbers with the size of their unit in metres or in seconds; undefined where nothing says it. */
interface Sized extends Numbers {
  readonly unit: number | undefined;
}

/** All distances of a row, and all durations, as one: `Run km` and `Bike km` beside `Year km`. */
function together(parts: readonly (Sized & { readonly column: ColumnSample })[]): readonly Sized[] {
  return (["distance", "duration"] as const).flatMap((role) => {
    const some = parts.filter((part) => part.column.meaning.roles.includes(role) && !isRising(part));
    if (some.length < 2) return [];
    const values =
      some[0]?.values.map((_, row) => some.reduce((all, { values: own }) => all + (own[row] ?? 0), 0)) ?? [];
    const name = some.map((each) => each.name).join(" and ");
    const [unit, ...others] = new Set(some.map((each) => each.unit));
    return [
      { name, values, step: Math.max(...some.map(({ step }) => step)), unit: others.length === 0 ? unit : undefined },
    ];
  });
}

/** Whether a column looks like a sum itself: nearly each of its numbers is as large as the one before, or as the one behind. */
function isRising({ values }: Numbers): boolean {
  const known = values.filter((value) => value !== undefined);
  const up = known.slice(1).filter((value, at) => value >= (known[at] ?? 0)).length;
  const down = known.slice(1).filter((value, at) => value <= (known[at] ?? 0)).length;
  return known.length > LEAST_STEPS && Math.max(up, down) >= (known.length - 1) * SHARE;
}

/** Whether the oldest row is the first, or the last. */
const ORDERS = [1, -1] as const;

/** Units of the sum in those of the rows: kilometres of metres, hours of minutes and of seconds, and each the other way round. */
const SCALES = [1, 1000, 0.001, 60, 1 / 60, 3600, 1 / 3600] as const;

/** The sizes of units, in metres and in seconds, by the words that headers have for them. */
const UNITS: readonly (readonly [words: RegExp, size: number])[] = [
  [/^(?:k|kms?|kilomet(?:er|re)s?)$/, 1000],
  [/^(?:m|met(?:er|re)s?)$/, 1],
  [/^(?:mi|miles?)$/, 1609.344],
  [/^(?:h|hrs?|hours?|std|stunden)$/, 3600],
  [/^(?:min|mins|minutes?|minuten)$/, 60],
  [/^(?:s|secs?|seconds?|sek)$/, 1],
];

/** The size of a column's unit. Durations with two colons are in seconds, those with one may be in either. */
function unitOf({ meaning, filled }: ColumnSample): number | undefined {
  if (filled.some((cell) => /^\d+:\d\d/.test(cell)))
    return filled.every((cell) => /^\d+:\d\d:\d\d/.test(cell)) ? 1 : undefined;
  return UNITS.find(([words]) => words.test(meaning.unit ?? ""))?.[1];
}

/**
 * The scales that may be meant. Where both units are known there is one: by chance, minutes in a sixtieth of themselves soon grow as slowly as a
 * column that has nothing to do with them.
 */
function scalesOf(part: Sized, sum: Sized): readonly number[] {
  if (part.unit === undefined || sum.unit === undefined) return SCALES;
  return [part.unit / sum.unit];
}

function scaled(numbers: Numbers, scale: number): Numbers {
  if (scale === 1) return numbers;
  const { values, step } = numbers;
  return { ...numbers, values: values.map((value) => value && value * scale), step: step * scale };
}

/** The rows whose sum goes on from the row before; 0 if the column is no running sum. @param order -1 for the newest row first */
function steps(part: Numbers, sum: Numbers, order: number): number {
  const rows = [...part.values.keys()];
  if (order < 0) rows.reverse();
  const tolerance = sum.step + part.step / 2 + 1e-6;
  let [onward, anew, other, jumps] = [0, 0, 0, 0];
  let before: number | undefined;
  let between: number[] = [];
  for (const row of rows) {
    between.push(part.values[row] ?? 0);
    if (between.length > MOST_BETWEEN) between.shift();
    const value = sum.values[row];
    if (value === undefined) continue;
    const fits = (expected: number) => Math.abs(value - expected) <= tolerance;
    const added = between.reduce((all, one) => all + one, 0);
    // A day without training shows nothing: the sum stays.
    const isTelling = added > tolerance * 2;
    if (before !== undefined && !isTelling && !fits(before + added) && !fits(added)) jumps++;
    else if (before !== undefined && isTelling) {
      if (before > tolerance && fits(before + added)) onward++;
      else if (fits(added) && between.filter((one) => one > tolerance).length > 1) onward++;
      else if (sinceAny(between, fits)) anew++;
      else other++;
    }
    before = value;
    between = [];
  }
  const isSum = onward + anew >= (onward + anew + other) * SHARE && jumps <= onward * MOST_JUMPS;
  return isSum && onward >= LEAST_STEPS && onward >= anew ? onward : 0;
}

/** Whether a sum was begun anew in one of the rows since the last one. */
function sinceAny(between: readonly number[], fits: (expected: number) => boolean): boolean {
  let sum = 0;
  return between.toReversed().some((one) => {
    sum += one;
    return fits(sum);
  });
}
