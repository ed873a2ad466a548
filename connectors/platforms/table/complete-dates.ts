/** Completes dates that lack their year, or their year and month, by the title of their section or by the mapping file. */

import { monthNamed } from "../../formats/month-names.ts";
import { type Dates, parseDateTime } from "./cells.ts";
import { withoutDateWords } from "./date-words.ts";
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
    if (order === "iso") return `${year}-${first}-${second}${rest}`;
    // Messages show the completed date, so it looks as a person would write it.
    const mark = /^\d+$/.test(first) && /^\d+$/.test(second) ? (order === "dmy" ? "." : "/") : " ";
    return `${[first, second, year].join(mark)}${rest}`;
  }
  const [whole, day = ""] = DAY.exec(plain) ?? [];
  if (whole === undefined || month === undefined) return text;
  const rest = plain.slice(whole.length);
  if (order === "iso") return `${year}-${month}-${day}${rest}`;
  return order === "dmy" ? `${day}.${month}.${year}${rest}` : `${month}/${day}/${year}${rest}`;
}

/** Longest cell that is completed, in characters. */
const LONGEST = 100;

/** Completes the dates of a table by the section of each row, or else by the year of the mapping. */
export function completedDates(names: readonly string[], dates: Dates): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const indexes = names.flatMap((name) => indexOf(name) ?? []);
    return {
      header,
      rows: eachRow((row) => {
        const { year = dates.year, month } = row.section ?? {};
        const title = { ...(year !== undefined && { year }), ...(month !== undefined && { month }) };
        const fields = [...row.fields];
        for (const index of indexes) fields[index] = completed(fields[index] ?? "", dates, title);
        return [{ ...row, fields }];
      }),
    };
  };
}
