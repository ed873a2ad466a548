/**
 * Rows of a table that somebody edited since they were loaded. A row without an id is known by its content, so an edited one looks new;
 * made as new, the workout would stand in the log twice, and the log can delete none.
 */

import { DUPLICATE_TOLERANCE, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Origin } from "../../transforms/model/issue.ts";
import type { Line, WorkoutLine } from "../journal/line.ts";
import type { ClaimedEntry } from "../journal/remote-record.ts";
import type { ComparisonContext } from "./comparison.ts";

/** Half a step of what a log is written in: values this close are the same value. */
const SAME = { metres: 1, seconds: 1 } as const;

/**
 * Whether the record of a row that is gone from its table can be what a new row was before somebody edited it. Day and sport are the
 * same; and so is the distance or the duration, or both where the starts are apart.
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

/** Two runs of one day that both have a time are told apart by it. */
function areStartsApart({ time: a }: WorkoutFacts, { time: b }: WorkoutFacts): boolean {
  return a !== undefined && b !== undefined && Math.abs(secondsOf(a) - secondsOf(b)) > DUPLICATE_TOLERANCE.seconds;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

/**
 * Finds, for each row that would be made as new, the record of a row of the same table that is no longer in it, and has that record
 * brought up to date instead. The plan says how many.
 *
 * @param join makes a line the successor of what stands in the log; false where it can't be
 */
export async function findEditedRows(
  run: number,
  { journal, settings, options, sources, report }: ComparisonContext,
  join: (line: WorkoutLine, entry: ClaimedEntry) => Promise<boolean>,
): Promise<void> {
  // Where single records are retried, the others of their tables are no lines, and gone from nothing.
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
      if (await isOfSameTable(line, entry)) fitting.push({ ...entry, facts: entry.facts });
    }
    const [closest] = fitting.sort((a, b) => distanceBetween(facts, a.facts) - distanceBetween(facts, b.facts));
    if (closest === undefined || !(await join(line, closest))) continue;
    count++;
    first ??= line.origin;
  }
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

  /** Whether a record was made of a row of the line's own table. */
  async function isOfSameTable({ origin }: Line, { claimedBy }: ClaimedEntry): Promise<boolean> {
    const remoteRecord = claimedBy === undefined ? undefined : await journal.remoteRecord(claimedBy);
    const old = remoteRecord === undefined ? undefined : await journal.lineWithKey(remoteRecord.run, remoteRecord.key);
    if (old === undefined) return false;
    const oldSource = (await journal.run(old.run))?.sources[old.source];
    const { connector, archive, entry } = old.origin;
    const isSame = connector === origin.connector && archive === origin.archive && entry === origin.entry;
    return isSame && oldSource?.recordings !== true;
  }
}

/** How far two workouts are apart in what was edited, so that of two edited rows of one day each finds its own. */
function distanceBetween(a: WorkoutFacts, b: WorkoutFacts): number {
  const share = (one = 0, other = 0) => Math.abs(one - other) / Math.max(one, other, 1);
  return share(a.metres, b.metres) + share(a.seconds, b.seconds);
}
