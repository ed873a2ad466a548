/** Tells durations from times of the day by the pace beside them: so many minutes a kilometre, times the kilometres, is how long it took. */
import type { ColumnSample } from "../sample/column.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import { type Reading, type SpeedRow, secondsOf } from "./score.ts";

/** This share of the rows must agree, each within this part of it. */
const [SHARE, TOLERANCE] = [0.8, 0.03];

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** Kilometres and miles: the pace may be of the other unit. */
const MILES = 1.609344;

/** Whether a column of `h:mm` or `mm:ss` is the distance times the pace in nearly all rows. */
export function isPaced(times: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const paces = columns.filter(({ meaning }) => meaning.roles.includes("pace"));
  const distances = columns.filter(({ meaning }) => meaning.roles.includes("distance"));
  return paces.some((pace) => distances.some((distance) => agrees(times, distance, pace)));
}

function agrees(times: ColumnSample, distance: ColumnSample, pace: ColumnSample): boolean {
  const rows = times.cells.flatMap((cell, row) => {
    const [time, each] = [parts(cell), parts(pace.cells[row] ?? "")];
    const length = roughNumber(splitAmount(distance.cells[row] ?? "").number);
    return time === undefined || each === undefined || !(length > 0) ? [] : [{ time, expected: length * each }];
  });
  // Both are in parts of the last unit, so hours and minutes are a sixtieth of minutes and seconds.
  const isIn = (factor: number) =>
    rows.filter(({ time, expected }) => Math.abs(time * factor - expected) <= TOLERANCE * expected).length >=
    rows.length * SHARE;
  return rows.length >= LEAST_ROWS && [1, 60].some((unit) => [1, MILES, 1 / MILES].some((mile) => isIn(unit * mile)));
}

/** Fewer rows that differ between two readings prove neither. */
const LEAST_PROOF = 4;

/** The reading of durations that is nearer to the distance times the pace, by far; undefined if neither is. */
export function provenByPace<T extends Reading>(rows: readonly SpeedRow[], readings: readonly [T, T]): T | undefined {
  const told = rows.flatMap((row) => {
    const [pace, seconds] = [parts(row.pace ?? ""), readings.map((reading) => secondsOf(row, reading))];
    const length = roughNumber(splitAmount(row.distance ?? "").number);
    const [one, other] = seconds;
    if (pace === undefined || !(length > 0) || one === undefined || other === undefined || one === other) return [];
    return [{ expected: length * pace, seconds }];
  });
  if (told.length < LEAST_PROOF) return undefined;
  const [one = 0, other = 0] = readings.map((_, at) =>
    Math.min(
      ...[1, MILES, 1 / MILES].map((mile) => {
        const errors = told.map(({ expected, seconds }) => Math.abs(Math.log((seconds[at] ?? 0) / (expected * mile))));
        return errors.reduce((sum, error) => sum + error, 0) / errors.length;
      }),
    ),
  );
  if (Math.min(one, other) > TOLERANCE || Math.min(one, other) * 2 > Math.max(one, other)) return undefined;
  return readings[one < other ? 0 : 1];
}

/** `5:30` in parts of its last unit; undefined for a cell of another form. */
function parts(cell: string): number | undefined {
  const [, first, second] = /^(\d{1,3}):([0-5]\d)(?:\s*\/?\s*(?:km|mi))?$/.exec(cell) ?? [];
  return first === undefined ? undefined : Number(first) * 60 + Number(second);
}
