/** Takes out of a table what its speeds are made of: the distance, the duration and the sport of each row. */

import type { AssignedColumn } from "../columns/roles.ts";
import type { SpeedRow } from "../columns/score.ts";
import { secondsToEnd } from "../dates/end-times.ts";
import { isNothing, roughNumber } from "../words/values.ts";
import type { Sports } from "./sports.ts";

/** The columns of these values; undefined for a table without such a column. */
type SpeedColumns = Readonly<Record<"distance" | "duration" | "date" | "pace", AssignedColumn | undefined>>;

/**
 * The rows, as far as their speeds are concerned.
 *
 * @param kept the numbers of the rows that are workouts
 * @param columns all columns: hours, minutes and seconds may have one each
 */
export function speedRows(
  kept: readonly number[],
  sports: Sports,
  { distance, duration, date, pace }: SpeedColumns,
  columns: readonly AssignedColumn[],
): readonly SpeedRow[] {
  return kept.map((row) => ({
    ...{ distance: distance?.cells[row], duration: durationCell(columns, duration, row) },
    ...{ activity: sports.of(row), day: date?.cells[row], pace: pace?.cells[row], at: row },
  }));
}

/** The duration of a row: its cell, or the sum of its parts in seconds. */
function durationCell(
  columns: readonly AssignedColumn[],
  duration: AssignedColumn | undefined,
  row: number,
): string | number | undefined {
  if (duration !== undefined) return duration.cells[row];
  let seconds = secondsToEnd(columns, row);
  for (const [role, weight] of [
    ["hours", 3600],
    ["minutes", 60],
    ["seconds", 1],
  ] as const) {
    const cell = columns.find((column) => column.role === role)?.cells[row] ?? "";
    if (!isNothing(cell)) seconds = (seconds ?? 0) + weight * roughNumber(cell);
  }
  return Number.isNaN(seconds) ? undefined : seconds;
}
