/**
 * Detects that days and months are swapped compared with the mapping. If such a table were loaded, every date up to the 12th would be
 * wrong, and only the other dates would be noticed. So all rows wait, and logferry tells a person which word of the mapping to change.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Doubt } from "../../../../transforms/model/workout.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { parseDate, parseDateTime } from "../cells/cells.ts";
import type { Conventions } from "../mapping/mapping.ts";
import type { Column, Columns } from "./columns.ts";

type Order = Conventions["dates"]["order"];

/** Orders that can be confused: both read 3/4/2015. */
const SWAPPED: { readonly [O in Order]?: Order } = { dmy: "mdy", mdy: "dmy" };

/** The form of a date in each order, in words. */
export const DATE_WORDS: Readonly<Record<Order, string>> = {
  iso: "year-month-day",
  dmy: "day.month.year",
  mdy: "month/day/year",
  ymd: "year-month-day with a year of two digits",
  excel: "a number of days since 1899-12-30",
  "excel-1904": "a number of days since 1904-01-01",
  shown: "a date as the platform shows it",
};

/** Advice for a platform's table that is not written as the platform writes it. */
export const AS_IT_WAS = "take the file from its platform once more, as it was before somebody changed it";

/** The findings about a table's dates. */
export interface DateOrderFinding {
  readonly doubt: Doubt;
  /** Whether a row has a date that is readable in at least one of the two orders. */
  readonly concerns: (fields: readonly string[]) => boolean;
}

/** Counts the dates of a table that each order can read. */
export class DateOrder {
  readonly #mapping: Conventions;
  readonly #column: Column | undefined;
  readonly #other: Order | undefined;
  #dates = 0;
  #onlyAsMapped = 0;
  #onlySwapped = 0;
  #example = "";

  constructor({ columns }: Columns, mapping: Conventions) {
    this.#mapping = mapping;
    this.#column = columns.find(({ spec }) => spec.field === "date" || spec.field === "datetime");
    this.#other = SWAPPED[mapping.dates.order];
  }

  /** Counts a row. A cell that neither order can read is ignored. */
  add(fields: readonly string[]): void {
    const { mapped, swapped } = this.#reads(fields);
    if (!mapped && !swapped) return;
    this.#dates++;
    if (mapped && !swapped) this.#onlyAsMapped++;
    if (mapped || !swapped) return;
    this.#onlySwapped++;
    if (this.#example === "") this.#example = this.#textOf(fields);
  }

  /**
   * The doubt about every row with a date; undefined if the mapping's order fits at least as well as the other.
   *
   * @param path of the mapping file, for people; undefined for a platform's own table
   */
  finding(path: string | undefined): DateOrderFinding | undefined {
    const { order } = this.#mapping.dates;
    // If most dates fit, the others are typing mistakes. Only their own rows report them.
    if (this.#other === undefined || this.#onlySwapped <= this.#onlyAsMapped) return undefined;
    const cells = `cells of the column ${JSON.stringify(printable(this.#column?.name ?? "", 40))}`;
    const all = this.#onlyAsMapped === 0 ? "all of them look like" : "most look like";
    const issue: Issue = {
      severity: "error",
      rule: path === undefined ? "table/date-order" : "csv/date-order",
      found: `${this.#onlySwapped} of ${this.#dates} ${cells} can't be read as ${DATE_WORDS[order]}, such as ${JSON.stringify(printable(this.#example, 40))}, and ${all} ${DATE_WORDS[this.#other]}`,
      expected: `${DATE_WORDS[order]}: ${path === undefined ? AS_IT_WAS : `say dates.order: ${this.#other} in ${printable(path, 80)}, and plan again`}`,
    };
    const concerns = (fields: readonly string[]) => {
      const { mapped, swapped } = this.#reads(fields);
      return mapped || swapped;
    };
    return { doubt: { issue, about: ["date"] }, concerns };
  }

  #reads(fields: readonly string[]): { readonly mapped: boolean; readonly swapped: boolean } {
    const { dates } = this.#mapping;
    if (this.#other === undefined) return { mapped: false, swapped: false };
    return { mapped: this.#isRead(fields, dates.order), swapped: this.#isRead(fields, this.#other) };
  }

  #isRead(fields: readonly string[], order: Order): boolean {
    const { dates, file } = this.#mapping;
    const text = this.#textOf(fields);
    if (file.nulls.includes(text)) return false;
    const read = this.#column?.spec.field === "datetime" ? parseDateTime : parseDate;
    return read(text, { ...dates, order }, file.decimal) !== undefined;
  }

  #textOf(fields: readonly string[]): string {
    return (fields[this.#column?.index ?? -1] ?? "").trim();
  }
}
