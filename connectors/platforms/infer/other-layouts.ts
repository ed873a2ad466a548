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

const DAY_AND_MONTH = /^\d{1,2}[./-]\s?(?:\d{1,2}|\p{L}{3,10})\.?$/u;

const byHand = (words: string, part: string) =>
  `Write one by hand with ${words}: connectors/platforms/csv/README.md, ${JSON.stringify(part)}`;

/** Headers of the last day of a week, folded. */
const ENDING = /\b(?:end|ending|ends|w e|bis|ende|fin|fine|fim|einde|slut|koniec)\b/;

/** The layout of a week a row; undefined for any other table. */
export function weekARow({ header, rows }: SheetSample): NoProposal | undefined {
  const found = [header, ...rows.slice(0, FIRST_ROWS).map(({ fields }) => fields)]
    .map((cells) => cells.filter((cell) => isWeekday(cell.trim())))
    .find((days) => new Set(days).size >= LEAST_WEEKDAYS);
  if (found === undefined) return undefined;
  return {
    problem: `a row seems to be a week, with a column for each day (${found.join(", ")})`,
    next: byHand(
      header.some((name) => ENDING.test(foldHeader(name))) ? "layout: week and weekDate: last" : "layout: week",
      "A week a row",
    ),
  };
}

/** Why no column has dates. */
export function withoutDates(sample: SheetSample, columns: readonly ColumnSample[]): NoProposal {
  return (
    ofWeeks(columns) ??
    inSeveralColumns(columns) ??
    inSections(sample) ??
    onlyDays(sample, columns, DAYS) ??
    withoutYear(sample, columns) ??
    NO_DATES
  );
}

const NO_DATES: NoProposal = { problem: "no column has dates", next: BY_HAND };

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

function withoutYear({ title }: SheetSample, columns: readonly ColumnSample[]): NoProposal | undefined {
  const possible = columns.filter(
    ({ filled }) => filled.length > 0 && filled.filter((cell) => DAY_AND_MONTH.test(cell)).length >= filled.length / 2,
  );
  // `5.5` below `Miles` looks like a day and a month, too.
  const column =
    possible.find(({ meaning }) => meaning.roles.includes("date")) ??
    possible.find(({ filled }) => !filled.every(isNumber));
  if (column === undefined) return undefined;
  const year = parseTitle(title)?.year;
  const turn = turnOf(column.filled);
  const [words, why] = TURNS[turn];
  const first = turn === "none" ? "" : "the year of the first row";
  const said =
    year === undefined && turn === "none"
      ? "dates: year, or layout: { sections: true }"
      : `dates: { year: ${year ?? first}${words} }`;
  return {
    problem: `the dates in the column ${JSON.stringify(column.name)} have no year, such as ${JSON.stringify(column.filled[0])}${why}`,
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
    const parts = DAY_AND_MONTH.test(cell) ? cell.split(/[./-]\s?/) : [];
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
