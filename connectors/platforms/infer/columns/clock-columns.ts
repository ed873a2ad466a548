/** Tells columns of times of the day by their cells: minutes below 60 and hours below 24, and how late they are. */
import type { ColumnSample } from "../sample/column.ts";

/** Few people go out before this hour. */
export const EARLIEST = 3;

/** Whether all cells are times of a day with minutes below 60 and hours below 24, such as 07:15. */
export function isClockLike({ filled }: ColumnSample): boolean {
  return filled.every((cell) => /^(?:[01]?\d|2[0-3])[:.h][0-5]\d(?:[:.]00)?$/i.test(cell));
}

/** Whether times of the day are round, as people write when they went out: 17:30, 06:45. */
export function isRoundClock(column: ColumnSample): boolean {
  const { filled } = column;
  const round = filled.filter((cell) => /[:.h][0-5][05](?:[:.]00)?$/i.test(cell)).length;
  return filled.length >= 3 && isClockLike(column) && spread(column) >= 5 && round >= filled.length * 0.9;
}

/** Whether a duration by its header may as well be the time of day: all its cells are, and none is early in the night. */
export function mayBeClock(column: ColumnSample): boolean {
  const { meaning } = column;
  // `Temps` and `Tiempo` are the weather as well, and people write the time of day below them, too.
  const isUnclear = meaning.roles.includes("time") || meaning.roles.includes("conditions");
  return isUnclear && meaning.unit === undefined && isClockLike(column) && spread(column) >= 5;
}

/** How late the median time is, in hours of a day. Durations of an hour or two look like times in the night. */
export function spread({ filled }: ColumnSample): number {
  const hours = filled.map((cell) => Number.parseInt(cell, 10)).toSorted((a, b) => a - b);
  return hours[Math.floor(hours.length / 2)] ?? 0;
}
