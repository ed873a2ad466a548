/** The rows of a table, and what is known of it before it is read. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { CsvRecord, Delimiter } from "../../../formats/csv/read.ts";
import type { LegacyEncoding } from "../../../formats/legacy-encoding.ts";
import type { Cell } from "../../../formats/sheets/sheet.ts";
import type { OpenWorkbook, SheetName } from "./workbook.ts";

/** A row that can be read. */
export interface TableRecord extends CsvRecord {
  /**
   * The cells of a workbook, by column, with their kinds. Absent for a text. `fields` has their texts: `2024-03-01`, `0:45:30`, `12.5`. `line` is the
   * number of the row.
   */
  readonly cells?: readonly (Cell | undefined)[];
  /** The places of formulas that were never computed. Their texts are empty. */
  readonly uncomputed?: readonly number[];
}

/** A row, or a faulty record of the file. `error` has the severity `error` and gives the reason. With `endsFile`, nothing behind it was read. */
export type Row = TableRecord | { readonly line: number; readonly error: Issue; readonly endsFile?: true };

/** Facts about a table that are known before reading. */
export interface TableOptions {
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for tables that quote nothing. */
  readonly quotes?: false | undefined;
  /** If left out, detected from the bytes. */
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding | undefined;
  /** The sheet of a workbook. If left out, the workbook's only sheet with rows. */
  readonly sheet?: SheetName | undefined;
  /** The workbook, if it is open already. It stays open, so that a thousand sheets don't cost a thousand openings. */
  readonly workbook?: OpenWorkbook | undefined;
  /** Receives issues that cost no record. `column` is the place of the cell in a workbook, from 0. */
  readonly report?: (issue: Issue, line: number, column?: number) => void;
}
