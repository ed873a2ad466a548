/** Finds single rows whose day and month are the other way round: 11/09 for 11 September amid dates with the month first. */
import { asIfUtc } from "../../../../transforms/calendar.ts";
import type { SkippedRows } from "../rows/skipped-rows.ts";
import type { DatedTable } from "./dated-table.ts";
import { type DatedRow, withOddRows } from "./odd-rows.ts";
import { withOddYears } from "./odd-years.ts";

/** What such a row is left out as. */
const WRONG_DAY = "wrong day";

/** Fewer rows show no order. */
const LEAST_ROWS = 8;

/** This share of the rows stands in the order of their days. A table in another order says nothing. */
const ORDERED = 0.85;

/** Days between the rows around such a row. Between rows that are further apart, a date fits by chance. */
const NEAR = 31;

/** Adds the questions about rows with a wrong year, or with a day and a month that seem swapped, and the rules that leave them out. */
export function withOddDays(skipped: SkippedRows, task: DatedTable): SkippedRows {
  return withOddRows(withOddYears(skipped, task), task, {
    value: WRONG_DAY,
    findOdd: swappedAmong,
    why: ({ odd, many, isOne, shown }) => {
      const example = odd.slice(0, 1).map((row) => `${shown(row)}: ${row.day}, or ${swapped(row.day)}`);
      return `${many} ${isOne ? "is" : "are"} out of the order of the others, and in it with day and month the other way round, such as ${example}`;
    },
    question: "Are the day and the month of these rows the other way round?",
    means: {
      wrong: "they are: the rows wait until you correct them in the table",
      right: "they are right: the rows are workouts, and these rules can go",
    },
  });
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
