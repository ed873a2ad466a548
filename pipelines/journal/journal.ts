/**
 * The journal: what was planned, what was sent, what came back. It is written before a request leaves and after its answer,
 * so a run can be killed at any moment and resumed. One journal belongs to one log (one account on one service).
 *
 * The interface is asynchronous so that it can live in a database on another machine; `sqlite.ts` is the default.
 */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Item, Kind, Origin } from "../../transforms/model/item.ts";
import type { UnitOf } from "../../transforms/units.ts";
import type { Difference } from "../log/compare-bodies.ts";
import type { Custody, CustodyReader } from "./audit-trail.ts";
import type { PlannedOperations } from "./cost.ts";

/** Where a line stands. The last five are where a line may rest when a run is over. */
export type LineState =
  | "planned"
  | "in-flight"
  | "in-doubt"
  | "done"
  | "refused"
  | "failed"
  | "unchanged"
  | "merged"
  | "skipped"
  | "quarantined";

/** The only edges a line may take. Everything else is a bug, and the journal refuses it. */
export const EDGES: Readonly<Record<LineState, readonly LineState[]>> = {
  planned: ["in-flight", "failed", "skipped", "unchanged", "merged", "quarantined"],
  "in-flight": ["done", "planned", "in-doubt", "refused", "failed"],
  "in-doubt": ["planned", "done", "in-flight"],
  done: [],
  refused: [],
  failed: [],
  unchanged: [],
  merged: [],
  skipped: [],
  quarantined: [],
};

/** What a line does to the log: makes a record, changes one of ours, or nothing. */
export type Action = "create" | "update" | "none";

/** Which way a create goes: as a body, or as the device file followed by a body. */
export type Carrier = "save" | "import";

/** One record of the sources, and what becomes of it. */
export interface Line {
  readonly run: number;
  /** Order of reading, from 1. */
  readonly seq: number;
  readonly key: string;
  readonly kind: Kind | "set-aside";
  /** Index into the run's sources. */
  readonly source: number;
  readonly origin: Origin;
  readonly state: LineState;
  readonly action: Action;
  readonly carrier: Carrier | undefined;
  /** SHA-256 of the record as its own source has it, before units: tells whether the source changed. */
  readonly content: string | undefined;
  /** What is to stand in the log, in the owner's units; undefined for a set-aside. */
  readonly value: Item["value"] | undefined;
  /** Why it is where it is, in a sentence: the rule of a set-aside, the evidence of a pair, the server's refusal. */
  readonly reason: string | undefined;
  /** Key of the line this one was merged into, or the log's id of the record it equals. */
  readonly twin: string | undefined;
  /** The log's id, from the moment it is known. */
  readonly remoteId: string | undefined;
  /** Milliseconds since 1970 when the last request about it was about to leave; once its answer is lost, when it was given up. */
  readonly intendedAt: number | undefined;
}

/** What `addLine` needs; the rest starts empty. */
export type NewLine = Pick<Line, "key" | "kind" | "source" | "origin" | "state" | "action"> & {
  readonly carrier?: Carrier | undefined;
  readonly content?: string;
  readonly value?: Item["value"];
  readonly reason?: string;
  readonly twin?: string;
  /** For finding twins: of a workout its facts, of equipment and courses their identity. */
  readonly facts?: WorkoutFacts | undefined;
  readonly identity?: string;
  /** Why it is set aside, whole. */
  readonly issue?: Issue;
  /** Members of the value as the source has them, where the value has them otherwise. */
  readonly asRead?: Readonly<Record<string, unknown>>;
  /** In a run that takes up what another one left: the line of that run. */
  readonly takesUp?: number;
};

/** What may be changed with a transition or while planning. */
export interface LinePatch {
  readonly action?: Action;
  readonly carrier?: Carrier;
  readonly value?: Item["value"];
  readonly reason?: string;
  readonly twin?: string;
  readonly remoteId?: string;
  readonly facts?: WorkoutFacts | undefined;
  readonly intendedAt?: number;
}

/** A record that is in the log because we put it there. */
export interface Placed {
  readonly key: string;
  readonly kind: Kind;
  readonly remoteId: string;
  /** Content hash of the source record it was made from. */
  readonly content: string;
  /** What was last sent, as the log's save body; undefined until the first answer to a save. */
  readonly sent: unknown;
  /** False between an import and the PUT that completes it. */
  readonly finished: boolean;
  readonly run: number;
}

/** One source of a run. */
export interface RunSource {
  /** Absolute path. */
  readonly path: string;
  readonly name: string;
  readonly connector: string;
  /** As of the connector. */
  readonly recordings?: true;
  readonly saw: string;
  /** Of the file, or of all files of the folder, when it was planned. Absent in runs of before it was kept. */
  readonly sizeBytes?: number;
  /** Absolute path of the mapping file that was named for it. */
  readonly mapping?: string;
}

/** The state of a run. `planning` that is no longer being written is worthless and is forgotten by the next plan. */
export type RunState = "planning" | "planned" | "running" | "stopped" | "finished" | "superseded";

export interface Run {
  readonly id: number;
  readonly state: RunState;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly finishedAt: number | undefined;
  readonly sources: readonly RunSource[];
  /** What was decided with, and is done with: a plan is carried out as it was made, whatever the flags are then. */
  readonly options: RunOptions;
  /** Readings counted as they came out of the connectors, apart from the lines: the left side of the ledger. */
  readonly read: number;
  /** Requests of the commands that carried it out; those of one that was killed are not in it. Undefined before the first one ended. */
  readonly requests: number | undefined;
}

export interface RunOptions extends LogNumbers {
  readonly tracks: boolean;
  /** The logferry that planned the run. Absent in runs of before it was kept. */
  readonly version?: string;
  /** What the log's owner counts distance in, as the preference said when the run was planned. Absent likewise. */
  readonly distanceUnit?: UnitOf<"distance">;
  /** The zone that was named, and the owner's own sport names, folded: what a run that takes this one up reads with too. */
  readonly zone?: string;
  readonly sports?: readonly (readonly [name: string, activity: Activity])[];
  readonly since?: string;
  readonly until?: string;
  /** Of a run that puts a snapshot back. */
  readonly restores?: Restores;
  /** The run whose lines this one takes up: what was set aside, refused or failed there, and nothing else. */
  readonly takesUp?: number;
}

/** What a run puts back. */
export interface Restores {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** Paths in the save bodies of the only fields that are put back, by kind; undefined for whole records. */
  readonly fields?: FieldsOfKinds;
}

/** `{ workout: ["notes", "details.distance"] }` */
export type FieldsOfKinds = Readonly<Partial<Record<Kind, readonly string[]>>>;

/** How many lines of a run stand where: by kind, source, state and action. */
export interface TallyRow {
  readonly kind: Line["kind"];
  readonly source: number;
  readonly state: LineState;
  readonly action: Action;
  readonly count: number;
}

/** A value the log can't hold, counted over a run. */
export interface LossRow {
  readonly field: string;
  readonly count: number;
}

/** An issue of a run with how often it was met, and one place to look. */
export interface IssueRow {
  readonly rule: string;
  readonly severity: Issue["severity"];
  readonly count: number;
  readonly example: Issue;
}

/** Whose log the journal belongs to. */
export interface AccountRef {
  readonly baseUrl: string;
  /** Hash of what the service says the user is; never the token. */
  readonly userHash: string;
  /** For messages: the screen name. */
  readonly name: string;
}

/** What a run's workouts of one activity in one month add up to, by where their lines stand. Merged ones stand with their twin. */
export interface MonthRow {
  /** `YYYY-MM`; undefined for workouts without a date. */
  readonly month: string | undefined;
  readonly activity: Activity | undefined;
  readonly state: LineState;
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}

/** How many workouts of a run began near a place: degrees, rounded to `PLACE_STEP`. */
export interface PlaceRow {
  readonly lat: number;
  readonly lon: number;
  readonly workouts: number;
}

/** How many records of a run stand in a state for a reason. `rule` is the reason's stable name, where it begins with one. */
export interface ReasonRow {
  readonly state: LineState;
  readonly rule: string | undefined;
  readonly count: number;
}

/** Places are known to a hundredth of a degree, about a kilometre: enough for a map, and not a front door. */
export const PLACE_STEP = 0.01;

/** What a verification of a run found: read back from the log, and compared. */
export interface VerifiedRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Records read back; of these, `present` are not ours and were only looked for. */
  readonly checked: number;
  readonly present: number;
  readonly differing: number;
  /** Records of the log that two lines stand for. */
  readonly claimedTwice: number;
  readonly metres: { readonly planned: number; readonly found: number };
  readonly seconds: { readonly planned: number; readonly found: number };
  /** The first of those that differ. */
  readonly examples: readonly VerifiedDifference[];
}

/** A record that isn't in the log as planned; without differences it isn't there. */
export interface VerifiedDifference {
  readonly kind: Line["kind"];
  readonly id: string | undefined;
  readonly origin: Origin;
  readonly differences: readonly Difference[];
}

/** A record of the log as its listing shows it: what is already there. */
export interface LogEntry {
  readonly kind: Kind;
  readonly id: string;
  /** Of a workout; undefined when the listing gives it no date. */
  readonly activityID?: number;
  readonly facts?: WorkoutFacts;
  /** Of equipment and courses. */
  readonly identity?: string;
  /** For a message: a course's or a shoe's name. */
  readonly name?: string;
}

/** A record of the log with the key of the line it stands for, if any. */
export type ClaimedEntry = LogEntry & { readonly claimedBy: string | undefined };

/**
 * What may be asked of a journal, also while another process writes it. A reader opened on its own (`openJournalToRead`) sees
 * one moment: that of its opening.
 */
export interface JournalReader {
  /** What is remembered for people. */
  readonly custody: CustodyReader;

  run(id?: number): Promise<Run | undefined>;
  runs(): Promise<readonly Run[]>;

  line(run: number, seq: number): Promise<Line | undefined>;
  lineWithKey(run: number, key: string): Promise<Line | undefined>;
  /** Lines of a run in a state, in loading order (equipment, courses, then workouts newest first), read in pieces. */
  lines(run: number, filter: { state?: readonly LineState[]; kind?: Kind }): AsyncIterable<Line>;
  /** Lines merged into the line with this key, those under the same key left out. */
  mergedInto(run: number, key: string): Promise<readonly Line[]>;
  /** Lines whose track lies in this entry of this source. */
  linesOfFile(run: number, source: number, entry: string): Promise<readonly Line[]>;
  /** Lines of any run that were sent and never answered. */
  doubtful(): Promise<readonly Line[]>;
  /** The run that sent a record under this key and never learned what became of it. */
  runInDoubt(key: string): Promise<number | undefined>;

  /** Where a key was put, following merges: also for a record merged into another. */
  placed(key: string): Promise<Placed | undefined>;
  /** Everything we put into the log, oldest first. */
  allPlaced(): AsyncIterable<Placed>;

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
  readonly custody: Custody;

  /** @throws FatalError reason `journal` when it already belongs to another account */
  bindAccount(account: AccountRef): Promise<void>;

  startPlan(sources: readonly RunSource[], options: RunOptions, now: number): Promise<number>;
  addLine(run: number, line: NewLine): Promise<number>;
  patchLine(run: number, seq: number, patch: LinePatch & { state?: LineState }): Promise<void>;
  addIssue(run: number, issue: Issue): Promise<void>;
  /** Ends planning: everything written so far is durable, `read` is kept for the ledger. */
  planReady(run: number, read: number): Promise<void>;

  /** Lines of this run that could be the workout: planned, same activity, near start. Closest seq first. */
  twinCandidates(run: number, facts: WorkoutFacts): Promise<readonly Line[]>;
  /** The planned line of this kind with this identity, if any. */
  lineWithIdentity(run: number, kind: Kind, identity: string): Promise<Line | undefined>;
  /** Whether a line of this source was merged into the line with this key. */
  hasTwinFrom(run: number, key: string, source: number): Promise<boolean>;

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
  /** Log records of this kind with this identity that stand for no record of this run: equipment and courses. */
  logWithIdentity(run: number, kind: Kind, identity: string): Promise<readonly ClaimedEntry[]>;

  /** Says where a key stands without anything being sent: it was found to be what another key put there. */
  place(placed: Placed): Promise<void>;
  setRunState(run: number, state: RunState, now: number): Promise<void>;
  /** Adds requests to those that the run has cost. */
  addRequests(run: number, requests: number): Promise<void>;

  /** Durable: these lines are about to be sent. */
  intend(lines: readonly Line[], now: number): Promise<void>;
  /** Durable: what became of a line. With `placed`, also where it now stands. */
  receive(line: Line, state: LineState, patch: LinePatch, placed?: Placed): Promise<void>;
  /** Durable: keeps what a verification found, in place of what an earlier one did. */
  setVerified(run: number, verified: VerifiedRun): Promise<void>;
}
