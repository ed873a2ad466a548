/** Tells the duration from a second one, such as the time with breaks, by the speed beside them: distance over duration is the speed of one alone. */
import { parseDuration } from "../../table/cells/durations.ts";
import { isNumber, roughNumber, splitAmount } from "../words/values.ts";
import { isElapsed } from "./moving-times.ts";
import type { AssignedColumn } from "./roles.ts";

/** This share of the rows must agree, each within this part of it. Speeds are rounded to tenths. */
const [SHARE, TOLERANCE] = [0.8, 0.03];

/** Fewer rows show nothing. */
const LEAST_ROWS = 4;

/** Kilometres and miles: the speed may be of the other unit. */
const FACTORS = [1, 1.609344, 1 / 1.609344, 0.001];

/** The columns, where the duration is the one that the speeds are of. @param isAnswered whether a person said what stands at a place */
export function withProvenDuration(
  columns: readonly AssignedColumn[],
  isAnswered: (column: AssignedColumn) => boolean,
): readonly AssignedColumn[] {
  const holder = columns.find(({ role }) => role === "duration");
  const distance = columns.find(({ role }) => role === "distance");
  const speed = columns.find(({ role, filled }) => role === "speed" && filled.length > 0);
  if (holder === undefined || distance === undefined || speed === undefined || isAnswered(holder)) return columns;
  const agrees = (times: AssignedColumn) => agreesWith(times, distance, speed);
  if (agrees(holder)) return columns;
  const other = columns.find(
    (one) => one.role === undefined && one.couldBe.includes("duration") && !isElapsed(one.name) && !isAnswered(one) && agrees(one), // biome-ignore format: one line
  );
  if (other === undefined) return columns;
  return columns.map((column) => {
    // It is asked about like any second duration, and counted as left by the first answer.
    if (column === holder) return { ...column, role: undefined, isGuess: false };
    return column === other ? { ...column, role: "duration" as const } : column;
  });
}

function agreesWith({ cells }: AssignedColumn, distance: AssignedColumn, speed: AssignedColumn): boolean {
  const rows = cells.flatMap((cell, row) => {
    const seconds = parseDuration(cell, ["h:mm:ss", "h:mm"], ".");
    const length = roughNumber(splitAmount(distance.cells[row] ?? "").number);
    const { number } = splitAmount(speed.cells[row] ?? "");
    if (seconds === undefined || !(seconds > 0) || !(length > 0) || !isNumber(number)) return [];
    return [{ expected: (length * 3600) / seconds, speed: roughNumber(number) }];
  });
  const areIn = (factor: number) =>
    rows.filter(({ expected, speed: said }) => Math.abs(expected * factor - said) <= TOLERANCE * said).length;
  return rows.length >= LEAST_ROWS && FACTORS.some((factor) => areIn(factor) >= rows.length * SHARE);
}
