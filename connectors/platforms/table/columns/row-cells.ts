/** A row's cells by their fields, read as the description says. */

import type { Activity } from "../../../../transforms/activities.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import {
  convert,
  type Dimension,
  type Measure,
  roundTo,
  type UnitOf,
  unitSpelt,
} from "../../../../transforms/units.ts";
import type { ReadContext } from "../../../contract.ts";
import { unguarded } from "../../../formats/csv/guard.ts";
import { UNCOMPUTED } from "../../../formats/sheets/sheet.ts";
import { heartRate } from "../../from-recording.ts";
import { mayBeMiles, parseMeasure, parseNumber, parseWhole } from "../cells/cells.ts";
import { adviceForSum, withoutDoubt } from "../cells/doubtful-numbers.ts";
import { saysNone } from "../cells/none-words.ts";
import type { ColumnSpec, Decimal, FieldName } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { type RowRule, RULES, type RuleFamily, UNCERTAIN_NUMBER } from "../mapping/rule-names.ts";
import { onScale } from "../mapping/scale.ts";
import type { System } from "../mapping/shown-units.ts";
import { type Column, type Columns, fold } from "./columns.ts";
import { firstName, isSecond } from "./second-columns.ts";

/** A heart rate with the unit that some people write behind it: `148 bpm`. */
const BEATS = /^([\d.,]{1,12})\s{0,3}(?:bpm|ppm|slag\/min|sl\/min)\.?$/i;

/** A whole number that a spreadsheet program keeps as text. */
const DIGITS_AS_TEXT = /^'(\d{1,40})$/;

/** A rule that only the tables of platforms have. */
type TableRule = `table/${string}`;

function isTableRule(rule: RowRule | TableRule): rule is TableRule {
  return rule.startsWith("table/");
}

/** The columns of each field. A table may have a hundred columns, so they are found once and not for every cell. */
const byField = new WeakMap<Columns, ReadonlyMap<ColumnSpec["field"], readonly Column[]>>();

function columnsByField(columns: Columns): ReadonlyMap<ColumnSpec["field"], readonly Column[]> {
  const known = byField.get(columns);
  if (known !== undefined) return known;
  const last = ({ spec }: Column) => Number(spec.otherwise ?? false);
  const sorted = [...columns.columns].sort((a, b) => last(a) - last(b));
  const found = Map.groupBy(sorted, ({ spec }) => spec.field);
  byField.set(columns, found);
  return found;
}

/** Texts that a rule sets in the place of cells. */
export type Overrides = Partial<Record<FieldName, string | null | undefined>>;

/** Everything needed to read the cells of a row. */
export interface CellReader {
  /** Prefix of the rules of its issues. */
  readonly rules: RuleFamily;
  readonly mapping: Pick<Conventions, "file">;
  readonly columns: Columns;
  /** The unit system that the rows of the table show. */
  readonly system?: System;
  /** The units of distances that a person gave. */
  readonly givenUnits?: readonly UnitOf<"distance">[];
  /** Told which of them made a difference. */
  readonly usesGiven?: ReadContext["usesGiven"];
}

/**
 * A cell's text in the form that the field reads, after applying the description of the platform's way of writing. Undefined if it means
 * "none".
 */
export function asWritten(
  text: string,
  { read, per, zero }: Pick<ColumnSpec, "read" | "per" | "zero">,
  decimal: RowCells["decimal"],
): string | undefined {
  const said = read === undefined || text === "" ? text : read(text);
  if (said === undefined || (per === undefined && zero === undefined)) return said;
  const value = parseNumber(said, decimal);
  if (value === 0 && zero === "none") return undefined;
  if (value === undefined || per === undefined) return said;
  const whole = String(Math.round((value / per) * 1e6) / 1e6);
  return decimal === "," ? whole.replace(".", ",") : whole;
}

/** `0`, `0.0`, `0:00:00`. */
const ZERO = /^0{1,3}(?:[:.,]0{1,6}){0,3}$/;

/** A number or a time below 0, but not -1. */
const BELOW_ZERO = /^[-\u2212](?!1(?:[.,]0{0,9})?$)(?=[\d:.,]{0,40}[1-9])\d/;

/** One cell of a field. `spec` is undefined if a rule fills a field that has no column. */
export interface Cell {
  readonly text: string;
  /** The text in the file, if it differs. */
  readonly written?: string;
  readonly name: string;
  readonly spec: ColumnSpec | undefined;
}

/** Fields of which each filled cell is read or counted. */
const ALL_COUNT: ReadonlySet<string> = new Set(["notes", "unsupported", "series", "lap", "duration", "equipment"]);

/** A row's cells by field. Empty cells, and cells with one of the mapping's nulls, are absent. */
export class RowCells {
  readonly decimal: Conventions["file"]["decimal"];
  readonly rules: RuleFamily;
  /** The row's activity, as soon as it is known. On some platforms, it decides the unit of the distance. */
  activity: Activity | undefined;
  readonly #fields: readonly string[];
  readonly #overrides: Overrides;
  readonly #reader: CellReader;
  readonly #columns: ReadonlyMap<ColumnSpec["field"], readonly Column[]>;
  readonly #unread = new Map<string, { readonly field: ColumnSpec["field"]; readonly text: string }>();
  readonly #report: (issue: Issue) => void;

  constructor(fields: readonly string[], overrides: Overrides, reader: CellReader, report: (issue: Issue) => void) {
    this.decimal = reader.mapping.file.decimal;
    this.rules = reader.rules;
    this.#fields = fields;
    this.#overrides = overrides;
    this.#reader = reader;
    this.#columns = columnsByField(reader.columns);
    this.#report = report;
  }

  /** The filled cells of a field, in order of preference. */
  cells(field: ColumnSpec["field"]): Cell[] {
    const columns = this.#columns.get(field) ?? [];
    // A mapping's rules don't know the fields that only the tables of platforms have.
    const override = this.#overrides[field as FieldName];
    if (override === null) return [];
    if (override !== undefined) return [{ text: override, name: columns[0]?.name ?? field, spec: columns[0]?.spec }];
    const cells: Cell[] = [];
    let saysNone = false;
    for (const column of columns) {
      const { name, spec } = column;
      if (this.#reader.columns.seconds?.isOther(name) && !ALL_COUNT.has(field)) continue;
      const { text, written } = this.#cellAt(column);
      if (written === "") continue;
      if (text === undefined) saysNone = true;
      // A first column that says "none" is filled: a second one of its name doesn't count.
      else if (text !== "" && !(saysNone && (spec.otherwise || this.#isSecond(name))))
        cells.push({ text, name, spec, ...(text !== written && { written }) });
    }
    return cells;
  }

  #cellAt({ index, spec }: Column): { readonly text: string | undefined; readonly written: string } {
    const written = this.#textAt(index);
    return { written, text: written === "" ? "" : asWritten(written, spec, spec.decimal ?? this.decimal) };
  }

  #isSecond(name: string): boolean {
    return this.#reader.columns.seconds !== undefined && isSecond(name);
  }

  /** The filled cells of second columns of one name that the row doesn't use: their texts are others than what counts. */
  repeats(): Cell[] {
    const { seconds } = this.#reader.columns;
    if (seconds === undefined) return [];
    return [...this.#columns].flatMap(([field, columns]) => {
      const first = ALL_COUNT.has(field) ? undefined : this.cell(field);
      return (ALL_COUNT.has(field) ? [] : columns).flatMap((column) => {
        const { name, spec } = column;
        const { text = "" } = isSecond(name) ? this.#cellAt(column) : {};
        if (text === "" || this.#isSame(text, first?.text, spec)) return [];
        if (first !== undefined && fold(first.name) === fold(firstName(name))) seconds.contradict(name);
        return [{ text, name, spec }];
      });
    });
  }

  /** Whether two texts are one, or one number: `5` and `5.0`. */
  #isSame(text: string, other: string | undefined, { decimal = this.decimal }: ColumnSpec): boolean {
    if (other === undefined || text === other) return text === other;
    const value = parseNumber(text, decimal);
    return value !== undefined && value === parseNumber(other, decimal);
  }

  /** The text of a column of a field with a number below 0, also where the column reads it as "none". -1 often stands for "not measured". */
  belowZero(field: ColumnSpec["field"]): string | undefined {
    const texts = (this.#columns.get(field) ?? []).map(({ index }) => this.#textAt(index));
    return texts.find((text) => BELOW_ZERO.test(text));
  }

  /** Whether a column of a field holds 0 or 0:00:00. `withNone`: also one where 0 stands for none. */
  writesZero(field: ColumnSpec["field"], withNone: boolean): boolean {
    return (this.#columns.get(field) ?? []).some(({ index, spec }) => {
      const text = this.#textAt(index);
      const said = spec.read === undefined || text === "" ? text : spec.read(text);
      return said !== undefined && ZERO.test(said) && (withNone || spec.zero !== "none");
    });
  }

  cell(field: ColumnSpec["field"]): Cell | undefined {
    return this.cells(field)[0];
  }

  /** The text in a column; "" if there is none. */
  columnText(column: string): string {
    return this.#textAt(this.#reader.columns.indexOf(column) ?? -1);
  }

  /** The name of a field's column, for messages. */
  nameOf(field: FieldName): string {
    return this.#reader.columns.columns.find(({ spec }) => spec.field === field)?.name ?? field;
  }

  text(field: ColumnSpec["field"]): string | undefined {
    return this.cell(field)?.text;
  }

  number(field: ColumnSpec["field"]): number | undefined {
    const read = (cell: Cell) => {
      const value = parseNumber(cell.text, this.#decimalOf(cell));
      return value === undefined || cell.spec?.scale === undefined ? value : onScale(value, cell.spec.scale);
    };
    const expected = ({ spec }: Cell) =>
      spec?.scale === undefined ? "a number" : `a number from ${spec.scale.from.join(" to ")}`;
    return this.#parsed(field, read, expected).next().value;
  }

  whole(field: FieldName): number | undefined {
    return this.#parsed(
      field,
      (cell) => parseWhole(cell.text, this.#decimalOf(cell)),
      () => "a whole number",
    ).next().value;
  }

  /** Reads whole beats a minute; 0 means "not measured". */
  heartRate<F extends "avgHR" | "maxHR" | "restHR">(field: F): Partial<Record<F, number>> {
    const read = (cell: Cell) => {
      const value = parseNumber(BEATS.exec(cell.text)?.[1] ?? cell.text, this.#decimalOf(cell));
      return value === undefined || value < 0 ? undefined : (heartRate(value) ?? 0);
    };
    const beats = this.#parsed(field, read, () => "beats a minute").next().value;
    return beats === undefined || beats === 0 ? {} : ({ [field]: beats } as Partial<Record<F, number>>);
  }

  measure<D extends Dimension>(field: FieldName, dimension: D): Measure<D> | undefined {
    const measures = this.measures(field, dimension);
    const first = measures.next().value;
    if (first?.spec?.add !== true) return first?.measure;
    const { unit } = first.measure;
    const others = [...measures].map(({ measure }) => convert(dimension, measure, unit).value);
    // The parts that can be read are not the whole.
    if (this.lacksPart(field)) return undefined;
    return {
      unit,
      value: roundTo(
        others.reduce((sum, value) => sum + value, first.measure.value),
        6,
      ),
    };
  }

  /** Gives the measures of a field, with the column of each. The first one counts. */
  measures<D extends Dimension>(
    field: FieldName,
    dimension: D,
  ): Generator<{ readonly measure: Measure<D>; readonly spec: Cell["spec"] }, undefined> {
    const read = (cell: Cell) => {
      const unit = this.#unitOf(cell.spec, dimension);
      const measure = parseMeasure(dimension, cell.text, unit, this.#decimalOf(cell));
      return measure && { measure, spec: cell.spec };
    };
    return this.#parsed(field, read, (cell) => {
      const unit = this.#unitOf(cell.spec, dimension);
      if (this.#decimalOf(cell) === "shown") return unit === "m" ? "whole metres" : "kilometres like 9.44";
      if (unit === "km" && mayBeMiles(cell.text)) return "a number of km; m may be miles here, which are written mi";
      return unit === undefined ? this.#unitWanted(cell.spec, dimension) : `a number of ${unit}`;
    });
  }

  /** What a number without a unit lacks. Where another column should say it, its name and its cell are named. */
  #unitWanted(spec: ColumnSpec | undefined, dimension: Dimension): string {
    const index = spec?.unitColumn === undefined ? undefined : this.#reader.columns.indexOf(spec.unitColumn);
    if (index === undefined) return "a number with its unit";
    const found = this.#textAt(index);
    const said = found === "" ? "is empty" : `is ${JSON.stringify(printable(found, 40))}`;
    return `a number with its unit of ${dimension}; the column ${JSON.stringify(printable(spec?.unitColumn ?? "", 40))} ${said}`;
  }

  /** A filled cell with a number of unknown unit. */
  withoutUnit(field: FieldName, dimension: Dimension): Cell | undefined {
    const cell = this.cell(field);
    return cell?.spec?.unitBy === undefined || this.#unitOf(cell.spec, dimension) !== undefined ? undefined : cell;
  }

  /** Whether the lap before this one, of those that count from the start, is empty. */
  lacksLapBefore(name: string): boolean {
    const columns = (this.#columns.get("lap") ?? []).filter(({ spec }) => spec.running === true);
    const before = columns[columns.findIndex((column) => column.name === name) - 1];
    return before !== undefined && this.#textAt(before.index) === "";
  }

  /** Whether a part of a value can't be read, so far. A cell that says "none" is none. */
  lacksPart(...fields: readonly ColumnSpec["field"][]): boolean {
    return this.unread.some(({ field, text }) => fields.includes(field) && !saysNone(text));
  }

  /** Notes that a cell can't be read. */
  markUnread({ name, text }: Cell, field: ColumnSpec["field"]): void {
    this.#unread.set(name, { field, text });
  }

  /** The cells with a number that can't be read, so far. */
  get unread(): readonly { readonly field: ColumnSpec["field"]; readonly text: string }[] {
    return [...this.#unread.values()];
  }

  bad({ text, name }: Pick<Cell, "text" | "name">, rule: RowRule | TableRule, expected: string): Issue {
    const known = isTableRule(rule) ? `${this.rules}/${rule.slice("table/".length)}` : RULES[this.rules][rule];
    return { severity: "error", rule: known, field: name, found: text.slice(0, 100), expected };
  }

  complain(cell: Cell, rule: RowRule | TableRule, expected: string): void {
    // The reader of the workbook has reported it.
    if (cell.text === UNCOMPUTED) return;
    this.#report({ ...this.bad(cell, rule, expected), severity: "warning" });
  }

  /** Gives the values of a field's cells, one at a time. The first one counts. Unreadable cells before it are reported. */
  *#parsed<T>(
    field: ColumnSpec["field"],
    read: (cell: Cell) => T | undefined,
    expected: (cell: Cell) => string,
  ): Generator<T, undefined> {
    for (const cell of this.cells(field)) {
      const value = read(cell) ?? this.#likely(cell, read);
      if (value !== undefined) yield value;
      else {
        const advice = this.rules === "csv" ? adviceForSum(cell.text, this.#decimalOf(cell)) : undefined;
        // Where another column names the unit, `expected` asks for that unit.
        const wanted = (cell.spec?.unitBy === undefined ? cell.spec?.expected : undefined) ?? expected(cell);
        this.complain(cell, "bad-number", advice === undefined ? wanted : `${wanted}: ${advice}`);
        this.markUnread(cell, field);
      }
    }
    return undefined;
  }

  /** The value of a cell with a mark of doubt, which only a person writes. It is named. */
  #likely<T>(cell: Cell, read: (cell: Cell) => T | undefined): T | undefined {
    const text = this.rules === "csv" ? withoutDoubt(cell.text) : undefined;
    const value = text === undefined ? undefined : read({ ...cell, text });
    if (value === undefined) return undefined;
    const expected = `a number without a mark of doubt. ${text} was read`;
    this.#report({ ...this.bad(cell, "bad-number", expected), severity: "warning", rule: UNCERTAIN_NUMBER });
    return value;
  }

  #decimalOf({ spec }: Cell): Decimal {
    return spec?.decimal ?? this.decimal;
  }

  #unitOf<D extends Dimension>(spec: ColumnSpec | undefined, dimension: D): UnitOf<D> | undefined {
    if (spec?.unit !== undefined) return unitSpelt(dimension, spec.unit);
    if (spec?.unitBy !== undefined) {
      return unitSpelt(dimension, this.#unitBy(spec.unitBy) ?? "");
    }
    const index = spec?.unitColumn === undefined ? undefined : this.#reader.columns.indexOf(spec.unitColumn);
    return index === undefined ? undefined : unitSpelt(dimension, this.#textAt(index).replace(AMOUNT, ""));
  }

  /** The unit of a row that no header names. Says which of the units that a person gave made a difference. */
  #unitBy(unitBy: NonNullable<ColumnSpec["unitBy"]>): string | undefined {
    const { system, givenUnits = [], usesGiven } = this.#reader;
    const unitWith = (given: typeof givenUnits) =>
      unitBy((column) => this.columnText(column), system, this.activity, given);
    const unit = unitWith(givenUnits);
    for (const one of givenUnits) if (unitWith(givenUnits.filter((other) => other !== one)) !== unit) usesGiven?.(one);
    return unit;
  }

  #textAt(index: number): string {
    const raw = this.#fields[index] ?? "";
    if (raw === "") return "";
    const lines = (raw.includes("\r") ? raw.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : raw).trim();
    // A spreadsheet program and logferry's own tables write an apostrophe before a text that looks like a value.
    const text = lines.startsWith("'") ? (DIGITS_AS_TEXT.exec(lines)?.[1] ?? unguarded(lines)) : lines;
    return this.#reader.mapping.file.nulls.includes(text) ? "" : text;
  }
}

/** The number of a pool in a column of units: `25 yd`. */
const AMOUNT = /^\d{1,4}(?:[.,]\d{1,2})?\s?(?=\p{L})/u;

/** The parts of a cell that names several things, without the empty ones. */
export function split(text: string | undefined, separator: string | undefined): string[] {
  const parts = separator === undefined ? [text ?? ""] : (text ?? "").split(separator);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
