/** Finds columns in which some durations are hours and minutes, and others minutes and seconds: `1:48` beside `32:32`. */
import { type Reading, type SpeedRow, score } from "./score.ts";

/** How many rows only one of two readings makes usual. */
export interface MixedRows {
  readonly first: number;
  readonly second: number;
}

/** Fewer rows are slips, and so is a smaller share. */
const [LEAST, LEAST_SHARE] = [3, 0.1];

/** Counts the rows, if each of two readings has many of its own; undefined if one reading explains the column. */
export function mixedRows(rows: readonly SpeedRow[], first: Reading, second: Reading): MixedRows | undefined {
  const formats = [...first.formats, ...second.formats];
  if (!formats.includes("h:mm") || !formats.includes("mm:ss")) return undefined;
  const own = (one: Reading, other: Reading) => rows.filter((row) => isUsual(row, one) && !isUsual(row, other)).length;
  const found = { first: own(first, second), second: own(second, first) };
  return Math.min(found.first, found.second) >= Math.max(LEAST, rows.length * LEAST_SHARE) ? found : undefined;
}

function isUsual(row: SpeedRow, reading: Reading): boolean {
  const { rated, usual, usualTimes } = score([row], reading);
  return (rated > 0 ? usual : usualTimes) > 0;
}
