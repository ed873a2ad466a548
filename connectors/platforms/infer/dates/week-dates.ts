/** Finds which day of its week a date is: the first or the last one. The names of the columns say which weekday each is. */
import { type LocalDate, weekdayOf } from "../../../../transforms/calendar.ts";
import { type Answers, type Choice, isOpen } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { RepeatedColumns } from "../columns/group-tags.ts";
import type { WeekColumns } from "../groups/week-groups.ts";
import { foldHeader } from "../words/header-words.ts";
import { daysOf } from "./dates.ts";

/** The place of the choice whether a date is the first or the last day of its week. */
export const WEEK_DATE = "layout.weekDate";

/** This share of the dates must be one weekday. The others are mistakes. */
const SHARE = 0.9;

const DAYS_OF_WEEK = 7;

/** Headers of the last day of a week, folded. */
const ENDING = /\b(?:end|ending|ends|w e|bis|ende|fin|fine|fim|einde|slut|koniec)\b/;

/** The days of a week in the order of `layout.week`, and the choice behind it. */
export interface WeekDays {
  readonly columns: RepeatedColumns;
  readonly choice: Choice;
}

/** The weekday that most dates are, and how many. */
function mainWeekday(cells: readonly string[], order: string) {
  const counts = new Map<number, number>();
  const days = daysOf(cells, order as "iso", "local").filter((day) => day !== undefined);
  for (const day of days) counts.set(weekdayOf(day as LocalDate), (counts.get(weekdayOf(day as LocalDate)) ?? 0) + 1);
  const [weekday = 0, count = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { weekday, count, rows: days.length };
}

/** The order of the dates by their weekday, where nothing else shows it: a week has one first day. */
export function orderByWeeks(order: Choice, { cells, weekdays }: WeekColumns): Choice {
  if (!isOpen(order)) return order;
  const scores = order.options
    .map(({ value }) => ({ value, ...mainWeekday(cells, value) }))
    .toSorted((a, b) => b.count - a.count);
  const [best, other] = scores;
  const ends = [weekdays[0], weekdays.at(-1)];
  if (best === undefined || other === undefined || best.rows < LEAST || !ends.includes(best.weekday)) return order;
  if (best.count < best.rows * SHARE || other.count > other.rows / 2) return order;
  const why = `${best.count} of ${best.rows} dates are a ${NAMES[best.weekday]} so, ${other.count} of ${other.rows} are one weekday in another order`;
  return { place: order.place, value: best.value, why, contradicting: best.rows - best.count, rows: best.rows };
}

/** Fewer weeks show nothing. */
const LEAST = 3;

const NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * Puts the columns of a week in the order that its date asks for.
 *
 * @param order the order of the dates
 * @returns the reason if the dates are no first and no last day
 */
export function weekDays(week: WeekColumns, order: string, answers: Answers): WeekDays | NoProposal {
  const { cells, weekdays, date, columns } = week;
  const { weekday, count, rows } = mainWeekday(cells, order);
  const [first = 0, last = 6] = [weekdays[0], weekdays.at(-1)];
  const before = (first - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const behind = (weekday - last + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const free = DAYS_OF_WEEK - 1 - ((last - first + DAYS_OF_WEEK) % DAYS_OF_WEEK);
  // Days without a column may lie before the first one, or behind the last one.
  const possible = [...(before <= free ? ["first"] : []), ...(behind <= free ? ["last"] : [])];
  const isLast = ENDING.test(foldHeader(date));
  const [likely] = possible.includes(isLast ? "last" : "first") ? [isLast ? "last" : "first"] : possible;
  if (likely === undefined)
    return {
      problem: `a row seems to be a week, and its date in the column ${JSON.stringify(date)} is a ${NAMES[weekday]}: neither the first nor the last of its days, which are ${NAMES[first]} and ${NAMES[last]}`,
      next: `Write the date of the first day of each week into the column ${JSON.stringify(date)}, and propose again`,
    };
  const is = `${count} of ${rows} dates are a ${NAMES[weekday]}`;
  const base = { place: WEEK_DATE, value: likely, contradicting: rows - count, rows };
  const isSure = count >= rows * SHARE && (possible.length === 1 || isLast);
  const choice: Choice = isSure
    ? { ...base, why: `${is}, and the columns go from ${NAMES[first]} to ${NAMES[last]}` }
    : {
        ...{ ...base, why: is, question: "Which day of its week is the date?" },
        options: [likely, likely === "first" ? "last" : "first"].map((value) => ({
          value,
          means: `the ${value} day of the week`,
        })),
      };
  const value = answers.get(WEEK_DATE) ?? choice.value;
  return { choice, columns: inOrder(columns, weekdays, value === "last" ? weekday + 1 : weekday) };
}

/** The columns of all seven days from a weekday on; null for a day without one. */
function inOrder(columns: RepeatedColumns, weekdays: readonly number[], start: number): RepeatedColumns {
  return new Map(
    [...columns].map(([name, of]) => [
      name,
      Array.from({ length: DAYS_OF_WEEK }, (_, step) => {
        const at = weekdays.indexOf((start + step) % DAYS_OF_WEEK);
        return of[at] ?? null;
      }),
    ]),
  );
}
