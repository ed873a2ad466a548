/**
 * Tells whether the year stands in front of dates such as 17-01-02. The same cells can be days of other years with the day or the month in front. Rows
 * that stay in their order, and years that don't jump from row to row, show which they are.
 */
import type { Choice } from "../choices/choice.ts";
import type { TEXT_ORDERS } from "../words/values.ts";

type TextOrder = (typeof TEXT_ORDERS)[number];
type Days = readonly (string | undefined)[];

/** An order that dates can have, and the days of the rows in it. */
export interface Candidate {
  readonly order: TextOrder;
  readonly days: Days;
}

/** The dates of a column. */
export interface TwoDigitDates {
  readonly filled: readonly string[];
  /** The days of the rows in each order. */
  readonly read: ReadonlyMap<TextOrder, Days>;
  /** No workout is later. */
  readonly today: string;
  /** The order that the names of weekdays beside the dates show. */
  readonly byWeekday: (candidates: readonly Candidate[]) => Choice | undefined;
}

/** The year stands in front for sure, or it may, and a person chooses among orders. */
export interface YearInFront {
  readonly isSure: boolean;
  readonly why: string;
  /** The possible orders, the likelier first. */
  readonly orders: readonly TextOrder[];
}

/** Three numbers, the first of two digits and the last of at most two; or six digits. */
const TWO_DIGITS = /^\d{6}$|^\d{2}(?:[-/.\s]\s?|年)\d{1,2}(?:[-/.\s]\s?|月)\d{1,2}(?!\d)/;

/** This share of the cells with a date decides. */
const DECISIVE = 0.9;

/** Rows further apart leap over a year. */
const LEAP_DAYS = 300;

/** Fewer steps from row to row show no order. */
const LEAST_STEPS = 5;

/** So many days in a row are days, and no years. */
const LONG_STREAK = 9;

/** Undefined if the year can't stand in front, or plainly doesn't. */
export function yearInFront(dates: TwoDigitDates): YearInFront | undefined {
  const { filled, read, today } = dates;
  const rowsOf = (order: TextOrder) => (read.get(order) ?? []).filter((day) => day !== undefined).length;
  const inFront = rowsOf("ymd");
  if (inFront === 0 || filled.filter((cell) => TWO_DIGITS.test(cell)).length < inFront * DECISIVE) return undefined;
  const most = Math.max(...(["iso", "dmy", "mdy"] as const).map(rowsOf));
  if (inFront < most * DECISIVE) return undefined;
  const orders = (["dmy", "mdy", "ymd"] as const).filter((order) => rowsOf(order) >= inFront * DECISIVE);
  const sure = (why: string): YearInFront => ({ isSure: true, why, orders: ["ymd"] });
  if (orders.length === 1) return sure(`${inFront} of ${filled.length} dates can be read so, ${most} in another order`);
  const candidates = orders.map((order) => ({ order, days: read.get(order) ?? [] }));
  const named = dates.byWeekday(candidates);
  if (named !== undefined) return named.value === "ymd" ? sure(named.why) : undefined;
  const courses = candidates.map((candidate) => courseOf(candidate, today));
  const left = courses.filter((one) => !courses.some((other) => isWorse(one, other) && !isWorse(other, one)));
  const strange = ({ turns, leaps, late }: Course) => turns + leaps + late;
  const names = left.toSorted((a, b) => strange(a) - strange(b)).map(({ order }) => order);
  if (!names.includes("ymd")) return undefined;
  const [only] = left;
  if (left.length === 1 && only !== undefined) {
    const others = courses.filter((course) => course !== only);
    const jumps = Math.min(...others.map(({ turns, leaps, late }) => Math.max(turns, leaps, late)));
    return sure(
      `the rows follow each other so; in another order ${jumps} rows jump back, leap over a year or are in the future`,
    );
  }
  return {
    isSure: false,
    why: "every date can be read with the year in front and with the year behind",
    orders: names,
  };
}

/** How the days of the rows follow each other in an order. */
interface Course {
  readonly order: TextOrder;
  readonly steps: number;
  /** Rows against the direction of the most. */
  readonly turns: number;
  /** Rows about a year or more from the one before. */
  readonly leaps: number;
  /** Rows in the future. */
  readonly late: number;
  /** Whether each row is a day after the one before: a race each year looks so in the wrong order. No race is on one day of the month for years. */
  readonly isStreak: boolean;
}

function courseOf({ order, days }: Candidate, today: string): Course {
  const known = days.filter((day) => day !== undefined);
  const steps = known
    .slice(1)
    .map((day, at) => (Date.parse(day) - Date.parse(known[at] ?? "")) / 86_400_000)
    .filter((step) => step !== 0);
  const up = steps.filter((step) => step > 0).length;
  return {
    ...{ order, steps: steps.length, turns: Math.min(up, steps.length - up) },
    leaps: steps.filter((step) => Math.abs(step) >= LEAP_DAYS).length,
    late: known.filter((day) => day > today).length,
    isStreak: steps.length < LONG_STREAK && steps.every((step) => Math.abs(step) === 1),
  };
}

/** Whether one order is plainly worse than another. */
function isWorse(one: Course, other: Course): boolean {
  const isPlain = (worse: number, better: number, least: number) => worse >= Math.max(least, better * 4);
  if (other.late === 0 && one.late >= 2) return true;
  const isInOrder = other.steps >= LEAST_STEPS && other.turns <= other.steps * 0.05;
  if (isInOrder && isPlain(one.turns, other.turns, other.turns === 0 ? 2 : 3)) return true;
  return !other.isStreak && isPlain(one.leaps, other.leaps, 3);
}
