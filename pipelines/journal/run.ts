/** A run, with the findings about it since. */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { Origin } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { UnitOf } from "../../transforms/units.ts";
import type { NotAddedRow } from "./counts.ts";
import type { Line } from "./line.ts";

/** A record of the log, and where it differs from what logferry sent. */
export interface NamedRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly differences: readonly Difference[];
}

/** A field with another value than expected. */
export interface Difference {
  /** Path in the save body: `details.distance`, `intervalSet.intervals.2.duration`. */
  readonly field: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** One source of a run. */
export interface RunSource {
  /** Absolute path. */
  readonly path: string;
  /** Absolute paths of the other parts of a download that came as several zips. */
  readonly parts?: readonly string[];
  /** The place of the export in the archive, if the archive holds several: `export_2024.zip`. */
  readonly within?: string;
  readonly name: string;
  readonly connector: string;
  /** True if the connector reads bare recordings (see Connector). */
  readonly recordings?: true;
  readonly saw: string;
  /** The size of the file, or of all files in the folder, when the run was planned. Runs of older versions lack it. */
  readonly sizeBytes?: number;
  /** The last change of a file in it, in milliseconds since 1970, if the archive says so. Runs of older versions lack it. */
  readonly changedAt?: number;
  /** The absolute path of the mapping file that was given for it. */
  readonly mapping?: string;
}

/** The place of a source, as one text to compare: two exports in one folder have two places. Runs of older versions may lack the path. */
export function placeOfSource({ path, within, name }: RunSource): string {
  return within === undefined ? (path ?? name) : `${path}!/${within}`;
}

/** One file of a source, as the inventory of a run has it. Of a container, this is a file inside it. */
export interface InventoryFile {
  /** The index of the source in the run's sources. */
  readonly source: number;
  /** The path inside the source, with forward slashes. */
  readonly path: string;
  /** Unpacked size; undefined if the archive doesn't say, and the file was not read. */
  readonly bytes: number | undefined;
  /** SHA-256 of the unpacked bytes, in hex. Undefined for a file that was not read. */
  readonly sha256: string | undefined;
  /** Why the file was not read, in words. */
  readonly unread: string | undefined;
}

/** The state of a run. A run in `planning` that nobody writes any more is worthless, and the next plan removes it. */
export type RunState = "planning" | "planned" | "running" | "stopped" | "finished" | "superseded";

/** One plan, and what became of it: an import, a retry or a restore. The journal numbers the runs from 1, and keeps a line for each of their records. */
export interface Run {
  readonly id: number;
  readonly state: RunState;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly finishedAt: number | undefined;
  readonly sources: readonly RunSource[];
  /** The options of the plan. The run uses them too, even if the flags are different by then. */
  readonly options: RunOptions;
  /** The number of readings from the connectors, counted apart from the lines. This is the left side of the ledger. */
  readonly read: number;
  /**
   * The number of requests of the commands that carried out the run, except commands that were killed. Undefined before the first command
   * ended.
   */
  readonly requests: number | undefined;
}

/**
 * The choices that a run was planned with. Later commands read them from the journal: `apply` carries out the plan that a person saw, and `verify`
 * compares with the same numbers of the log.
 */
export interface RunOptions extends LogNumbers {
  readonly tracks: boolean;
  /** The version of logferry that planned the run. Runs of older versions lack it. */
  readonly version?: string;
  /** The owner's unit of distance in the preference, when the run was planned. Runs of older versions lack it. */
  readonly distanceUnit?: UnitOf<"distance">;
  /** The zone and the owner's sport names (folded) that were given. A run that retries this one uses them too. */
  readonly zone?: string;
  /** The offset of the log's preference when the run was planned, in hours; absent without one, and in runs of older versions. */
  readonly utcOffset?: number;
  /** The units of distances that were given, for lists that don't say theirs. A run that retries this one uses them too. */
  readonly distanceUnits?: readonly UnitOf<"distance">[];
  /** Whether the day or the month stands first in dates, as was given. A run that retries this one uses it too. */
  readonly dateOrder?: "dmy" | "mdy";
  /** Whether private notes are left out. A run that retries this one leaves them out too. */
  readonly withoutPrivateNotes?: true;
  readonly sports?: readonly (readonly [name: string, activity: Activity])[];
  readonly since?: string;
  readonly until?: string;
  /** The log's activities when the run was planned, as far as the log shows them. They help a person to find a number. */
  readonly logActivities?: readonly { readonly activityID: number; readonly name?: string }[];
  /** Whether these are all activities: the log listed them itself. Otherwise only its workouts show them. */
  readonly logActivitiesAreAll?: true;
  /** Whether workouts with impossible values were let in. */
  readonly allowImplausible?: boolean;
  /** Whether workouts were let in without the values of a column whose cells can't be read. */
  readonly allowUnread?: boolean;
  /** Whether an older export was let change back what a newer one brought. */
  readonly allowOlder?: boolean;
  /** Whether another zone than before was let move the starts of workouts in the log. */
  readonly allowMoved?: boolean;
  /** Whether blank fields of workouts that the log has already are filled. */
  readonly enrich?: boolean;
  /** What the log lists. Runs of older versions lack it, and so do runs that compare otherwise. An answer about two workouts can't change their plan. */
  readonly lists?: { readonly workouts: boolean; readonly courses: boolean };
  /** Whether every start was taken as its source has it. */
  readonly trustClocks?: boolean;
  /** Whether workouts got the courses whose lines they follow. */
  readonly linkCourses?: boolean;
  /** The version of the rule for closing the old account, as the plan fixed it. Runs of older versions lack it. */
  readonly acceptance?: number;
  /** What a person added to this rule, such as `rejected=2%`, in the order of its table; absent without anything. */
  readonly accepts?: readonly string[];
  /** SHA-256 of the rule with what was added. Runs of older versions lack it. */
  readonly acceptanceHash?: string;
  /** What became of pairs that may be one. Default: two workouts. */
  readonly doubtful?: "one";
  /** The fields that a person wants from a source, in the order of their words. */
  readonly prefer?: readonly FieldPreference[];
  /** What a person said about equipment under two names. */
  readonly sameGear?: readonly GearAnswer[];
  /** Whether records were planned that an undo put back, or that are gone from the log. */
  readonly again?: boolean;
  readonly restoreMissing?: boolean;
  /** Set for a run that restores a snapshot. */
  readonly restores?: Restores;
  /** Set for a run that does in the real log what a rehearsal did in a private one. */
  readonly promotes?: Promotes;
  /** Set for a run of a rehearsal: its folder. Nothing of it is in anybody's real log. */
  readonly rehearsedIn?: string;
  /** The run that this one retries: only its rejected, refused and failed lines. */
  readonly retryOf?: number;
}

/** The run of a rehearsal, in the journal of its folder. */
export interface Promotes {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** The number of the run, and when it was planned: a folder may be deleted and rehearsed in anew. */
  readonly run: number;
  readonly createdAt: number;
  /** Whether records are sent that are not as the rehearsal showed them. */
  readonly acceptsDifferences?: true;
}

/** A field of merged workouts, and the source that it comes from if that source has a value. */
export interface FieldPreference {
  /** A name of `CHOOSABLE`. */
  readonly field: string;
  /** The absolute path of a source, the name of its archive, or its platform. */
  readonly source: string;
}

/** A person's word: these two names are one piece of equipment, or two. */
export interface GearAnswer {
  readonly names: readonly [string, string];
  readonly isSame: boolean;
}

/** The records and fields that a run restores. */
export interface Restores {
  /** The id of the snapshot. */
  readonly snapshot: string;
  /** The only fields to restore, as paths in the save bodies, by kind; undefined for whole records. */
  readonly fields?: FieldsOfKinds;
}

/** `{ workout: ["notes", "details.distance"] }` */
export type FieldsOfKinds = Readonly<Partial<Record<Kind, readonly string[]>>>;

/** The result of a verification: the run's records were read back from the log, and compared. */
export interface VerifiedRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `finishedAt` of the run that was verified. A verification of an older version lacks this. */
  readonly runEndedAt?: number | undefined;
  /** The number of records that were read back. `present` of these are not ours, so only their presence was checked. */
  readonly checked: number;
  readonly present: number;
  readonly differing: number;
  /** The number of records with values that somebody edited in the log, and that the run left so. They are not among the differing ones. */
  readonly edited: number;
  /** The number of log records that two lines claim. */
  readonly claimedTwice: number;
  /** The number of log records that equal one of the run, and that came while or after it was sent. */
  readonly doubled: number;
  /** The number of records that the log refused to show. They are not among the checked ones. */
  readonly unread: number;
  readonly metres: { readonly planned: number; readonly found: number };
  readonly seconds: { readonly planned: number; readonly found: number };
  /** The first of the differing records. */
  readonly examples: readonly VerifiedDifference[];
  /** Values of the sources that the log doesn't have, in workouts that it had before. A verification of an older version lacks this. */
  readonly notAdded?: {
    /** The number of workouts that lack a value. */
    readonly workouts: number;
    readonly fields: readonly NotAddedRow[];
  };
}

/**
 * Whether a verification still applies to the run, because nothing was sent since. A clock may have been ahead as the run ended, so the end that the
 * verification saw counts, and not which of the two times is later.
 */
export function isCurrent(run: Run, { at, runEndedAt }: Pick<VerifiedRun, "at" | "runEndedAt">): boolean {
  if (run.finishedAt === undefined || run.state !== "finished") return false;
  return runEndedAt === undefined ? at >= run.finishedAt : runEndedAt === run.finishedAt;
}

/** The result of looking at the log after a run. */
export interface Looked {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** False when the log could not be listed, or its listing was out of date. Then the look proves nothing. */
  readonly isSure: boolean;
  /** The number of records that were in the log during the run, and are gone now. */
  readonly gone: number;
  /** Additional records in the log that the journal doesn't account for. */
  readonly surplus: readonly Surplus[];
  /** Records that look like one of the run, when both were in the log before anything was sent. The runs of this journal made neither. */
  readonly before: readonly Surplus[];
  /** Sums over the run's workouts in the log's own list; undefined when the list was not read or is doubtful. */
  readonly seen?: SeenSums | undefined;
}

/**
 * Records of one day that look like one of the run, and that the journal doesn't know. They were made twice, or typed by the log's owner
 * during the run.
 */
export interface Surplus {
  readonly kind: Kind;
  /** The day of workouts, as `YYYY-MM-DD`. */
  readonly day: string | undefined;
  readonly count: number;
  /** The first of their ids. */
  readonly ids: readonly string[];
}

/** A record that differs in the log from its plan, or is missing there. */
export interface VerifiedDifference {
  readonly kind: Line["kind"];
  readonly id: string | undefined;
  readonly origin: Origin;
  readonly differences: readonly Difference[];
}

/** Open operations of one type. */
export interface PlannedOperations {
  readonly kind: Kind;
  /** The type: import a file with `workouts` workouts, save a record, or overwrite a record. */
  readonly does: "import" | "save" | "overwrite";
  /** The number of workouts in an imported file; 1 for the other types. */
  readonly workouts: number;
  /** Whether the course also gets its line on the map. */
  readonly isMapped: boolean;
  readonly count: number;
}

/** Sums over workouts. */
export interface SeenSums {
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}
