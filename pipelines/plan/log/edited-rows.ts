/**
 * Finds table rows that somebody edited after they were loaded. A row without an id is known by its content, so an edited row looks new. If
 * logferry created it as new, the workout would be in the log twice, and the log can't delete it.
 */

import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isOfSameTable } from "../compare/own-records.ts";
import { areStartsApart, SAME } from "./compare-rows.ts";
import { joinAtPlace } from "./rows-away.ts";

/**
 * Whether a new row may be an edited version of a loaded row that is gone from its table. The day and the sport must be equal, and the
 * distance or the duration too. If the starts differ, both the distance and the duration must be equal.
 */
export function mayBeEdited(row: WorkoutFacts, loaded: WorkoutFacts): boolean {
  if (row.date !== loaded.date) return false;
  const hasDistance = isSame(row.metres, loaded.metres, SAME.metres);
  const hasDuration = isSame(row.seconds, loaded.seconds, SAME.seconds);
  return areStartsApart(row, loaded) ? hasDistance && hasDuration : hasDistance || hasDuration;
}

function isSame(a: number | undefined, b: number | undefined, within: number): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= within;
}

/**
 * Finds rows that look new, but are edited versions of rows loaded from the same table. It updates the loaded records and creates no new
 * ones. The plan says how many there are.
 *
 * @param join makes a line the successor of a log record; false when that is not possible
 */
export async function findEditedRows(
  run: number,
  context: ComparisonContext,
  join: (line: WorkoutLine, entry: ClaimedEntry) => Promise<boolean>,
): Promise<void> {
  const { journal, settings, options, sources, report } = context;
  // A retry of single records has no lines for the other rows of their tables. So these rows only seem to be gone.
  if (options.retryOf !== undefined) return;
  let count = 0;
  let first: Origin | undefined;
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "create" || sources[line.source]?.recordings === true) continue;
    const { activity } = line.value;
    const facts = toFacts(line.value);
    const activityID = activity === undefined ? undefined : settings.activityIDs[activity];
    if (facts === undefined || activityID === undefined) continue;
    const fitting: (ClaimedEntry & { readonly facts: WorkoutFacts })[] = [];
    for (const entry of await journal.logCandidates(run, facts, activityID)) {
      if (entry.facts === undefined || !mayBeEdited(facts, entry.facts)) continue;
      if (await isOfSameTable(line, entry, journal)) fitting.push({ ...entry, facts: entry.facts });
    }
    const [closest] = fitting.sort((a, b) => distanceBetween(facts, a.facts) - distanceBetween(facts, b.facts));
    if (closest === undefined || !(await join(line, closest))) continue;
    count++;
    first ??= line.origin;
  }
  const atPlace = await joinAtPlace(run, context, join);
  count += atPlace.length;
  first ??= atPlace[0];
  if (count === 0 || first === undefined) return;
  await report({
    severity: "warning",
    rule: "plan/edited-rows",
    origin: first,
    found:
      count === 1
        ? "1 row looks like an edited version of a loaded workout"
        : `${count} rows look like edited versions of loaded workouts`,
    expected:
      "the rows as they were loaded. The workouts in the log are brought up to date, and no second ones are made",
  });
}

/** The difference between two workouts in distance and duration. With it, two edited rows of one day each find their own record. */
function distanceBetween(a: WorkoutFacts, b: WorkoutFacts): number {
  const share = (one = 0, other = 0) => Math.abs(one - other) / Math.max(one, other, 1);
  return share(a.metres, b.metres) + share(a.seconds, b.seconds);
}
