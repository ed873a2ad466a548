/** The contents of a certificate. */
import type { Origin } from "../../transforms/model/issue.ts";
import type { VerifiedRun } from "../journal/run.ts";
import type { Report } from "../report/schema.ts";
import type { SourceChanges } from "../sources/inventory.ts";
import type { GearDifference } from "../verify/gear-mileage.ts";
import type { ClassName } from "./classes.ts";

/** How far something was checked. A later level is a stronger proof. */
export interface Level {
  readonly level: "listed" | "read again" | "compared" | "restored";
  /** Undefined when it was not tried. */
  readonly isReached: boolean | undefined;
  /** What was seen, in a sentence. */
  readonly text: string;
}

/** A class of records, and how many the certificate has in it. */
export interface ClassCount {
  readonly class: ClassName;
  readonly means: string;
  readonly count: number;
}

/** The files of one source, as the inventory has them. */
export interface SourceInventory {
  readonly name: string;
  readonly connector: string;
  readonly saw: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that could not be read, with the reason: the first of them, and their number. */
  readonly unread: {
    readonly count: number;
    readonly first: readonly { readonly path: string; readonly why: string }[];
  };
  /** SHA-256 over the paths and hashes of all its files, in hex. Two sources with the same files have the same one. */
  readonly sha256: string;
  /** The last change of a file in it, as UTC, if the archive says so. */
  readonly newestFile?: string;
}

/** A rule under which an earlier run sent records of the same sources. */
export interface EarlierRule {
  readonly run: number;
  /** When it was planned, as UTC. */
  readonly at: string;
  readonly conditions: readonly string[];
  readonly hash: string;
}

/** What had to be so for a yes. */
export interface Acceptance {
  readonly version: number;
  /** The plan fixed this rule before its first record was sent. */
  readonly isOfPlan: boolean;
  /** The rule of logferry. */
  readonly rules: readonly string[];
  /** What the person added to it, as typed (`rejected=2%`) and in sentences. It goes before the rule. Certificates of older versions lack it. */
  readonly conditions?: readonly string[];
  readonly conditionsInWords?: readonly string[];
  /** SHA-256 of the rule. */
  readonly hash?: string;
  /** Other rules under which earlier runs sent records of these sources. */
  readonly earlier?: readonly EarlierRule[];
}

/** A run of other sources. */
export interface OtherRun {
  readonly run: number;
  /** When it was planned. */
  readonly at: string;
  /** The names of its sources. */
  readonly sources: readonly string[];
  readonly records: number;
  /** Records that it changed and that `logferry undo` put back; absent without any. */
  readonly undone?: number;
  /** Records that it made and that are to be taken out since `logferry undo`; absent without any. */
  readonly madeByUndone?: number;
}

/** Everything on a certificate but its records and its signature. */
export interface Certificate {
  readonly format: "logferry certificate";
  readonly formatVersion: 1;
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly run: Report["run"];
  readonly log: Report["log"];
  /** Whether the old account can be closed, and up to which moment this is said. */
  readonly verdict: Report["verdict"] & {
    /** What the account got after this moment is not in these sources. */
    readonly cutOff: string;
    readonly cutOffFrom: "newest file" | "inventory";
    /** The day of the newest workout in the sources, `YYYY-MM-DD`; absent without any. */
    readonly newestWorkout?: string;
  };
  readonly acceptance: Acceptance;
  readonly levels: readonly Level[];
  readonly inventory: {
    /** Undefined when the run has none, because an older version carried it out. */
    readonly takenAt?: string;
    readonly isBeforeFirstWrite: boolean;
    readonly sources: readonly SourceInventory[];
    readonly records: number;
  };
  readonly classes: readonly ClassCount[];
  /** Whether the classes add up to the records of the inventory. */
  readonly isBalanced: boolean;
  readonly totals: Report["totals"];
  readonly byYear: Report["byYear"];
  readonly byMonth: Report["byMonth"];
  readonly byActivity: Report["byActivity"];
  readonly gear: readonly GearDifference[];
  /** Values of the sources that the log doesn't have, in workouts that it had before. Certificates of older versions lack it. */
  readonly notAdded?: NonNullable<VerifiedRun["notAdded"]>;
  /** Values that the log can't hold, by field. Closing the account loses them, unless the sources are kept. */
  readonly losses: Report["losses"];
  /** Values of other copies of the same workouts, by field: the log has another value, or one that a person chose. Certificates of older versions lack it. */
  readonly otherCopies?: Report["otherCopies"];
  /** Workouts whose local time is assumed; absent without any. Certificates of older versions lack it. */
  readonly assumedTimes?: Report["assumedTimes"];
  /** Runs of other sources, newest first: this certificate says nothing of their records. Certificates of older versions lack it. */
  readonly otherRuns?: readonly OtherRun[];
  readonly issues: Report["issues"];
  readonly reasons: Report["reasons"];
  /** What changed in the sources since the inventory. */
  readonly sinceThen: SourceChanges;
}

/** A record on a certificate. */
export interface CertifiedRecord {
  readonly id: string;
  readonly key: string;
  readonly kind: "workout" | "equipment" | "course" | "set-aside";
  readonly class: ClassName;
  readonly origin: Origin;
  /** SHA-256 of the record as its source has it. */
  readonly source?: string;
  readonly why?: string;
  /** The record that a duplicate was merged into. */
  readonly twin?: string;
  readonly logId?: string;
  /** SHA-256 of the record as the log has it. */
  readonly log?: string;
  /** The first digits of the hash of each field in the log: they name the field that changes later. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields with other values than planned. Of class `edited`: those that somebody edited. */
  readonly differs?: readonly string[];
  /** Of a workout that the log had before: fields that the source has a value for, and the log has none. */
  readonly lacks?: readonly string[];
  /** Of such a workout: fields that have another value in the log, which stays. */
  readonly keeps?: readonly string[];
}
