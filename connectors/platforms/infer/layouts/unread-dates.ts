/** Names the column of dates and a cell of it, where nothing can be read as a date: what is written there, and what to write instead. */
import { printable } from "../../../../transforms/text/printable.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { ColumnSample } from "../sample/column.ts";
import { isDateText } from "../words/values.ts";

/** How cells are written that are nearly dates. The first row that fits a cell counts. */
const FORMS: readonly {
  readonly is: (cell: string) => boolean;
  readonly what: string;
  readonly next: string;
}[] = [
  {
    is: (cell) => /^="[^"]*"$/.test(cell),
    what: "each cell is a formula around a text",
    next: "Open the table in a spreadsheet program, save it as .xlsx, and propose for that file",
  },
  {
    is: (cell) => /^['’]\d/.test(cell),
    what: "an apostrophe stands before each value",
    next: "Remove the apostrophes with a text editor, and propose again",
  },
  {
    is: (cell) => /^\d{4}-?W\d{2}(?:-?[1-7])?$/i.test(cell),
    what: "the cells are weeks of a year",
    next: "Write the day of each workout, as in 2021-01-20, and propose again",
  },
  {
    is: (cell) => /^\d{4}[-.]\d{3}$/.test(cell),
    what: "the cells are days of a year, counted from 1 January",
    next: "Write the day of each workout, as in 2021-01-20, and propose again",
  },
  {
    is: (cell) => /^\d{4}[-./](?:1[3-9]|2\d|3[01])[-./](?:0?[1-9]|1[0-2])$/.test(cell),
    what: "the day stands before the month, behind the year",
    next: "Write year, month and day, as in 2021-01-20, and propose again",
  },
  {
    is: isMonthOfYear,
    what: "each row seems to be a month, and a sum is no workout",
    next: "Use a table with a row for each workout or each day",
  },
];

const OTHERWISE = {
  what: "its cells are no dates that logferry can read",
  next: "Write them as year, month and day, such as 2021-01-20, or 2021-01-20 07:00 with the time, and propose again",
};

/** A month with its year, and no day: `Jan 2018`. */
function isMonthOfYear(cell: string): boolean {
  const [name = "", year = "", ...more] = cell.split(/[\s./-]+/);
  return more.length === 0 && monthNamed(name) !== undefined && /^\d{2}(?:\d{2})?$/.test(year);
}

/** Fewer values in one cell are no row of a table. */
const LEAST_VALUES = 3;

/** Why a table has no dates, with a cell of it; undefined for a table that has no column of dates by its header. */
export function unreadDates(columns: readonly ColumnSample[]): NoProposal | undefined {
  const [only, ...others] = columns.filter(({ filled }) => filled.length > 0);
  if (only !== undefined && others.length === 0) return inOneColumn(only);
  const column = columns.find(
    ({ meaning: { roles }, filled }) =>
      filled.length > 0 &&
      (roles.some((role) => role === "date" || role === "datetime") || filled.every(isMonthOfYear)),
  );
  const cell = column?.filled.find((one) => !isDateText(one));
  if (column === undefined || cell === undefined) return undefined;
  const { what, next } = FORMS.find(({ is }) => is(cell)) ?? OTHERWISE;
  return {
    problem: `in the column ${quoted(column.name)} no dates can be read, such as ${quoted(cell)}: ${what}`,
    next,
  };
}

/** A table of one column, in which each cell is a whole row. */
function inOneColumn({ name, filled: [first = ""] }: ColumnSample): NoProposal | undefined {
  const mark = [",", ";", "\t", "|"].find((one) => first.split(one).length >= LEAST_VALUES);
  const isSpaced = first.trim().split(/\s+/).length >= LEAST_VALUES;
  if (mark === undefined && !isSpaced) return undefined;
  return {
    problem: `the table has one column, ${quoted(name)}, and each cell seems to be a whole row: ${quoted(first)}`,
    next:
      mark === undefined
        ? "Blanks don't part columns: open it in a spreadsheet program, part the text into columns there, save it as CSV and propose again"
        : "Quotes stand around whole lines: remove them with a text editor, and propose again",
  };
}

/** In quotation marks, unless it has some itself. */
const quoted = (text: string) => (text.includes('"') ? printable(text, 60) : JSON.stringify(printable(text, 60)));
