/** Tells why no column of a table has dates: the layout that it seems to have, and the words of a mapping file for it. */
import { monthNamed } from "../../../formats/month-names.ts";
import { isWeekday } from "../../../formats/weekday-names.ts";
import { parseTitle } from "../../table/shapes/complete-dates.ts";
import { BY_HAND, type NoProposal } from "../choices/no-proposal.ts";
import { DAYS, dateParts } from "../dates/joined-dates.ts";
import { onlyDays } from "../dates/only-days.ts";
import { unixTimes } from "../dates/unix-times.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader } from "../words/header-words.ts";
import { ofWeeks } from "./sums-of-days.ts";
import { onItsSide } from "./turned-tables.ts";

/** A header with so many names of weekdays has a column for each day. */
const LEAST_WEEKDAYS = 5;

/** Rows among which a header may stand. */
const FIRST_ROWS = 20;

const byHand = (words: string, part: string) =>
  `Write one by hand with ${words}: connectors/platforms/csv/README.md, ${JSON.stringify(part)}`;

/** The layout of a week a row; undefined for any other table. */
export function weekARow({ header, rows, title }: SheetSample): NoProposal | undefined {
  const lines = [header, ...rows.slice(0, FIRST_ROWS).map(({ fields }) => fields)];
  const at = lines.findIndex((cells) => new Set(cells.filter((cell) => isWeekday(cell.trim()))).size >= LEAST_WEEKDAYS);
  const found = lines[at]?.filter((cell) => isWeekday(cell.trim()));
  if (found === undefined) return undefined;
  const problem = `a row seems to be a week, with a column for each day (${found.join(", ")})`;
  const isAlone = lines[at]?.every((cell) => cell.trim() === "" || found.includes(cell)) ?? false;
  const titles = [title, ...lines.map((cells) => cells.filter((cell) => cell.trim() !== "").join(" "))];
  const week = isAlone ? titles.find((text) => WEEK_TITLE.test(foldHeader(text))) : undefined;
  if (week !== undefined)
    return {
      problem: `${problem}, and the day on which a week begins stands in a title, such as ${JSON.stringify(week.trim().slice(0, 40))}`,
      next: `Put that day, with its year, into a column of its own before ${JSON.stringify(found[0])}. Then propose again`,
    };
  return {
    problem: `${problem}, and no column has the date of the week`,
    next: `Write the first day of each week, with its year, into a column "Week of" before ${JSON.stringify(found[0])}, and propose again`,
  };
}

/** The layout of a week a row with columns for some of its days. @param names of such columns */
export function someDays(names: readonly string[] | undefined): NoProposal | undefined {
  if (names === undefined) return undefined;
  return {
    problem: `a row seems to be a week, with columns for some of its days (${names.join(", ")})`,
    next: byHand("layout: { week: ... }, with null for a day without a column", "A week a row"),
  };
}

/** A title that names a week by its first day: `Week of 12 March`. */
const WEEK_TITLE =
  /^(?:week|wk|woche|semaine|semana|settimana|vecka|uge|tydzien) (?:of|from|beginning|starting|vom|ab|du|del|dal|van|fra|fran|od|da|de)? ?.{0,12}\d/;

/** Why no column has dates. @param today no Unix time is later */
export function withoutDates(sample: SheetSample, columns: readonly ColumnSample[], today: string): NoProposal {
  return (
    unixTimes(columns, today) ??
    onItsSide(sample) ??
    ofMonths(sample) ??
    ofWeeks(columns) ??
    inSeveralColumns(columns) ??
    inSections(sample) ??
    onlyDays(sample, columns, DAYS) ??
    NO_DATES
  );
}

/** The answer for a table in which nothing looks like dates. */
export const NO_DATES: NoProposal = { problem: "no column has dates", next: BY_HAND };

/** Fewer years or months beside each other are no table of them. */
const [LEAST_YEARS, LEAST_MONTHS] = [2, 4];

/** A table with a number for each month of each year: the years are its columns and the months its rows, or the other way round. */
function ofMonths({ header, rows }: SheetSample): NoProposal | undefined {
  const lines = [header, ...rows.map(({ fields }) => fields)];
  const cells = new Set(lines.map((fields) => (fields[0] ?? "").trim()));
  const beside = (is: (text: string) => boolean) => [...cells].filter(is).length;
  // Years alone make no header, so they may stand in the first row.
  const above = (is: (text: string) => boolean) =>
    lines.slice(0, FIRST_ROWS).map((fields) => [
      ...new Set(
        fields
          .slice(1)
          .map((cell) => cell.trim())
          .filter(is),
      ),
    ]);
  const years = above(isYear).find((some) => some.length >= LEAST_YEARS);
  if (years !== undefined && beside(isMonth) >= LEAST_MONTHS)
    return sumsOf(`the columns are years (${years.slice(0, 3).join(", ")}), and the rows are months`);
  const months = above(isMonth).find((some) => some.length >= LEAST_MONTHS);
  if (months !== undefined && beside(isYear) >= LEAST_YEARS)
    return sumsOf(`the columns are months (${months.slice(0, 3).join(", ")}), and the rows are years`);
  return undefined;
}

const isYear = (text: string) => /^(?:19|20)\d{2}$/.test(text);
const isMonth = (text: string) => monthNamed(text) !== undefined;

const sumsOf = (what: string): NoProposal => ({
  problem: `${what}: each number seems to be the sum of a month`,
  next: "No workouts can be made of sums. Use a table with a row for each workout or each day",
});

function inSeveralColumns(columns: readonly ColumnSample[]): NoProposal | undefined {
  const { year, month, day } = dateParts(columns);
  if (month === undefined || (year === undefined && day === undefined)) return undefined;
  const names = [day, month, year].flatMap((part) => part?.name ?? []);
  const braces = names.map((name) => `{${name}}`).join(" ");
  return {
    problem: `the date stands in several columns: ${names.join(", ")}`,
    next: byHand(`join, as in join: { Whole date: ${JSON.stringify(braces)} }`, "Two columns into one"),
  };
}

function inSections({ rows }: SheetSample): NoProposal | undefined {
  const titles = rows.flatMap(({ fields }) => {
    const [only = "", ...others] = fields.filter((cell) => cell.trim() !== "");
    return others.length === 0 && parseTitle(only.trim()) !== undefined && !/^\d{1,2}$/.test(only) ? [only.trim()] : [];
  });
  const [first] = titles;
  if (first === undefined) return undefined;
  if (titles.every((title) => parseTitle(title)?.year === undefined))
    return {
      problem: `no column has whole dates, and the titles among the rows, such as ${JSON.stringify(first.slice(0, 40))}, say no year`,
      next: `Write the year into the first title of each year, such as ${JSON.stringify(`${first.slice(0, 20)} 2019`)}, and propose again`,
    };
  return {
    problem: `no column has whole dates, and ${titles.length} ${titles.length === 1 ? "title stands" : "titles stand"} among the rows, such as ${JSON.stringify(first.slice(0, 40))}: they seem to say the year or the month`,
    next: byHand("layout: { sections: true }", "Sections"),
  };
}
