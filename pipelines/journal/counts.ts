/** Rows of the counts that a plan, a report and a verification are made of. */
import type { Activity } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { LostFiles } from "../../transforms/model/lost-file.ts";
import type { Action, Line, LineState } from "./line.ts";

/** How many lines of a run stand where: by kind, source, state and action. */
export interface TallyRow {
  readonly kind: Line["kind"];
  readonly source: number;
  readonly state: LineState;
  readonly action: Action;
  readonly count: number;
  /**
   * Of those refused, how many the log holds all the same: it took their file, and refused the values that complete it. Of those merged, how
   * many are duplicates of a record that the log holds.
   */
  readonly there: number;
  /** Of those that are in the log or on their way, how many go without a file of theirs. */
  readonly lost: LostFiles;
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

/** What a run's workouts of one activity in one month add up to, by where their lines stand. Merged ones stand with their duplicate. */
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
