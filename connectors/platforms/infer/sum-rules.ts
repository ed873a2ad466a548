/** Writes the rules that leave out rows of sums without a word for it: by a text that only they have, by the names of months, or by their own cells. */
import type { Answers, Choice } from "./choice.ts";
import { foldHeader } from "./header-words.ts";
import type { AssignedColumn } from "./roles.ts";
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
const MOST_CHARACTERS = 190;

/** What a person says of rows that may be sums. */
const [SUMS, WORKOUTS] = ["total", "workouts"];

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
  const all = [own ?? NONE, more ?? NONE];
  return {
    rules: all.flatMap(({ rules }) => rules),
    choices: all.flatMap(({ choices }) => choices),
    rows: all.flatMap(({ rows }) => rows),
  };
}

function rulesFor(found: SummedRows, patterns: readonly SumRule["when"][], place: string, answers: Answers): SumRules {
  const { rows, contradicting, when, isSure } = found;
  const why = `${rows.length} rows are the sum of the rows since the last such row, ${when}`;
  const decided: Choice = { place, value: SUMS, why, contradicting, rows: rows.length + contradicting };
  const asked: Choice = {
    ...decided,
    question: "Are these rows sums of the others, or workouts?",
    options: [
      { value: SUMS, means: "they are sums, and no workouts" },
      { value: WORKOUTS, means: "they are workouts, and these rules can go" },
    ],
  };
  const choice = isSure ? decided : asked;
  if (!isSure && answers.get(place) === WORKOUTS) return { rules: [], choices: [choice], rows: [] };
  return { rules: patterns.map((one) => ({ when: one, skip: SUMS, place })), choices: [choice], rows };
}

/** The names of the months, with or without a year behind them. */
function monthsPattern({ name, cells }: AssignedColumn, rows: readonly number[]): SumRule["when"] {
  const names = new Set(rows.map((row) => /^\p{L}+/u.exec(cells[row] ?? "")?.[0] ?? ""));
  return [{ column: name, matches: `^(?:${[...names].join("|")})[^\\pL\\d]*(?:\\d{4}|\\d{2})?$` }];
}

/** What only these rows have: a text, or their day with their sum. A later workout has another one. */
function patternsFor(dates: AssignedColumn, rows: readonly number[], task: SumTask): readonly SumRule["when"][] {
  const chosen = new Set(rows);
  for (const { name, role, cells } of task.columns) {
    if (role === "date" || role === "datetime" || (role !== undefined && MEASURED.has(role))) continue;
    const own = foldHeader(cells[rows[0] ?? 0] ?? "");
    const isOwn = cells.every((cell, row) => (foldHeader(cell) === own) === chosen.has(row));
    if (/\p{L}/u.test(own) && isOwn) return [[{ column: name, matches: patternOf([cells[rows[0] ?? 0] ?? ""]) }]];
  }
  return ["distance", "duration"].flatMap((field) => {
    const column = task.columns.find(({ role }) => role === field);
    if (column === undefined) return [];
    const isFirst = (row: number) => field === "distance" || isEmptyIn("distance", row, task);
    const some = rows.filter((row) => (column.cells[row] ?? "") !== "" && isFirst(row));
    return chunks(some, (row) => [dates.cells[row] ?? "", column.cells[row] ?? ""]).map(([days = [], sums = []]) => [
      { column: dates.name, matches: patternOf(days) },
      { column: column.name, matches: patternOf(sums) },
    ]);
  });
}

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

function isEmptyIn(field: string, row: number, { columns }: SumTask): boolean {
  return (columns.find(({ role }) => role === field)?.cells[row] ?? "") === "";
}

function patternOf(cells: readonly string[]): string {
  const texts = [...new Set(cells)].map((cell) => cell.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&"));
  return `^(?:${texts.join("|")})$`;
}

/** Rows in groups whose texts fit a pattern: the texts of each group, by column. */
function chunks(rows: readonly number[], textsOf: (row: number) => readonly string[]): readonly string[][][] {
  const groups: string[][][] = [];
  for (const row of rows) {
    const texts = textsOf(row);
    const last = groups.at(-1);
    const longer = last?.map((column, at) => [...column, texts[at] ?? ""]);
    if (longer?.every((column) => patternOf(column).length <= MOST_CHARACTERS)) groups[groups.length - 1] = longer;
    else groups.push(texts.map((text) => [text]));
  }
  return groups;
}
