/** Completes dates that lack their year, or their year and month, by the title of their section or by the mapping file. */

import type { Issue } from "../../../../transforms/model/issue.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { type Dates, parseDateTime } from "../cells/cells.ts";
import { withoutDateWords } from "../cells/date-words.ts";
import { eachRow, indexesOf, type Shape } from "./shape.ts";

/** What the title of a section says. */
export interface SectionTitle {
  readonly year?: number;
  readonly month?: number;
}

/** Reads a title such as `2014`, `March 2014`, `03/2014` or `Winter 2014`; undefined for any other text. */
export function parseTitle(text: string): SectionTitle | undefined {
  const words = text.split(/[\s,./()-]+/, MOST_WORDS + 1).filter((word) => word !== "");
  if (words.length > MOST_WORDS) return undefined;
  const numbers = words.filter((word) => /\d/.test(word));
  const years = numbers.filter((word) => /^(?:19|20)\d{2}$/.test(word));
  const named = words.map(monthNamed).find((month) => month !== undefined);
  const others = numbers.filter((word) => !years.includes(word));
  const [numbered] = others.map(Number).filter((month) => month >= 1 && month <= 12);
  const isMonth = named === undefined && others.length === 1 && years.length === 1 && numbered !== undefined;
  if (years.length > 1 || (others.length > 0 && !isMonth)) return undefined;
  const [year] = years.map(Number);
  const month = named ?? (isMonth ? numbered : undefined);
  if (year === undefined && month === undefined) return undefined;
  return { ...(year !== undefined && { year }), ...(month !== undefined && { month }) };
}

/** A title has no more words. A longer text is a remark. */
const MOST_WORDS = 4;

/** January below December is the next year's, and not eleven months back. */
const MOST_MONTHS_APART = 6;

/** Whether months of titles without a year of their own go up, or down, by small steps. Otherwise a year ends that no title names. */
export function areOfOneYear(months: readonly number[]): boolean {
  const steps = months.slice(1).map((month, at) => month - (months[at] ?? month));
  const isSmall = steps.every((step) => Math.abs(step) <= MOST_MONTHS_APART);
  return isSmall && (steps.every((step) => step >= 0) || steps.every((step) => step <= 0));
}

const DAY_MONTH = /^(\d{1,2})(?:\.\s?|[/\-\s])(\d{1,2}|\p{L}{3,12})\.?(?=[\s,]|$)/u;
const MONTH_DAY = /^(\d{1,2}|\p{L}{3,12}\.?)[-/.\s]\s?(\d{1,2})(?=[\s,]|$)/u;
const DAY = /^(\d{1,2})\.?(?=[\s,]|$)/;

/** Adds the year, or year and month, to a date that lacks them. Any other text stays as it is. */
export function completed(text: string, dates: Dates, { year, month }: SectionTitle): string {
  const { order } = dates;
  if (year === undefined || text.length > LONGEST || order.startsWith("excel") || order === "shown") return text;
  if (parseDateTime(text, dates, ".") !== undefined) return text;
  const plain = withoutDateWords(text.trim());
  const both = (order === "dmy" ? DAY_MONTH : MONTH_DAY).exec(plain);
  if (both !== null) {
    const [whole, first = "", second = ""] = both;
    const rest = plain.slice(whole.length);
    if (order === "iso" || order === "ymd") return `${year}-${first}-${second}${rest}`;
    // Messages show the completed date, so it looks as a person would write it.
    const mark = /^\d+$/.test(first) && /^\d+$/.test(second) ? (order === "dmy" ? "." : "/") : " ";
    return `${[first, second, year].join(mark)}${rest}`;
  }
  const [whole, day = ""] = DAY.exec(plain) ?? [];
  if (whole === undefined || month === undefined) return text;
  const rest = plain.slice(whole.length);
  if (order === "iso" || order === "ymd") return `${year}-${month}-${day}${rest}`;
  return order === "dmy" ? `${day}.${month}.${year}${rest}` : `${month}/${day}/${year}${rest}`;
}

/** Longest cell that is completed, in characters. */
const LONGEST = 100;

/** Completes the dates of a table by the section of each row, by what its sheet says, or else by the year of the mapping. */
export function completedDates(names: readonly string[], dates: Dates, sheet: SectionTitle = {}): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const indexes = names.flatMap((name) => indexOf(name) ?? []);
    return {
      header,
      rows: (rows) => {
        const years = new YearsOfRows(dates);
        return eachRow((row) => {
          const { year: titled, month } = row.section ?? sheet;
          const fields = [...row.fields];
          const remarks: Issue[] = [];
          for (const index of indexes) {
            const text = fields[index] ?? "";
            const year = titled ?? years.yearOf(text);
            const title = { ...(year !== undefined && { year }), ...(month !== undefined && { month }) };
            fields[index] = completed(text, dates, title);
            if (titled === undefined) remarks.push(...years.doubts(header[index] ?? "", text));
          }
          return [{ ...row, fields, ...(remarks.length > 0 && { remarks: [...(row.remarks ?? []), ...remarks] }) }];
        })(rows);
      },
    };
  };
}

/** Months between two rows that lie on two sides of New Year, and not in one year: from December to January it is eleven. */
const ACROSS = 6;

/** Months between neighbours that seem to lie on two sides of New Year, where the mapping says nothing of it. */
const NEARLY_A_YEAR = 10;

/** Finds the year of each date without one: the year of the first row, and another one behind each New Year. */
class YearsOfRows {
  readonly #dates: Dates;
  #year: number | undefined;
  #month: number | undefined;
  #jump = 0;
  #isTold = false;

  constructor(dates: Dates) {
    this.#dates = dates;
    this.#year = dates.year;
  }

  /** The year of a cell, if it lacks one; undefined if the mapping has no year. */
  yearOf(text: string): number | undefined {
    if (this.#year === undefined) return undefined;
    const { newYear } = this.#dates;
    // In a leap year each day can be read.
    const date = parseDateTime(completed(text, this.#dates, { year: LEAP_YEAR }), this.#dates, ".")?.date;
    if (date === undefined) return this.#year;
    const month = Number(date.slice(5, 7));
    const own = parseDateTime(text, this.#dates, ".")?.date;
    if (own !== undefined) {
      // A date with its year says where the next ones are.
      if (newYear !== undefined) this.#year = Number(own.slice(0, 4));
      this.#month = month;
      this.#jump = 0;
      return this.#year;
    }
    this.#jump = this.#month === undefined ? 0 : month - this.#month;
    this.#month = month;
    if (newYear === "up" && this.#jump <= -ACROSS) this.#year++;
    if (newYear === "down" && this.#jump >= ACROSS) this.#year--;
    return this.#year;
  }

  /** Says once that rows seem to cross New Year, where the mapping gives them one year. */
  doubts(field: string, found: string): readonly Issue[] {
    if (this.#isTold || this.#dates.newYear !== undefined || Math.abs(this.#jump) < NEARLY_A_YEAR) return [];
    this.#isTold = true;
    const turn = this.#jump < 0 ? "up" : "down";
    const expected = `dates.newYear: ${turn} in the mapping file, if the rows cross New Year here: all dates without a year are in ${this.#year} now`;
    return [{ severity: "warning", rule: "csv/new-year", field, found, expected }];
  }
}

const LEAP_YEAR = 2024;
