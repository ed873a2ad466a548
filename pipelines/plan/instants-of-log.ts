/** Compares workouts with the log by instants. The log itself has wall clocks only, and the journal has the instants of our own records. */
import { type DuplicateMatch, matchDuplicates, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Journal } from "../journal/journal.ts";

/**
 * Whether a workout and a record of the log are one. If their wall clocks differ, it compares the instant of the record, which an earlier run
 * kept: a row and a device file may know the same instant, and disagree about the clock.
 */
export async function matchWithLog(
  facts: WorkoutFacts,
  id: string,
  theirs: WorkoutFacts,
  journal: Journal,
): Promise<DuplicateMatch | undefined> {
  const match = matchDuplicates(facts, theirs);
  if (match !== undefined || facts.instant === undefined) return match;
  // Most candidates of a day have another length, and need no look into the journal.
  if (matchDuplicates({ ...facts, ...atClockOf(theirs) }, theirs) === undefined) return undefined;
  for (const line of await journal.auditTrail.find({ remoteId: id })) {
    if (line.kind !== "workout") continue;
    const own = toFacts(line.value);
    // Somebody may have corrected the clock in the log. Then the instant is no longer its own.
    if (own?.instant === undefined || own.date !== theirs.date || own.time !== theirs.time) continue;
    return matchDuplicates(facts, { ...theirs, instant: own.instant });
  }
  return undefined;
}

function atClockOf({ date, time }: WorkoutFacts): Pick<WorkoutFacts, "date" | "time" | "instant"> {
  return { date, time, instant: undefined };
}
