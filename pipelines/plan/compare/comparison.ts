/** The settings and functions for comparing a plan with the log. */
import type { ReadResult } from "../../../connectors/sink.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Kind } from "../../../transforms/model/item.ts";
import type { ActivitySettings } from "../../../transforms/steps/name-activity.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunOptions, RunSource } from "../../journal/run.ts";
import type { SourceSteps } from "../../journal/source-steps.ts";
import type { LogCapabilities } from "../../log/log-view.ts";
import type { WholeWorkout } from "../../log/whole-workout.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import type { DecisionSettings } from "../records/decide.ts";
import type { EmptiedValues } from "./emptied-values.ts";

/** Everything that the comparison needs, besides the run. */
export interface ComparisonContext {
  readonly journal: Journal;
  readonly settings: ActivitySettings &
    Pick<
      DecisionSettings,
      | "manualDecisions"
      | "again"
      | "restoreMissing"
      | "enrich"
      | "allowImplausible"
      | "allowOlder"
      | "allowMoved"
      | "trustClocks"
      | "doubtful"
    >;
  readonly capabilities: LogCapabilities;
  readonly options: RunOptions;
  /** The sources of the run. */
  readonly sources: readonly RunSource[];
  /** Whether the records of a source come from a log. `source` is its index in the run. */
  readonly isOfLog?: (source: number) => boolean;
  /** The activity numbers that the log's workouts use. Without them, all numbers count as used. */
  readonly inUse?: ReadonlySet<number>;
  readonly report: (issue: Issue) => Promise<void>;
  /** The steps to which sources and the log round. Without it, no rounding is allowed for. */
  readonly steps?: SourceSteps;
  /** The values that the sources have no longer. Without it, none are looked for. */
  readonly emptied?: EmptiedValues;
  /** The workouts of the sources without a known sport. Without them, none are named as the legs of a triathlon. */
  readonly unknownSports?: readonly LinkedWorkout[];
  /** Called for every pair of workouts that is scored, with their keys. */
  readonly onScored?: (one: string, other: string) => void;
  /** Called for each workout that the log may have, and that counts as two: its line, and the log's record in words. */
  readonly onDoubtfulInLog?: ((seq: number, theirs: string) => void) | undefined;
  /** Reads a workout of the log with all its fields. Without this function, no blank fields are filled. */
  readonly readWorkout?: (id: string) => Promise<ReadResult<WholeWorkout>>;
  /** Asks the log for one record. Without this function, no record is made again. */
  readonly isThere?: (kind: Kind, id: string) => Promise<boolean>;
}
