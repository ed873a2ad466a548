/**
 * Settles lost answers by looking into the log. A record whose request was never answered is either in the log or absent. If the log holds
 * it, logferry adopts it. If the record is absent, logferry may send it again.
 *
 * logferry concludes that a record is absent only after the server had time to finish the request, and only from an up-to-date listing.
 */
import { FatalError, TransferError } from "../../connectors/errors.ts";
import type { SaveBody } from "../../connectors/sink.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, RecordLine } from "../journal/line.ts";
import { type LogEntry, toRemoteRecord } from "../journal/remote-record.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import type { ListLog } from "../log/log-listing.ts";
import { SEVERAL } from "../log/stale-listing.ts";
import { createEncoder } from "../plan/log/encode.ts";
import { howFar } from "./how-far.ts";
import { freeClaimed } from "./mixed-up.ts";

/** Begins the reason of a leg whose file was imported, while the answer has no id for it. logferry never sends the file again for it. */
export const WITHOUT_AN_ID = "load/not-imported";

/** What settling needs. */
export interface SettleContext {
  readonly journal: Journal;
  /** A fresh listing of a kind; undefined if the service has none. */
  readonly list: ListLog;
  /**
   * A record as it is in the log now, in the form of a save; undefined when the log has no record with this id.
   *
   * Without `read`, a record that a listing lacks counts as present. Among records that look alike in a listing, the first one is taken.
   */
  readonly read?: (kind: Kind, id: string, signal: AbortSignal) => Promise<SaveBody | undefined>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (what: string) => void;
  /** Takes warnings: several records looked alike, and one of them was adopted. */
  readonly report?: (issue: Issue) => Promise<void>;
  /** Milliseconds that a server may take to commit a request: SETTLE_MS, except in tests. */
  readonly settleMs?: number;
}

/** How often a stale listing (one that lacks a record that the log must have) is read again, half the settling time apart. */
export const STALE_ROUNDS = 3;

/** How many of the records that a listing lacks are requested one by one. The answers tell a stale listing from deleted records. */
const ASKED_FOR = 5;

/**
 * Settles every line that was sent and not answered, of this run and of earlier runs that died.
 *
 * The first look comes at once, and adopts records that are exactly as they were sent. The second look comes after the time that a server
 * may take, and asks in another way. A record counts as absent only after both looks. The last listing must hold every other record that it
 * should hold, must not have changed while it was read, and must not come from a cache.
 *
 * @param quietMs milliseconds since an answer was last lost, by the monotonic clock; 0 if unknown, for example after a restart
 * @returns the number of lines that stay in doubt, for one of three reasons: the service can't list them, its listing is stale, or the
 * signal stopped the wait (then nothing is concluded)
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

/**
 * Puts unanswered lines that have an id back to planned: logferry only overwrites them, and can safely do so twice.
 *
 * @returns the other unanswered lines
 */
export async function reopened(journal: Journal): Promise<readonly RecordLine[]> {
  const open: RecordLine[] = [];
  for (const line of await journal.doubtful()) {
    if (line.remoteId === undefined) open.push(line);
    else await journal.receive(line, "planned", {});
  }
  return open;
}

/** Handles a log that can't be listed now: the open lines stay in doubt, with the error as their reason. */
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

/** A new record of the log that a line's lost request may have made. */
interface Candidate {
  readonly line: RecordLine;
  readonly entry: LogEntry;
  /** The distance between the two, by the values in a listing. 0 means equal, and only imports may be further apart. */
  readonly apart: number;
  /** Number of fields that differ between the line and the full record; 0 if the listing alone told the records apart. */
  readonly unlike: number;
}

/** Two records look alike to a line if their distances from it differ by no more than this. */
const AS_FAR = 0.001;

/** Looks up doubtful lines in the log, and remembers records that look alike. */
class LookUp {
  /** Lines that stay in doubt, however long the run waits. */
  inDoubt = 0;
  readonly #context: SettleContext;
  readonly #signal: AbortSignal;
  readonly #settleMs: number;
  /** Records that fit a line as well as the adopted record does, by id. */
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
   * Lists each kind and settles its lines. `early` settles only exact matches, `final` settles all lines.
   *
   * @returns the lines that are still open
   */
  async run(lines: readonly RecordLine[], when: "early" | "final"): Promise<readonly RecordLine[]> {
    const open: RecordLine[] = [];
    for (const kind of LOADING_ORDER) {
      const ofKind = lines.filter((line) => line.kind === kind);
      if (ofKind.length > 0) open.push(...(await this.#ofKind(kind, ofKind, when)));
    }
    return open;
  }

  /** Reports equal records, so that no assumption stays silent: it names the adopted record and the others. */
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

  /** Handles a kind that the service can't list. Its lines stay in doubt, unless the service itself said that it made nothing. */
  async #leaveUnlisted(kind: Kind, lines: readonly RecordLine[]): Promise<void> {
    const { journal } = this.#context;
    for (const line of lines) {
      if (isWithoutAnId(line)) {
        await saveInstead(line, journal);
        continue;
      }
      this.inDoubt++;
      // A line in doubt already has its reason, perhaps with the ids that an import made.
      if (line.state === "in-flight")
        await journal.receive(line, "in-doubt", { reason: `the service can't list its ${SEVERAL[kind]}` });
    }
  }

  /**
   * Checks whether a listing lacks a record that the log has. Such a listing came from a cache or was cut short, so it proves no absence.
   *
   * @returns the reason for the doubt; undefined if there is none
   */
  async #lack(kind: Kind): Promise<string | undefined> {
    const { journal, read = async () => ({}) } = this.#context;
    for (const id of await journal.missing(kind, ASKED_FOR)) {
      if ((await read(kind, id, this.#signal)) !== undefined) return "it lacks records that the log has";
    }
    return undefined;
  }

  /**
   * Gives each line one of the new records, closest pairs first. The remaining lines were never made, if the listing can be trusted.
   *
   * @param doubt why the listing can't be trusted; undefined if it can
   * @returns the lines that are still open
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
   * Reads a record in full when it fits several lines, or when several records fit its line. Equal workouts may differ in fields that a
   * listing does not show, most often in names and notes.
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
      // A record made by an import holds no values of the line yet.
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
    // Lines of an import without an id keep their reason, because `isWithoutAnId` reads it later.
    const { journal } = this.#context;
    if (!isWithoutAnId(line)) await journal.receive(line, "in-doubt", { reason });
  }
}

/** Every pair of a line and a new record that its lost request may have made. */
async function candidatesFor(
  lines: readonly RecordLine[],
  appeared: readonly LogEntry[],
  journal: Journal,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const line of lines) {
    // A line may belong to an older run, which sent it with its own activity numbers.
    const { activityIDs = {} } = (await journal.run(line.run))?.options ?? {};
    for (const entry of appeared) {
      const apart = howFar(line, entry, activityIDs);
      if (apart !== undefined) candidates.push({ line, entry, apart, unlike: 0 });
    }
  }
  return candidates;
}

/**
 * Number of fields in which a record differs from its line. Shoe and course do not count, because the line may have been sent without them.
 */
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
  // A PUT completes the record, whatever the lost request was. This is safe, and fills in the missing values after an import.
  await journal.receive(
    line,
    "planned",
    { remoteId: match.id, reason: "the answer was lost, and the log holds it: adopted" },
    toRemoteRecord(line, match.id),
  );
}
