/**
 * The journal keeps the plan, the requests and the answers of each run. logferry writes to it before a request leaves and after its answer.
 * So a run can be killed at any moment and resumed. One journal belongs to one log (one account on one service).
 *
 * The interface is asynchronous so that it can live in a database on another machine. `sqlite.ts` is the default.
 */

import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { AuditTrail, AuditTrailReader } from "./audit-trail.ts";
import type {
  FilledBefore,
  FilledCounts,
  IssueRow,
  LossRow,
  MinorValue,
  MonthRow,
  NotAddedCounts,
  PlaceRow,
  ReasonRow,
  TallyRow,
  UnreadValues,
} from "./counts.ts";
import type { Line, LineOf, LinePatch, LineState, NewLine, OpenLine, RecordLine, WorkoutLine } from "./line.ts";
import type { Links, LinksReader } from "./links.ts";
import type { AccountRef, AsImported, ClaimedEntry, LogEntry, RemoteRecord, RowAway } from "./remote-record.ts";
import type {
  Difference,
  InventoryFile,
  Looked,
  NamedRecord,
  PlannedOperations,
  Run,
  RunOptions,
  RunSource,
  RunState,
  SeenSums,
  VerifiedRun,
} from "./run.ts";
import type { WaitingRoom } from "./waiting.ts";

/** Begins the reason of a line whose answer contained the id of another record. */
export const ID_OF_ANOTHER = "load/id-of-another";

/** Makes that reason. */
export function idOfAnother(id: string): string {
  return `${ID_OF_ANOTHER}: the log answered with ${printable(id, 64)}, which is the id of another record`;
}

/** A line, and the log record that has the line's id. */
export interface MixedUp {
  readonly line: Line;
  readonly entry: LogEntry;
}

/**
 * The questions that a journal answers, even while another process writes to it. A reader opened by `openJournalToRead` sees the journal as
 * it was when it was opened.
 */
export interface JournalReader extends AsyncDisposable {
  /** The history kept for people. */
  readonly auditTrail: AuditTrailReader;
  /** The pairs of workouts that may be one, and a person's answers. */
  readonly links: LinksReader;

  run(id?: number): Promise<Run | undefined>;
  runs(): Promise<readonly Run[]>;

  line(run: number, seq: number): Promise<Line | undefined>;
  lineWithKey(run: number, key: string): Promise<Line | undefined>;
  /** Lines of a run in the given states, in loading order (equipment, courses, then workouts newest first). They are read in chunks. */
  lines<K extends Kind>(run: number, filter: { state?: readonly LineState[]; kind: K }): AsyncIterable<LineOf<K>>;
  lines(run: number, filter: { state?: readonly LineState[] }): AsyncIterable<Line>;
  /** Whether the local time of a workout in one of these states is assumed, by the log's fixed offset. */
  assumesTimes(run: number, states: readonly LineState[]): Promise<boolean>;
  /** Lines that were merged into the line with this key, except lines with the same key. */
  mergedInto(run: number, key: string): Promise<readonly Line[]>;
  /** Lines whose track is in this entry of this source. */
  linesOfFile(run: number, source: number, entry: string): Promise<readonly WorkoutLine[]>;
  /** Lines of any run that were sent and got no answer. */
  doubtful(): Promise<readonly RecordLine[]>;
  /** The run that sent a record with this key, and never learned the outcome. */
  runInDoubt(key: string): Promise<number | undefined>;

  /** The log record of a key. For a merged record, this is the record it was merged into. */
  remoteRecord(key: string): Promise<RemoteRecord | undefined>;
  /** The line that a record was loaded for. An edited row has another key than the row that was loaded, and is found by the record. */
  loadedLine(record: RemoteRecord): Promise<Line | undefined>;
  /** All records that we put into the log, oldest first. */
  allRemoteRecords(): AsyncIterable<RemoteRecord>;
  /** The values of a workout right after its import, before logferry completed it; undefined when they are unknown. */
  imported(id: string): Promise<AsImported | undefined>;

  /** Ids of the log that two lines of a run claim. There must be none. */
  claimedTwice(run: number): Promise<readonly string[]>;
  tally(run: number): Promise<readonly TallyRow[]>;
  /** The open operations of a run, with a count for each type. */
  plannedOperations(run: number): Promise<readonly PlannedOperations[]>;
  /** The number of records of a kind in the last listing of the log. */
  logSize(kind: Kind): Promise<number>;
  losses(run: number): Promise<readonly LossRow[]>;
  /** The distances and times that logferry can't read, in the records that are in the log or on their way. */
  unreadValues(run: number): Promise<UnreadValues>;
  /** Other values of these records that have a field in the log, and that stay out since nobody can read them or they can't be true. */
  minorValues(run: number): Promise<readonly MinorValue[]>;
  /** Values that stay out of the log, because an earlier run loaded their workouts from another source. */
  notAdded(run: number): Promise<NotAddedCounts>;
  /** Blank fields of workouts in the log that a run fills, or has filled. */
  filled(run: number): Promise<FilledCounts>;
  /** The workouts whose blank fields the runs of this journal filled. */
  filledBefore(): Promise<readonly FilledBefore[]>;
  /** What logferry sent last to a record of the log, for whichever line; undefined for a record that it didn't load. */
  sentTo(kind: Kind, id: string): Promise<RemoteRecord | undefined>;
  issues(run: number): Promise<readonly IssueRow[]>;

  /** The account of the log; undefined before the journal was bound to one. */
  account(): Promise<AccountRef | undefined>;
  /**
   * Sums over the workouts of a run by month, activity and state, with the months in order.
   *
   * @param isAsOfNow whether a workout that a later run brought in counts as `done`. By default each has its state in this run
   */
  months(run: number, isAsOfNow?: boolean): Promise<readonly MonthRow[]>;
  /** The start places of a run's workouts in these states, if their device files contain them. */
  places(run: number, states: readonly LineState[]): Promise<readonly PlaceRow[]>;
  /** The reasons why records of a run have no record of their own in the log, most frequent first. */
  reasons(run: number): Promise<readonly ReasonRow[]>;
  /**
   * The times of the first request of a run and of the last change of a record, in milliseconds since 1970. Undefined when nothing was
   * sent.
   */
  sentBetween(run: number): Promise<{ readonly from: number; readonly until: number } | undefined>;
  /** The number of records that a run overwrote, or found as it had planned them, and that `undo` restored since, without those that a later run wrote again. */
  undone(run: number): Promise<number>;
  /** The result of looking at the log after a run. Undefined when there was no look, or when the run continued since. */
  looked(run: number): Promise<Looked | undefined>;
  /** Lines of a run that should be in the log and are not, except lines whose key one of the `others` has. */
  openLines(run: number, others: readonly number[]): Promise<readonly OpenLine[]>;
  /** The origins (in the form of `OpenLine`) where a run has a record of a source that the run `before` had nowhere. */
  originsAmong(
    where: { readonly run: number; readonly source: number; readonly before: number },
    origins: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /**
   * The files of a run's source that a later run found exchanged for others: most records that came from them into the log are not in its source any more,
   * by their keys, or by their days at their places.
   */
  exchanged(
    before: readonly [run: number, source: number],
    after: readonly [run: number, source: number],
  ): Promise<ReadonlySet<string>>;
  /** Those of a run's lines that reject a whole file, or a table by its header: the path of the file, by `seq`. */
  wholeEntries(run: number, seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Those of a source's files that a run read: it has a record of the file, or of one inside, and not only its rejection as a whole. */
  entriesRead(run: number, source: number, entries: readonly string[]): Promise<ReadonlySet<string>>;
  /** The result of the last verification of a run; undefined when there was none. */
  verified(run: number): Promise<VerifiedRun | undefined>;
  /** Those of a record's differences from the plan that a check named before a run was planned, with the same values. */
  namedBefore(run: number, record: NamedRecord): Promise<readonly Difference[]>;
  /** Whether a check saw a record after it was sent last, and named no difference. */
  wasSeenAsSent(record: RemoteRecord): Promise<boolean>;
  /** The time when the inventory of a run was taken, in milliseconds since 1970; undefined when none was. */
  inventoryTakenAt(run: number): Promise<number | undefined>;
  /** Files of a source in the inventory of a run, sorted by path: at most 1,000, after the path `after` if there is one. */
  inventory(run: number, source: number, after: string | undefined): Promise<readonly InventoryFile[]>;
  /** Workouts of the log near these facts that no line of this run has claimed. */
  logCandidates(run: number, facts: WorkoutFacts, activityID: number): Promise<readonly ClaimedEntry[]>;
  /** A record of the last listing of the log. Its facts have no activity: the log gives only the number. */
  logEntry(kind: Kind, id: string): Promise<ClaimedEntry | undefined>;

  close(): Promise<void>;
}

/**
 * A journal to read and write. It keeps these promises.
 * - `intend` is durable when it settles: only then may a request leave. The same is true for `receive`.
 * - `addLine`, `patchLine` and the rest of planning are durable once `planReady` settles.
 * - Only one process uses it. A second process can't open the journal (see `lock.ts`).
 * - Every method throws FatalError reason `journal` when the disk is full or the file is damaged.
 */
export interface Journal extends JournalReader {
  readonly auditTrail: AuditTrail;
  readonly links: Links;
  /** Workouts that wait until all sources of the current plan were read. */
  readonly waiting: WaitingRoom;

  /** The journal's own id, different from any other journal's. It is durable. */
  identity(): Promise<string>;
  /**
   * Binds the journal to an account.
   *
   * @throws FatalError reason `journal` when it already belongs to another account
   */
  bindAccount(account: AccountRef): Promise<void>;

  startPlan(sources: readonly RunSource[], options: RunOptions, now: number): Promise<number>;
  addLine(run: number, line: NewLine): Promise<number>;
  patchLine(run: number, seq: number, patch: LinePatch & { state?: LineState }): Promise<void>;
  addIssue(run: number, issue: Issue): Promise<void>;
  /** Ends planning. Everything written so far is durable. `read` is the number of readings, for the ledger. */
  planReady(run: number, read: number): Promise<void>;

  /** Planned lines of this run that may be the same workout: same activity, and a close start. They come in the order of `seq`. */
  duplicateCandidates(run: number, facts: WorkoutFacts): Promise<readonly WorkoutLine[]>;
  /** The planned line of this kind with this identity, if any. */
  lineWithIdentity<K extends Kind>(run: number, kind: K, identity: string): Promise<LineOf<K> | undefined>;
  /** Whether a line of this source was merged into the line with this key. */
  hasDuplicateFrom(run: number, key: string, source: number): Promise<boolean>;

  /**
   * Takes a listing of the log into the journal. A baseline replaces all earlier knowledge, and shows the log before a run. Any other
   * listing only adds the records that the baseline lacks. They appeared since, and a lost answer may have made some of them. If the
   * listing throws, the journal takes none of it.
   *
   * @returns the number of entries in the listing
   */
  takeListing(entries: AsyncIterable<LogEntry>, isBaseline: boolean): Promise<number>;
  /**
   * Ids of known records that the last listing lacks, at most `most`. Known are the records of the baseline, and the records of the last
   * run. Either their owner removed them since, or the listing is out of date.
   */
  missing(kind: Kind, most: number): Promise<readonly string[]>;
  /** Ids of our records that the new baseline lacks, latest first. Either the log's owner removed them, or the listing is out of date. */
  unlisted(kind: Kind, most: number): Promise<readonly string[]>;
  /** The number of workouts that the log must contain: the listed ones, and the ones that this run added. */
  knownWorkouts(run: number): Promise<number>;
  /**
   * The approximate number of these workouts after a day (`YYYY-MM-DD`). A listing with the newest first reaches the day at this position.
   */
  knownWorkoutsAfter(run: number, day: LocalDate): Promise<number>;
  /** The entries that are in no earlier listing and are not ours. */
  strangersAmong(entries: readonly LogEntry[]): Promise<readonly LogEntry[]>;
  /** Records that appeared in the log since the baseline, and that no line has claimed. */
  appeared(kind: Kind): Promise<readonly LogEntry[]>;
  logHas(kind: Kind, id: string): Promise<boolean>;
  /** The workouts of the baseline that earlier runs loaded from the files of this run, and that no line of it stands for. */
  rowsAway(run: number): Promise<readonly RowAway[]>;
  /** How many records two sources have in common, each in its run, and how many the smaller one has. */
  recordsInCommon(
    one: Pick<Line, "run" | "source">,
    other: Pick<Line, "run" | "source">,
  ): Promise<{ readonly both: number; readonly fewest: number }>;
  /** Notes which line a log record stands for. */
  claimLog(kind: Kind, id: string, key: string): Promise<void>;
  /** Equipment or courses of the log with this identity (by default: any) that no line of this run has claimed. */
  logWithIdentity(run: number, kind: Kind, identity?: string): Promise<readonly ClaimedEntry[]>;

  /** Notes the log record of a key without a request: another key's record turned out to be the same. */
  keepRemoteRecord(remoteRecord: RemoteRecord): Promise<void>;
  /** Keeps the values of a workout right after its import, before logferry completes it. Durable. */
  keepImported(id: string, made: AsImported): Promise<void>;
  setRunState(run: number, state: RunState, now: number): Promise<void>;
  /** Adds requests to the run's count. */
  addRequests(run: number, requests: number): Promise<void>;

  /** Notes that these lines are about to be sent. Durable. */
  intend(lines: readonly Line[], now: number): Promise<void>;
  /** Notes the outcome of a line, and its log record if `remoteRecord` is given. Durable. */
  receive(line: Line, state: LineState, patch: LinePatch, remoteRecord?: RemoteRecord): Promise<void>;
  /**
   * Notes a receipt with the id in the log's answer. Durable. If the id is known to be another record's, it proves nothing. Then this line
   * is in doubt, and so are earlier lines of this run with the same id in their answers.
   *
   * @returns false when the line is in doubt now; also when another receipt put it in doubt after it got the id
   */
  receiveId(line: Line, state: "planned" | "done", patch: LinePatch, remoteRecord: RemoteRecord): Promise<boolean>;
  /** Whether a new record can't have this id: the log had the id before, or another line of the run has it. */
  isTaken(line: Line, kind: Kind, id: string): Promise<boolean>;
  /** Takes the ids from lines whose ids belong to other records. The lines are in doubt then, and the records are free. Durable. */
  disown(lines: readonly Line[], reason: string): Promise<void>;
  /** Lines that a run saved, and whose id belongs to a record with other facts in the last listing. It returns at most 10,000 lines. */
  mixedUp(run: number, kind: Kind): Promise<readonly MixedUp[]>;
  /**
   * Lines of any run with a saved record, whose id belongs to a record with other facts in the last listing. Records that several lines
   * claim are left out. It returns at most 10,000 lines.
   *
   * @param since only records that appeared since the last plan was made
   */
  claimsInQuestion(kind: Kind, since: boolean): Promise<readonly MixedUp[]>;
  /**
   * Replaces ids in the lines of all runs. Durable.
   *
   * @param ids each old id with the new one
   */
  exchange(kind: Kind, ids: ReadonlyMap<string, string>): Promise<void>;
  /** Whether a run has records of this kind in the log. */
  hasInLog(run: number, kind: Kind): Promise<boolean>;
  /** Lines of a run whose record was in the log, and is missing in the last listing. */
  absentLines(run: number, kind: Kind): Promise<readonly Line[]>;
  /** Additional records in the last listing that look like a record of the run. */
  surplus(run: number, kind: Kind): Promise<Pick<Looked, "surplus" | "before">>;
  /** Sums over the run's workouts, with their values in the last listing. */
  seenSums(run: number): Promise<SeenSums>;
  /** Whether the log had a record when the last plan was made. */
  wasThere(kind: Kind, id: string): Promise<boolean>;
  /** Keeps the result of a look, in place of an earlier one. Undefined removes it, because the run continues. */
  setLooked(run: number, looked: Looked | undefined): Promise<void>;
  /** Keeps the result of a verification, in place of an earlier one. Durable. */
  setVerified(run: number, verified: VerifiedRun): Promise<void>;
  /** Remembers that a check named these differences, and keeps the records whose last save is lost. Durable. */
  nameDifferences(records: readonly NamedRecord[], unsaved?: readonly RemoteRecord[]): Promise<void>;
  /** Keeps files of the inventory of a run. The last call has the time; without it, the inventory counts as not taken. Files that are there already are replaced. */
  keepInventory(run: number, files: readonly InventoryFile[], takenAt?: number): Promise<void>;
}
