/** What a plan is compared with the log with. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { ActivitySettings } from "../../transforms/steps/name-activity.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunOptions, RunSource } from "../journal/run.ts";
import type { LogCapabilities } from "../log/log-view.ts";
import type { DecisionSettings } from "./decide.ts";

/** What comparing needs besides the run. */
export interface ComparisonContext {
  readonly journal: Journal;
  readonly settings: ActivitySettings &
    Pick<DecisionSettings, "manualDecisions" | "again" | "restoreMissing" | "allowImplausible">;
  readonly capabilities: LogCapabilities;
  readonly options: RunOptions;
  /** Of the run. */
  readonly sources: readonly RunSource[];
  /** Whether the records of a source of the run are a log's own. */
  readonly isOfLog?: (source: number) => boolean;
  /** The numbers of the activities that the log's workouts have; left out, any may be among them. */
  readonly inUse?: ReadonlySet<number>;
  readonly report: (issue: Issue) => Promise<void>;
  /** Asks the log for one record. Left out, no record is made again. */
  readonly isThere?: (kind: Kind, id: string) => Promise<boolean>;
}
