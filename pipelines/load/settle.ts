/**
 * Lost answers, settled by looking: what was sent and never answered is either in the log, and is adopted, or is not, and
 * may be sent again. That it is not there is never concluded before a server has had the time to finish what it was sent, nor
 * from a log that can't be listed, nor from a listing that is out of date.
 */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { FatalError, ItemError, TransferError } from "../../connectors/errors.ts";
import type { SaveBody, Sink } from "../../connectors/sink.ts";
import { IMPORT_SHIFT_HOURS, SETTLE_MS } from "../../transforms/assumptions.ts";
import { asIfUtc } from "../../transforms/calendar.ts";
import { factsOf, TWIN_TOLERANCE, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/identity.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { createEncoder } from "../encode.ts";
import type { Journal, Line, LogEntry } from "../journal/journal.ts";
import { compareBodies } from "../log/compare-bodies.ts";

/** Begins the reason of a leg whose file was imported by an answer that has no id for it: the file is never sent again for it. */
export const WITHOUT_AN_ID = "load/not-imported";

/** What settling needs. */
export interface SettleContext {
  readonly journal: Journal;
  /** A fresh listing of a kind, or undefined where the service has none. */
  readonly list: (kind: Kind, signal: AbortSignal) => Promise<AsyncIterable<LogEntry> | undefined>;
  /**
   * A record as it stands now, in the form of a save; undefined when the log has none of this id. Left out, a record that a listing
   * lacks counts as there, and of several that a listing shows alike the first is taken.
   */
  readonly read?: (kind: Kind, id: string, signal: AbortSignal) => Promise<SaveBody | undefined>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (what: string) => void;
  /** Remarks: of records that look alike, one was adopted. */
  readonly report?: (issue: Issue) => Promise<void>;
  /** Milliseconds a server may take to commit what it was sent; SETTLE_MS but in tests. */
  readonly settleMs?: number;
}

/** What a log has under an id, if anything: a sink's answer for `SettleContext.read`. */
export async function readIfThere(
  sink: Sink,
  kind: Kind,
  id: string,
  signal: AbortSignal,
): Promise<SaveBody | undefined> {
  try {
    return await sink.read(kind, id, signal);
  } catch (error) {
    if (error instanceof ItemError && error.code === "api/gone") return undefined;
    throw error;
  }
}

/** Times a listing that lacks what must be there is read again, half the settling time apart. */
const STALE_ROUNDS = 3;

/** Of the records that a listing lacks so many are asked for one by one, to tell a stale listing from records taken out. */
const ASKED_FOR = 5;

/**
 * Settles every line that was sent and not answered, of this run and of dead ones. What the log shows exactly as it was sent is
 * adopted at once. That something is not there is concluded only after the time a server may take, and from a listing that holds
 * everything else it must hold.
 *
 * @param quietMs milliseconds for which no answer of ours was lost, by a clock nobody sets; 0 where that isn't known, as after a
 * restart
 * @returns how many stay in doubt: because the service can't list them, because its listing is stale, or because the signal
 * stopped the wait, after which nothing is concluded
 * @throws FatalError `settle/postponed` when the log can't be listed now
 */
export async function settle(context: SettleContext, signal: AbortSignal, quietMs = 0): Promise<number> {
  const { journal, settleMs = SETTLE_MS } = context;
  let open = await reopened(journal);
  if (open.length === 0) return 0;
  const lookUp = new LookUp(context, signal);
  try {
    if (quietMs < settleMs) {
      open = await lookUp.run(open, "early");
      if (open.length > 0 && !signal.aborted) {
        const ms = settleMs - quietMs;
        context.onWait(`${open.length} lost answers, looked up in ${Math.ceil(ms / 1000)} s`);
        await context.sleep(ms, signal);
      }
    }
    if (open.length > 0 && !signal.aborted) open = await lookUp.run(open, "final");
  } catch (error) {
    if (signal.aborted) return lookUp.inDoubt + open.length;
    if (!(error instanceof TransferError) || error instanceof FatalError) throw error;
    throw await postponed(context, error);
  }
  await lookUp.reportEquals();
  return lookUp.inDoubt + open.length;
}

/** Puts back what was sent and not answered and has an id: it is only written over, and that can be repeated. @returns the others */
export async function reopened(journal: Journal): Promise<readonly Line[]> {
  const open: Line[] = [];
  for (const line of await journal.doubtful()) {
    if (line.remoteId === undefined) open.push(line);
    else await journal.receive(line, "planned", {});
  }
  return open;
}

/** A log that can't be listed now: everything stays as it is, and says why. */
async function postponed({ journal }: SettleContext, error: TransferError): Promise<FatalError> {
  for (const line of await journal.doubtful()) {
    if (line.state === "in-flight") await journal.receive(line, "in-doubt", { reason: error.message });
  }
  return new FatalError(
    "settle/postponed",
    "service",
    `Stopped: lost answers can't be looked up now (${error.message}). Run the same command again later: nothing is repeated.`,
    { cause: error },
  );
}

/** A record that appeared and may be what a line's lost request made. */
interface Candidate {
  readonly line: Line;
  readonly entry: LogEntry;
  /** How far apart they are, by what a listing shows: 0 is alike, and only an import may be further. */
  readonly apart: number;
  /** Fields in which the record, read in full, is another one than the line's; 0 where the listing told them apart. */
  readonly unlike: number;
}

/** Two records are alike to a line when they are as far from it as each other, but for noise. */
const AS_FAR = 0.001;

/** Looks doubtful lines up in the log, and remembers what it met that is alike. */
class LookUp {
  /** Lines that stay in doubt, whatever is waited for. */
  inDoubt = 0;
  readonly #context: SettleContext;
  readonly #signal: AbortSignal;
  readonly #settleMs: number;
  /** Records that are as much like a line as the one it was given, by id. */
  readonly #equals = new Map<string, { readonly line: Line; readonly adopted: LogEntry; readonly entry: LogEntry }>();

  constructor(context: SettleContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#settleMs = context.settleMs ?? SETTLE_MS;
  }

  /**
   * Lists each kind and settles its lines: `early` only what is exactly alike, `final` all of them.
   *
   * @returns the lines that are open still
   */
  async run(lines: readonly Line[], when: "early" | "final"): Promise<readonly Line[]> {
    const open: Line[] = [];
    for (const kind of ["equipment", "course", "workout"] as const) {
      const ofKind = lines.filter((line) => line.kind === kind);
      if (ofKind.length > 0) open.push(...(await this.#ofKind(kind, ofKind, when)));
    }
    return open;
  }

  /** Nothing is silently assumed: which of several equal records was taken for ours is said, and which were not. */
  async reportEquals(): Promise<void> {
    for (const { line, adopted, entry } of this.#equals.values()) {
      await this.#context.report?.({
        severity: "warning",
        rule: "load/equal-records",
        origin: line.origin,
        found: `${adopted.id}, taken for this one, and ${entry.id}, just like it`,
        expected: "one of them: look in the log whether the other one is yours, too",
      });
    }
  }

  async #ofKind(kind: Kind, lines: readonly Line[], when: "early" | "final"): Promise<readonly Line[]> {
    const { journal } = this.#context;
    for (let round = 0; ; round++) {
      const listing = await this.#context.list(kind, this.#signal);
      if (listing === undefined) {
        await this.#leaveUnlisted(kind, lines);
        return [];
      }
      if (when === "early" && lines.every(({ carrier }) => carrier === "import")) return lines;
      await journal.takeListing(listing, false);
      const isStale = when === "final" && (await this.#isStale(kind));
      if (!isStale || round === STALE_ROUNDS) return this.#adopt(kind, lines, isStale ? "stale" : when);
      this.#context.onWait(`a listing of ${kind}s that is up to date`);
      await this.#context.sleep(this.#settleMs / 2, this.#signal);
      if (this.#signal.aborted) return lines;
    }
  }

  /** The service has no such listing: what is in doubt stays so, unless the service itself said that it made nothing. */
  async #leaveUnlisted(kind: Kind, lines: readonly Line[]): Promise<void> {
    const { journal } = this.#context;
    for (const line of lines) {
      if (isWithoutAnId(line)) {
        await saveInstead(line, journal);
        continue;
      }
      this.inDoubt++;
      // What is in doubt already says why, perhaps with the ids that an import made.
      if (line.state === "in-flight")
        await journal.receive(line, "in-doubt", { reason: `the service can't list its ${kind}s` });
    }
  }

  /** A listing that lacks records which are there is out of a cache, or was cut: from it nothing is absent. */
  async #isStale(kind: Kind): Promise<boolean> {
    const { journal, read = async () => ({}) } = this.#context;
    for (const id of await journal.missing(kind, ASKED_FOR)) {
      if ((await read(kind, id, this.#signal)) !== undefined) return true;
    }
    return false;
  }

  /**
   * Gives the lines the records that appeared, the closest first, one record a line. The lines left over were never made, if the
   * listing can tell.
   *
   * @returns the lines that are open still
   */
  async #adopt(kind: Kind, lines: readonly Line[], when: "early" | "final" | "stale"): Promise<readonly Line[]> {
    const { journal } = this.#context;
    const listed = await candidatesFor(lines, await journal.appeared(kind), journal);
    const candidates = (await this.#toldApart(listed.filter(({ apart }) => when !== "early" || apart === 0))).sort(
      (a, b) => a.apart - b.apart || a.unlike - b.unlike,
    );
    const found = new Map<Line, Candidate>();
    const taken = new Set<LogEntry>();
    for (const candidate of candidates) {
      if (found.has(candidate.line) || taken.has(candidate.entry)) continue;
      found.set(candidate.line, candidate);
      taken.add(candidate.entry);
    }
    for (const { line, entry, apart } of candidates) {
      const adopted = found.get(line);
      if (taken.has(entry)) this.#equals.delete(entry.id);
      else if (adopted !== undefined && apart <= adopted.apart + AS_FAR)
        this.#equals.set(entry.id, { line, adopted: adopted.entry, entry });
    }
    const open: Line[] = [];
    for (const line of lines) {
      const match = found.get(line)?.entry;
      if (match !== undefined) await adopt(line, match, journal);
      else if (when === "early") open.push(line);
      else if (when === "final") await concludeAbsent(line, journal);
      else await this.#leaveStale(kind, line);
    }
    return open;
  }

  /**
   * Twins may differ in what a listing doesn't show, their words most of all: a record that could be more than one line's, or one of
   * several that could be a line's, is read in full.
   */
  async #toldApart(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const { journal, read } = this.#context;
    const bodies = new Map<LogEntry, SaveBody | undefined>();
    const told: Candidate[] = [];
    for (const candidate of candidates) {
      const { line, entry, apart } = candidate;
      const isAlone = candidates.every(
        (other) =>
          other === candidate ||
          (other.line !== line && other.entry !== entry) ||
          Math.abs(other.apart - apart) > AS_FAR,
      );
      // A record that an import made holds nothing of the line yet.
      if (isAlone || line.carrier === "import" || line.kind === "set-aside" || read === undefined) {
        told.push(candidate);
        continue;
      }
      if (!bodies.has(entry)) bodies.set(entry, await read(line.kind, entry.id, this.#signal));
      const body = bodies.get(entry);
      if (body === undefined) continue;
      told.push({ ...candidate, unlike: await unlikeness(line, body, journal) });
    }
    return told;
  }

  async #leaveStale(kind: Kind, line: Line): Promise<void> {
    this.inDoubt++;
    const reason = `settle/listing-stale: the listing of ${kind}s lacks records that the log has, so it can't tell whether this one is there`;
    // What says why it is in doubt keeps its words where they are needed.
    const { journal } = this.#context;
    if (!isWithoutAnId(line)) await journal.receive(line, "in-doubt", { reason });
  }
}

/** Every pair of a line and a record that may be what its lost request made. */
async function candidatesFor(
  lines: readonly Line[],
  appeared: readonly LogEntry[],
  journal: Journal,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const line of lines) {
    // The numbers it was sent with: those of its own run, which may be an old one.
    const { activityIDs = {} } = (await journal.run(line.run))?.options ?? {};
    for (const entry of appeared) {
      const apart = howFar(line, entry, activityIDs);
      if (apart !== undefined) candidates.push({ line, entry, apart, unlike: 0 });
    }
  }
  return candidates;
}

/** How many fields of a record are other than a line would have them. What it points at is left out: it may have been sent without. */
async function unlikeness(line: Line, body: SaveBody, journal: Journal): Promise<number> {
  const numbers = (await journal.run(line.run))?.options;
  if (numbers === undefined || line.kind === "set-aside" || line.value === undefined) return 0;
  const ours = createEncoder(numbers)(line.kind, line.value, {});
  const { course: _course, equipment: _equipment, ...theirs } = body;
  return compareBodies(ours, theirs).length + compareBodies(theirs, ours).length;
}

function isWithoutAnId({ carrier, reason }: Line): boolean {
  return carrier === "import" && reason?.startsWith(WITHOUT_AN_ID) === true;
}

async function saveInstead(line: Line, journal: Journal): Promise<void> {
  await journal.receive(line, "planned", { carrier: "save", reason: `${WITHOUT_AN_ID}: saved without its track` });
}

async function concludeAbsent(line: Line, journal: Journal): Promise<void> {
  if (isWithoutAnId(line)) return saveInstead(line, journal);
  await journal.receive(line, "planned", {
    reason: "the answer was lost, and the log doesn't hold it: to be sent again",
  });
}

async function adopt(line: Line, match: LogEntry, journal: Journal): Promise<void> {
  await journal.claimLog(match.kind, match.id, line.key);
  // Completed by a PUT, whatever the lost request was: that is safe, and makes the record whole after an import.
  await journal.receive(
    line,
    "planned",
    { remoteId: match.id, reason: "the answer was lost, and the log holds it: adopted" },
    {
      key: line.key,
      kind: match.kind,
      remoteId: match.id,
      content: line.content ?? "",
      sent: undefined,
      finished: false,
      run: line.run,
    },
  );
}

/** How far a record that appeared is from what the line's lost request would have made; undefined when it can't be that. */
function howFar(line: Line, entry: LogEntry, activityIDs: LogNumbers["activityIDs"]): number | undefined {
  switch (line.kind) {
    case "equipment": {
      const equipment = line.value as Equipment;
      return entry.identity === equipmentIdentity(equipment, activityIDs[equipment.activity]) ? 0 : undefined;
    }
    case "course":
      return entry.identity === courseIdentity(line.value as Course) ? 0 : undefined;
    case "workout": {
      const workout = line.value as Workout;
      const facts = factsOf(workout);
      if (facts === undefined || entry.facts === undefined) return undefined;
      if (line.carrier === "import") return importApart(facts, entry.facts);
      const activityID = workout.activity === undefined ? undefined : activityIDs[workout.activity];
      return entry.activityID === activityID && isSaveOf(facts, entry.facts) ? 0 : undefined;
    }
    default:
      return undefined;
  }
}

/** A save comes back as it was sent, but for rounding. */
function isSaveOf(sent: WorkoutFacts, found: WorkoutFacts): boolean {
  return (
    sent.date === found.date &&
    sent.time === found.time &&
    near(sent.metres, found.metres, 0.005) &&
    near(sent.seconds, found.seconds, 0.001, 1)
  );
}

/** Distances of UTC in use, in hours: https://www.iana.org/time-zones. An import shifts by the one its log was told. */
const OFFSETS = { west: -12, east: 14 } as const;

/** Start and distance of a platform's row and of its recording may differ as twins may; the log's rounding comes on top. */
const IMPORT_TOLERANCE = { seconds: TWIN_TOLERANCE.seconds + 30, distance: TWIN_TOLERANCE.distance + 0.01 } as const;

/**
 * An import makes the record itself, of the file: another activity perhaps, elapsed time or moving time, and a start that is
 * whole quarter hours away from what was planned.
 *
 * @returns above 0 and the smaller the likelier, or undefined
 */
function importApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hasDistances = sent.metres !== undefined && found.metres !== undefined;
  const isSameSize = hasDistances
    ? near(sent.metres, found.metres, IMPORT_TOLERANCE.distance, 20)
    : near(sent.seconds, found.seconds, 0.05, 60);
  if (!isSameSize) return undefined;
  const hours = hoursApart(sent, found);
  return hours === undefined
    ? undefined
    : 1 + hours + 10 * share(sent.metres, found.metres) + 10 * share(sent.seconds, found.seconds);
}

/** Hours between the starts, or undefined where no import can have put the record there. */
function hoursApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hours = (asIfUtc(found) - asIfUtc(sent)) / 3_600_000;
  if (found.time === undefined) return Math.abs(hours) <= IMPORT_SHIFT_HOURS ? Math.abs(hours) : undefined;
  const slack = IMPORT_TOLERANCE.seconds / 3600;
  const shift = sent.instant === undefined ? hours : (asIfUtc(found) - sent.instant) / 3_600_000;
  const [least, most] =
    sent.instant === undefined ? [-IMPORT_SHIFT_HOURS, IMPORT_SHIFT_HOURS] : [OFFSETS.west, OFFSETS.east];
  const fromQuarter = Math.abs(shift - Math.round(shift * 4) / 4);
  return shift >= least - slack && shift <= most + slack && fromQuarter <= slack ? Math.abs(hours) : undefined;
}

/** Difference as a share of the larger; 0 where one is missing. */
function share(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.abs(a - b) / Math.max(a, b);
}

/** Equal within a share or an amount; two missing values are equal, one missing is not. */
function near(a: number | undefined, b: number | undefined, share: number, amount = 0): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= Math.max(amount, share * Math.max(a, b));
}
