/** A run, and what was found out about it since. */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { Origin } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { UnitOf } from "../../transforms/units.ts";
import type { Line } from "./line.ts";

/** One field that isn't as it should be. */
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
  /** The log's activities when the run was planned, as far as the log shows them: for a person who looks for a number. */
  readonly logActivities?: readonly { readonly activityID: number; readonly name?: string }[];
  /** Whether these are all: the log's own list, and not only what its workouts show. */
  readonly logActivitiesAreAll?: true;
  /** Whether workouts that can't be true were let in. */
  readonly allowImplausible?: boolean;
  /** Of a run that puts a snapshot back. */
  readonly restores?: Restores;
  /** The run whose lines this one retries: what was rejected, refused or failed there, and nothing else. */
  readonly retryOf?: number;
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

/** What the look at the log after a run found. */
export interface Looked {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** False where the log could not be listed, or its listing was out of date: then nothing is known of it. */
  readonly isSure: boolean;
  /** Records that were in the log during the run and are no longer there. */
  readonly gone: number;
  /** Where the log holds more than the journal accounts for. */
  readonly surplus: readonly Surplus[];
  /** Records that look like one of the run, though both were in the log before anything was sent: this journal's runs made neither. */
  readonly before: readonly Surplus[];
  /** The run's workouts as the log's own list shows them; undefined where the list was not read or can't be relied on. */
  readonly seen?: SeenSums | undefined;
}

/** Records that look like one of the run, and that the journal knows nothing of: made twice, or typed by the log's owner meanwhile. */
export interface Surplus {
  readonly kind: Kind;
  /** `YYYY-MM-DD` of workouts. */
  readonly day: string | undefined;
  readonly count: number;
  /** The first of them. */
  readonly ids: readonly string[];
}

/** A record that isn't in the log as planned; without differences it isn't there. */
export interface VerifiedDifference {
  readonly kind: Line["kind"];
  readonly id: string | undefined;
  readonly origin: Origin;
  readonly differences: readonly Difference[];
}

/** Operations of one sort that are planned and not done. */
export interface PlannedOperations {
  readonly kind: Kind;
  /** A file to import with so many workouts, or one record to save or to write over. */
  readonly does: "import" | "save" | "overwrite";
  /** Of an import: the workouts in the file. Of the others 1. */
  readonly workouts: number;
  /** Whether a line is put on the course too. */
  readonly isMapped: boolean;
  readonly count: number;
}

/** What workouts add up to. */
export interface SeenSums {
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}
