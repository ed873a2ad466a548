/**
 * Compares the paces or speeds of a table with its distances and durations. They show in which unit the distances are, whatever a header says, and
 * whether a pace only says what the other columns say.
 */
import { inMetres, type UnitOf } from "../../../../transforms/units.ts";
import { parseMeasure } from "../../table/cells/cells.ts";
import type { Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { type Reading, type SpeedRow, secondsOf } from "../columns/score.ts";
import { roughNumber, splitAmount } from "../words/values.ts";

type LengthUnit = UnitOf<"distance">;

const MILE = 1609.344;

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** A proof needs this share of the rows; a pace that follows from other columns, this one. Some rows have breaks. */
const [PROVEN, FOLLOWING] = [0.8, 0.6];

/** A pace may differ from the time over the distance by this part, besides what rounding makes. */
const TOLERANCE = 0.02;

/** The lengths in metres that a pace may be of, and that an hour or a second of a speed may be counted in. */
const PACE_LENGTHS = [1000, MILE, 100, 91.44, 500];
const SPEED_LENGTHS = [1000, MILE, 3600];

/** The length that a header names, in metres: of the kilometres of `min/km` 1000, of the metres a second of `m/s` 3600 an hour. */
const NAMED: readonly (readonly [pattern: RegExp, metres: number])[] = [
  [/mph|mpm|\/ ?mi(?:les?)?\b|per mile|mi\/h/, MILE],
  [/km\/h|kmh|kph|km\/t|km\/u|\/ ?km\b|per km/, 1000],
  [/\/ ?100 ?m\b/, 100],
  [/m\/s/, 3600],
];

/** A distance, a duration and a pace or a speed of one row. */
interface RatedRow {
  /** Seconds, and those that the pace or speed makes of one metre where it is of one metre. */
  readonly seconds: number;
  readonly each: number;
  readonly metres: number;
  /** How far both may be from another by rounding, as a part of them. */
  readonly rounding: number;
  readonly row: SpeedRow;
  readonly cell: string;
}

/** What the paces of a table prove of the unit of its distances. */
export interface RateProof {
  /** The only unit in which they are the time over the distance; undefined if none is, or several are. */
  readonly unit: LengthUnit | undefined;
  /** For people. */
  readonly says: string;
}

const isRate = ({ role }: AssignedColumn) => role === "pace" || role === "speed";

/** The unit of the distances in which a pace with a unit is the time over the distance; undefined if no column says such a pace. */
export function provenByRates(
  rows: readonly SpeedRow[],
  columns: readonly AssignedColumn[],
  reading: Pick<Reading, "formats" | "decimal">,
): RateProof | undefined {
  for (const column of columns.filter(isRate)) {
    const length = namedLength(column);
    if (length === undefined) continue;
    const counts = (["km", "mi", "m", "yd"] as const).map((unit) => {
      const rated = ratedRows(rows, column, reading, () => unit);
      return { unit, all: rated.length, fitting: rated.filter((row) => agrees(row, length)).length };
    });
    const all = counts[0]?.all ?? 0;
    if (all < LEAST_ROWS) continue;
    const [best, ...others] = counts.toSorted((a, b) => b.fitting - a.fitting);
    const name = JSON.stringify(column.name);
    const isProven = best !== undefined && best.fitting >= all * PROVEN;
    const isAlone = others.every(({ fitting }) => fitting < all * PROVEN);
    if (best === undefined || !isProven || !isAlone)
      return { unit: undefined, says: `the column ${name} doesn't follow from the other columns` };
    const { unit, fitting } = best;
    return { unit, says: `the column ${name} is the time over the distance so in ${fitting} of ${all} rows` };
  }
  return undefined;
}

/** The table in which paces and speeds are looked at. */
export interface RateTask {
  readonly rows: readonly SpeedRow[];
  readonly columns: readonly AssignedColumn[];
  readonly reading: Reading;
  /** The unit of the distances of a sport. */
  readonly unitOf: (row: SpeedRow) => LengthUnit;
}

/** The columns of paces and speeds that say something else than the distance and the duration, as decisions with an example. */
export function unrelatedRates({ rows, columns, reading, unitOf }: RateTask): readonly Choice[] {
  return columns.filter(isRate).flatMap((column): readonly Choice[] => {
    const rated = ratedRows(rows, column, reading, unitOf);
    if (rated.length < LEAST_ROWS) return [];
    // Each sport may have paces of its own length.
    const fitting = [...Map.groupBy(rated, ({ row }) => row.activity).values()].reduce((sum, group) => {
      const lengths = column.role === "speed" ? SPEED_LENGTHS : PACE_LENGTHS;
      return sum + Math.max(...lengths.map((length) => group.filter((row) => agrees(row, length)).length));
    }, 0);
    if (fitting >= rated.length * FOLLOWING) return [];
    const odd = rated.find((row) => !agrees(row, namedLength(column) ?? 1000)) ?? rated[0];
    const example =
      odd === undefined
        ? ""
        : `, such as ${JSON.stringify(odd.cell)} beside ${odd.row.distance} in ${odd.row.duration}`;
    const why = `it doesn't follow from distance and time in ${rated.length - fitting} of ${rated.length} rows${example}`;
    return [{ place: fieldPlace(column), value: "unsupported", why, contradicting: 0, rows: rated.length }];
  });
}

/** The length that the header of a pace or a speed names, in metres. */
function namedLength({ name, meaning }: AssignedColumn): number | undefined {
  const words = `${meaning.unit ?? ""} ${name}`.toLowerCase();
  return NAMED.find(([pattern]) => pattern.test(words))?.[1];
}

/** The rows that have all three values. */
function ratedRows(
  rows: readonly SpeedRow[],
  column: AssignedColumn,
  reading: Pick<Reading, "formats" | "decimal">,
  unitOf: (row: SpeedRow) => LengthUnit,
): readonly RatedRow[] {
  return rows.flatMap((row): readonly RatedRow[] => {
    const cell = column.cells[row.at ?? -1] ?? "";
    const rate = rateOf(cell, column.role === "speed");
    const unit = unitOf(row);
    const seconds = secondsOf(row, { ...reading, unit });
    const length = parseMeasure("distance", row.distance ?? "", unit, reading.decimal);
    if (rate === undefined || seconds === undefined || length === undefined || length.value <= 0) return [];
    const rounding =
      halfOfLast(row.distance ?? "") / length.value + rate.rounding + secondsRounding(row.duration) / seconds;
    return [{ seconds, each: rate.seconds, metres: inMetres(length), rounding, row, cell }];
  });
}

/** Whether the pace, if it is of so many metres, is the time over the distance. */
function agrees({ seconds, each, metres, rounding }: RatedRow, length: number): boolean {
  const expected = (metres / length) * each;
  return Math.abs(seconds - expected) <= (TOLERANCE + rounding) * expected;
}

/** The seconds of one length that a pace or a speed says, and half of its last digit as a part of it. */
function rateOf(cell: string, isSpeed: boolean): { readonly seconds: number; readonly rounding: number } | undefined {
  const [, minutes, rest] = /^(?:0?0:)?(\d{1,3})[:.'](\d{2})(?!\d)/.exec(cell) ?? [];
  if (!isSpeed && minutes !== undefined && /[:']/.test(cell)) {
    const seconds = Number(minutes) * 60 + Number(rest);
    return seconds > 0 ? { seconds, rounding: 0.5 / seconds } : undefined;
  }
  const value = roughNumber(splitAmount(cell).number);
  if (!(value > 0)) return undefined;
  return { seconds: isSpeed ? 3600 / value : value * 60, rounding: halfOfLast(cell) / value };
}

/** Half of the last digit of a number: 0.05 of `5.2 km`. */
function halfOfLast(cell: string): number {
  const decimals = /[.,](\d+)/.exec(splitAmount(cell).number)?.[1] ?? "";
  return 0.5 * 10 ** -decimals.length;
}

/** How far a duration may be from the true one: a cell of seconds half of one, any other half a minute. */
function secondsRounding(duration: string | number | undefined): number {
  return typeof duration === "string" && /^\d+:\d{2}:\d{2}/.test(duration) ? 0.5 : 30;
}
