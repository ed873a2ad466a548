/** Finds rows that somebody pasted twice: one after the other they have the values of earlier rows. Each of their workouts would be in the log twice. */

import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { EPOCH, macDates } from "../dates/mac-dates.ts";
import { ANSWERED } from "../questions/answers.ts";
import type { SkippedRows } from "../rows/skipped-rows.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import { DAILY, dailyTotals } from "./daily-totals.ts";
import { EXERCISES, exerciseRows } from "./exercises.ts";
import { LAPS, lapRows } from "./laps.ts";
import { RESULTS, raceResults } from "./race-results.ts";
import { spoiltLetters } from "./spoilt-letters.ts";
import { SWAPPED, swappedHeartRates } from "./swapped-heart-rates.ts";
import { swappedWeights } from "./swapped-weights.ts";
import { WRAPPED, wrappedDurations } from "./wrapped-durations.ts";

/** Where a person says that they are workouts. */
export const REPEATED = "rows.repeated";

/** So many days must stand there once more, row by row. Two equal workouts of one day happen. */
const LEAST_DAYS = 3;

/** Why a table with such rows waits; undefined without them, and where a person says that they are workouts. */
function repeatedRows({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(REPEATED) === WORKOUTS) return undefined;
  const measured = columns.filter(({ role }) => role === "distance" || role === "duration");
  const rows = [...days.keys()].flatMap((row) => {
    const isMeasured = measured.some(({ cells }) => /[1-9]/.test(cells[row] ?? ""));
    const day = days[row];
    return day === undefined || !isMeasured ? [] : [{ day, key: columns.map(({ cells }) => cells[row]).join("\t") }];
  });
  const blocks = blocksOf(rows);
  const [first] = blocks;
  if (first === undefined) return undefined;
  const count = blocks.reduce((sum, block) => sum + block.length, 0);
  return {
    problem: `${count} rows stand in the table twice with the same values, such as those from ${first[0]} to ${first.at(-1)}. Their workouts would be in the log twice`,
    next: `Delete them where they stand for the second time. If they are workouts of their own, run this again with --set ${REPEATED}=${WORKOUTS}`,
  };
}

/** The days of each block of rows that stand above it, in whatever order: a part that was pasted twice, or the races listed once more below the log. */
function blocksOf(rows: readonly { readonly day: string; readonly key: string }[]): readonly (readonly string[])[] {
  const above = new Set<string>();
  const blocks: string[][] = [];
  let block: string[] = [];
  const end = () => {
    if (new Set(block).size >= LEAST_DAYS) blocks.push(block);
    block = [];
  };
  for (const { day, key } of rows) {
    if (above.has(key)) block.push(day);
    else end();
    above.add(key);
  }
  end();
  return blocks;
}

/** Why the rows of one sheet wait: they stand there twice, their dates were pasted from another count of days, or nobody can read their letters. Undefined if they needn't. */
export function wrongRows(task: DatedTable): NoProposal | undefined {
  return spoiltLetters(task.columns) ?? macDates(task) ?? repeatedRows(task);
}

/** Questions about whole tables, with what finds them. */
const TABLES = [
  [EPOCH, macDates],
  [REPEATED, repeatedRows],
  [EXERCISES, exerciseRows],
  [LAPS, lapRows],
  [RESULTS, raceResults],
  [DAILY, dailyTotals],
  [WRAPPED, wrappedDurations],
  [SWAPPED, swappedHeartRates],
] as const;

/** Why a table waits whose rows are less than a workout each, or those of others; undefined for any other. */
export function rowsWithin(task: DatedTable): NoProposal | undefined {
  return (
    exerciseRows(task) ??
    lapRows(task) ??
    raceResults(task) ??
    dailyTotals(task) ??
    wrappedDurations(task) ??
    swappedHeartRates(task) ??
    swappedWeights(task)
  );
}

/** The rows of a table that are left out, and what a person said of those that stand there twice or are exercises. */
export function withOwnWords(found: SkippedRows, task: DatedTable): SkippedRows {
  const said = TABLES.filter(
    ([place, find]) => task.answers.get(place) === WORKOUTS && find({ ...task, answers: new Map() }) !== undefined,
  );
  const choices = said.map(([place]) => ({ place, value: WORKOUTS, why: ANSWERED, contradicting: 0, rows: 0 }));
  return { ...found, choices: [...found.choices, ...choices] };
}
