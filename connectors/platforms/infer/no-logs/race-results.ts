/** Finds the result list of a race: many people, one day. At most one of its rows is a workout of the log's athlete. */

import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";

/** Where a person says that each row is a workout. */
export const RESULTS = "rows.results";

/** Nobody runs more often on a day. */
const MOST_A_DAY = 9;

/** This share of the rows of a day must have the name of somebody, and so many names must be different. */
const [SHARE, LEAST_NAMES] = [0.8, 5];

/** Why such a table waits; undefined for any other, and where a person says that each row is a workout. */
export function raceResults({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(RESULTS) === WORKOUTS) return undefined;
  const dated = [...days.keys()].filter((row) => days[row] !== undefined);
  const each = Map.groupBy(dated, (row) => days[row]);
  const [longest] = [...each].toSorted((a, b) => b[1].length - a[1].length);
  if (longest === undefined || dated.length < each.size * MOST_A_DAY) return undefined;
  const [day, rows] = longest;
  const column = columns.find(({ cells, role, couldBe }) => {
    if (role !== "name" && !couldBe.includes("name")) return false;
    const names = rows.map((row) => cells[row] ?? "").filter((cell) => PERSON.test(cell));
    return names.length >= rows.length * SHARE && new Set(names).size >= LEAST_NAMES;
  });
  if (column === undefined) return undefined;
  return {
    problem: `${rows.length} rows are of ${day}, and the column ${JSON.stringify(column.name)} names their athletes, such as ${JSON.stringify(column.cells[rows[0] ?? 0])}: it seems to be the result list of a race`,
    next: `Keep the rows of the athlete whose log this is, and propose again. If each row is a workout of this athlete, run this again with --set ${RESULTS}=${WORKOUTS}`,
  };
}

/** Two words or more with a capital each, as names of people have them, also `ROY, Ana`. */
const PERSON = /^\p{Lu}[\p{L}'’.-]*,?(?: \p{L}[\p{L}'’.-]*){0,2} \p{Lu}[\p{L}'’.-]*$/u;
