/** Weights and resting heart rates that a platform lists by day. They join the workouts of that day. */
import { atOffset, isLocalDate, type LocalDate } from "../../../../transforms/calendar.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import type { Health, Start } from "../../../../transforms/model/workout.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { type Measure, unitSpelt } from "../../../../transforms/units.ts";
import { heartRate } from "../../from-recording.ts";
import type { ReadSession } from "../../session.ts";
import { parseMeasure, parseNumber } from "../cells/cells.ts";
import { fold } from "../columns/columns.ts";
import { asWritten } from "../columns/row-cells.ts";
import type { DayColumn, DayTable, FoundRows } from "../description.ts";
import { DecimalCommas } from "../mapping/decimal-commas.ts";
import type { Conventions } from "../mapping/mapping.ts";

/** The values of a day. */
type Day = Pick<Health, "restHR" | "weight">;

/** A list of days, and its rows in an archive. */
export interface FoundDays {
  readonly table: DayTable;
  readonly rows: FoundRows;
}

/** The values of all days that a platform lists. Its size grows with the number of days. */
export class DayBook {
  readonly #days = new Map<LocalDate, Day>();

  /** Reads a list. If a day has several values, the last one counts. An unreadable row is reported and left out. */
  async read(session: ReadSession, { table, rows }: FoundDays, of: Conventions): Promise<void> {
    const { decimal } = of.file;
    const mapping = { ...of, file: { ...of.file, ...commasIn(table, decimal) } };
    const indexes = new Map(rows.header.map((name, index) => [fold(name), index]));
    for (const remark of rows.remarks ?? []) session.report(remark, session.origin(rows.entries[0].path, "line 1"));
    for (const entry of rows.entries) {
      const report = table.besideWorkouts ? () => {} : session.report;
      const left = new LeftOfDays(table);
      for await (const row of rows.rows(session, entry, mapping, report)) {
        const error = "fields" in row ? row.cut : row.error;
        if (error !== undefined && !table.besideWorkouts) session.report({ ...error, severity: "warning" }, row.origin);
        if (!("fields" in row) || error !== undefined) continue;
        const textOf: TextOf = (column) => textIn(row.fields, indexes, column, decimal);
        left.add(textOf);
        this.#add(session, table, textOf, decimal, row.origin);
      }
      const remark = left.issue();
      if (remark !== undefined) session.report(remark, session.origin(entry.path));
    }
  }

  /** Adds the values of its day to a workout that lacks them. Any other reading stays unchanged. */
  fill(reading: Reading): Reading {
    if (reading.kind !== "workout") return reading;
    const { value } = reading;
    const date = dayOf(value.start);
    if (date === undefined) {
      const possibleDays = daysAround(value.start).flatMap((each) => {
        const day = this.#days.get(each);
        return day === undefined ? [] : [{ date: each, ...day }];
      });
      return possibleDays.length === 0 ? reading : { ...reading, value: { ...value, possibleDays } };
    }
    const day = this.#days.get(date);
    return day === undefined ? reading : { ...reading, value: { ...value, health: { ...day, ...value.health } } };
  }

  #add(
    session: ReadSession,
    { columns }: DayTable,
    textOf: TextOf,
    decimal: Conventions["file"]["decimal"],
    origin: Origin,
  ): void {
    const of = (field: DayColumn[1]) => columns.filter(([, ours]) => ours === field);
    const date = of("day").map(textOf).find(isFilled);
    if (date === undefined) return;
    if (!isLocalDate(date)) {
      session.report(bad(date, "bad-date", "a day"), origin);
      return;
    }
    const before = this.#days.get(date);
    const [rest, restText] = firstOf(of("restHR"), textOf, (text) => beats(parseNumber(text, decimal)));
    const [weight, weightText] = firstOf(of("weight"), textOf, (text, unit) => weightOf(text, unit, decimal));
    for (const text of [restText, weightText])
      if (text !== undefined) session.report(bad(text, "bad-number", "a number"), origin);
    const day: Day = { ...before, ...(rest !== undefined && { restHR: rest }), ...(weight && { weight }) };
    if (day.restHR !== undefined || day.weight !== undefined) this.#days.set(date, day);
  }
}

/** Most names of measurements that one remark has. */
const MOST_LEFT = 20;

/** Counts the measurements of a list that the log has no field for. */
class LeftOfDays {
  readonly #columns: readonly DayColumn[];
  readonly #counts = new Map<string, number>();

  constructor({ columns }: DayTable) {
    this.#columns = columns.filter(([, field]) => field === "left");
  }

  add(textOf: TextOf): void {
    for (const column of this.#columns) {
      const text = textOf(column);
      if (text === undefined) continue;
      const name = column[2]?.label ?? printable(text, 40);
      // An export that names each value anew fills no memory: the rest is counted together.
      const known = this.#counts.has(name) || this.#counts.size < MOST_LEFT ? name : "others";
      this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1);
    }
  }

  /** The remark with all counts; undefined if nothing was left. */
  issue(): Issue | undefined {
    if (this.#counts.size === 0) return undefined;
    const found = [...this.#counts].map(([name, count]) => `${name}: ${count}`).join(", ");
    const expected =
      "weights with a unit and resting heart rates: the log takes no other values of days. Keep the file";
    return { severity: "warning", rule: "table/left-of-days", found, expected };
  }
}

/** The decimal commas of a list that a spreadsheet program saved again. */
function commasIn(
  { columns, numbers = [] }: DayTable,
  decimal: Conventions["file"]["decimal"],
): Pick<Conventions["file"], "commas"> {
  if (decimal !== "." && decimal !== "float") return {};
  const read = [
    ...columns.flatMap(([theirs, field]) => (field === "day" || field === "left" ? [] : [theirs].flat())),
    ...numbers,
  ];
  // Nobody weighs a thousand kilograms, and no heart beats a thousand times a minute.
  return { commas: new DecimalCommas({ read, beside: [], small: read }) };
}

type TextOf = (column: DayColumn) => string | undefined;

function isFilled(text: string | undefined): text is string {
  return text !== undefined;
}

function textIn(
  fields: readonly string[],
  indexes: ReadonlyMap<string, number>,
  [theirs, , { unit: _unit, label: _label, ...how } = {}]: DayColumn,
  decimal: Conventions["file"]["decimal"],
): string | undefined {
  const cells = [theirs].flat().map((name) => fields[indexes.get(fold(name)) ?? -1]?.trim() ?? "");
  return cells.map((cell) => asWritten(cell, how, decimal) ?? "").find((cell) => cell !== "");
}

/** The value of the first readable column; otherwise the first unreadable text. */
function firstOf<T>(
  columns: readonly DayColumn[],
  textOf: TextOf,
  read: (text: string, unit: string | undefined) => T | undefined,
): readonly [value: T | undefined, unread: string | undefined] {
  const texts = columns.map((column) => ({ text: textOf(column), unit: column[2]?.unit }));
  const filled = texts.flatMap(({ text, unit }) => (text === undefined ? [] : [{ text, value: read(text, unit) }]));
  const value = filled.find((each) => each.value !== undefined)?.value;
  return [value, value === undefined ? filled[0]?.text : undefined];
}

function beats(value: number | undefined): number | undefined {
  return value === undefined || value <= 0 ? undefined : heartRate(value);
}

function weightOf(
  text: string,
  unit: string | undefined,
  decimal: Conventions["file"]["decimal"],
): Measure<"weight"> | undefined {
  const measure = parseMeasure("weight", text, unitSpelt("weight", unit ?? ""), decimal);
  return measure !== undefined && measure.value > 0 ? measure : undefined;
}

function bad(found: string, rule: "bad-date" | "bad-number", expected: string): Issue {
  return { severity: "warning", rule: `table/${rule}`, found: found.slice(0, 100), expected };
}

/** The earliest and the latest clock on earth, in minutes from UTC. */
const [EARLIEST, LATEST] = [-12 * 60, 14 * 60];

/** The days on any clock at a workout's instant. Its zone is known only later. */
function daysAround({ instant }: Start): readonly LocalDate[] {
  if (instant === undefined) return [];
  const clocks = [EARLIEST, 0, LATEST];
  return [...new Set(clocks.map((offset) => atOffset(instant, offset).date))];
}

/** The day on the athlete's clock; undefined if a workout's instant has no known distance from UTC. */
function dayOf({ date, instant, offsetMinutes }: Start): LocalDate | undefined {
  if (date !== undefined) return date;
  return instant === undefined || offsetMinutes === undefined ? undefined : atOffset(instant, offsetMinutes).date;
}
