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
 * @param run the run that is planned
 */
export async function compareWithRecord(
  facts: WorkoutFacts,
  { id, facts: theirs }: OfLog,
  known: Pick<Circumstances, "bonus" | "steps">,
  { run, journal }: { readonly run: number; readonly journal: Journal },
): Promise<Likeness> {
  const likeness = compareAsTheyAre(facts, theirs, known);
  const isTimed = facts.time !== undefined && theirs.time !== undefined;
  if (!isTimed && verdictOf(likeness.score) !== "two") {
    return compareUntimed(facts, { id, facts: theirs }, { ...known, likeness }, { run, journal });
  }
  if (verdictOf(likeness.score) !== "two" || !isTimed) return likeness;
  // Most candidates of a day have another length, and need no look into the journal.
  const atTheirClock = { ...facts, date: theirs.date, time: theirs.time, instant: undefined };
  if (verdictOf(compareAsTheyAre(atTheirClock, theirs, known).score) === "two") return likeness;
  const lines = await journal.auditTrail.find({ remoteId: id });
  const sent = lines.findLast(({ state }) => state === "done");
  for (const line of lines) {
    if (line.kind !== "workout") continue;
    const own = toFacts(line.value);
    if (own?.time === undefined || own.date !== theirs.date) continue;
    // Somebody may have corrected the start in the log since it was loaded. The sources have it as it was.
    const isCorrected = own.time !== theirs.time;
    if (isCorrected ? line !== sent : own.instant === undefined) continue;
    const asLoaded = compareAsTheyAre(facts, { ...theirs, time: own.time, instant: own.instant }, known);
    if (!isCorrected || verdictOf(asLoaded.score) === "one") return asLoaded;
  }
  return likeness;
}

/**
 * Compares two of which one has no time of day. An earlier run may know more of the record than a listing of the log says: the average heart rate, and the time of day of
 * another source's record that it found to be this one.
 */
async function compareUntimed(
  facts: WorkoutFacts,
  { id, facts: theirs }: OfLog,
  { likeness, ...known }: Pick<Circumstances, "bonus" | "steps"> & { readonly likeness: Likeness },
  { run, journal }: { readonly run: number; readonly journal: Journal },
): Promise<Likeness> {
  const lines = (await journal.auditTrail.find({ remoteId: id })).filter((line) => line.kind === "workout");
  const last = lines.at(-1);
  const heartRate = facts.heartRate === undefined || last === undefined ? undefined : toFacts(last.value)?.heartRate;
  const inLog = heartRate === undefined ? theirs : { ...theirs, heartRate };
  const timed: WorkoutFacts[] = [];
  // What this plan has itself is compared anew.
  for (const { key, value } of facts.time === undefined ? [] : lines) {
    const own = toFacts(value);
    if (own?.time === undefined || own.date !== theirs.date) continue;
    if ((await journal.lineWithKey(run, key)) === undefined) timed.push(own);
  }
  if (facts.time === undefined || timed.length === 0)
    return inLog === theirs ? likeness : compareAsTheyAre(facts, inLog, known);
  const all = timed.map(({ time }) => compareAsTheyAre(facts, { ...inLog, time }, known));
  return all.reduce((best, one) => (one.score > best.score ? one : best));
}
