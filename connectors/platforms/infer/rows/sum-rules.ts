/** Writes the rules that leave out rows of sums without a word for it: by a text that only they have, by the names of months, or by their own cells. */

import type { Answers, Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { foldHeader } from "../words/header-words.ts";
import { isNothing } from "../words/values.ts";
import { type BareStatistics, bareStatistics } from "./bare-statistics.ts";
import { escaped } from "./escaped.ts";
import { monthSums, type SummedRows, type SumTask, summedRows } from "./summed-rows.ts";

/** A rule of the mapping file. */
interface SumRule {
  readonly when: readonly { readonly column: string; readonly matches: string }[];
  readonly skip: string;
  readonly place: string;
}

/** The rules, the choices behind them, and the rows that they leave out. */
interface SumRules {
  readonly rules: readonly SumRule[];
  readonly choices: readonly Choice[];
  readonly rows: readonly number[];
}

const NONE: SumRules = { rules: [], choices: [], rows: [] };

/** A pattern of a mapping file holds 200 characters. */
const MOST_CHARACTERS = 180;

/** What a person says of rows that may be sums. */
export const [SUMS, WORKOUTS] = ["total", "workouts"];

/**
 * Finds rows of sums, and the rules for them.
 *
 * @param at the number of rules before them
 */
export function sumRules(task: SumTask, at: number, answers: Answers): SumRules {
  const dates = task.columns.find(({ role }) => role === "date" || role === "datetime");
  if (dates === undefined) return NONE;
  const months = monthSums(dates, task);
  const own = months && rulesFor(months, [monthsPattern(dates, months.rows)], `rows.${at}`, answers);
  const skipped = new Set(own?.rows);
  const isSkipped = (row: number) => skipped.has(row) || task.isSkipped(row);
  const others = summedRows({ ...task, isSkipped }, dates);
  const from = at + (own?.rules.length ?? 0);
  const more = others && rulesFor(others, patternsFor(dates, others.rows, task), `rows.${from}`, answers);
  const both = [own ?? NONE, more ?? NONE];
  const known = new Set(both.flatMap(({ rows }) => rows));
  const rest = { ...task, isSkipped: (row: number) => known.has(row) || task.isSkipped(row) };
  const bare = bareStatistics(rest, dates);
  const place = `rows.${from + (more?.rules.length ?? 0)}`;
  const all = [...both, bare ? bareRules(bare, exactPatterns(dates, bare.rows, rest), place, answers) : NONE];
  return {
    rules: all.flatMap(({ rules }) => rules),
    choices: all.flatMap(({ choices }) => choices),
    rows: all.flatMap(({ rows }) => rows),
  };
}

/** The conditions of a rule, and the rows that meet them. */
interface Pattern {
  readonly when: SumRule["when"];
  readonly rows: readonly number[];
}

function rulesFor(found: SummedRows, patterns: readonly Pattern[], place: string, answers: Answers): SumRules {
  const { contradicting, when, isSure } = found;
  const written = patterns.slice(0, MOST_RULES);
  const rows = written.flatMap((one) => one.rows);
  const others = found.rows.length - rows.length;
  const why = [
    `${found.rows.length} rows are the sum of the rows since the last such row, ${when}`,
    ...(others === 0 ? [] : [`a mapping file has no room for all, so ${others} of them need a rule of yours`]),
  ].join("; ");
  const decided: Choice = { place, value: SUMS, why, contradicting, rows: found.rows.length + contradicting };
  const asked: Choice = {
    ...{ ...decided, isUnproven: true },
    question: "Are these rows sums of the others, or workouts?",
    options: [
      { value: SUMS, means: "they are sums, and no workouts" },
      { value: WORKOUTS, means: "they are workouts, and these rules can go" },
    ],
  };
  const choice = isSure ? decided : asked;
  if (!isSure && answers.get(place) === WORKOUTS) return { rules: [], choices: [choice], rows: [] };
  return { rules: written.map((one) => ({ when: one.when, skip: SUMS, place })), choices: [choice], rows };
}

/** The rules for rows without a date that sum up others. They are never left out without a question: some may be workouts. */
function bareRules(
  { rows: found, why, isProven }: BareStatistics,
  patterns: readonly Pattern[],
  place: string,
  answers: Answers,
): SumRules {
  const rows = patterns.flatMap((one) => one.rows);
  const others = found.length - rows.length;
  const choice: Choice = {
    ...{ place, value: SUMS, contradicting: 0, rows: found.length },
    why: others === 0 ? why : `${why}; ${others} of them look like another row of their day, and need a rule of yours`,
    ...(!isProven && { isUnproven: true as const }),
    question: "Do these rows sum up others, or are they workouts?",
    options: [
      { value: SUMS, means: "they sum up others, and are no workouts" },
      { value: WORKOUTS, means: "they are workouts, and these rules can go" },
    ],
  };
  if (answers.get(place) === WORKOUTS) return { rules: [], choices: [choice], rows: [] };
  return { rules: patterns.map(({ when }) => ({ when, skip: SUMS, place })), choices: [choice], rows };
}

/**
 * A pattern for each row, of its date and all its values. The longest workout of the table may be that of the day above, with the distance of the row
 * that repeats it: a row that can't be told from a workout has no pattern.
 */
function exactPatterns(dates: AssignedColumn, rows: readonly number[], { columns, days }: SumTask): readonly Pattern[] {
  const dateOf = dateTexts(dates, days);
  const measured = columns.filter(({ role }) => role !== undefined && MEASURED.has(role));
  const isLike = (row: number, other: number) => [dates, ...measured].every(({ cells }) => cells[row] === cells[other]);
  const chosen = new Set(rows);
  const others = [...days.keys()].filter((row) => !chosen.has(row));
  return rows
    .filter((row) => !others.some((other) => isLike(row, other)))
    .slice(0, MOST_RULES)
    .map((row) => ({
      when: [
        { column: dates.name, matches: patternOf([dateOf(row)]) },
        ...measured.map(({ name, cells }) => ({ column: name, matches: patternOf([valueText(cells[row] ?? "")]) })),
      ],
      rows: [row],
    }));
}

/** A value in a pattern. The decimal mark is that of the mapping, and not always that of the cell. */
const valueText = (cell: string) => (isNothing(cell) ? escaped(cell) : escaped(cell).replaceAll(/\\\.|,/g, "[.,]"));

/** The names of the months, with or without a year behind them. */
function monthsPattern({ name, cells }: AssignedColumn, rows: readonly number[]): Pattern {
  const names = new Set(rows.map((row) => /^\p{L}+/u.exec(cells[row] ?? "")?.[0] ?? ""));
  return { when: [{ column: name, matches: `^(?:${[...names].join("|")})[^\\pL\\d]*(?:\\d{4}|\\d{2})?$` }], rows };
}

/** What only these rows have: a text, or their day with their sum. A later workout has another one. */
function patternsFor(dates: AssignedColumn, rows: readonly number[], { columns, days }: SumTask): readonly Pattern[] {
  const chosen = new Set(rows);
  for (const { name, role, cells } of columns) {
    if (role === "date" || role === "datetime" || (role !== undefined && MEASURED.has(role))) continue;
    const text = cells[rows[0] ?? 0] ?? "";
    const own = foldHeader(text);
    const isOwn = cells.every((cell, row) => (foldHeader(cell) === own) === chosen.has(row));
    if (/\p{L}/u.test(own) && isOwn) return [{ when: [{ column: name, matches: patternOf([escaped(text)]) }], rows }];
  }
  const [distance, duration] = ["distance", "duration"].map((field) => columns.find(({ role }) => role === field));
  const isFar = (row: number) => (distance?.cells[row] ?? "") !== "";
  const dateOf = dateTexts(dates, days);
  return [
    { column: distance, some: rows.filter(isFar) },
    { column: duration, some: rows.filter((row) => !isFar(row)) },
  ].flatMap(({ column, some }) => {
    if (column === undefined) return [];
    // The decimal mark is that of the mapping, and not always that of the cell.
    const sumOf = (row: number) => escaped(column.cells[row] ?? "").replaceAll(/\\\.|,/g, "[.,]");
    return chunks(some, (row) => [dateOf(row), sumOf(row)]).map((own) => ({
      when: [
        { column: dates.name, matches: patternOf(own.map(dateOf)) },
        { column: column.name, matches: patternOf(own.map(sumOf)) },
      ],
      rows: own,
    }));
  });
}

/** How the dates of a column stand in a pattern. A workbook with typed dates, too, writes its own dates in their order. */
export function dateTexts(dates: AssignedColumn, days: readonly (string | undefined)[]): (row: number) => string {
  const isMixed = dates.dates.size > 0 && dates.filled.some((_, at) => !dates.dates.has(at));
  return (row) => {
    const text = escaped(dates.cells[row] ?? "");
    const [year = "", month = "", day = ""] = days[row]?.split("-") ?? [];
    return isMixed && dates.dates.has(row) ? `${text}|${day}\\.${month}\\.${year}|${month}/${day}/${year}` : text;
  };
}

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/** A mapping file holds 100 rules. Other rows need some, too. */
const MOST_RULES = 80;

/** A pattern for cells that are one of some texts. @param texts as a pattern has them */
export function patternOf(texts: readonly string[]): string {
  return `^(?:${[...new Set(texts)].join("|")})$`;
}

/** Rows in groups whose texts fit a pattern for each of them. */
export function chunks(
  rows: readonly number[],
  textsOf: (row: number) => readonly string[],
): readonly (readonly number[])[] {
  const groups: { rows: number[]; lengths: readonly number[] }[] = [];
  for (const row of rows) {
    const own = textsOf(row).map((text) => text.length + 1);
    const last = groups.at(-1);
    const longer = last?.lengths.map((length, at) => length + (own[at] ?? 0));
    if (last !== undefined && longer?.every((length) => length <= MOST_CHARACTERS)) {
      last.rows.push(row);
      last.lengths = longer;
    } else groups.push({ rows: [row], lengths: own });
  }
  return groups.map((group) => group.rows);
}
