/**
 * Finds rows without a date and without a word that sum up a table: the total, the mean, the longest and the shortest workout below it, or sums of
 * months that miss a row. An empty date may stand for the one above, so they would become workouts of the last day.
 */
import type { Numbers } from "../columns/numbers-of-columns.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { isNothing } from "../words/values.ts";
import { measuresOf, type SumTask } from "./summed-rows.ts";

/** Rows that sum up others, and the evidence. */
export interface BareStatistics {
  readonly rows: readonly number[];
  readonly why: string;
  /** Whether one of them is the exact sum of all rows above it, in two measures or beside another statistic. */
  readonly isProven: boolean;
}

/** Fewer rows without a date never become workouts of the day above. */
const LEAST_ROWS = 3;

/** Of fewer rows, a mean or an extreme is chance. */
const LEAST_DATA = 5;

/** Statistics below a table. More rows at its end are workouts of one day. */
const MOST_AT_END = 12;

/** Rows of a month, and some more. */
const MOST_ADDED = 150;

/** So many rows are left of a sum that misses one: with one measure, and with more. */
const LEAST_LEFT = [3, 2] as const;

/** A value so many times the largest with a date is no second workout of a day. */
const BEYOND = 2;

/** Finds them; undefined if the table shows none. */
export function bareStatistics(task: SumTask, dates: AssignedColumn): BareStatistics | undefined {
  const { columns, days, isSkipped } = task;
  const measures = measuresOf(columns);
  const hasValue = (row: number) => measures.some(({ values }) => (values[row] ?? 0) > 0);
  const first = days.findIndex((day) => day !== undefined);
  const order = [...days.keys()].filter((row) => row >= first && !isSkipped(row) && hasValue(row));
  const isBare = (row: number) =>
    days[row] === undefined && (isNothing(dates.cells[row] ?? "") || dates.cells[row] === dates.cells[row - 1]);
  if (first === -1 || order.filter(isBare).length < LEAST_ROWS) return undefined;
  const sums = sumsAmong({ order, measures, isBare });
  const end = atEnd({ order, measures, isBare }, new Set(sums));
  if (sums.length + end.rows.length === 0) return undefined;
  const others = sums.filter((row) => !end.rows.includes(row));
  const kinds = [...end.kinds].map((kind) => `its ${kind}`).join(" and ");
  const why = [
    ...(others.length === 0 ? [] : [`${rowsIn(others)} about the sum of the rows since the last such row`]),
    ...(end.rows.length === 0 ? [] : [`${rowsIn(end.rows)} below the table, and show ${kinds}`]),
  ];
  return { rows: [...others, ...end.rows], why: why.join("; "), isProven: end.isProven && others.length === 0 };
}

const rowsIn = ({ length }: readonly number[]) =>
  length === 1 ? "1 row without a date is" : `${length} rows without a date are`;

/** A table's rows with values, in their order. */
interface Rows {
  readonly order: readonly number[];
  readonly measures: readonly Numbers[];
  /** Whether a row has nothing in the place of its date. */
  readonly isBare: (row: number) => boolean;
}

const knownIn = (row: number, measures: readonly Numbers[]) => measures.filter(({ values }) => (values[row] ?? 0) > 0);

/** Bare rows that are sums of the rows since the last sum. Once one is larger than any workout, smaller ones count, too. */
function sumsAmong({ order, measures, isBare }: Rows): readonly number[] {
  const largest = new Map(
    measures.map((one) => [
      one,
      valuesOf(
        one,
        order.filter((row) => !isBare(row)),
      ).reduce((a, b) => Math.max(a, b), 0),
    ]),
  );
  const isBeyond = (row: number, times: number) =>
    knownIn(row, measures).every((one) => (one.values[row] ?? 0) > times * (largest.get(one) ?? 0));
  const walk = (isPossible: (row: number) => boolean) => {
    const found: number[] = [];
    let since: number[] = [];
    for (const row of order) {
      const isSum = isBare(row) && isPossible(row) && isSumOf(row, since, measures, isBeyond(row, BEYOND));
      if (isSum) found.push(row);
      since = isSum ? [] : [...since, row].slice(-MOST_ADDED);
    }
    return found;
  };
  const large = walk((row) => isBeyond(row, 1));
  return large.length < 2 ? large : walk(() => true);
}

/** Whether each value of a row is the sum of others, or of all but one. @param isBeyond whether it is larger than any workout, so that it may miss more */
function isSumOf(row: number, added: readonly number[], measures: readonly Numbers[], isBeyond: boolean): boolean {
  const known = knownIn(row, measures);
  const least = LEAST_LEFT[known.length > 1 ? 1 : 0];
  if (added.length < least) return false;
  const missing = known.map((one) => valuesOf(one, added).reduce((a, b) => a + b, 0) - (one.values[row] ?? 0));
  const isNone = (value: number, at: number) => Math.abs(value) <= tolerance(known[at]);
  if (missing.every(isNone)) return true;
  if (isBeyond && missing.every((value, at) => value > 0 || isNone(value, at))) return true;
  // One formula may miss a row, and the one beside it none.
  const isMissed = (one: number) =>
    missing.every((value, at) => isNone(value, at) || isNone(value - (known[at]?.values[one] ?? 0), at));
  return added.length > least && added.some(isMissed);
}

const valuesOf = ({ values }: Numbers, rows: readonly number[]) => rows.map((row) => values[row] ?? 0);

/** A mean is rounded. */
const tolerance = (measure: Numbers | undefined) => (measure?.step ?? 0) * 1.01 + 1e-6;

/** What people write below a table. */
const STATISTICS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  mean: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  maximum: (values) => values.reduce((a, b) => Math.max(a, b), 0),
  minimum: (values) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
};

/** The rows at the end that sum up all above them. The last day may have workouts before them. */
function atEnd({ order, measures, isBare }: Rows, sums: ReadonlySet<number>) {
  const last = order.findLastIndex((row) => !isBare(row));
  const block = order.slice(last + 1).slice(-MOST_AT_END);
  for (const at of block.keys()) {
    const rest = block.slice(at);
    const [first = -1] = rest;
    const data = order.slice(0, order.indexOf(first)).filter((row) => !sums.has(row));
    if (data.length < LEAST_DATA) continue;
    const found = rest.map((row) => statisticsOf(row, data, measures));
    const kinds = new Set(found.flat());
    const matching = found.filter((some) => some.length > 0).length;
    const isSum = kinds.has("sum");
    if (found[0]?.length === 0 || !(isSum || (matching > 1 && kinds.size > 1))) continue;
    const isWide = rest.some((row, of) => found[of]?.includes("sum") === true && knownIn(row, measures).length > 1);
    return { rows: rest, kinds, isProven: isSum && (isWide || kinds.size > 1) };
  }
  return { rows: [], kinds: new Set<string>(), isProven: false };
}

/** What all values of a row are to those of the rows above: `sum`, `mean`, `maximum`, `minimum`. */
function statisticsOf(row: number, data: readonly number[], measures: readonly Numbers[]): readonly string[] {
  const known = knownIn(row, measures);
  return Object.entries(STATISTICS).flatMap(([name, of]) => {
    const isIt = known.every((one) => {
      const values = valuesOf(one, data).filter((value) => value > 0);
      const isRounded = name === "mean";
      const most = isRounded ? Math.max(tolerance(one), one.step === 0 ? 0.51 : 0) : tolerance(one);
      const isVaried = new Set(values).size > 2;
      return isVaried && Math.abs(of(values) - (one.values[row] ?? 0)) <= most;
    });
    return isIt ? [name] : [];
  });
}
