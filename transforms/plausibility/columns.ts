/**
 * Finds the columns of a table that are read in a wrong unit. One wrong word in a mapping makes every row of a column impossible. So
 * logferry counts those rows, and tries every other unit of each column on them. It names the units that turn the rows into ordinary
 * workouts.
 */
import type { Issue } from "../model/issue.ts";
import type { Workout } from "../model/workout.ts";
import { alternatives } from "../text/zod-messages.ts";
import { inMetres, UNITS } from "../units.ts";
import { judge } from "./judge.ts";
import { findLimits } from "./limits.ts";

/** The column that a value of a table comes from. */
export interface ColumnRef {
  /** The name in the table's header. */
  readonly name: string;
  /** The unit or the format that the mapping gives: `km`, `seconds`, `h:mm`. */
  readonly readAs: string;
  /** The setting that changes the unit: `unit of columns.Distance in log.map.yaml`. */
  readonly change?: string;
}

/** The columns of a table that can have a wrong unit. */
export interface UnitColumns {
  readonly distance?: ColumnRef;
  readonly duration?: ColumnRef;
  /** The units of the table's other columns: kilograms and degrees Celsius, or pounds and degrees Fahrenheit. */
  readonly system?: "metric" | "imperial";
}

const FIELDS = ["distance", "duration"] as const;

/** A field that such a column fills. */
export type ColumnField = (typeof FIELDS)[number];

/** The finding about a table. */
export interface ColumnFinding {
  /** The fields of the columns that may be read in a wrong unit. */
  readonly fields: readonly ColumnField[];
  readonly issue: Issue;
}

/** Fewer impossible rows prove nothing about a column. */
const LEAST_ROWS = 3;

/** This share of the rows with the column must be possible in the other unit. */
const POSSIBLE_SHARE = 0.8;

/** This share of the rows with a speed must be usual in the other unit. */
const USUAL_SHARE = 0.75;

/** The range of the median duration of a log, in seconds. Thousands of runs of 3 s are not a log, whatever their speed. */
const USUAL_SECONDS = [5 * 60, 8 * 3600] as const;

/** The length of each unit of duration, in seconds. */
const DURATIONS: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  "day-fraction": 86_400,
};

/** Formats that can be confused with each other, and the factor that a confusion applies to the duration. */
const CLOCKS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "h:mm": { "mm:ss": 1 / 60 },
  "mm:ss": { "h:mm": 60 },
  "h:mm:ss": { "mm:ss:00": 1 / 60 },
};

/** Counts the values below, within and above a range. These counts are enough to know whether the median is within the range. */
class Range {
  #below = 0;
  #above = 0;
  #all = 0;

  add(value: number | undefined, range: readonly [least: number, most: number] | undefined): void {
    if (value === undefined || range === undefined || value <= 0) return;
    this.#all++;
    if (value < range[0]) this.#below++;
    if (value > range[1]) this.#above++;
  }

  isMedianWithin(): boolean {
    return this.#all === 0 || (this.#below * 2 < this.#all && this.#above * 2 < this.#all);
  }

  isWithin(share: number): boolean {
    return this.#all - this.#below - this.#above >= this.#all * share;
  }
}

/** Another way to read a column. */
class Reading {
  readonly field: ColumnField;
  readonly unit: string;
  /** The factor by which this reading multiplies a value. */
  readonly #factor: number;
  readonly #speeds = new Range();
  readonly #distances = new Range();
  readonly #durations = new Range();
  #rows = 0;
  #impossible = 0;
  #possible = 0;

  constructor(field: ColumnField, unit: string, factor: number) {
    this.field = field;
    this.unit = unit;
    this.#factor = factor;
  }

  /**
   * Counts a row.
   *
   * @param isImpossible whether the row is impossible with the column's current unit
   */
  add(workout: Workout, isImpossible: boolean): void {
    if (workout[this.field] === undefined) return;
    if (isImpossible) this.#impossible++;
    const other = readAs(workout, this.field, this.#factor);
    const { usual, usualMetres } = findLimits(other.activity, other.sport);
    const metres = other.distance === undefined ? undefined : inMetres(other.distance);
    const { duration } = other;
    this.#rows++;
    if (judge(other, other.activity) === undefined) this.#possible++;
    this.#speeds.add(metres === undefined || duration === undefined ? undefined : metres / duration, usual);
    this.#distances.add(metres, usualMetres);
    this.#durations.add(duration, USUAL_SECONDS);
  }

  /**
   * Whether this unit turns the rows into an ordinary log.
   *
   * @param impossible number of impossible rows of the table, with the column or without it
   */
  fits(impossible: number): boolean {
    return (
      this.#impossible >= LEAST_ROWS &&
      this.#impossible * 2 > this.#rows &&
      this.#impossible >= impossible * POSSIBLE_SHARE &&
      this.#possible >= this.#rows * POSSIBLE_SHARE &&
      this.#speeds.isWithin(USUAL_SHARE) &&
      this.#distances.isMedianWithin() &&
      this.#durations.isMedianWithin()
    );
  }
}

/** Counts the rows of one table. Memory does not grow with them. */
export class ColumnTally {
  readonly #columns: UnitColumns;
  readonly #readings: readonly Reading[];
  readonly #rows = { distance: 0, duration: 0 };
  #impossible = 0;
  #example: Issue | undefined;

  constructor(columns: UnitColumns) {
    this.#columns = columns;
    this.#readings = [...otherDistances(columns), ...otherDurations(columns.duration)];
  }

  /**
   * Counts a row.
   *
   * @param verdict why it can't be true; undefined when it can
   */
  add(workout: Workout, verdict: Issue | undefined): void {
    if (workout.distance !== undefined) this.#rows.distance++;
    if (workout.duration !== undefined) this.#rows.duration++;
    if (verdict?.rule === "workout/implausible-date") return;
    if (verdict !== undefined) {
      this.#impossible++;
      this.#example ??= verdict;
    }
    for (const reading of this.#readings) reading.add(workout, verdict !== undefined);
  }

  /** The columns that are likely read in a wrong unit; undefined when most rows are possible, or when no unit gives usual workouts. */
  finding(): ColumnFinding | undefined {
    const fitting = this.#readings.filter((reading) => reading.fits(this.#impossible));
    const columns = FIELDS.flatMap((field) => {
      const column = this.#columns[field];
      const units = fitting.filter((reading) => reading.field === field).map(({ unit }) => unit);
      return column === undefined || units.length === 0 ? [] : [{ field, column, units }];
    });
    if (columns.length === 0) return undefined;
    const rows = Math.max(...columns.map(({ field }) => this.#rows[field]));
    const read = columns.map(({ column }) => `${JSON.stringify(column.name)} read as ${column.readAs}`);
    return {
      fields: columns.map(({ field }) => field),
      issue: {
        severity: "warning",
        rule: "table/likely-unit",
        found: `${this.#impossible} of ${rows} rows can't be true with the column ${read.join(" and the column ")}: ${this.#example?.found ?? ""}`,
        expected: columns.map(({ column, units }) => change(column, units)).join("; or "),
      },
    };
  }
}

function change({ change: what }: ColumnRef, units: readonly string[]): string {
  const [only = ""] = units;
  const fits = units.length === 1 ? `${only}, which is likely` : `${alternatives(units)}, each of which fits`;
  if (what === undefined)
    return `${fits}: take the file from its platform once more, as it was before somebody changed it`;
  return `${fits}: say ${units.length === 1 ? only : "the right one"} as the ${what}, and plan again`;
}

/** The other units of the distance column. Units of the owner's own system come first. */
function otherDistances({ distance: column, system }: UnitColumns): Reading[] {
  const read = UNITS.distance.find(({ unit }) => unit === column?.readAs);
  if (read === undefined) return [];
  const own = system ?? systemOf(read.unit);
  return UNITS.distance
    .filter(({ unit }) => unit !== read.unit)
    .toSorted((a, b) => Number(systemOf(b.unit) === own) - Number(systemOf(a.unit) === own))
    .map(({ unit, factor }) => new Reading("distance", unit, factor / read.factor));
}

function systemOf(unit: string): "metric" | "imperial" {
  return unit === "mi" || unit === "yd" ? "imperial" : "metric";
}

function otherDurations(column: ColumnRef | undefined): Reading[] {
  const read = DURATIONS[column?.readAs ?? ""];
  const factors =
    read === undefined
      ? CLOCKS[column?.readAs ?? ""]
      : Object.fromEntries(Object.entries(DURATIONS).map(([unit, seconds]) => [unit, seconds / read]));
  return Object.entries(factors ?? {})
    .filter(([unit]) => unit !== column?.readAs)
    .map(([unit, factor]) => new Reading("duration", unit, factor));
}

function readAs(workout: Workout, field: ColumnField, factor: number): Workout {
  const { distance, duration } = workout;
  if (field === "duration") return duration === undefined ? workout : { ...workout, duration: duration * factor };
  return distance === undefined ? workout : { ...workout, distance: { ...distance, value: distance.value * factor } };
}
