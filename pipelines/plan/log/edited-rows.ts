/**
 * Finds table rows that somebody edited after they were loaded. A row without an id is known by its content, so an edited row looks new. If
 * logferry created it as new, the workout would be in the log twice, and the log can't delete it.
 */

import type { Activity } from "../../../transforms/activities.ts";
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
  const { options, report } = context;
  // A retry of single records has no lines for the other rows of their tables. So these rows only seem to be gone.
  if (options.retryOf !== undefined) return;
  const joined = [
    ...(await joinEach(run, context, join, fittingOfSport)),
    // Before the places: a sport that was put right in a table that was sorted meanwhile.
    ...(await joinEach(run, context, join, fittingOfOtherSports)),
    ...(await joinAtPlace(run, context, join)),
  ];
  const [first] = joined;
  const count = joined.length;
  if (first === undefined) return;
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

type Entry = ClaimedEntry & { readonly facts: WorkoutFacts };

/** Finds the loaded records that a row may be an edited version of. */
type Fitting = (run: number, row: Row, context: ComparisonContext) => Promise<readonly Entry[]>;

/** A row that looks new, with its facts and the id of its activity in the log. */
interface Row {
  readonly line: WorkoutLine;
  readonly facts: WorkoutFacts;
  readonly activityID: number;
}

/** Joins each row that looks new with the closest record that fits. @returns where the joined rows stand */
async function joinEach(
  run: number,
  context: ComparisonContext,
  join: (line: WorkoutLine, entry: ClaimedEntry) => Promise<boolean>,
  fitting: Fitting,
): Promise<readonly Origin[]> {
  const { journal, settings, sources } = context;
  const joined: Origin[] = [];
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "create" || sources[line.source]?.recordings === true) continue;
    const { activity } = line.value;
    const facts = toFacts(line.value);
    const activityID = activity === undefined ? undefined : settings.activityIDs[activity];
    if (facts === undefined || activityID === undefined) continue;
    const found = await fitting(run, { line, facts, activityID }, context);
    const [closest] = found.toSorted((a, b) => distanceBetween(facts, a.facts) - distanceBetween(facts, b.facts));
    if (closest !== undefined && (await join(line, closest))) joined.push(line.origin);
  }
  return joined;
}

const fittingOfSport: Fitting = (run, row, context) =>
  fittingWith(run, row, row.facts, { activityID: row.activityID, fits: mayBeEdited }, context);

/** The sport alone may have been corrected: the day, the distance and the duration must be equal, and the start where both have one. */
const fittingOfOtherSports: Fitting = async (run, row, context) => {
  const { settings, inUse } = context;
  const found: Entry[] = [];
  for (const [activity, activityID] of Object.entries(settings.activityIDs)) {
    if (activityID === row.activityID || inUse?.has(activityID) === false) continue;
    const facts = { ...row.facts, activity: activity as Activity };
    found.push(...(await fittingWith(run, row, facts, { activityID, fits: isOfOtherSport }, context)));
  }
  return found;
};

function isOfOtherSport(row: WorkoutFacts, loaded: WorkoutFacts): boolean {
  const isAll = isSame(row.metres, loaded.metres, SAME.metres) && isSame(row.seconds, loaded.seconds, SAME.seconds);
  return row.date === loaded.date && isAll && !areStartsApart(row, loaded);
}

async function fittingWith(
  run: number,
  { line }: Row,
  facts: WorkoutFacts,
  { activityID, fits }: { readonly activityID: number; readonly fits: typeof mayBeEdited },
  { journal }: ComparisonContext,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (const entry of await journal.logCandidates(run, facts, activityID)) {
    if (entry.facts === undefined || !fits(facts, entry.facts)) continue;
    if (await isOfSameTable(line, entry, journal)) found.push({ ...entry, facts: entry.facts });
  }
  return found;
}

/** The difference between two workouts in distance and duration. With it, two edited rows of one day each find their own record. */
function distanceBetween(a: WorkoutFacts, b: WorkoutFacts): number {
  const share = (one = 0, other = 0) => Math.abs(one - other) / Math.max(one, other, 1);
  return share(a.metres, b.metres) + share(a.seconds, b.seconds);
}
