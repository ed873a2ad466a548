/** A line of a run: one record, and its state. */
import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import type { UnsupportedValue, Workout } from "../../transforms/model/workout.ts";

/**
 * The state of a line. When a run is over, its lines may stay in `done` or any state after it in this list. `gone` means that the record
 * was loaded once and is no longer in the log.
 */
export type LineState =
  | "planned"
  | "in-flight"
  | "in-doubt"
  | "done"
  | "gone"
  | "refused"
  | "failed"
  | "unchanged"
  | "merged"
  | "skipped"
  | "quarantined";

/** The only allowed changes of state. Any other change is a bug, and the journal refuses it. */
export const EDGES: Readonly<Record<LineState, readonly LineState[]>> = {
  planned: ["in-flight", "in-doubt", "failed", "skipped", "unchanged", "merged", "quarantined", "gone"],
  "in-flight": ["done", "planned", "in-doubt", "refused", "failed"],
  "in-doubt": ["planned", "done", "in-flight"],
  // `in-doubt`: the log showed that the answer belonged to another record.
  done: ["gone", "in-doubt"],
  gone: [],
  refused: [],
  failed: [],
  unchanged: ["gone"],
  merged: [],
  skipped: [],
  quarantined: [],
};

/** The effect of a line on the log: it creates a record, updates one of ours, or does nothing. */
export type Action = "create" | "update" | "none";

/** The way to create a record: save its body, or import its device file and then save. A journal keeps this as `carrier`. */
export type UploadMethod = "save" | "import";

interface LineOfKind<K extends Kind | "set-aside", V> {
  readonly run: number;
  /** The position in the order of reading, from 1. */
  readonly seq: number;
  readonly key: string;
  readonly kind: K;
  /** The index of the source in the run's sources. */
  readonly source: number;
  readonly origin: Origin;
  readonly state: LineState;
  readonly action: Action;
  readonly uploadMethod: UploadMethod | undefined;
  /** SHA-256 of the record as its own source has it, before any change of units. It shows whether the source changed. */
  readonly content: string | undefined;
  /** The planned value for the log, in the owner's units; undefined for a rejected record. */
  readonly value: V;
  /** The reason for the state, in a sentence: the rule that rejected the record, the evidence for a duplicate, or the server's refusal. */
  readonly reason: string | undefined;
  /** The key of the line this one was merged into, or the log's id of the record it equals. */
  readonly duplicateOf: string | undefined;
  /** The log's id, once it is known. */
  readonly remoteId: string | undefined;
  /**
   * The time when its last request was about to leave, in milliseconds since 1970. After a lost answer: the time when logferry gave up
   * waiting.
   */
  readonly intendedAt: number | undefined;
}

/** A workout of the sources, with its state. */
export type WorkoutLine = LineOfKind<"workout", Workout>;

interface LinesByKind {
  workout: WorkoutLine;
  equipment: LineOfKind<"equipment", Equipment>;
  course: LineOfKind<"course", Course>;
  "set-aside": LineOfKind<"set-aside", LeftValues | undefined>;
}

/** The values of a record that stays out. */
export interface LeftValues {
  readonly unsupported: readonly UnsupportedValue[];
}

/** A line of a known kind. */
export type LineOf<K extends keyof LinesByKind> = LinesByKind[K];

/** A record of the sources, with its state. */
export type Line = LineOf<keyof LinesByKind>;

/** A line with a record that the log can store. */
export type RecordLine = LineOf<Kind>;

/** Whether a line has this kind. */
export function isOfKind<K extends keyof LinesByKind>(line: Line, kind: K): line is LineOf<K> {
  return line.kind === kind;
}

/** Whether a line has a record that the log can store. */
export function isRecord(line: Line): line is RecordLine {
  return line.kind !== "set-aside";
}

/** The day of a workout; undefined for all other kinds. */
export function dayOf(line: Line): LocalDate | undefined {
  return line.kind === "workout" ? line.value.start.date : undefined;
}

/** The values that `addLine` needs. All others start empty. */
export type NewLine = Pick<Line, "key" | "kind" | "source" | "origin" | "state" | "action"> & {
  readonly uploadMethod?: UploadMethod | undefined;
  readonly content?: string;
  readonly value?: Item["value"] | LeftValues;
  readonly reason?: string;
  readonly duplicateOf?: string;
  /** For finding duplicates: `facts` of workouts, `identity` of equipment and courses. */
  readonly facts?: WorkoutFacts | undefined;
  readonly identity?: string;
  /** The complete issue of a rejected record. */
  readonly issue?: Issue;
  /** The members of the source's value that the planned value changed. */
  readonly asRead?: Readonly<Record<string, unknown>>;
  /** The number of the line that this one retries, in the run that it belongs to. */
  readonly retryOf?: number;
};

/** The values that may change during planning or with a change of state. */
export interface LinePatch {
  readonly action?: Action;
  readonly uploadMethod?: UploadMethod;
  readonly value?: Item["value"];
  readonly reason?: string;
  readonly duplicateOf?: string;
  readonly remoteId?: string;
  readonly facts?: WorkoutFacts | undefined;
  readonly intendedAt?: number;
}

/** A line of a run that is not in the log, and whose key no later run has. */
export interface OpenLine {
  readonly seq: number;
  readonly key: string;
  readonly state: LineState;
  readonly source: number;
  /** The origin as the journal stores it, for comparisons. */
  readonly origin: string;
  readonly retryOf: number | undefined;
}
