/** The rows of counts in a plan, a report and a verification. */
import type { Activity } from "../../transforms/activities.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { LossCause } from "../../transforms/model/loss-cause.ts";
import type { LostFiles } from "../../transforms/model/lost-file.ts";
import type { UnreadValue } from "../../transforms/model/unread.ts";
import type { Action, Line, LineState } from "./line.ts";

/** The number of lines of a run, by kind, source, state and action. */
export interface TallyRow {
  readonly kind: Line["kind"];
  readonly source: number;
  readonly state: LineState;
  readonly action: Action;
  readonly count: number;
  /**
   * For refused lines, and for lines that are left: how many are in the log anyway. The log took their file, and refused the values that complete
   * it, or these were not sent yet. For merged lines:
   * how many are duplicates of a record in the log.
   */
  readonly there: number;
  /** Of skipped lines: how many a person left out. Of failed lines: how many were stopped, because the log changed after the plan. */
  readonly apart: number;
  /** The lost files of the lines that are in the log or on their way. */
  readonly lost: LostFiles;
}

/** A field with its count in a run. */
export interface LossRow {
  readonly field: string;
  readonly count: number;
  /** Why its values are not put in the log. Absent where all rows have one reason. */
  readonly because?: LossCause;
}

/** Distances and times that logferry can't read, and the first of each. */
export interface UnreadValues {
  readonly count: number;
  readonly examples: readonly UnreadValue[];
}

/** The values of one field that the log has, and that are lost for one cause: nobody can read them, or they can't be true. */
export interface MinorValue extends Required<LossRow> {
  /** The first of them. */
  readonly value: string;
  readonly origin: Origin;
}

/** Workouts of a run whose values stay out of the log, because an earlier run loaded these workouts from another source. */
export interface NotAddedRow {
  /** The name of the value, such as `average heart rate`. */
  readonly field: string;
  /** The number of workouts that have no such value in the log. */
  readonly lacking: number;
  /** The number of workouts that have another value in the log. */
  readonly differing: number;
}

/** All of them. */
export interface NotAddedCounts {
  /** The number of workouts that lack at least one value. */
  readonly workouts: number;
  /** The most frequent field first. */
  readonly fields: readonly NotAddedRow[];
  /** The sources of earlier runs that these workouts came from. */
  readonly loadedFrom: readonly { readonly run: number; readonly source: number }[];
  /** The number of workouts of the run that an undo put back as before. They stay so until a run with `--again`. */
  readonly undone: number;
}

/** The blank fields of workouts in the log that a run fills, or has filled. */
export interface FilledCounts {
  readonly workouts: number;
  /** The most frequent field first. */
  readonly fields: readonly LossRow[];
}

/** A workout of the log that an earlier run completed. */
export interface FilledBefore {
  /** The key of the line that filled its blank fields. */
  readonly key: string;
  readonly remoteId: string;
  /** The filled fields, as paths in the save body. */
  readonly paths: readonly string[];
}

/** An issue of a run, with its count and one example. */
export interface IssueRow {
  readonly rule: string;
  readonly severity: Issue["severity"];
  readonly count: number;
  readonly example: Issue;
}

/** Sums over a run's workouts of one activity, one month and one state. A merged workout counts with its duplicate. */
export interface MonthRow {
  /** `YYYY-MM`; undefined for workouts without a date. */
  readonly month: string | undefined;
  readonly activity: Activity | undefined;
  readonly state: LineState;
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
  /** The same as the log has it. A workout that the log had already keeps its own distance and duration. */
  readonly inLog: { readonly metres: number; readonly seconds: number };
}

/** The number of workouts of a run that began near a place. Degrees are rounded to `PLACE_STEP`. */
export interface PlaceRow {
  readonly lat: number;
  readonly lon: number;
  readonly workouts: number;
}

/** The number of records of a run in one state for one reason. `rule` is the stable name at the beginning of the reason, if it has one. */
export interface ReasonRow {
  readonly state: LineState;
  readonly rule: string | undefined;
  readonly count: number;
}

/** Places are rounded to a hundredth of a degree, about a kilometre. This is exact enough for a map, and too coarse for a front door. */
export const PLACE_STEP = 0.01;
