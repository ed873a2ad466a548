/** The records of the log that stand for a run's records, in words: several sources may have one workout. */
import { grouped } from "../../transforms/text/grouped.ts";
import { inLog, type Ledger, type RunSummary } from "../journal/summary.ts";

const KINDS = [
  ["workout", "workout", "workouts"],
  ["equipment", "piece of equipment", "pieces of equipment"],
  ["course", "course", "courses"],
] as const;

/** `, as 45 workouts and 2 pieces of equipment`. Empty if each record of the run has one of its own in the log. */
export function describeShared({ all, byKind }: Pick<RunSummary, "all" | "byKind">): string {
  if (own(all) === inLog(all) || own(all) === 0) return "";
  const parts = KINDS.flatMap(([kind, one, several]) => {
    const there = own(byKind[kind]);
    return there === 0 ? [] : [`${grouped(there)} ${there === 1 ? one : several}`];
  });
  const last = parts.pop();
  return `, as ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}`;
}

/** The records in the log, without those that another record of the run stands for. */
function own(ledger: Ledger): number {
  const { merged, mergedAbsent = 0 } = ledger;
  return inLog(ledger) - (merged - mergedAbsent);
}
