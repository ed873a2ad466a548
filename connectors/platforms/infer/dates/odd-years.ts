/** Finds rows whose year is far from the years around them: 2005 or 0215 amid 2015 is typed wrong, and nobody would see it in a log. */
import { asIfUtc } from "../../../../transforms/calendar.ts";
import type { SkippedRows } from "../rows/skipped-rows.ts";
import type { DatedTable } from "./dated-table.ts";
import { type DatedRow, withOddRows } from "./odd-rows.ts";

/** What such a row is left out as. */
const WRONG_YEAR = "wrong year";

/** Days. A date this far from those around it has another year, at least. */
const FAR = 300;

/** Days. Rows that follow each other in a log are hardly further apart. */
const NEAR = 62;

/** This share of the steps from row to row must be near, or lead the same way: a table in another order says nothing. */
const SETTLED = 0.8;

/** Fewer steps show no order. */
const LEAST_STEPS = 4;

/** So many rows in a row may have the same wrong year, such as those of a January. Between rows that are no neighbours themselves, so few. */
const [MOST_TOGETHER, MOST_APART] = [31, 3];

/** A larger share of the rows is no mistake. */
const MOST_ODD = 0.3;

/** Adds the question about rows with such a year, and the rules that leave them out, to those that are no workouts anyway. */
export function withOddYears(found: SkippedRows, task: DatedTable): SkippedRows {
  return withOddRows(found, task, {
    value: WRONG_YEAR,
    findOdd: farRows,
    why: ({ odd, dated, many, shown }) => {
      const at = odd[0] === undefined ? -1 : dated.indexOf(odd[0]);
      const around = [dated[at - 1], dated[at + 1]].flatMap((one) => (one ? [shown(one)] : []));
      return `the year of ${many} is far from those around, such as ${odd.slice(0, 1).map(shown)} beside ${around.join(" and ")}`;
    },
    question: "Is the year of these rows typed wrong?",
    means: {
      wrong: "it is: they wait until you correct them in the table",
      right: "it is right: they are workouts, and these rules can go",
    },
  });
}

/** Days from one date to another. */
const daysBetween = (one: string, other: string) => (asIfUtc({ date: other }) - asIfUtc({ date: one })) / 86_400_000;

const apart = (one: DatedRow, other: DatedRow) => Math.abs(daysBetween(one.day, other.day));

/** The rows whose year is far from the years around them; none if the table shows no order, or has too many of them. */
function farRows(dated: readonly DatedRow[]): readonly DatedRow[] {
  const [kept, odd]: [DatedRow[], DatedRow[]] = [[], []];
  for (let at = 0; at < dated.length; at++) {
    const row = dated[at] as DatedRow;
    const before = kept.at(-1);
    const length = before === undefined || apart(before, row) < FAR ? 0 : oddLength(dated, at, before);
    if (length === 0) kept.push(row);
    else odd.push(...dated.slice(at, at + length));
    at += Math.max(0, length - 1);
  }
  const steps = kept.slice(1).map((row, at) => daysBetween((kept[at] as DatedRow).day, row.day));
  const share = (isIt: (step: number) => boolean) => steps.filter(isIt).length / steps.length;
  const [up, down] = [share((step) => step >= 0), share((step) => step <= 0)];
  const isNear = share((step) => Math.abs(step) <= NEAR) >= SETTLED;
  if (steps.length < LEAST_STEPS || !isNear || Math.max(up, down) < SETTLED) return [];
  const all = [...odd, ...ends(kept, up > down)].toSorted((a, b) => a.row - b.row);
  return all.length > dated.length * MOST_ODD ? [] : all;
}

/** How many rows from one on are odd: the row behind them goes on where the one before them ended. */
function oddLength(dated: readonly DatedRow[], at: number, before: DatedRow): number {
  for (let length = 1; length <= MOST_TOGETHER; length++) {
    const next = dated[at + length];
    const last = dated[at + length - 1];
    if (next === undefined || last === undefined || apart(last, before) < FAR) return 0;
    if (apart(last, next) < FAR) continue;
    if (apart(before, next) <= NEAR) return length;
    const isOutside = (one: DatedRow) =>
      apart(one, before) + apart(one, next) >= apart(before, next) + 2 * FAR && apart(before, next) < FAR;
    if (length <= MOST_APART && isOutside(last)) return length;
  }
  return 0;
}

/** The first and the last row, where they lie on the wrong side of all others. */
function ends(kept: readonly DatedRow[], isUp: boolean): readonly DatedRow[] {
  const isWrong = (one: DatedRow | undefined, next: DatedRow | undefined) =>
    one !== undefined && next !== undefined && apart(one, next) >= FAR && one.day < next.day !== isUp;
  const [first, second] = kept;
  const [beforeLast, last] = kept.slice(-2);
  return [...(isWrong(first, second) && first ? [first] : []), ...(isWrong(beforeLast, last) && last ? [last] : [])];
}
