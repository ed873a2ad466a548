/** Tells why no column of a table has dates: the layout that it seems to have, and the words of a mapping file for it. */
import { monthNamed } from "../../formats/month-names.ts";
import { isWeekday } from "../../formats/weekday-names.ts";
import { parseTitle } from "../table/complete-dates.ts";
import type { ColumnSample } from "./column.ts";
import { isSumOfRows } from "./group-tags.ts";
import { foldHeader } from "./header-words.ts";
import { BY_HAND, type NoProposal } from "./no-proposal.ts";
import { onlyDays } from "./only-days.ts";
import type { SheetSample } from "./sample.ts";
import { isDateText, isNumber } from "./values.ts";

/** A header with so many names of weekdays has a column for each day. */
const LEAST_WEEKDAYS = 5;

/** Rows among which a header may stand. */
const FIRST_ROWS = 20;

const YEARS = new Set(["year", "jahr", "annee", "ano", "anno", "jaar", "ar", "aar", "rok", "vuosi", "年"]);
const MONTHS = new Set("month monat mois mes mese maand manad maned miesiac kuukausi 月".split(" "));
const DAYS = new Set("day tag jour dia giorno dag dzien paiva date datum 日".split(" "));

/** `13/3`, `13. März`, `3 Nov`. */
const DAY_AND_MONTH = /^\d{1,2}(?:[./-]\s?(?:\d{1,2}|\p{L}{3,10})|\s\p{L}{3,10})\.?$/u;

const byHand = (words: string, part: string) =>
  `Write one by hand with ${words}: connectors/platforms/csv/README.md, ${JSON.stringify(part)}`;

/** Headers of the last day of a week, folded. */
const ENDING = /\b(?:end|ending|ends|w e|bis|ende|fin|fine|fim|einde|slut|koniec)\b/;

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
      next: `Put that day, with its year, into a column of its own before ${JSON.stringify(found[0])}. Then write a mapping file by hand with layout: week: connectors/platforms/csv/README.md, "A week a row"`,
    };
  return {
    problem,
    next: byHand(
      header.some((name) => ENDING.test(foldHeader(name))) ? "layout: week and weekDate: last" : "layout: week",
      "A week a row",
    ),
  };
}

/** A title that names a week by its first day: `Week of 12 March`. */
const WEEK_TITLE =
  /^(?:week|wk|woche|semaine|semana|settimana|vecka|uge|tydzien) (?:of|from|beginning|starting|vom|ab|du|del|dal|van|fra|fran|od|da|de)? ?.{0,12}\d/;

/** Why no column has dates. */
export function withoutDates(sample: SheetSample, columns: readonly ColumnSample[]): NoProposal {
  return (
    ofMonths(sample) ??
    ofWeeks(columns) ??
    inSeveralColumns(columns) ??
    inSections(sample) ??
    onlyDays(sample, columns, DAYS) ??
    withoutYear(sample, columns) ??
    NO_DATES
  );
}

const NO_DATES: NoProposal = { problem: "no column has dates", next: BY_HAND };

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

/** A table in which each row sums up a week. */
function ofWeeks(columns: readonly ColumnSample[]): NoProposal | undefined {
  const column = columns.find(
    ({ name, filled }) =>
      isSumOfRows(name) && filled.length > 0 && filled.filter(isDateText).length >= filled.length / 2,
  );
  if (column === undefined) return undefined;
  const name = JSON.stringify(column.name);
  return {
    problem: `each row seems to sum up the days from a date in the column ${name}, such as ${column.filled[0]}: a sum is no workout`,
    next: `If each row is one workout, rename ${name} to Date and propose again`,
  };
}

function inSeveralColumns(columns: readonly ColumnSample[]): NoProposal | undefined {
  const named = (words: ReadonlySet<string>) => columns.find(({ name }) => words.has(foldHeader(name)))?.name;
  const [year, month, day] = [named(YEARS), named(MONTHS), named(DAYS)];
  if (month === undefined || (year === undefined && day === undefined)) return undefined;
  const names = [day, month, year].filter((name) => name !== undefined);
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
  return {
    problem: `no column has whole dates, and ${titles.length} ${titles.length === 1 ? "title stands" : "titles stand"} among the rows, such as ${JSON.stringify(first.slice(0, 40))}: they seem to say the year or the month`,
    next: byHand("layout: { sections: true }", "Sections"),
  };
}

/** `2013/14`, `2013-2014`: a season over New Year. */
const SEASON = /(?<!\d)((?:19|20)\d{2}) ?[/–-] ?((?:19|20)?\d{2})(?!\d)/;

/** The two years of a season in the title of a table, in the name of its sheet or in that of its file. */
function seasonIn({
  title,
  path,
  sheetNames = [],
}: SheetSample): readonly [text: string, first: number, second: number] | undefined {
  for (const text of [title, ...sheetNames, path.split("/").at(-1) ?? ""]) {
    const [whole = "", first, second] = SEASON.exec(text) ?? [];
    if (Number(second) % 100 === (Number(first) + 1) % 100) return [whole, Number(first), Number(first) + 1];
  }
  return undefined;
}

function withoutYear(sample: SheetSample, columns: readonly ColumnSample[]): NoProposal | undefined {
  const possible = columns.filter(
    ({ filled }) => filled.length > 0 && filled.filter((cell) => DAY_AND_MONTH.test(cell)).length >= filled.length / 2,
  );
  // `5.5` below `Miles` looks like a day and a month, too.
  const column =
    possible.find(({ meaning }) => meaning.roles.includes("date")) ??
    possible.find(({ filled }) => !filled.every(isNumber));
  if (column === undefined) return undefined;
  const year = parseTitle(sample.title)?.year;
  const turn = turnOf(column.filled);
  const [words, why] = TURNS[turn];
  const problem = `the dates in the column ${JSON.stringify(column.name)} have no year, such as ${JSON.stringify(column.filled[0])}${why}`;
  const [season, ...years] = (year === undefined ? seasonIn(sample) : undefined) ?? [];
  if (season !== undefined) {
    // The first row is of the first year, or of the second one if the newest stands first.
    const fitting = turn === "up" ? years.slice(0, 1) : turn === "down" ? years.slice(1) : years;
    const said = fitting.map((one) => `dates: { year: ${one}${words} }`).join(" or ");
    return {
      problem: `${problem}. The title or the name says two years: ${season}`,
      next: byHand(said, "The mapping file"),
    };
  }
  const first = turn === "none" ? "" : "the year of the first row";
  const said =
    year === undefined && turn === "none"
      ? "dates: year, or layout: { sections: true }"
      : `dates: { year: ${year ?? first}${words} }`;
  return {
    problem,
    next: byHand(said, year === undefined && turn === "none" ? "Sections" : "The mapping file"),
  };
}

/** What the order of the rows says of the years: the words of the mapping file, and the evidence. */
const TURNS = {
  none: ["", ""],
  up: [", newYear: up", ", and the rows cross New Year: the month falls from the end of a year to its beginning"],
  down: [", newYear: down", ", and the rows cross New Year, the newest row first"],
  unclear: [
    "",
    ", and the order of the rows doesn't say which year each is of: the month jumps both ways. Sort the rows, or write the year into each date",
  ],
} as const;

/** Months between neighbours that lie on two sides of New Year. */
const ACROSS = 6;

/** How dates without a year cross New Year in the order of their rows. */
function turnOf(cells: readonly string[]): keyof typeof TURNS {
  const pairs = cells.flatMap((cell) => {
    const parts = DAY_AND_MONTH.test(cell) ? cell.split(/[./-]\s?|\s/) : [];
    const numbers = [parts[0] ?? "", parts[1] ?? ""].map((part) => monthNamed(part) ?? Number(part));
    const isNamed = monthNamed(parts[1] ?? "") !== undefined;
    return numbers.every(Number.isInteger) && parts.length > 1 ? [{ numbers, isNamed }] : [];
  });
  const at = pairs.some(({ numbers: [first = 0], isNamed }) => isNamed || first > 12) ? 1 : 0;
  // Where both could be the month, the one that repeats from row to row is it.
  const changes = (place: number) =>
    pairs.filter(({ numbers }, row) => row > 0 && numbers[place] !== pairs[row - 1]?.numbers[place]).length;
  const isSure = pairs.some(({ numbers, isNamed }) => isNamed || numbers.some((each) => each > 12));
  const place = isSure || changes(0) <= changes(1) ? at : 1;
  const months = pairs.map(({ numbers }) => numbers[place] ?? 0);
  const jumps = months.slice(1).map((month, row) => month - (months[row] ?? 0));
  const [up, down] = [jumps.filter((jump) => jump <= -ACROSS).length, jumps.filter((jump) => jump >= ACROSS).length];
  if (up > 0 && down > 0) return "unclear";
  return up > 0 ? "up" : down > 0 ? "down" : "none";
}
