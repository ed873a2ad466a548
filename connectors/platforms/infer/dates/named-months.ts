/** Tells the order of dates whose months have names: `20 Jul 2016` and `Jul 21, 2016` are read in either order. */
import { withoutDateWords } from "../../table/cells/date-words.ts";

/** The days of a column as two orders read them. */
export interface TwoReadings {
  readonly filled: readonly string[];
  readonly dmy: readonly (string | undefined)[];
  readonly mdy: readonly (string | undefined)[];
}

/** The order in which most cells are written, where both orders read the same days; undefined if they differ or read none. */
export function orderOfNames({ filled, dmy, mdy }: TwoReadings): "dmy" | "mdy" | undefined {
  if (dmy.every((day) => day === undefined) || dmy.some((day, row) => day !== mdy[row])) return undefined;
  const monthFirst = filled.filter((cell) => /^\p{L}/u.test(withoutDateWords(cell))).length;
  return monthFirst > filled.length / 2 ? "mdy" : "dmy";
}
