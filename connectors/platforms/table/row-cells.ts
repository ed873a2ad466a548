/** A row's cells by their fields, as the description says they are written. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { type Dimension, type Measure, type UnitOf, unitSpelt } from "../../../transforms/units.ts";
import { heartRate } from "../from-recording.ts";
import { parseMeasure, parseNumber, parseWhole } from "./cells.ts";
import type { Columns } from "./columns.ts";
import type { ColumnSpec, FieldName } from "./fields.ts";
import type { Conventions } from "./mapping.ts";
import { type RowRule, RULES, type RuleFamily } from "./rule-names.ts";
import type { System } from "./shown-units.ts";

/** Text that a rule puts in the place of a cell's. */
export type Overrides = Partial<Record<FieldName, string | null | undefined>>;

/** What the cells of every row are read with. */
export interface CellReader {
  /** Begins the rules of its issues. */
  readonly rules: RuleFamily;
  readonly mapping: Pick<Conventions, "file">;
  readonly columns: Columns;
  /** The units that the rows of the table show. */
  readonly system?: System;
}

/** A cell's text as the field reads it, after what the description says of how the platform writes it; undefined where it says "none". */
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

/** One cell of a field. `spec` is undefined where a rule fills a field that no column has. */
export interface Cell {
  readonly text: string;
  readonly name: string;
  readonly spec: ColumnSpec | undefined;
}

/** A row's cells by field. Cells that are empty, or hold one of the mapping's nulls, are absent. */
export class RowCells {
  readonly decimal: Conventions["file"]["decimal"];
  readonly rules: RuleFamily;
  readonly #fields: readonly string[];
  readonly #overrides: Overrides;
  readonly #reader: CellReader;
  readonly #report: (issue: Issue) => void;

  constructor(fields: readonly string[], overrides: Overrides, reader: CellReader, report: (issue: Issue) => void) {
    this.decimal = reader.mapping.file.decimal;
    this.rules = reader.rules;
    this.#fields = fields;
    this.#overrides = overrides;
    this.#reader = reader;
    this.#report = report;
  }

  cells(field: ColumnSpec["field"]): Cell[] {
    const columns = this.#reader.columns.columns.filter(({ spec }) => spec.field === field);
    const override = field === "instant" || field === "file" ? undefined : this.#overrides[field];
    if (override === null) return [];
    if (override !== undefined) return [{ text: override, name: columns[0]?.name ?? field, spec: columns[0]?.spec }];
    return columns.flatMap(({ index, name, spec }) => {
      const text = asWritten(this.#textAt(index), spec, this.decimal);
      return text === undefined || text === "" ? [] : [{ text, name, spec }];
    });
  }

  cell(field: ColumnSpec["field"]): Cell | undefined {
    return this.cells(field)[0];
  }

  /** The name of the column a field has, for messages. */
  nameOf(field: FieldName): string {
    return this.#reader.columns.columns.find(({ spec }) => spec.field === field)?.name ?? field;
  }

  text(field: ColumnSpec["field"]): string | undefined {
    return this.cell(field)?.text;
  }

  number(field: FieldName): number | undefined {
    return this.#parsed(field, (text) => parseNumber(text, this.decimal), "bad-number", "a number");
  }

  whole(field: FieldName): number | undefined {
    return this.#parsed(field, (text) => parseWhole(text, this.decimal), "bad-number", "a whole number");
  }

  /** Whole beats; 0 is "not measured". */
  heartRate<F extends "avgHR" | "maxHR" | "restHR">(field: F): Partial<Record<F, number>> {
    const read = (text: string) => {
      const value = parseNumber(text, this.decimal);
      return value === undefined || value < 0 ? undefined : (heartRate(value) ?? 0);
    };
    const beats = this.#parsed(field, read, "bad-number", "beats a minute");
    return beats === undefined || beats === 0 ? {} : ({ [field]: beats } as Partial<Record<F, number>>);
  }

  measure<D extends Dimension>(field: FieldName, dimension: D): Measure<D> | undefined {
    const unit = this.#unitOf(this.cell(field)?.spec, dimension);
    const words = unit === undefined ? "a number with its unit" : `a number of ${unit}`;
    return this.#parsed(field, (text) => parseMeasure(dimension, text, unit, this.decimal), "bad-number", words);
  }

  /** A filled cell of a number whose unit nothing says. */
  withoutUnit(field: FieldName, dimension: Dimension): Cell | undefined {
    const cell = this.cell(field);
    return cell?.spec?.unitBy === undefined || this.#unitOf(cell.spec, dimension) !== undefined ? undefined : cell;
  }

  bad({ text, name }: Cell, rule: RowRule, expected: string): Issue {
    return { severity: "error", rule: RULES[this.rules][rule], field: name, found: text.slice(0, 100), expected };
  }

  complain(cell: Cell, rule: RowRule, expected: string): void {
    this.#report({ ...this.bad(cell, rule, expected), severity: "warning" });
  }

  #parsed<T>(field: FieldName, read: (text: string) => T | undefined, rule: RowRule, expected: string): T | undefined {
    const cell = this.cell(field);
    if (cell === undefined) return undefined;
    const value = read(cell.text);
    if (value === undefined) this.complain(cell, rule, expected);
    return value;
  }

  #unitOf<D extends Dimension>(spec: ColumnSpec | undefined, dimension: D): UnitOf<D> | undefined {
    if (spec?.unit !== undefined) return unitSpelt(dimension, spec.unit);
    if (spec?.unitBy !== undefined) {
      const cellOf = (column: string) => this.#textAt(this.#reader.columns.indexOf(column) ?? -1);
      return unitSpelt(dimension, spec.unitBy(cellOf, this.#reader.system) ?? "");
    }
    const index = spec?.unitColumn === undefined ? undefined : this.#reader.columns.indexOf(spec.unitColumn);
    return index === undefined ? undefined : unitSpelt(dimension, this.#textAt(index));
  }

  #textAt(index: number): string {
    const text = (this.#fields[index] ?? "").replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim();
    return this.#reader.mapping.file.nulls.includes(text) ? "" : text;
  }
}
