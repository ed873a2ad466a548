/**
 * Lost answers, settled by looking: what was sent and never answered is either in the log, and is adopted, or is not, and
 * may be sent again. That it is not there is never concluded before a server has had the time to finish what it was sent, nor
 * from a log that can't be listed, nor from a listing that is out of date.
 */
import { FatalError, ItemError, TransferError } from "../../connectors/errors.ts";
import type { SaveBody, Sink } from "../../connectors/sink.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, RecordLine } from "../journal/line.ts";
import { type LogEntry, toRemoteRecord } from "../journal/remote-record.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import type { ListLog } from "../log/log-listing.ts";
import { SEVERAL } from "../log/stale-listing.ts";
import { createEncoder } from "../plan/encode.ts";
import { howFar } from "./how-far.ts";
import { freeClaimed } from "./mixed-up.ts";

/** Begins the reason of a leg whose file was imported by an answer that has no id for it: the file is never sent again for it. */
export const WITHOUT_AN_ID = "load/not-imported";

/** What settling needs. */
export interface SettleContext {
  readonly journal: Journal;
  /** A fresh listing of a kind, or undefined where the service has none. */
  readonly list: ListLog;
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
export const STALE_ROUNDS = 3;

/** Of the records that a listing lacks so many are asked for one by one, to tell a stale listing from records taken out. */
const ASKED_FOR = 5;

/**
 * Settles every line that was sent and not answered, of this run and of dead ones. What the log shows exactly as it was sent is
 * adopted at once. That something is not there is concluded only from two looks: one at once, and one after the time a server may take,
 * asked for in another way. The last listing must hold everything else that it must hold, have held still, and be no cache's.
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
    open = await lookUp.run(open, "early");
    const ms = settleMs - quietMs;
    if (open.length > 0 && ms > 0 && !signal.aborted) {
      context.onWait(`${open.length} lost answers, looked up in ${Math.ceil(ms / 1000)} s`);
      await context.sleep(ms, signal);
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
export async function reopened(journal: Journal): Promise<readonly RecordLine[]> {
  const open: RecordLine[] = [];
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
  readonly line: RecordLine;
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
  readonly #equals = new Map<
    string,
    { readonly line: RecordLine; readonly adopted: LogEntry; readonly entry: LogEntry }
  >();

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
  async run(lines: readonly RecordLine[], when: "early" | "final"): Promise<readonly RecordLine[]> {
    const open: RecordLine[] = [];
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

  async #ofKind(kind: Kind, lines: readonly RecordLine[], when: "early" | "final"): Promise<readonly RecordLine[]> {
    const { journal } = this.#context;
    let open = lines;
    for (let round = 0; ; round++) {
      const listing = await this.#context.list(kind, this.#signal, when === "final");
      if (listing === undefined) {
        await this.#leaveUnlisted(kind, open);
        return [];
      }
      await journal.takeListing(listing, false);
      open = [...open, ...(await freeClaimed(kind, open, journal))];
      const doubt = when === "final" ? (listing.doubt ?? (await this.#lack(kind))) : undefined;
      if (doubt === undefined || round === STALE_ROUNDS) return this.#adopt(kind, open, when, doubt);
      this.#context.onWait(`a listing of ${SEVERAL[kind]} that is up to date`);
      await this.#context.sleep(this.#settleMs / 2, this.#signal);
      if (this.#signal.aborted) return open;
    }
  }

  /** The service has no such listing: what is in doubt stays so, unless the service itself said that it made nothing. */
  async #leaveUnlisted(kind: Kind, lines: readonly RecordLine[]): Promise<void> {
    const { journal } = this.#context;
    for (const line of lines) {
      if (isWithoutAnId(line)) {
        await saveInstead(line, journal);
        continue;
      }
      this.inDoubt++;
      // What is in doubt already says why, perhaps with the ids that an import made.
      if (line.state === "in-flight")
        await journal.receive(line, "in-doubt", { reason: `the service can't list its ${SEVERAL[kind]}` });
    }
  }

  /** A listing that lacks records which are there is out of a cache, or was cut: from it nothing is absent. */
  async #lack(kind: Kind): Promise<string | undefined> {
    const { journal, read = async () => ({}) } = this.#context;
    for (const id of await journal.missing(kind, ASKED_FOR)) {
      if ((await read(kind, id, this.#signal)) !== undefined) return "it lacks records that the log has";
    }
    return undefined;
  }

  /**
   * Gives the lines the records that appeared, the closest first, one record a line. The lines left over were never made, if the
   * listing can tell.
   *
   * @param doubt why the listing can't tell, where it can't
   * @returns the lines that are open still
   */
  async #adopt(
    kind: Kind,
    lines: readonly RecordLine[],
    when: "early" | "final",
    doubt: string | undefined,
  ): Promise<readonly RecordLine[]> {
    const { journal } = this.#context;
    const listed = await candidatesFor(lines, await journal.appeared(kind), journal);
    const candidates = (await this.#toldApart(listed.filter(({ apart }) => when !== "early" || apart === 0))).sort(
      (a, b) => a.apart - b.apart || a.unlike - b.unlike,
    );
    const found = new Map<RecordLine, Candidate>();
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
    const open: RecordLine[] = [];
    for (const line of lines) {
      const match = found.get(line)?.entry;
      if (match !== undefined) await adopt(line, match, journal);
      else if (when === "early") open.push(line);
      else if (doubt === undefined) await concludeAbsent(line, journal);
      else await this.#leaveStale(kind, line, doubt);
    }
    return open;
  }

  /**
   * Equal workouts may differ in what a listing doesn't show, most of all in their names and notes. So a record that could be more than
   * one line's, or one of several that could be a line's, is read in full.
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
      if (isAlone || line.uploadMethod === "import" || read === undefined) {
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

  async #leaveStale(kind: Kind, line: RecordLine, doubt: string): Promise<void> {
    this.inDoubt++;
    const reason = `settle/listing-stale: the listing of ${SEVERAL[kind]} can't tell whether this one is there, because ${doubt}`;
    // What says why it is in doubt keeps its words where they are needed.
    const { journal } = this.#context;
    if (!isWithoutAnId(line)) await journal.receive(line, "in-doubt", { reason });
  }
}

/** Every pair of a line and a record that may be what its lost request made. */
async function candidatesFor(
  lines: readonly RecordLine[],
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
async function unlikeness(line: RecordLine, body: SaveBody, journal: Journal): Promise<number> {
  const numbers = (await journal.run(line.run))?.options;
  if (numbers === undefined) return 0;
  const ours = createEncoder(numbers)(line, {});
  const { course: _course, equipment: _equipment, ...theirs } = body;
  return compareBodies(ours, theirs).length + compareBodies(theirs, ours).length;
}

function isWithoutAnId({ uploadMethod, reason }: Line): boolean {
  return uploadMethod === "import" && reason?.startsWith(WITHOUT_AN_ID) === true;
}

async function saveInstead(line: RecordLine, journal: Journal): Promise<void> {
  await journal.receive(line, "planned", { uploadMethod: "save", reason: `${WITHOUT_AN_ID}: saved without its track` });
}

async function concludeAbsent(line: RecordLine, journal: Journal): Promise<void> {
  if (isWithoutAnId(line)) return saveInstead(line, journal);
  await journal.receive(line, "planned", {
    reason: "the answer was lost, and the log doesn't hold it: to be sent again",
  });
}

async function adopt(line: RecordLine, match: LogEntry, journal: Journal): Promise<void> {
  await journal.claimLog(match.kind, match.id, line.key);
  // Completed by a PUT, whatever the lost request was: that is safe, and makes the record whole after an import.
  await journal.receive(
    line,
    "planned",
    { remoteId: match.id, reason: "the answer was lost, and the log holds it: adopted" },
    toRemoteRecord(line, match.id),
  );
}
