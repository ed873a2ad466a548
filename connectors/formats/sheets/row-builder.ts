/** Puts a row together, cell by cell, within the caps of a sheet. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { columnLetters } from "./letters.ts";
import { type Cell, type CellIssue, COMPUTE_IT, SHEET_CAPS, type SheetRow, UNCOMPUTED } from "./sheet.ts";

/** What a person can do about a row that is struck through. */
const STRUCK = "a workout that took place: the row is read like any other. If it didn't, delete the row";

/** One row that is being read. */
export class RowBuilder {
  readonly number: number;
  readonly #cells: (Cell | undefined)[] = [];
  readonly #issues: CellIssue[] = [];
  #length = 0;
  #error: Issue | undefined;

  constructor(number: number) {
    this.number = number;
  }

  /** Whether the row can't be used. Then its other cells needn't be read. */
  get isRefused(): boolean {
    return this.#error !== undefined;
  }

  /** Adds a cell. The columns come in ascending order. An empty text is no cell. */
  add(column: number, cell: Cell): void {
    if (cell.text === "" || this.#error !== undefined) return;
    const { cellLength, columns, rowLength } = SHEET_CAPS;
    this.#length += cell.text.length;
    if (column >= columns)
      this.refuse("too-many-columns", this.at(column), `filled cells in the first ${columns} columns`);
    else if (cell.text.length > cellLength)
      this.refuse("cell-too-long", this.at(column), `cells of at most ${cellLength} characters`);
    else if (this.#length > rowLength)
      this.refuse("row-too-long", this.at(column), `rows of at most ${rowLength} characters`);
    else {
      while (this.#cells.length < column) this.#cells.push(undefined);
      this.#cells.push(cell);
    }
  }

  /** Notes a problem that costs one cell, or what a person should know of the row. */
  remark(column: number | undefined, rule: string, found: string, expected: string): void {
    if (this.#issues.length < SHEET_CAPS.columns)
      this.#issues.push({ column, issue: { severity: "warning", rule: `sheet/${rule}`, found, expected } });
  }

  /** Notes a formula that was never computed. */
  uncomputed(column: number): void {
    this.remark(column, "formula-without-value", UNCOMPUTED, COMPUTE_IT);
  }

  /** Notes that all filled cells are struck through: somebody may have cancelled the row. */
  struck(): void {
    this.remark(undefined, "struck-row", "a row that is struck through", STRUCK);
  }

  /** Refuses the row. The first reason counts. */
  refuse(rule: string, found: string, expected: string): void {
    this.#error ??= { severity: "error", rule: `sheet/${rule}`, found, expected };
    this.#cells.length = 0;
  }

  /** The place of a cell, for messages. */
  at(column: number): string {
    return `column ${columnLetters(column)}`;
  }

  /** The row; undefined if it is empty. */
  result(): SheetRow | undefined {
    const { number } = this;
    if (this.#error !== undefined) return { number, error: this.#error };
    if (this.#cells.length === 0 && this.#issues.length === 0) return undefined;
    return { number, cells: this.#cells, issues: this.#issues };
  }
}
