/** Completes dates by the titles among the rows: `3` below `March 2019`, and `3/1` below `2014`. */
import { monthNamed } from "../../../formats/month-names.ts";
import { withoutDateWords } from "../../table/cells/date-words.ts";
import { areOfOneYear, parseTitle, type SectionTitle } from "../../table/shapes/complete-dates.ts";
import type { Choice } from "../choices/choice.ts";
import type { ColumnSample } from "../sample/column.ts";
import { repeatsHeader } from "../sample/other-header.ts";
import type { SampleRow, SheetSample } from "../sample/sample.ts";
import { isDateText } from "../words/values.ts";
import { dayAndMonth, withYear } from "./without-year.ts";

/** A table whose titles gave the dates what they lack. */
export interface TitledSheet {
  readonly sample: SheetSample;
  readonly choice: Choice;
  /** The order of the days that a title gave month and year; undefined if the dates show one themselves. */
  readonly order: Choice | undefined;
}

/** A row with what its title says. */
interface TitledRow {
  readonly row: SampleRow;
  readonly title: SectionTitle;
}

/** This share of the cells of a column must be dates that a title completes. */
const SHARE = 0.8;

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/**
 * Completes the dates of a table.
 *
 * @returns undefined if its rows have no titles, if a title is anything but a month or a year, or if no column has days that titles complete
 */
export function withTitledSections(sample: SheetSample, columns: readonly ColumnSample[]): TitledSheet | undefined {
  // Each sheet begins with titles of its own.
  if (!sample.hasHeader || (sample.sheetNames?.length ?? 0) > 1) return undefined;
  const first = titleAbove(sample.titles);
  const titles = sample.rows.flatMap((row) => titleOf(row) ?? []);
  const isAbove = first !== undefined;
  const startsTitled = isAbove || sample.skip === 0 || titleOf(sample.rows[0]) !== undefined;
  if ((titles.length === 0 && !isAbove) || !startsTitled) return undefined;
  const rows = titledRows(sample, first ?? {});
  if (rows === undefined || rows.length < LEAST_ROWS) return undefined;
  const column = columns.find(({ index }) => isCompletedBy(rows, index));
  if (column === undefined) return undefined;
  const { index, name } = column;
  const days = rows.filter(({ row }) => isDay(cellOf(row, index))).length;
  const whole = rows.map(({ row, title }) => ({
    ...row,
    fields: row.fields.map((cell, at) => (at === index ? (completedBy(cell.trim(), title) ?? cell) : cell)),
  }));
  const own = isAbove ? ownTitles(sample, first) : undefined;
  const examples = [...(own === undefined ? [] : [own.title]), ...titles]
    .slice(0, 2)
    .map((text) => JSON.stringify(text));
  const base = { contradicting: 0, rows: rows.length };
  return {
    sample: { ...sample, rows: whole, ...(own && { skip: own.skip }) },
    choice: {
      ...{ ...base, place: "layout.sections", value: "true" },
      why: `titles such as ${examples.join(" and ")} say what the dates in the column ${JSON.stringify(name)} lack`,
    },
    order:
      days > rows.length / 2
        ? { ...base, place: "dates.order", value: "dmy", why: "the dates are days, and the titles say their months" }
        : undefined,
  };
}

/** The rows that aren't titles or headers; undefined if a title has other words, or if a year ends that no title names. */
function titledRows({ header, rows }: SheetSample, first: SectionTitle): readonly TitledRow[] | undefined {
  let title = first;
  let months = first.month === undefined ? [] : [first.month];
  const found: TitledRow[] = [];
  for (const row of rows) {
    const text = titleOf(row);
    if (text !== undefined) {
      const said = plainTitle(text);
      if (said === undefined) return undefined;
      months = [...(said.year === undefined ? months : []), ...(said.month === undefined ? [] : [said.month])];
      if (!areOfOneYear(months)) return undefined;
      title = said.year === undefined && title.year !== undefined ? { year: title.year, ...said } : said;
    } else if (!repeatsHeader(header, row.fields)) found.push({ row, title });
  }
  return found;
}

/** The text of a row that mapping files with sections take for a title. */
function titleOf(row: SampleRow | undefined): string | undefined {
  const filled = (row?.fields ?? []).filter((cell) => cell.trim() !== "");
  const [only = ""] = filled;
  return filled.length === 1 && parseTitle(only) !== undefined ? only.trim() : undefined;
}

/**
 * What the titles above the header say: `January` below `My training 2014`. A year among other words counts only above a month, because dates below it may
 * go on into the next year. Undefined if a title has words that may be a month.
 */
function titleAbove(titles: readonly string[]): SectionTitle | undefined {
  let title: SectionTitle | undefined;
  let isAmongWords = false;
  for (const text of titles) {
    const whole = parseTitle(text);
    const plain = plainTitle(text);
    if (whole === undefined) continue;
    if (plain === undefined && whole.month !== undefined) return undefined;
    isAmongWords = plain === undefined;
    title = title?.year === undefined ? whole : { year: title.year, ...whole };
  }
  return isAmongWords ? undefined : title;
}

/**
 * The titles right above the header, and how many lines stand before them: `January 2018` below `Running log`, which is a title of the whole sheet. They begin
 * with the first line, if they don't say all that the titles above the header say.
 */
function ownTitles({ title, titleRows = [] }: SheetSample, first: SectionTitle): { title: string; skip: number } {
  const other = titleRows.findLastIndex((row) => titleOf(row) === undefined);
  const own = titleRows.slice(other + 1).flatMap((row) => titleOf(row) ?? []);
  const said = titleAbove(own);
  const saysAll = said !== undefined && said.year === first.year && said.month === first.month;
  return saysAll ? { title: own.join(" "), skip: titleRows[other]?.line ?? 0 } : { title, skip: 0 };
}

/** What a title says, if it says nothing else: `May be injured` is no month. */
function plainTitle(text: string): SectionTitle | undefined {
  const words = text.split(/[\s,./()-]+/).filter((word) => word !== "");
  return words.every((word) => /^\d+$/.test(word) || monthNamed(word) !== undefined) ? parseTitle(text) : undefined;
}

const cellOf = (row: SampleRow, index: number) => (row.fields[index] ?? "").trim();

/** Whether nearly all cells of a column are dates that lack a year or more, and titles say it. */
function isCompletedBy(rows: readonly TitledRow[], index: number): boolean {
  const filled = rows.filter(({ row }) => cellOf(row, index) !== "");
  const cells = filled.map(({ row, title }) => completedBy(cellOf(row, index), title));
  const isWhole = filled.every(({ row }) => isDateText(cellOf(row, index)));
  return !isWhole && filled.length >= LEAST_ROWS && cells.filter(Boolean).length >= filled.length * SHARE;
}

/** A day of a month, perhaps with its weekday: `3`, `3.`, `Sun 3`. */
const isDay = (cell: string) => dayOf(cell) !== undefined;

function dayOf(cell: string): string | undefined {
  const [, day] = /^(0?[1-9]|[12]\d|3[01])\.?$/.exec(withoutDateWords(cell)) ?? [];
  return day;
}

/** A date with what its title says, as mapping files complete it; undefined for other texts, and where the title says too little. */
function completedBy(cell: string, { year, month }: SectionTitle): string | undefined {
  if (isDateText(cell)) return cell;
  if (year === undefined) return undefined;
  const day = dayOf(cell);
  if (day !== undefined) return month === undefined ? undefined : `${day}.${month}.${year}`;
  const known = dayAndMonth(cell);
  return known && withYear(known, year);
}
