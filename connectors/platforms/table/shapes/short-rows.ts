/** Finds rows that lost their last cells. Many programs leave off empty cells at the end of a row, so the other rows of the table decide. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Columns } from "../columns/columns.ts";
import { RULES, type RuleFamily } from "../mapping/rule-names.ts";
import { areFew } from "../reading/cut-row.ts";
import type { FilledRow } from "./shape.ts";

/** Counts the rows of a table that have no cell for a column that is read. */
export class ShortRows {
  readonly #columns: Columns;
  readonly #rules: RuleFamily;
  /** The header has all cells. */
  #all = 1;
  #short = 0;

  constructor(columns: Columns, rules: RuleFamily) {
    this.#columns = columns;
    this.#rules = rules;
  }

  /** Adds a usable row. */
  add(row: Pick<FilledRow, "missing">): void {
    this.#all++;
    if (this.#lostBy(row).length > 0) this.#short++;
  }

  /** The issue of a row without cells that nearly all rows have; none if short rows are usual here. */
  issuesOf(row: Pick<FilledRow, "missing">): readonly Issue[] {
    const lost = areFew(this.#short, this.#all) ? this.#lostBy(row) : [];
    if (lost.length === 0) return [];
    const found = `the row ends before ${lost.join(", ")}`.slice(0, 100);
    const expected = "all cells, as in nearly all rows";
    return [{ severity: "warning", rule: RULES[this.#rules]["short-row"], found, expected }];
  }

  /** The columns that the row has no cell for, and that are read. */
  #lostBy({ missing = [] }: Pick<FilledRow, "missing">): readonly string[] {
    if (missing.length === 0 || this.#columns.byPlace) return [];
    const known = this.#columns.columns.filter(({ isUnknown }) => isUnknown !== true);
    const read = new Set(known.filter(({ spec }) => spec.field !== "ignore").map(({ index }) => index));
    return missing.filter((name) => read.has(this.#columns.indexOf(name) ?? -1));
  }
}
