/** Finds tables with a lap or a repetition a row. Their days are workouts, and their rows are none. */

import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import { foldHeader } from "../words/header-words.ts";

/** Where a person says that each row is a workout. */
export const LAPS = "rows.laps";

/** Headers of the number of a lap, folded. */
const OF_LAPS =
  /^(?:laps?|splits?|reps?|repetition|repeat|interval|intervals?|runde|rundennr|wdh|wiederholung|intervall|tour|tours|intervalle|vuelta|repeticion|serie|intervalo|giro|ripetizione|volta|volta n|ronde|herhaling|varv|upprepning|omgang|gentagelse|okrazenie|powtorzenie|ラップ|周|本)(?: (?:no|nr|n|num|number))?$/;

const ONE_ROW =
  "Make one row of each day, with the sums of its distances and times, and propose again. If each row is a workout of its own, run this again with --set ";

/** So many rows a day, in the mean, are laps. */
const LEAST_A_DAY = 2;

/** This share of the days must count their rows from 1. */
const SHARE = 0.8;

/** Why such a table waits; undefined for any other, and where a person says that each row is a workout. */
export function lapRows({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(LAPS) === WORKOUTS) return undefined;
  const column = columns.find(({ name, filled }) => OF_LAPS.test(foldHeader(name)) && filled.every(isCount));
  if (column === undefined) return repetitions({ columns, days, answers });
  const rows = [...days.keys()].filter((row) => days[row] !== undefined && isCount(column.cells[row] ?? ""));
  const each = [...Map.groupBy(rows, (row) => days[row]).values()];
  const counted = each.filter((own) => own.every((row, at) => Number(column.cells[row]) === at + 1));
  if (rows.length < each.length * LEAST_A_DAY || counted.length < each.length * SHARE) return undefined;
  return {
    problem: `each row seems to be a lap, with its number in the column ${JSON.stringify(column.name)}: ${rows.length} rows are of ${each.length} days. A workout has all laps of its day`,
    next: `${ONE_ROW}${LAPS}=${WORKOUTS}`,
  };
}

/** So many rows of one day, each as long as the others, are repetitions. */
const LEAST_ALIKE = 3;

/** Why a table waits whose days have several rows of one distance each. */
function repetitions({ columns, days }: DatedTable): NoProposal | undefined {
  const column = columns.find(({ role, isGuess }) => role === "distance" && isGuess !== true);
  if (column === undefined) return undefined;
  const rows = [...days.keys()].filter((row) => days[row] !== undefined && /[1-9]/.test(column.cells[row] ?? ""));
  const each = [...Map.groupBy(rows, (row) => days[row]).values()];
  const alike = each.filter(
    (own) => own.length >= LEAST_ALIKE && new Set(own.map((row) => column.cells[row])).size === 1,
  );
  const repeated = alike.reduce((sum, { length }) => sum + length, 0);
  const [example = []] = alike;
  if (alike.length < 2 || repeated < rows.length * SHARE) return undefined;
  return {
    problem: `the rows of a day seem to be the repetitions of one workout: ${example.length} rows of ${days[example[0] ?? 0]} have ${JSON.stringify(column.cells[example[0] ?? 0])} in the column ${JSON.stringify(column.name)}`,
    next: `${ONE_ROW}${LAPS}=${WORKOUTS}`,
  };
}

const isCount = (cell: string) => /^\d{1,3}$/.test(cell);
