/** Finds the time of day at which workouts ended, beside the one at which they began: `von` and `bis`. Read as durations, all rows would be wrong. */
import type { ColumnSample } from "./column.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";
import { isNothing } from "./values.ts";

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** The columns, where a likely duration may be the end as well: each of its times is later than the start of its row. A person's answer stands. */
export function withEndTimesAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const start = columns.find(({ role }) => role === "time");
  if (start === undefined) return columns;
  return columns.map((column): AssignedColumn => {
    const isAsked = column.role === "duration" && column.isGuess === true && !isAnswered(fieldPlace(column));
    const rows = isAsked ? rowsLater(column, start) : 0;
    if (rows === 0) return column;
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", contradicting: 0, rows: column.filled.length },
      why: `in ${rows} of ${rows} rows it is later than ${JSON.stringify(start.name)}, as the time of day is at which a workout ended`,
      question: `What is the column ${JSON.stringify(column.name)}?`,
      options: [
        {
          value: "unsupported",
          means: "the end: it is counted as left. For the durations, add a column with the differences",
        },
        { value: "duration", means: "how long the workout was" },
      ],
    };
    return { ...column, role: undefined, asked };
  });
}

/** The rows in which a time is later than the start; 0 if it isn't in one of them. */
function rowsLater(column: ColumnSample, start: ColumnSample): number {
  const both = column.cells.flatMap((cell, row) => {
    const other = start.cells[row] ?? "";
    return isNothing(cell) || isNothing(other) ? [] : [[minutesOf(cell), minutesOf(other)] as const];
  });
  const areLater = both.every(([end, begin]) => end !== undefined && begin !== undefined && end > begin);
  return areLater && both.length >= LEAST_ROWS ? both.length : 0;
}

/** Minutes since midnight of `7:24` and `18.15`; undefined for other texts. */
function minutesOf(cell: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.h]([0-5]\d)(?::00)?$/i.exec(cell) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
