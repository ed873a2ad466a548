/** Tells columns that each hold a part of the duration: hours, minutes and seconds. */
import type { ColumnSample } from "../sample/column.ts";
import type { Role } from "../words/header-words.ts";
import { roughNumber } from "../words/values.ts";

/** Columns that each hold a part of the duration. */
export const PARTS: readonly Role[] = ["hours", "minutes", "seconds"];

/** Whether a header is only a Latin letter of a clock: `h`, `mm`. The Japanese 分 is a whole word. */
export function isShort(name: string): boolean {
  return /^(\p{Script=Latin})\1?(?:#\d+)?$/iu.test(name);
}

/** Whether a column with such a header holds a part of the duration: it stands in a row of `h`, `min`, `s`, or its numbers go up to 59. */
export function isPartOfTime(role: Role, column: ColumnSample, parts: readonly ColumnSample[]): boolean {
  const at = PARTS.indexOf(role);
  const hasBeside = (place: number) =>
    parts.some(
      ({ index, meaning }) => index === column.index + place - at && meaning.roles.includes(PARTS[place] ?? role),
    );
  const isWhole = PARTS.every((_, place) => place === at || hasBeside(place));
  return isWhole || (role === "hours" ? hasBeside(at + 1) : areSixtieths(column));
}

/** Whether whole numbers below a header of durations are the hours of the minutes in the next column: `時間, 分, 秒`, `Time, Min, Sec`. */
export function areHoursBeside({ index, meaning, filled }: ColumnSample, parts: readonly ColumnSample[]): boolean {
  if (!meaning.roles.includes("duration") || !filled.every((cell) => /^\d{1,2}$/.test(cell))) return false;
  const minutes = parts.find((other) => other.index === index + 1 && other.meaning.roles.includes("minutes"));
  if (minutes === undefined || !areSixtieths(minutes)) return false;
  return minutes.filled.every((cell) => /^[0-5]?\d$/.test(cell)) && filled.every((cell) => Number(cell) < 24);
}

/** Whether numbers go up to 59, as minutes and seconds do. */
function areSixtieths({ filled }: ColumnSample): boolean {
  return filled.some((cell) => roughNumber(cell) >= 30);
}
