/** A workout of the log as one side of a pair that a person decides about: its key, its place and its values. */
import type { Origin } from "../../../transforms/model/issue.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";

/** Begins the key of a record that no source of this journal has. No connector has this name, so no record of a source has such a key. */
const IN_LOG = "your log";

/** The key of a workout of the log that this journal loaded from no source. */
export function keyInLog(id: string): string {
  return `${IN_LOG}:workout:${id}`;
}

/** The id in such a key; undefined for the key of a source's record. */
export function idOfKeyInLog(key: string): string | undefined {
  const begins = keyInLog("");
  return key.startsWith(begins) ? key.slice(begins.length) : undefined;
}

/** The place of a workout of the log, for people: `your log workout 123`. */
export function originInLog(id: string): Origin {
  return { connector: IN_LOG, archive: IN_LOG, entry: IN_LOG, locator: `workout ${id}` };
}

/** The key of a record of the log: that of the record it was loaded for, where the journal knows one. An answer then holds for both. */
export async function keyOfEntry({ id, claimedBy }: ClaimedEntry, journal: JournalReader): Promise<string> {
  return claimedBy !== undefined && (await lastWorkout(claimedBy, journal)) !== undefined ? claimedBy : keyInLog(id);
}

/** The newest line of a workout, of any run. */
export async function lastWorkout(key: string, { auditTrail }: JournalReader): Promise<WorkoutLine | undefined> {
  const line = (await auditTrail.linesWithKey(key)).at(-1);
  return line?.kind === "workout" ? line : undefined;
}

/** The values of a record of the log that an answer keeps, under the names of a source's values (see `comparedValues`). */
export function valuesInLog({ activityID, facts }: ClaimedEntry): Readonly<Record<string, unknown>> {
  const start = [facts?.date, facts?.time].filter((part) => part !== undefined).join(" ");
  return Object.fromEntries(
    Object.entries({ start, sport: activityID, distance: facts?.metres, duration: facts?.seconds }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
