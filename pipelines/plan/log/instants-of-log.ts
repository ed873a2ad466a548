/**
 * Compares workouts with the log by what the journal knows of our own records: their instants, since the log itself has wall clocks only, and their
 * heart rates, which no listing shows.
 */
import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { type Circumstances, compareAsTheyAre, type Likeness } from "../../../transforms/matching/compare-facts.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import type { Journal } from "../../journal/journal.ts";

/** A record of the log. */
interface OfLog {
  readonly id: string;
  readonly facts: WorkoutFacts;
}

/**
 * Compares a workout with a record of the log. If their wall clocks differ, it compares the instant of the record, which an earlier run kept: a row and
 * a device file may know the same instant, and disagree about the clock.
 *
 * @param known what is known about the pair besides its values
 */
export async function compareWithRecord(
  facts: WorkoutFacts,
  { id, facts: theirs }: OfLog,
  known: Pick<Circumstances, "bonus" | "steps">,
  journal: Journal,
): Promise<Likeness> {
  const likeness = compareAsTheyAre(facts, theirs, known);
  const isTimed = facts.time !== undefined && theirs.time !== undefined;
  if (!isTimed && verdictOf(likeness.score) !== "two") {
    const heartRate = facts.heartRate === undefined ? undefined : await heartRateOf(id, journal);
    return heartRate === undefined ? likeness : compareAsTheyAre(facts, { ...theirs, heartRate }, known);
  }
  if (verdictOf(likeness.score) !== "two" || facts.instant === undefined || !isTimed) return likeness;
  // Most candidates of a day have another length, and need no look into the journal.
  const atTheirClock = { ...facts, date: theirs.date, time: theirs.time, instant: undefined };
  if (verdictOf(compareAsTheyAre(atTheirClock, theirs, known).score) === "two") return likeness;
  for (const line of await journal.auditTrail.find({ remoteId: id })) {
    if (line.kind !== "workout") continue;
    const own = toFacts(line.value);
    // Somebody may have corrected the clock in the log. Then the instant is no longer its own.
    if (own?.instant === undefined || own.date !== theirs.date || own.time !== theirs.time) continue;
    return compareAsTheyAre(facts, { ...theirs, instant: own.instant }, known);
  }
  return likeness;
}

/** The average heart rate of a record that an earlier run loaded: a listing of the log has none. */
async function heartRateOf(id: string, journal: Journal): Promise<number | undefined> {
  const loaded = (await journal.auditTrail.find({ remoteId: id })).findLast(({ kind }) => kind === "workout");
  return loaded?.kind === "workout" ? toFacts(loaded.value)?.heartRate : undefined;
}
