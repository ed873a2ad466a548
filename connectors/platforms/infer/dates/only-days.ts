/** Tells of a table with only the days of a month in it: a sheet or a file for each month, whose name says which. */
import { printable } from "../../../../transforms/text/printable.ts";
import { parseTitle } from "../../table/shapes/complete-dates.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { isSum } from "../columns/group-tags.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader } from "../words/header-words.ts";

/** The days of a month. */
const DAY_OF_MONTH = /^(?:0?[1-9]|[12]\d|3[01])\.?$/;

/** Whether a cell is the day of a month: `3`, `3.`, `03`. */
export const isDayOfMonth = (cell: string) => DAY_OF_MONTH.test(cell);

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** Whether a column has the days of a month, and beside them at most the words of sums: `I alt` below the last day. */
export function hasDaysOfMonth({ filled }: ColumnSample): boolean {
  const days = filled.filter((cell) => !isSum(cell));
  return days.length >= LEAST_ROWS && days.every(isDayOfMonth);
}

/**
 * The words that make whole dates of the days; undefined for any other table.
 *
 * @param days headers of such a column
 */
export function onlyDays(
  { path, sheetNames = [] }: SheetSample,
  columns: readonly ColumnSample[],
  days: ReadonlySet<string>,
): NoProposal | undefined {
  const column = columns.find((one) => days.has(foldHeader(one.name)) && hasDaysOfMonth(one));
  if (column === undefined) return undefined;
  const stem = (path.split("/").at(-1) ?? "").replace(/\.[a-z]{2,5}$/i, "");
  const names = sheetNames.length > 0 ? sheetNames : [stem];
  const titles = names.flatMap((name) => {
    const { month, year = parseTitle(stem)?.year } = parseTitle(name.trim()) ?? {};
    return month === undefined ? [] : [{ name, month, year }];
  });
  const [first] = titles;
  const has = `the column ${JSON.stringify(column.name)} has only days of a month, such as ${JSON.stringify(column.filled[0])}`;
  if (first === undefined)
    return {
      problem: `${has}, and neither the table nor its name says which month`,
      next: `Write whole dates into this column, or a title such as "January 2019" above the rows of each month, and propose again`,
    };
  const mark = column.filled.every((cell) => cell.endsWith(".")) ? "" : ".";
  const template = `{${column.name}}${mark}${first.month}.${first.year ?? "YEAR"}`;
  const words = `join: { Whole date: ${JSON.stringify(template)} }, dates: { order: dmy } and Whole date: { field: date }`;
  const kind = sheetNames.length > 0 ? "sheet" : "file";
  const several =
    sheetNames.length > 1
      ? `. Each of the ${sheetNames.length} sheets needs a mapping file of its own that names it in file.sheet`
      : "";
  return {
    problem: `${has}, and the name of the ${kind} ${JSON.stringify(printable(first.name, 40))} says the month`,
    next: `Write a mapping file by hand with ${words}${several}: connectors/platforms/csv/README.md, "Two columns into one"`,
  };
}
