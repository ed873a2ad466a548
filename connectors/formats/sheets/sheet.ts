/** What workbooks of every format have in common: sheets, rows, and cells with their kinds. */
import type { Issue } from "../../../transforms/model/issue.ts";

/** What a cell holds, by its type and its number format. `duration`: a format that counts on past 24 hours. */
export type CellKind = "text" | "number" | "date" | "date-time" | "time" | "duration" | "boolean";

/**
 * A filled cell.
 *
 * `text` is `2024-03-01`, `2024-03-01 18:05:00`, `0:45:30` (a time or a duration), `12.5` or `TRUE`. Seconds may have a fraction: `0:45:30.5`.
 * A formula has its stored value. Nothing is computed.
 */
export interface Cell {
  readonly text: string;
  readonly kind: CellKind;
  /** A date whose format shows no year: `05-Jan`. A program puts in the year of the day on which it was typed. */
  readonly hidesYear?: true;
  /** The text that a number shows with the unit or the colons of its format: `7.52 mi`, `45:30`. */
  readonly shown?: string;
}

/** The text of a cell, as a person reads it in the sheet. */
export function shownText(cell: Cell | undefined): string {
  return cell?.shown ?? cell?.text ?? "";
}

/** What stands for the value of a formula that no program ever computed. No cell has this text. */
export const UNCOMPUTED = "a formula without a stored value";

/** What brings the values of such formulas. */
export const COMPUTE_IT = "a value: open the workbook in a spreadsheet program and save it";

/** A problem in one cell, which costs the cell alone, or a remark on the whole row. */
export interface CellIssue {
  /** From 0; undefined for the whole row. */
  readonly column: number | undefined;
  readonly issue: Issue;
}

/** A row with at least one filled cell, or the reason why it can't be used. `number` is the row's own, from 1. */
export type SheetRow =
  | {
      readonly number: number;
      /** By column. It ends with the last filled cell. */
      readonly cells: readonly (Cell | undefined)[];
      readonly issues: readonly CellIssue[];
    }
  | { readonly number: number; readonly error: Issue };

/** A sheet of a workbook. */
export interface SheetInfo {
  readonly name: string;
  /** Its place in the workbook, from 1. */
  readonly number: number;
  readonly isHidden: boolean;
  /** The number of comments on its cells, if it has any. Nothing reads their texts. */
  readonly comments?: number;
}

/** The sheets past the cap. They are not read. */
export interface OmittedSheets {
  readonly count: number;
  /** The names of some of them, the first ones first. */
  readonly first: readonly { readonly name: string }[];
}

/** Counts the sheets past the cap, and keeps some of their names. */
export class SheetCounter implements OmittedSheets {
  count = 0;
  readonly first: { name: string }[] = [];

  add(name: string): void {
    if (this.count++ < MOST_NAMES) this.first.push({ name });
  }
}

/** Most names of sheets past the cap that are kept. */
const MOST_NAMES = 20;

/** An open workbook. */
export interface Workbook {
  /** Its sheets with cells, in order. */
  sheets(): Promise<readonly SheetInfo[]>;
  /** The sheets past the cap, known as soon as `sheets` has answered. */
  omitted(): OmittedSheets;
  /**
   * The rows of a sheet, in order, without empty ones. No content makes it throw, but a document type in the parts that all sheets share. If the sheet is damaged, the last row is an error. Errors of the
   * parts' streams are thrown through.
   */
  rows(sheet: SheetInfo): AsyncGenerator<SheetRow>;
  /** Frees what it keeps for its sheets. */
  close(): Promise<void>;
}

/** The files that a workbook consists of. */
export interface WorkbookParts {
  /** The bytes of a part, by its path without a leading slash; undefined if there is no such part. */
  part(path: string): AsyncIterable<Uint8Array> | undefined;
}

/** A workbook that can't be used at all. */
export class WorkbookError extends Error {
  readonly issue: Issue;

  constructor(rule: string, found: string, expected: string) {
    super(`${found}; expected ${expected}`);
    this.name = "WorkbookError";
    this.issue = { severity: "error", rule, found, expected };
  }
}

/** The caps of a sheet. They are those of a CSV file, apart from the rows. Each has a test at cap - 1, cap and cap + 1. */
export const SHEET_CAPS = {
  /** UTF-16 units of one cell. */
  cellLength: 2 ** 20,
  columns: 1_000,
  /** UTF-16 units of all cells of one row together. */
  rowLength: 4 * 2 ** 20,
  /** Rows of a sheet, as in Excel and LibreOffice. */
  rows: 2 ** 20,
  /** Sheets of a workbook. */
  sheets: 1_000,
} as const;
