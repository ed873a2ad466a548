/**
 * Reads the dates of a platform's table that a spreadsheet program saved again: `3/13/2024 17:05` instead of `2024-03-13 17:05:09`. The platform's own
 * form always comes first. Which number is the day follows from all rows, or from what a person said.
 */
import { localDate } from "../../../../transforms/calendar.ts";
import type { ReadContext } from "../../../contract.ts";
import { parseDate, parseDateTime } from "../cells/cells.ts";
import type { SheetRow } from "../cells/sheet-row.ts";
import type { ColumnSpec } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import type { Columns } from "./columns.ts";
import { AS_IT_WAS } from "./date-order.ts";

/** Day before month, or month before day: the words of a mapping file. */
export type DayMonthOrder = "dmy" | "mdy";

/** Two numbers of one or two digits, the year, and perhaps a time of day. */
const RESAVED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,? (\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?))?$/i;

/** Between hyphens a year of two digits may as well be the first number. */
const YEAR_ANYWHERE = /^\d{1,2}-\d{1,2}-\d{2}(?!\d)/;

/** Excel reads a year of two digits below this one as 20.., and any other as 19... */
const PIVOT = 30;

const FIELDS: ReadonlySet<ColumnSpec["field"]> = new Set(["date", "datetime", "end"]);

/** Orders of dates that no spreadsheet program writes. */
const OWN_ORDERS: ReadonlySet<string> = new Set(["iso", "shown"]);

const MIDNIGHT = /^(?:0{1,2}:00(?::00)?|12:00(?::00)? ?AM)$/i;

const UNSHOWN =
  "no day of the table is above 12, so nothing shows which number is the month. Say it for all rows: --date-order mdy for month/day/year, or --date-order dmy for day/month/year";
const YEAR_UNSHOWN =
  "nothing shows which number is the year. If it is the last one, say so for all rows: --date-order dmy for day-month-year, or --date-order mdy for month-day-year";
const UNFIT = `the order that you said doesn't fit: in some rows its month is above 12. Say the other one, or ${AS_IT_WAS}`;
const CONTRADICTION = `in some rows of the table the first number is above 12, and in others the second one: ${AS_IT_WAS}`;

/** A column of dates. */
interface DateColumn {
  readonly index: number;
  readonly spec: ColumnSpec;
}

/** The dates of one table of a platform. */
export class ResavedDates {
  readonly #columns: readonly DateColumn[];
  readonly #mapping: Conventions;
  readonly #given: DayMonthOrder | undefined;
  readonly #usesGiven: ReadContext["usesGiven"];
  readonly #all: () => AsyncIterable<SheetRow>;
  #seen: Promise<SeenDates> | undefined;
  #advice: string | undefined;

  /**
   * @param all gives all rows of the table, for a look at the whole column; it is asked only if a date has such a form
   * @param given the order that a person said, and who is told when it counts
   */
  constructor(
    { columns }: Columns,
    mapping: Conventions,
    all: () => AsyncIterable<SheetRow>,
    { dateOrder, usesGiven }: Pick<ReadContext, "dateOrder" | "usesGiven">,
  ) {
    this.#columns = OWN_ORDERS.has(mapping.dates.order) ? columns.filter(({ spec }) => FIELDS.has(spec.field)) : [];
    this.#mapping = mapping;
    this.#all = all;
    this.#given = dateOrder;
    this.#usesGiven = usesGiven;
  }

  /** Gives rows with such dates in the form `2024-03-13 17:05`. Where their order is unknown, they stay as they are. */
  async *rows(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow> {
    for await (const row of rows) {
      if (!("fields" in row) || !this.#columns.some((column) => this.#isResaved(row.fields, column))) {
        yield row;
        continue;
      }
      this.#seen ??= this.#look();
      const seen = await this.#seen;
      const order = seen.orderOr(this.#given);
      if (this.#given !== undefined && (seen.isSilent || seen.hasYearAnywhere)) this.#usesGiven?.(this.#given);
      if (order === undefined) {
        this.#advice = seen.adviceFor(this.#given);
        yield row;
        continue;
      }
      const fields = [...row.fields];
      for (const column of this.#columns)
        if (this.#isResaved(fields, column)) fields[column.index] = this.#rewritten(fields, column, order);
      yield { ...row, fields };
    }
  }

  /** What a person can do about a date that can't be read; undefined for a date in any other form. */
  advice(found: string): string | undefined {
    return RESAVED.test(found.trim()) ? this.#advice : undefined;
  }

  async #look(): Promise<SeenDates> {
    const seen = new SeenDates();
    for await (const row of this.#all())
      if ("fields" in row)
        for (const column of this.#columns)
          if (this.#isResaved(row.fields, column)) seen.add(row.fields[column.index] ?? "");
    return seen;
  }

  /** Whether a cell has such a form and is no date of the platform's own. */
  #isResaved(fields: readonly string[], column: DateColumn): boolean {
    const text = (fields[column.index] ?? "").trim();
    return RESAVED.test(text) && !this.#isOwn(text, column);
  }

  #isOwn(text: string, { spec }: DateColumn): boolean {
    const said = spec.read === undefined ? text : spec.read(text);
    const parse = spec.field === "date" ? parseDate : parseDateTime;
    return said !== undefined && parse(said, this.#mapping.dates, this.#mapping.file.decimal) !== undefined;
  }

  #rewritten(fields: readonly string[], column: DateColumn, order: DayMonthOrder): string {
    const text = fields[column.index] ?? "";
    const forms = isoForms(text.trim(), order);
    return forms.find((form) => this.#isOwn(form, column)) ?? text;
  }
}

/** Counts the dates whose first number, or whose second one, can only be a day. */
class SeenDates {
  #first = 0;
  #second = 0;
  /** Dates with other marks than dots. Dots stand in countries that write the day first. */
  #undotted = 0;

  /** Whether the year of a date may be its first number. Then only a person can say the order. */
  hasYearAnywhere = false;

  add(text: string): void {
    if (YEAR_ANYWHERE.test(text.trim())) this.hasYearAnywhere = true;
    const [, first = "", mark, second = ""] = RESAVED.exec(text.trim()) ?? [];
    const [one, other] = [Number(first), Number(second)];
    // A cell that is a date in neither order says nothing of the others.
    if (Math.min(one, other) > 12 || Math.max(one, other) > 31 || Math.min(one, other) === 0) return;
    if (one > 12) this.#first++;
    if (other > 12) this.#second++;
    if (mark !== ".") this.#undotted++;
  }

  get isContradiction(): boolean {
    return this.#first > 0 && this.#second > 0;
  }

  /** Whether no date shows the order. */
  get isSilent(): boolean {
    return this.#first === 0 && this.#second === 0;
  }

  /** What a person can do if the order is unknown. */
  adviceFor(given: DayMonthOrder | undefined): string {
    if (this.isContradiction) return CONTRADICTION;
    if (!this.hasYearAnywhere) return UNSHOWN;
    return given === undefined ? YEAR_UNSHOWN : UNFIT;
  }

  /** The order that the dates show, or else the given one; undefined if they contradict each other. */
  orderOr(given: DayMonthOrder | undefined): DayMonthOrder | undefined {
    if (this.isContradiction) return undefined;
    if (this.hasYearAnywhere) return (given === "dmy" ? this.#second : this.#first) > 0 ? undefined : given;
    if (this.#first > 0) return "dmy";
    if (this.#second > 0) return "mdy";
    return given ?? (this.#undotted === 0 ? "dmy" : undefined);
  }
}

/** A date as `2024-03-13 17:05`, and as the day alone if its time is midnight. Excel adds that to a day. None for a day that doesn't exist. */
function isoForms(text: string, order: DayMonthOrder): readonly string[] {
  const [, first = "", , second = "", digits = "", clock] = RESAVED.exec(text) ?? [];
  const [day = 0, month = 0] = (order === "dmy" ? [first, second] : [second, first]).map(Number);
  const century = digits.length > 2 ? 0 : Number(digits) < PIVOT ? 2000 : 1900;
  const date = localDate(Number(digits) + century, month, day);
  if (date === undefined) return [];
  if (clock === undefined) return [date];
  return MIDNIGHT.test(clock) ? [`${date} ${clock}`, date] : [`${date} ${clock}`];
}
