/**
 * The journal: what was planned, what was sent, what came back. It is written before a request leaves and after its answer,
 * so a run can be killed at any moment and resumed. One journal belongs to one log (one account on one service).
 *
 * The interface is asynchronous so that it can live in a database on another machine; `sqlite.ts` is the default.
 */

import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { AuditTrail, AuditTrailReader } from "./audit-trail.ts";
import type { IssueRow, LossRow, MonthRow, PlaceRow, ReasonRow, TallyRow } from "./counts.ts";
import type { Line, LineOf, LinePatch, LineState, NewLine, OpenLine, RecordLine, WorkoutLine } from "./line.ts";
import type { AccountRef, AsImported, ClaimedEntry, LogEntry, RemoteRecord } from "./remote-record.ts";
import type { Looked, PlannedOperations, Run, RunOptions, RunSource, RunState, SeenSums, VerifiedRun } from "./run.ts";
import type { WaitingRoom } from "./waiting.ts";

/** Begins the reason of a line whose answer named a record that is known to be another one. */
export const ID_OF_ANOTHER = "load/id-of-another";

/** That reason. */
export function idOfAnother(id: string): string {
  return `${ID_OF_ANOTHER}: the log answered with ${printable(id, 64)}, which is the id of another record`;
}

/** A line, and the record of the log that has the id it was answered with. */
export interface MixedUp {
  readonly line: Line;
  readonly entry: LogEntry;
}

/**
 * What may be asked of a journal, also while another process writes it. A reader opened on its own (`openJournalToRead`) sees
 * one moment: that of its opening.
 */
export interface JournalReader {
  /** What is remembered for people. */
  readonly auditTrail: AuditTrailReader;

  run(id?: number): Promise<Run | undefined>;
  runs(): Promise<readonly Run[]>;

  line(run: number, seq: number): Promise<Line | undefined>;
  lineWithKey(run: number, key: string): Promise<Line | undefined>;
  /** Lines of a run in a state, in loading order (equipment, courses, then workouts newest first), read in chunks. */
  lines<K extends Kind>(run: number, filter: { state?: readonly LineState[]; kind: K }): AsyncIterable<LineOf<K>>;
  lines(run: number, filter: { state?: readonly LineState[] }): AsyncIterable<Line>;
  /** Lines merged into the line with this key, those under the same key left out. */
  mergedInto(run: number, key: string): Promise<readonly Line[]>;
  /** Lines whose track lies in this entry of this source. */
  linesOfFile(run: number, source: number, entry: string): Promise<readonly WorkoutLine[]>;
  /** Lines of any run that were sent and never answered. */
  doubtful(): Promise<readonly RecordLine[]>;
  /** The run that sent a record under this key and never learned what became of it. */
  runInDoubt(key: string): Promise<number | undefined>;

  /** Where a key was put, following merges: also for a record merged into another. */
  remoteRecord(key: string): Promise<RemoteRecord | undefined>;
  /** Everything we put into the log, oldest first. */
  allRemoteRecords(): AsyncIterable<RemoteRecord>;
  /** What an import made under an id, before it was completed; undefined when that is not known. */
  imported(id: string): Promise<AsImported | undefined>;

  /** Ids of the log that two lines of a run stand for: it must be empty. */
  claimedTwice(run: number): Promise<readonly string[]>;
  tally(run: number): Promise<readonly TallyRow[]>;
  /** What is planned in a run and not done, added up by what it takes. */
  plannedOperations(run: number): Promise<readonly PlannedOperations[]>;
  /** How many records of a kind the log held when it was listed last. */
  logSize(kind: Kind): Promise<number>;
  losses(run: number): Promise<readonly LossRow[]>;
  issues(run: number): Promise<readonly IssueRow[]>;

  /** Whose log it is; undefined before it was bound. */
  account(): Promise<AccountRef | undefined>;
  /** Sums over the workouts of a run, by month, activity and state; the months in order. */
  months(run: number): Promise<readonly MonthRow[]>;
  /** Where workouts of a run in these states began, as far as their device files know. */
  places(run: number, states: readonly LineState[]): Promise<readonly PlaceRow[]>;
  /** Why records of a run are not simply in the log, most first. */
  reasons(run: number): Promise<readonly ReasonRow[]>;
  /** Milliseconds since 1970: when the first record of a run was sent, and when the last one changed. Undefined when none was. */
  sentBetween(run: number): Promise<{ readonly from: number; readonly until: number } | undefined>;
  /** How many records that a run wrote over were put back since (`undo`). */
  undone(run: number): Promise<number>;
  /** What the look at the log after a run found; undefined where there was none, or the run went on since. */
  looked(run: number): Promise<Looked | undefined>;
  /** Lines of a run that are not in the log, though they are to be, and whose key none of these other runs has. */
  openLines(run: number, others: readonly number[]): Promise<readonly OpenLine[]>;
  /** Of these origins (as `OpenLine` has them) the ones at which a run has a record of a source. */
  originsAmong(run: number, source: number, origins: readonly string[]): Promise<ReadonlySet<string>>;
  /** What the last verification of a run found; undefined when there was none. */
  verified(run: number): Promise<VerifiedRun | undefined>;

  close(): Promise<void>;
}

/**
 * The journal's promises.
 * - `intend` is durable when it settles: only then may a request leave. So is `receive`.
 * - `addLine`, `patchLine` and the rest of planning are durable once `planReady` settles.
 * - Methods are called by one process; a second one can't open the journal (see `lock.ts`).
 * - Any of them throws FatalError reason `journal` when the disk is full or the file damaged.
 */
export interface Journal extends JournalReader {
  readonly auditTrail: AuditTrail;
  /** Workouts that wait until all sources of the run that is being planned were read. */
  readonly waiting: WaitingRoom;

  /** A word that no other journal has; durable. */
  identity(): Promise<string>;
  /** @throws FatalError reason `journal` when it already belongs to another account */
  bindAccount(account: AccountRef): Promise<void>;

  startPlan(sources: readonly RunSource[], options: RunOptions, now: number): Promise<number>;
  addLine(run: number, line: NewLine): Promise<number>;
  patchLine(run: number, seq: number, patch: LinePatch & { state?: LineState }): Promise<void>;
  addIssue(run: number, issue: Issue): Promise<void>;
  /** Ends planning: everything written so far is durable, `read` is kept for the ledger. */
  planReady(run: number, read: number): Promise<void>;

  /** Lines of this run that could be the workout: planned, same activity, near start. Closest seq first. */
  duplicateCandidates(run: number, facts: WorkoutFacts): Promise<readonly WorkoutLine[]>;
  /** The planned line of this kind with this identity, if any. */
  lineWithIdentity<K extends Kind>(run: number, kind: K, identity: string): Promise<LineOf<K> | undefined>;
  /** Whether a line of this source was merged into the line with this key. */
  hasDuplicateFrom(run: number, key: string, source: number): Promise<boolean>;

  /**
   * Takes in a listing of the log. As a baseline it replaces everything known: what was there before a run. Otherwise it only
   * adds what the baseline doesn't have: what appeared since, among it perhaps what a lost answer made. All of it or, when the
   * listing throws, nothing.
   *
   * @returns how many entries the listing had
   */
  takeListing(entries: AsyncIterable<LogEntry>, isBaseline: boolean): Promise<number>;
  /**
   * Ids of records of a kind that the listing taken in last doesn't hold, `most` at most: of those of the baseline, and of those put
   * there by the last run. Their owner took them out since, or the listing is not up to date.
   */
  missing(kind: Kind, most: number): Promise<readonly string[]>;
  /** Ids of records we put there that the baseline just taken lacks, the last ones first: taken out by the log's owner, or the listing is old. */
  unlisted(kind: Kind, most: number): Promise<readonly string[]>;
  /** How many workouts the log must have, by the listings that were taken in and by what a run put there. */
  knownWorkouts(run: number): Promise<number>;
  /** About how many of these are of a later day, as `YYYY-MM-DD`: where in a listing that is newest first the day begins. */
  knownWorkoutsAfter(run: number, day: LocalDate): Promise<number>;
  /** Of these entries the ones that no listing showed which was taken in, and that we didn't put there. */
  strangersAmong(entries: readonly LogEntry[]): Promise<readonly LogEntry[]>;
  /** Records that appeared in the log since the baseline and that no line has claimed. */
  appeared(kind: Kind): Promise<readonly LogEntry[]>;
  /** Workouts of the log near these facts that stand for no record of this run. */
  logCandidates(run: number, facts: WorkoutFacts, activityID: number): Promise<readonly ClaimedEntry[]>;
  logHas(kind: Kind, id: string): Promise<boolean>;
  /** Says which line a record of the log stands for. */
  claimLog(kind: Kind, id: string, key: string): Promise<void>;
  /** Log records of this kind with this identity (any, where left out) that stand for no record of this run: equipment and courses. */
  logWithIdentity(run: number, kind: Kind, identity?: string): Promise<readonly ClaimedEntry[]>;

  /** Says where a key stands without anything being sent: it was found to be what another key put there. */
  keepRemoteRecord(remoteRecord: RemoteRecord): Promise<void>;
  /** Durable: what an import made under an id, before it is completed. */
  keepImported(id: string, made: AsImported): Promise<void>;
  setRunState(run: number, state: RunState, now: number): Promise<void>;
  /** Adds requests to those that the run has cost. */
  addRequests(run: number, requests: number): Promise<void>;

  /** Durable: these lines are about to be sent. */
  intend(lines: readonly Line[], now: number): Promise<void>;
  /** Durable: what became of a line. With `remoteRecord`, also where it now stands. */
  receive(line: Line, state: LineState, patch: LinePatch, remoteRecord?: RemoteRecord): Promise<void>;
  /**
   * Durable: a receipt, with the id that the log answered. An id that is known to be another record's proves nothing: this line is then in
   * doubt, and with it the lines of this run that were answered with the same id before.
   *
   * @returns false where the line is in doubt now; also where another line's receipt has put it in doubt since it had the id
   */
  receiveId(line: Line, state: "planned" | "done", patch: LinePatch, remoteRecord: RemoteRecord): Promise<boolean>;
  /** Whether a new record can't have this id: the log had it before, or another line of the run stands for it. */
  isTaken(line: Line, kind: Kind, id: string): Promise<boolean>;
  /** Durable: these lines have ids that are other records'. They are in doubt, and the records are free. */
  disown(lines: readonly Line[], reason: string): Promise<void>;
  /** Lines that a run saved, whose ids are of records with other facts in the listing taken in last. At most 10,000 are given. */
  mixedUp(run: number, kind: Kind): Promise<readonly MixedUp[]>;
  /**
   * Lines of any run that saved a record and have it, whose ids are of records with other facts in the listing taken in last. A record
   * that several lines stand for is left out. At most 10,000 are given.
   *
   * @param since only records that appeared since the last plan was made
   */
  claimsInQuestion(kind: Kind, since: boolean): Promise<readonly MixedUp[]>;
  /** Durable: lines of whichever run that have these ids have the others from now on. @param ids each old id with the new one */
  exchange(kind: Kind, ids: ReadonlyMap<string, string>): Promise<void>;
  /** Whether a run has records of a kind that are in the log. */
  hasInLog(run: number, kind: Kind): Promise<boolean>;
  /** Records of a kind that a run has in the log, and that the listing taken in last doesn't hold. */
  absentLines(run: number, kind: Kind): Promise<readonly Line[]>;
  /** What the listing taken in last has besides a run's records of a kind, and looks like one of them. */
  surplus(run: number, kind: Kind): Promise<Pick<Looked, "surplus" | "before">>;
  /** What the listing taken in last shows of the workouts that a run has in the log. */
  seenSums(run: number): Promise<SeenSums>;
  /** Whether the log held a record when the last plan was made. */
  wasThere(kind: Kind, id: string): Promise<boolean>;
  /** Keeps what a look found, in place of an earlier one; undefined when the run goes on. */
  setLooked(run: number, looked: Looked | undefined): Promise<void>;
  /** Durable: keeps what a verification found, in place of what an earlier one did. */
  setVerified(run: number, verified: VerifiedRun): Promise<void>;
}
