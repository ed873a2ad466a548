/** Dates without a time zone for pages: weeks, months and their words. Dates are `YYYY-MM-DD`, and no function here uses a time zone. */
import type { Days } from "../store/log-views.ts";

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(2000, month).toLocaleString("en", { month: "long" }));

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

const DAY_MS = 86_400_000;

/** A date's parts: `month` from 1. */
export function splitDate(date: string): { year: number; month: number; day: number } {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return { year, month, day };
}

/** The date so many days later, or earlier. Before the year 1 and after 9999 it stays on the calendar's first and last day. */
export function plusDays(date: string, days: number): string {
  const moved = new Date(midnightOf(date) + days * DAY_MS).toISOString();
  if (/^\d{4}-/.test(moved) && moved >= "0001") return moved.slice(0, 10);
  return days < 0 ? "0001-01-01" : "9999-12-31";
}

/** The Monday of a date's week. Weeks begin on Mondays, as in ISO 8601. */
export function weekOf(date: string): string {
  return plusDays(date, -weekdayOf(date));
}

/** Every day from the first to the last. */
export function daysOf({ from, to }: Days): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to && days.length < 400; day = plusDays(day, 1)) days.push(day);
  return days;
}

/** The days of a year, `YYYY`, or of a month, `YYYY-MM`. */
export function daysIn(period: string): Days {
  if (period.length === 4) return { from: `${period}-01-01`, to: `${period}-12-31` };
  const { year, month } = splitDate(`${period}-01`);
  const last = new Date(midnightOf(`${period}-01`));
  last.setUTCFullYear(year, month, 0);
  return { from: `${period}-01`, to: `${period}-${String(last.getUTCDate()).padStart(2, "0")}` };
}

/** The same days, extended to whole weeks at both ends. */
export function wholeWeeks({ from, to }: Days): Days {
  return { from: weekOf(from), to: plusDays(weekOf(to), 6) };
}

/** `Mon` */
export function weekdayName(date: string, length: 3 | 9 = 3): string {
  return (WEEKDAYS[weekdayOf(date)] as string).slice(0, length);
}

/** `July`, or `Jul` */
export function monthName(date: string, length: 3 | 9 = 9): string {
  return (MONTHS[splitDate(date).month - 1] as string).slice(0, length);
}

/** `7 July 2023` */
export function dayText(date: string): string {
  const { year, day } = splitDate(date);
  return `${day} ${monthName(date)} ${year}`;
}

/** `Fri 7 Jul 2023` */
export function shortDay(date: string): string {
  const { year, day } = splitDate(date);
  return `${weekdayName(date)} ${day} ${monthName(date, 3)} ${year}`;
}

/** `2023`, or `July 2023` */
export function periodText(period: string): string {
  return period.length === 4 ? String(Number(period)) : `${monthName(`${period}-01`)} ${Number(period.slice(0, 4))}`;
}

/** `3 to 9 July`, `31 July to 6 August`, `31 July` */
export function daysText({ from, to }: Days): string {
  const [a, b] = [splitDate(from), splitDate(to)];
  if (from === to) return `${a.day} ${monthName(from)}`;
  const begin = a.month === b.month ? String(a.day) : `${a.day} ${monthName(from)}`;
  return `${begin} to ${b.day} ${monthName(to)}`;
}

/** 0 for Monday */
function weekdayOf(date: string): number {
  return (new Date(midnightOf(date)).getUTCDay() + 6) % 7;
}

function midnightOf(date: string): number {
  const { year, month, day } = splitDate(date);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
