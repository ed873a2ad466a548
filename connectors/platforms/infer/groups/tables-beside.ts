/**
 * Completes groups of columns that are tables of their own, side by side: each has its own days. Every column belongs to the table in which it stands. As a
 * value of the whole row, it would be given to a workout of another day.
 */
import type { RepeatedColumns } from "../columns/group-tags.ts";
import { type ColumnSample, fits } from "../sample/column.ts";
import type { Role } from "../words/header-words.ts";

/** The name of the new column for days. */
const DATE = "Date";

const DATES: readonly Role[] = ["date", "datetime"];

/** The groups with the columns that belong to them; the same groups where their workouts share the days of their rows. */
export function withTablesBeside(repeat: RepeatedColumns, columns: readonly ColumnSample[]): RepeatedColumns {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const lists = [...repeat.values()].map((names) =>
    names.map((name) => (name === null ? undefined : byName.get(name))),
  );
  const grouped = new Set(lists.flat());
  const count = lists[0]?.length ?? 0;
  const ends = [...Array(count).keys()].map((at) => lists.flatMap((list) => list[at]?.index ?? []));
  const isBefore = (one: readonly number[], other: readonly number[]) => Math.max(...one) < Math.min(...other);
  if (ends.some((own, at) => at > 0 && !isBefore(ends[at - 1] ?? [], own))) return repeat;
  const days = columns.filter((column) => !grouped.has(column) && isDate(column));
  const isOwn = days.length === count && ends.every((own, at) => isBetween(days[at], ends[at - 1], own));
  if (!isOwn && !lists.some((list) => list.every((column) => column !== undefined && isDate(column)))) return repeat;
  const complete = new Map(repeat);
  if (isOwn)
    complete.set(
      DATE,
      days.map(({ name }) => name),
    );
  const starts = ends.map((own, at) =>
    Math.min(...own, ...(isOwn ? [days[at]?.index ?? Number.POSITIVE_INFINITY] : [])),
  );
  for (const column of columns) {
    if (grouped.has(column) || (isOwn && days.includes(column)) || column.filled.length === 0) continue;
    const at = starts.findLastIndex((start) => start <= column.index);
    if (at === -1) continue;
    const name = column.name.replace(/#\d+$/, "");
    const names = [...(complete.get(name) ?? Array<string | null>(count).fill(null))];
    if (names[at] !== null) continue;
    names[at] = column.name;
    complete.set(name, names);
  }
  return complete;
}

function isDate(column: ColumnSample): boolean {
  return DATES.some((role) => column.meaning.roles.includes(role) && fits(role, column));
}

/** Whether a column stands in front of a group and behind the one before it. */
function isBetween(
  day: ColumnSample | undefined,
  before: readonly number[] = [],
  own: readonly number[] = [],
): boolean {
  return day !== undefined && day.index > Math.max(-1, ...before) && day.index < Math.min(...own);
}
