/**
 * Finds answers that were given to the wrong request, by reading the records under their ids. A record may look different because its owner
 * changed it, so a difference alone is no proof. The record must equal the result of another request.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import { identitiesOf } from "../../transforms/model/identity.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { idOfAnother, type Journal, type MixedUp } from "../journal/journal.ts";
import { isRecord, type Line, type RecordLine, type WorkoutLine } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { factsOfBody } from "./body-facts.ts";
import { asRecorded, howFar, importApart } from "./how-far.ts";

/**
 * Whether a record was made by another import: it can't be this workout, and it can be one of the others. Imports of equal files make equal
 * records, whatever else their sources say of the workouts. So each of these workouts may have either record.
 *
 * @param record as the log has it, before anything was written over it
 * @param others workouts whose device files were sent too; this one may be among them
 */
export function isOfAnother(line: WorkoutLine, record: SaveBody, others: Iterable<WorkoutLine>): boolean {
  const made = factsOfBody(record);
  const mayBe = (one: WorkoutLine) => {
    const facts = toFacts(one.value);
    return facts !== undefined && made !== undefined && importApart(asRecorded(one.value, facts), made) !== undefined;
  };
  if (mayBe(line)) return false;
  const theirs = [...others].filter((other) => other.seq !== line.seq && mayBe(other));
  return theirs.length > 0 && !theirs.some((other) => isSameRecording(line, other));
}

function isSameRecording({ value: { track: ours } }: WorkoutLine, { value: { track: theirs } }: WorkoutLine): boolean {
  return ours !== undefined && ours.sha256 === theirs?.sha256 && ours.recording === theirs.recording;
}

/**
 * Takes the ids away from saves that got each other's answers, according to the latest listing. Their records are then free, and settling
 * adopts them as after any lost answer.
 *
 * @returns the number of saves
 */
export async function disownSwapped(run: Run, kind: Kind, journal: Journal): Promise<number> {
  const swapped = await wholeSwaps(await journal.mixedUp(run.id, kind), journal);
  for (const { line, entry } of swapped.keys()) await journal.disown([line], idOfAnother(entry.id));
  return swapped.size;
}

/**
 * Gives saves that got each other's answers the ids of their own records, according to the latest listing. The saves may be of any run.
 * Each record already holds the values that were sent, so nothing is overwritten.
 *
 * @returns the number of saves
 */
export async function exchangeSwapped(kind: Kind, journal: Journal): Promise<number> {
  const swapped = await wholeSwaps(await journal.claimsInQuestion(kind, false), journal);
  if (swapped.size > 0)
    await journal.exchange(kind, new Map([...swapped].map(([{ entry }, own]) => [entry.id, own.entry.id])));
  return swapped.size;
}

/**
 * Takes records away from lines that can't have made them, if a line in doubt matches the record exactly: then the answer was meant for
 * that line. The line that loses its record is in doubt, and may find its own record under the id of another line.
 *
 * @param open lines in doubt
 * @returns the lines that are now in doubt as well
 */
export async function freeClaimed(
  kind: Kind,
  open: readonly RecordLine[],
  journal: Journal,
): Promise<readonly RecordLine[]> {
  const facts = await FactsOfLines.of(journal);
  const byFingerprint = Map.groupBy(
    (await journal.claimsInQuestion(kind, true)).filter(({ line, entry }) => !facts.canBe(line, entry)),
    ({ entry }) => fingerprintOf(entry),
  );
  const freed = new Set<MixedUp>();
  const all = [...open];
  for (const line of all) {
    for (const claim of facts.fingerprintsOf(line).flatMap((fingerprint) => byFingerprint.get(fingerprint) ?? [])) {
      if (freed.has(claim) || !facts.isExactly(line, claim.entry)) continue;
      freed.add(claim);
      await journal.disown([claim.line], idOfAnother(claim.entry.id));
      const now = await journal.line(claim.line.run, claim.line.seq);
      if (now !== undefined && isRecord(now)) all.push(now);
    }
  }
  return all.slice(open.length);
}

/**
 * Lines that hold the record of another line in the same group, each with that other line. A line whose own record can't be found keeps the
 * record it has.
 */
async function wholeSwaps(mixedUp: readonly MixedUp[], journal: Journal): Promise<ReadonlyMap<MixedUp, MixedUp>> {
  const facts = await FactsOfLines.of(journal);
  let odd = mixedUp.filter(({ line, entry }) => !facts.canBe(line, entry));
  for (;;) {
    const owners = ownersAmong(odd, facts);
    const found = new Set(owners.values());
    const whole = odd.filter((one) => owners.has(one) && found.has(one));
    if (whole.length === odd.length) return owners;
    odd = whole;
  }
}

/** For each line that made one of these records: the line that holds the record now. */
function ownersAmong(odd: readonly MixedUp[], facts: FactsOfLines): ReadonlyMap<MixedUp, MixedUp> {
  const byFingerprint = Map.groupBy(odd, ({ entry }) => fingerprintOf(entry));
  const owners = new Map<MixedUp, MixedUp>();
  const found = new Set<MixedUp>();
  for (const one of odd) {
    const own = facts
      .fingerprintsOf(one.line)
      .flatMap((fingerprint) => byFingerprint.get(fingerprint) ?? [])
      .find((other) => !found.has(other) && facts.isExactly(one.line, other.entry));
    if (own === undefined) continue;
    found.add(own);
    owners.set(one, own);
  }
  return owners;
}

/** The values by which a listing identifies a record. */
function fingerprintOf({ identity, facts }: LogEntry): string {
  return identity ?? `${facts?.date} ${facts?.time}`;
}

/** The records that lines would make. Each line uses the activity numbers of its own run. */
class FactsOfLines {
  readonly #numbers: ReadonlyMap<number, Run["options"]["activityIDs"]>;

  private constructor(runs: readonly Run[]) {
    this.#numbers = new Map(runs.map(({ id, options }) => [id, options.activityIDs]));
  }

  static async of(journal: Journal): Promise<FactsOfLines> {
    return new FactsOfLines(await journal.runs());
  }

  /** Whether a line can have made a record. */
  canBe(line: Line, entry: LogEntry): boolean {
    return howFar(line, entry, this.#numbersOf(line)) !== undefined;
  }

  /** Whether a record is exactly as the line was sent. */
  isExactly(line: Line, entry: LogEntry): boolean {
    return howFar(line, entry, this.#numbersOf(line)) === 0;
  }

  /** The values by which a listing would identify the record of a line. */
  fingerprintsOf(line: Line): readonly string[] {
    if (line.kind === "set-aside") return [];
    if (line.kind !== "workout") return identitiesOf(line, this.#numbersOf(line));
    const { date, time } = line.value.start;
    return [`${date} ${time}`];
  }

  #numbersOf({ run }: Line): Run["options"]["activityIDs"] {
    return this.#numbers.get(run) ?? {};
  }
}
