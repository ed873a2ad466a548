/**
 * Finds durations that look like times of the day: short runs of 8:30 to 23:50, typed as minutes and seconds below `Time`. Read as times of the day, each
 * workout would begin at that hour, and have no duration.
 */
import { roughNumber, splitAmount } from "../words/values.ts";
import type { AssignedColumn } from "./roles.ts";

/** Fewer rows show nothing. */
const LEAST_ROWS = 5;

/** This share of the rows must have a usual pace as minutes and seconds. */
const SHARE = 0.95;

/** Usual minutes for a kilometre or a mile by foot, and for 100 m or 100 yd in water. */
const USUAL = { land: { from: 3, to: 15 }, water: { from: 1, to: 5 } } as const;

/** Distances past this are of metres or yards: nobody runs 200 km in 24 minutes. */
const LEAST_METRES = 200;

/** Round times of the day are no question, unless they grow with the distances so closely. */
const LEAST_CORRELATION = 0.7;

/** Roles of columns that say how long a workout was. */
const TIMED: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "seconds", "pace", "speed"]);

/**
 * The columns, where a time of the day may be the duration: a person is asked. Cells that a workbook shows as elapsed time are it for sure.
 *
 * @param isAnswered whether a person said what the column is
 */
export function withMinutesAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (column: AssignedColumn) => boolean,
): readonly AssignedColumn[] {
  const isTimed = columns.some(({ role = "", couldBe, filled }) => (TIMED.has(role) || couldBe.includes("duration")) && filled.length > 0); // biome-ignore format: one line
  const distance = columns.find(({ role, filled }) => role === "distance" && filled.length > 0);
  if (isTimed) return columns;
  return columns.map((column): AssignedColumn => {
    if (column.role !== "time" || isAnswered(column)) return column;
    if (distance !== undefined && areHours(column, distance))
      return { ...column, role: "duration", couldBe: ["duration", "time"], isGuess: true };
    if (!column.meaning.roles.includes("duration")) return column;
    if (column.isElapsed) return { ...column, role: "duration", couldBe: ["duration"], isGuess: false };
    if (distance === undefined || !areMinutes(column, distance)) return column;
    return { ...column, role: "duration", couldBe: ["duration", "time"], isGuess: true };
  });
}

/** Whether times have a usual pace in nearly all rows, as hours, minutes and seconds, whatever their header says: `0:25:07` below `Hora`. */
function areHours({ cells, filled }: AssignedColumn, distance: AssignedColumn): boolean {
  const paces = cells.flatMap((cell, row) => {
    const [, hours, minutes, seconds] = /^(\d{1,2}):([0-5]\d):([0-5]\d)$/.exec(cell) ?? [];
    const far = roughNumber(splitAmount(distance.cells[row] ?? "").number);
    return hours === undefined || !(far > 0)
      ? []
      : [(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) / far];
  });
  const usual = paces.filter((pace) => pace >= USUAL.land.from && pace <= USUAL.land.to);
  return usual.length >= LEAST_ROWS && usual.length >= filled.length * SHARE;
}

/** Whether times have a usual pace in nearly all rows, as minutes and seconds; round ones must follow the distances, too. */
function areMinutes({ cells, filled }: AssignedColumn, distance: AssignedColumn): boolean {
  const rows = cells.flatMap((cell, row) => {
    const [, minutes, seconds] = /^(\d{1,2})[:.h]([0-5]\d)(?::00)?$/.exec(cell) ?? [];
    const far = roughNumber(splitAmount(distance.cells[row] ?? "").number);
    return minutes === undefined || !(far > 0) ? [] : [{ minutes: Number(minutes) + Number(seconds) / 60, far }];
  });
  if (rows.length < LEAST_ROWS || rows.length < filled.length * SHARE) return false;
  const isIn = ({ from, to }: { from: number; to: number }, each: number) =>
    rows.filter(({ minutes, far }) => minutes * each >= far * from && minutes * each <= far * to).length >= rows.length * SHARE; // biome-ignore format: one line
  const areMetres = rows.every(({ far }) => far >= LEAST_METRES);
  if (!(areMetres ? isIn(USUAL.water, 100) || isIn(USUAL.land, 1000) : isIn(USUAL.land, 1))) return false;
  const isRound = rows.filter(({ minutes }) => Math.round(minutes * 60) % 5 === 0).length >= rows.length * SHARE;
  return !isRound || correlation(rows.map(({ minutes, far }) => [minutes, far])) >= LEAST_CORRELATION;
}

/** How closely two numbers grow together, from -1 to 1; 0 if one of them is always the same. */
function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [one, other] = [mean(0), mean(1)];
  const sumOf = (term: (a: number, b: number) => number) =>
    pairs.reduce((sum, [a, b]) => sum + term(a - one, b - other), 0);
  const both = Math.sqrt(sumOf((a) => a * a) * sumOf((_, b) => b * b));
  return both === 0 ? 0 : sumOf((a, b) => a * b) / both;
}
