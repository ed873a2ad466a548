/** Finds single rows whose day and month are the other way round: 11/09 for 11 September amid dates with the month first. */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { Answers, Choice } from "./choice.ts";
import { withOddYears } from "./odd-years.ts";
import type { AssignedColumn } from "./roles.ts";
import type { SkippedRows } from "./skipped-rows.ts";
import { chunks, dateTexts, patternOf, WORKOUTS } from "./sum-rules.ts";

/** What such a row is left out as. */
const WRONG_DAY = "wrong day";

/** Fewer rows show no order. */
const LEAST_ROWS = 8;

/** This share of the rows stands in the order of their days. A table in another order says nothing. */
const ORDERED = 0.85;

/** Days between the rows around such a row. Between rows that are further apart, a date fits by chance. */
const NEAR = 31;

/** A row with its day. */
interface DatedRow {
  readonly row: number;
  readonly day: string;
}

/** What is known of a table's rows. */
interface OddDaysTask {
  readonly columns: readonly AssignedColumn[];
  /** The days of the rows; undefined for a cell that is no date. */
  readonly days: readonly (string | undefined)[];
  readonly answers: Answers;
}

/** Adds the questions about rows with a wrong year, or with a day and a month that seem swapped, and the rules that leave them out. */
export function withOddDays(skipped: SkippedRows, task: OddDaysTask): SkippedRows {
  const { columns, days, answers } = task;
  const found = withOddYears(skipped, task);
  const column = columns.find(({ role }) => role === "date" || role === "datetime");
  const dated = days.flatMap((day, row) => (day === undefined || found.isSkipped(row) ? [] : [{ row, day }]));
  const odd = swappedAmong(dated);
  const [first] = odd;
  if (column === undefined || first === undefined) return found;
  const place = `rows.${found.rules.length}`;
  const { cells } = column;
  const texts = new Set(odd.map(({ row }) => cells[row]));
  const rows = [...days.keys()].filter((row) => texts.has(cells[row]));
  const choice: Choice = {
    ...{ place, value: WRONG_DAY, contradicting: 0, rows: rows.length },
    why: `${rows.length === 1 ? "1 row is" : `${rows.length} rows are`} out of the order of the others, and in it with day and month the other way round, such as ${JSON.stringify(cells[first.row])}: ${first.day}, or ${swapped(first.day)}`,
    question: "Are the day and the month of these rows the other way round?",
    options: [
      { value: WRONG_DAY, means: "they are: the rows are left out until you correct them in the table" },
      { value: WORKOUTS, means: "they are right: the rows are workouts, and these rules can go" },
    ],
  };
  const choices = [...found.choices, choice];
  if (answers.get(place) === WORKOUTS) return { ...found, choices };
  const textOf = dateTexts(column, days);
  const rules = chunks(rows, (row) => [textOf(row)]).map((own) => ({
    ...{ when: [{ column: column.name, matches: patternOf(own.map(textOf)) }], skip: WRONG_DAY, place },
  }));
  const left = new Set(rows);
  return { rules: [...found.rules, ...rules], choices, isSkipped: (row) => found.isSkipped(row) || left.has(row) };
}

/** The day with its month and its day the other way round. A day past the 12th is a month that no calendar has. */
function swapped(day: string): string {
  const [year, month, date] = day.split("-");
  return `${year}-${date}-${month}`;
}

const daysBetween = (one: string, other: string) => (asIfUtc({ date: other }) - asIfUtc({ date: one })) / 86_400_000;

/** The rows out of the order of the others that fit into it the other way round; none if the table shows no order. */
function swappedAmong(dated: readonly DatedRow[]): readonly DatedRow[] {
  if (dated.length < LEAST_ROWS) return [];
  const ways = [dated, dated.toReversed()].map((rows) => ({ rows, kept: longestOrder(rows) }));
  const [best] = ways.toSorted((a, b) => b.kept.size - a.kept.size);
  if (best === undefined || best.kept.size < dated.length * ORDERED) return [];
  const { rows, kept } = best;
  const odd = rows.filter(({ day }, at) => {
    if (kept.has(at) || Number(day.slice(8)) > 12) return false;
    const before = rows.slice(0, at).findLast((_, index) => kept.has(index));
    const behind = rows.find((_, index) => index > at && kept.has(index));
    const other = swapped(day);
    if (before === undefined || behind === undefined || other < before.day || other > behind.day) return false;
    return daysBetween(before.day, behind.day) <= NEAR;
  });
  return odd.toSorted((a, b) => a.row - b.row);
}

/** The places of the most rows that stand in the order of their days. */
function longestOrder(rows: readonly DatedRow[]): ReadonlySet<number> {
  /** The last place of the best order of each length, and the place before each. */
  const [ends, before]: [number[], number[]] = [[], []];
  const dayAt = (at: number | undefined) => rows[at ?? -1]?.day ?? "";
  for (const [at, { day }] of rows.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (dayAt(ends[middle]) <= day) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return kept;
}
