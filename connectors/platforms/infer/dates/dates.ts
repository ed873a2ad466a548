/** Finds in which order a column writes day, month and year. */
import { weekdayOf } from "../../../../transforms/calendar.ts";
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import { type Dates, parseDate, parseDateTime } from "../../table/cells/cells.ts";
import type { Choice, Option } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { isTotal } from "../rows/skipped-rows.ts";
import { foldHeader } from "../words/header-words.ts";
import { datesIn, isDateText, isSerial, TEXT_ORDERS } from "../words/values.ts";
import { orderOfNames } from "./named-months.ts";
import { pastCentury } from "./past-centuries.ts";
import { swappedDates } from "./swapped-dates.ts";
import { changedOrder } from "./two-orders.ts";
import { type Candidate, yearInFront } from "./year-in-front.ts";

/** How the dates of a table are written. */
export interface DateReading {
  readonly order: Choice;
  readonly zone: Dates["zone"];
  /** Whether the cells have a time behind the date. */
  readonly withTime: boolean;
  /** The days of the rows in the chosen order; undefined for a cell without one. */
  readonly days: readonly (string | undefined)[];
  /** Up to which year of two digits the dates are of this century, where that isn't 69. */
  readonly century?: Choice;
  /** Why a person must look at the dates first. */
  readonly doubt?: NoProposal;
  /** The same, where they change their order on the way. Sheets of a workbook may each have their own. */
  readonly changed?: NoProposal;
}

type TextOrder = (typeof TEXT_ORDERS)[number];

const MEANS: Readonly<Record<string, string>> = {
  iso: "year, month, day",
  dmy: "day before month: 3/4 is 3 April",
  mdy: "month before day: 3/4 is March 4",
  ymd: "year in front: 17-01-02 is 2 January 2017",
  excel: "days since 1899-12-30",
};

/** This share of the cells with a date decides. The others are totals and mistakes. */
const DECISIVE = 0.9;

/** A column of numbers this full is a column of days as spreadsheets count them. */
const SERIALS = 0.9;

/** `Start (UTC)`, `Date GMT`. An offset from it, as in `UTC+2`, is a time zone of its own. */
const UTC = /(?:^|[\s(])(?:utc|gmt)(?:$|[\s)])/;

const STARTS: ReadonlySet<string | undefined> = new Set(["date", "datetime", "time"]);

/** Whether the header of a start says that its times are those of UTC. */
function saysUtc(columns: readonly AssignedColumn[]): boolean {
  return columns.some(({ role, name }) => STARTS.has(role) && UTC.test(foldHeader(name)));
}

/**
 * Finds the order. Days past the 12th decide. Without any, the names of weekdays beside the dates do, then rows in the order of their days.
 *
 * @param today no workout is later
 */
export function readDates(column: AssignedColumn, columns: readonly AssignedColumn[], today: string): DateReading {
  const { cells } = column;
  const filled = column.filled.filter((cell) => !isTotal(cell));
  const serials = filled.filter(isSerial).length;
  const zone = filled.some((cell) => /\d[T ]\d{1,2}:\d{2}.*(?:Z|[-+]\d{2}:?\d{2})$/.test(cell)) ? "offset" : "local";
  if (serials >= filled.length * SERIALS && serials > 0) {
    const order: Choice = {
      ...{ place: "dates.order", value: "excel", contradicting: filled.length - serials, rows: filled.length },
      why: `${serials} of ${filled.length} cells are numbers of days since 1899-12-30, as spreadsheets keep dates`,
    };
    const withTime = filled.some((cell) => /[.,]\d*[1-9]/.test(cell));
    return { order, zone: saysUtc(columns) ? "utc" : "local", withTime, days: daysOf(cells, "excel", "local") };
  }
  // Dates that a workbook keeps as dates count in any order. The typed ones decide.
  const typed = [...cells.keys()].filter((row) => !column.dates.has(row) && isDateText(cells[row] ?? ""));
  const own = typed.length === 0 ? new Set<number>() : column.dates;
  const read = new Map<TextOrder, readonly (string | undefined)[]>(
    TEXT_ORDERS.map((order) => [
      order,
      daysOf(cells, order, zone).map((day, row) => (own.has(row) ? cells[row]?.slice(0, 10) : day)),
    ]),
  );
  const order = chooseOrder({ ...column, filled }, read, columns, today);
  const orders = [order.value as TextOrder, ...(own.size > 0 ? (["iso"] as const) : [])];
  const withTime = filled.some((cell) =>
    orders
      .map((one) => datesIn(one, zone))
      .some((dates) => parseDate(cell, dates, ".") === undefined && parseDateTime(cell, dates, ".") !== undefined),
  );
  const isYearLast = order.value === "dmy" || order.value === "mdy";
  const century = isYearLast && own.size === 0 ? pastCentury(filled, today) : undefined;
  const chosen = order.value as TextOrder;
  const days = century ? daysOf(cells, chosen, zone, Number(century.value)) : (read.get(chosen) ?? []);
  const doubt = own.size === 0 ? undefined : doubtOf(column, { order: order.value, read, own });
  const changed =
    isYearLast && own.size === 0
      ? changedOrder({ ...column, dmy: read.get("dmy") ?? [], mdy: read.get("mdy") ?? [] })
      : undefined;
  return {
    order,
    zone: zone === "local" && saysUtc(columns) ? "utc" : zone,
    withTime,
    days,
    ...(century && { century }),
    ...(doubt && { doubt }),
    ...(changed && { changed }),
  };
}

interface MixedOrder {
  readonly order: string;
  readonly read: ReadonlyMap<TextOrder, readonly (string | undefined)[]>;
  readonly own: ReadonlySet<number>;
}

/** The doubt about dates of which only some are typed. */
function doubtOf({ name }: AssignedColumn, { order, read, own }: MixedOrder): NoProposal | undefined {
  if (order !== "dmy" && order !== "mdy") return undefined;
  const other = read.get(order === "dmy" ? "mdy" : "dmy");
  return swappedDates({
    ...{ name, order, own, days: read.get(order) ?? [] },
    isAmbiguous: (row) => other?.[row] !== undefined,
  });
}

/** The days of cells in an order; undefined for a cell that is no date. @param pivot the first year of two digits that is of the last century */
export function daysOf(
  cells: readonly string[],
  order: Dates["order"],
  zone: Dates["zone"],
  pivot = datesIn(order).twoDigitYearPivot,
): readonly (string | undefined)[] {
  const dates = { ...datesIn(order, zone), twoDigitYearPivot: pivot };
  return cells.map((cell) => {
    const start = parseDateTime(cell, dates, cell.includes(",") ? "," : ".");
    return (
      start?.date ?? (start?.instant === undefined ? undefined : new Date(start.instant).toISOString().slice(0, 10))
    );
  });
}

function chooseOrder(
  { filled, name }: AssignedColumn,
  read: ReadonlyMap<TextOrder, readonly (string | undefined)[]>,
  columns: readonly AssignedColumn[],
  today: string,
): Choice {
  const count = (order: TextOrder) => (read.get(order) ?? []).filter((day) => day !== undefined).length;
  // A year of two digits in front is weighed by itself: nearly every such date is one of the other orders as well.
  const [best, second] = TEXT_ORDERS.filter((order) => order !== "ymd")
    .map((order) => ({ order, rows: count(order) }))
    .toSorted((a, b) => b.rows - a.rows);
  const rows = filled.length;
  const choice = (order: string, why: string, contradicting = 0): Choice => ({
    ...{ place: "dates.order", value: order, why, contradicting, rows },
  });
  const inFront = yearInFront({ filled, read, today, byWeekday: (some) => byWeekday(some, columns, choice) });
  if (inFront?.isSure) return choice("ymd", inFront.why, rows - count("ymd"));
  if (inFront !== undefined) return { ...choice(inFront.orders[0] ?? "dmy", inFront.why), ...asking(inFront.orders) };
  if (best === undefined || second === undefined || best.rows === 0)
    return {
      ...choice("iso", `no cell of the column ${JSON.stringify(name)} is a date`),
      ...asking(["iso", "dmy", "mdy"]),
    };
  const named = orderOfNames({ filled, dmy: read.get("dmy") ?? [], mdy: read.get("mdy") ?? [] });
  if (named !== undefined && best.order !== "iso") return choice(named, "the months have names", rows - count(named));
  if (second.rows < best.rows * DECISIVE || best.order === "iso")
    return choice(
      best.order,
      `${best.rows} of ${rows} dates can be read so, ${second.rows} in another order`,
      rows - best.rows,
    );
  // Every date, or nearly every one, has a day up to the 12th.
  const onlyOf = (order: TextOrder, other: TextOrder) =>
    (read.get(order) ?? []).filter((day, at) => day !== undefined && read.get(other)?.[at] === undefined).length;
  const [dmy, mdy] = [onlyOf("dmy", "mdy"), onlyOf("mdy", "dmy")];
  if (dmy >= 1 && mdy === 0)
    return choice("dmy", `${dmy} dates have a day past the 12th in the first place, and none in the second`);
  if (mdy >= 1 && dmy === 0)
    return choice("mdy", `${mdy} dates have a day past the 12th in the second place, and none in the first`);
  const candidates = [
    { order: "dmy" as const, days: read.get("dmy") ?? [] },
    { order: "mdy" as const, days: read.get("mdy") ?? [] },
  ];
  return (
    byWeekday(candidates, columns, choice) ??
    byFuture(candidates, today, choice) ??
    bySequence(candidates, choice) ?? {
      ...choice("dmy", bothWays(dmy, mdy)),
      ...asking(["dmy", "mdy"]),
      isUnproven: true,
    }
  );
}

/** What can be read of dates in two orders. @param dmy how many only the first reads, @param mdy how many only the second */
function bothWays(dmy: number, mdy: number): string {
  return dmy + mdy === 0
    ? "every date can be read with the day first and with the month first"
    : `${mdy} dates can't be read with the day first, and ${dmy} can't with the month first`;
}

type MakeChoice = (order: string, why: string, contradicting?: number) => Choice;

/** A column with names of weekdays says which days these are. */
function byWeekday(
  candidates: readonly Candidate[],
  columns: readonly AssignedColumn[],
  choice: MakeChoice,
): Choice | undefined {
  const weekdays = columns.find(({ role }) => role === "weekday");
  if (weekdays === undefined) return undefined;
  const scores = candidates.map(({ order, days }) => {
    const named = days.flatMap((day, at) => {
      const names = weekdaysNamed(weekdays.cells[at] ?? "");
      return day === undefined || names.size === 0 ? [] : [names.has(weekdayOf(day))];
    });
    return { order, right: named.filter(Boolean).length, all: named.length };
  });
  const [best, other] = scores.toSorted((a, b) => b.right - a.right);
  if (best === undefined || other === undefined || best.right < 3 || best.right < best.all * DECISIVE) return undefined;
  if (other.right > other.all / 2) return undefined;
  return choice(
    best.order,
    `${best.right} of ${best.all} dates are the weekday beside them, ${other.right} the other way round`,
  );
}

/** Days to come are no workouts. */
function byFuture(candidates: readonly Candidate[], today: string, choice: MakeChoice): Choice | undefined {
  const counts = candidates.map(({ order, days }) => ({
    order,
    late: days.filter((day) => day !== undefined && day > today).length,
  }));
  const [best, other] = counts.toSorted((a, b) => a.late - b.late);
  if (best === undefined || other === undefined || best.late > 0 || other.late < 2) return undefined;
  return choice(best.order, `${other.late} dates would be in the future the other way round`);
}

/** Rows of a log stand in the order of their days. The wrong order jumps back and forth. */
function bySequence(candidates: readonly Candidate[], choice: MakeChoice): Choice | undefined {
  const scores = candidates.map(({ order, days }) => {
    const known = days.filter((day) => day !== undefined);
    const steps = known.slice(1).map((day, at) => Math.sign(day.localeCompare(known[at] ?? "")));
    const [up, down] = [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length];
    return { order, turns: Math.min(up, down), steps: up + down };
  });
  const [best, other] = scores.toSorted((a, b) => a.turns - b.turns);
  if (best === undefined || other === undefined || best.steps < 5) return undefined;
  // Without a single jump in one order, two in the other are no accident.
  const isPlain = best.turns === 0 ? other.turns >= 2 : other.turns >= Math.max(3, best.turns * 4);
  if (best.turns > best.steps * 0.05 || !isPlain) return undefined;
  return choice(
    best.order,
    `the rows are in the order of their days so; the other way round ${other.turns} rows jump back`,
    best.turns,
  );
}

function asking(orders: readonly string[]): { options: readonly Option[]; question: string } {
  return {
    question: "In which order are the dates written?",
    options: orders.map((value) => ({ value, means: MEANS[value] ?? value })),
  };
}
