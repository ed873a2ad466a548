/** Finds paces below a header such as `Time`: 5:12 beside 10 km may be minutes a kilometre. Read as durations, the rows would be silently wrong. */

import type { Choice } from "../choices/choice.ts";
import { isPaced } from "../columns/paced.ts";
import { type AssignedColumn, arePaces, fieldPlace } from "../columns/roles.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";
import { isNumber, roughNumber, splitAmount } from "../words/values.ts";
import { sportOfTable } from "../words/words.ts";

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** So many kilometres or miles in a minute are more than anybody runs: 7 m/s. */
const MOST_A_MINUTE = { km: 0.42, mi: 0.26 } as const;

/** Past these distances few people run, and rides last so many hours. */
const [LEAST_FAR, MOST_FAR] = [1, 50];

/** Times of hikes and rides: beside 18 km, 4:05 is hours and minutes. */
const HIKED = /(?:^|\s)(?:geh|wander|marsch|fahr)zeit(?:\s|$)|^temps de marche|^tempo di cammino/;

/** Twice the distance takes at least this power of two as long. A pace grows much slower with the distance. */
const STEEP = 0.5;

/** Distances that differ less say nothing of how times grow with them. */
const LEAST_SPREAD = 0.15;

/** Roles of columns that say how long a workout was. */
const DURATIONS: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "seconds"]);

/** Usual paces, in minutes a kilometre or a mile, of this share of the rows; and the pace past which few people write it down. */
const [USUAL, SHARE, SLOW] = [{ from: 2.5, to: 15 }, 0.95, 9] as const;

/** The columns, where a duration that may be a pace is a question. A person's answer stands. */
export function withPaceAsked(columns: readonly AssignedColumn[], isAnswered: (place: string) => boolean) {
  const distance = columns.find(({ role }) => role === "distance");
  const isHiked = columns.some(({ name }) => sportOfTable(name) === "hike" || HIKED.test(foldHeader(name)));
  const hasDuration = columns.some(({ role = "" }) => DURATIONS.has(role));
  return columns.map((column): AssignedColumn => {
    if (column.role === "pace" && !hasDuration && distance !== undefined && !isAnswered(fieldPlace(column)))
      return withDurationAsked(column, distance);
    if (column.role !== "duration" || distance === undefined || isAnswered(fieldPlace(column))) return column;
    const asPace = isHiked ? undefined : whyPace(column, distance);
    return asPace === undefined || isPaced(column, columns)
      ? column
      : { ...column, role: "pace", isGuess: true, asPace };
  });
}

/** The column, as a question if its header means the duration in another language, and its times are usual for the distances: 17:20 beside 4 km below `Tempo`. */
function withDurationAsked(column: AssignedColumn, distance: ColumnSample): AssignedColumn {
  if (!column.meaning.roles.includes("duration") || !arePaces(column)) return column;
  const rows = timedRows(column, distance);
  const usual = rows.filter(({ far, minutes }) => minutes / far >= USUAL.from && minutes / far <= USUAL.to);
  const first = usual[0];
  if (first === undefined || usual.length < LEAST_ROWS || usual.length < rows.length * SHARE) return column;
  const asPace = `as the whole time, ${JSON.stringify(first.cell)} beside ${first.far} is a usual pace, and it may be the pace itself`;
  const isSlow = median(rows.map(({ minutes }) => minutes)) > SLOW;
  return { ...column, role: isSlow ? "duration" : "pace", isGuess: true, asPace };
}

/** The question about a column of durations that may be paces, or of paces that may be durations; undefined for any other column. */
export function paceChoice({ asPace, ...column }: AssignedColumn): Choice | undefined {
  if (asPace === undefined) return undefined;
  const value = column.role === "duration" ? "duration" : "pace";
  const options = [
    { value: "pace", means: "the pace, minutes a kilometre or a mile: the workouts have no duration" },
    { value: "duration", means: "the duration of the workout" },
    { value: "unsupported", means: "none of these: it is counted as left" },
  ];
  return {
    ...{ place: fieldPlace(column), value, why: asPace, contradicting: 0, rows: column.filled.length },
    question: `What is the column ${JSON.stringify(column.name)}?`,
    options: options.toSorted((one, other) => Number(other.value === value) - Number(one.value === value)),
  };
}

/** The arithmetic that speaks for paces; undefined for durations. */
function whyPace(column: ColumnSample, distance: ColumnSample): string | undefined {
  const { meaning } = column;
  // `Hours` says how its numbers are written.
  if (meaning.unit !== undefined || meaning.roles.includes("hours") || !arePaces(column)) return undefined;
  const unit = lengthUnit(distance.meaning.unit) ?? "km";
  if (unit !== "km" && unit !== "mi") return undefined;
  const rows = timedRows(column, distance);
  const middle = median(rows.map(({ far }) => far));
  if (rows.length < LEAST_ROWS || middle < LEAST_FAR || middle > MOST_FAR) return undefined;
  if (median(rows.map(({ far, minutes }) => far / minutes)) < MOST_A_MINUTE[unit]) return undefined;
  if (growsWith(rows)) return undefined;
  const longest = rows.toSorted((a, b) => b.far - a.far)[0];
  if (longest === undefined) return undefined;
  return `all its values are paces that people run, and they don't grow with the distance: ${JSON.stringify(longest.cell)} beside ${longest.far} ${unit}`;
}

/** The rows with a distance and a time, in minutes. */
function timedRows(column: ColumnSample, distance: ColumnSample) {
  return column.cells.flatMap((cell, row) => {
    const far = roughNumber(splitAmount(distance.cells[row] ?? "").number);
    const minutes = minutesOf(cell);
    return minutes === undefined || !(far > 0) ? [] : [{ cell, far, minutes }];
  });
}

/** Whether longer distances took longer: the slope of the logarithms. */
function growsWith(rows: readonly { readonly far: number; readonly minutes: number }[]): boolean {
  const points = rows.map(({ far, minutes }) => [Math.log(far), Math.log(minutes)] as const);
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [far]) => sum + (far - x) ** 2, 0);
  const shared = points.reduce((sum, [far, minutes]) => sum + (far - x) * (minutes - y), 0);
  return Math.sqrt(spread / points.length) >= LEAST_SPREAD && shared / spread >= STEEP;
}

/** The two numbers of `5:12` as minutes; undefined for other texts. */
function minutesOf(cell: string): number | undefined {
  const [, minutes, seconds] = /^(?:0?0:)?(\d{1,2})[:.'](\d{2})/.exec(cell) ?? [];
  if (minutes !== undefined) return Number(minutes) + Number(seconds) / 60;
  return isNumber(cell) ? roughNumber(cell) : undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
