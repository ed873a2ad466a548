/** A line of a run: one record, and where it stands. */
import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";

/** Where a line stands. From `done` on, a line may rest there when a run is over. `gone`: loaded once, and no longer in the log. */
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

/** The only edges a line may take. Everything else is a bug, and the journal refuses it. */
export const EDGES: Readonly<Record<LineState, readonly LineState[]>> = {
  planned: ["in-flight", "in-doubt", "failed", "skipped", "unchanged", "merged", "quarantined", "gone"],
  "in-flight": ["done", "planned", "in-doubt", "refused", "failed"],
  "in-doubt": ["planned", "done", "in-flight"],
  // Where the log shows that the answer was another record's.
  done: ["gone", "in-doubt"],
  gone: [],
  refused: [],
  failed: [],
  unchanged: ["gone"],
  merged: [],
  skipped: [],
  quarantined: [],
};

/** What a line does to the log: makes a record, changes one of ours, or nothing. */
export type Action = "create" | "update" | "none";

/** How a record is created: saved as a body, or imported as its device file and then saved. A journal keeps it as `carrier`. */
export type UploadMethod = "save" | "import";

interface LineOfKind<K extends Kind | "set-aside", V> {
  readonly run: number;
  /** Order of reading, from 1. */
  readonly seq: number;
  readonly key: string;
  readonly kind: K;
  /** Index into the run's sources. */
  readonly source: number;
  readonly origin: Origin;
  readonly state: LineState;
  readonly action: Action;
  readonly uploadMethod: UploadMethod | undefined;
  /** SHA-256 of the record as its own source has it, before units: tells whether the source changed. */
  readonly content: string | undefined;
  /** What is to stand in the log, in the owner's units; undefined for a rejected record. */
  readonly value: V;
  /** Why it is where it is, in a sentence: the rule of a rejected record, the evidence of a pair, the server's refusal. */
  readonly reason: string | undefined;
  /** Key of the line this one was merged into, or the log's id of the record it equals. */
  readonly duplicateOf: string | undefined;
  /** The log's id, from the moment it is known. */
  readonly remoteId: string | undefined;
  /** Milliseconds since 1970 when the last request about it was about to leave; once its answer is lost, when it was given up. */
  readonly intendedAt: number | undefined;
}

/** A workout of the sources, and what becomes of it. */
export type WorkoutLine = LineOfKind<"workout", Workout>;

interface LinesByKind {
  workout: WorkoutLine;
  equipment: LineOfKind<"equipment", Equipment>;
  course: LineOfKind<"course", Course>;
  "set-aside": LineOfKind<"set-aside", undefined>;
}

/** A line of a kind that is known. */
export type LineOf<K extends keyof LinesByKind> = LinesByKind[K];

/** One record of the sources, and what becomes of it. */
export type Line = LineOf<keyof LinesByKind>;

/** A line with something that can stand in the log. */
export type RecordLine = LineOf<Kind>;

/** Whether a line is of a kind. */
export function isOfKind<K extends keyof LinesByKind>(line: Line, kind: K): line is LineOf<K> {
  return line.kind === kind;
}

/** Whether a line has something that can stand in the log. */
export function isRecord(line: Line): line is RecordLine {
  return line.kind !== "set-aside";
}

/** The day of a workout; undefined for everything else. */
export function dayOf(line: Line): LocalDate | undefined {
  return line.kind === "workout" ? line.value.start.date : undefined;
}

/** What `addLine` needs; the rest starts empty. */
export type NewLine = Pick<Line, "key" | "kind" | "source" | "origin" | "state" | "action"> & {
  readonly uploadMethod?: UploadMethod | undefined;
  readonly content?: string;
  readonly value?: Item["value"];
  readonly reason?: string;
  readonly duplicateOf?: string;
  /** For finding duplicates: of a workout its facts, of equipment and courses their identity. */
  readonly facts?: WorkoutFacts | undefined;
  readonly identity?: string;
  /** Why it is rejected, whole. */
  readonly issue?: Issue;
  /** Members of the value as the source has them, where the value has them otherwise. */
  readonly asRead?: Readonly<Record<string, unknown>>;
  /** In a retry of what another run left: the line of that run. */
  readonly retryOf?: number;
};

/** What may be changed with a transition or while planning. */
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

/** A line of a run that is not in the log, and that no later run has under its key. */
export interface OpenLine {
  readonly seq: number;
  readonly key: string;
  readonly state: LineState;
  readonly source: number;
  /** The origin as the journal keeps it, to be compared. */
  readonly origin: string;
  readonly retryOf: number | undefined;
}
