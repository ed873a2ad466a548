/** Recognises workouts that an earlier run merged into others. Where their clock is off, the log alone can't tell. */
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Line, LinePatch, LineState } from "../../journal/line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isPartOrWhole } from "../pairs/describe-split.ts";
import { standingFor } from "../pairs/standing-for.ts";
import { BY_CLOCK } from "./clock-of-log.ts";

/** Settles the workouts that an earlier run merged into others, where these are in the log. Call this after all other lines were recognised. */
export async function findMergedBefore(run: number, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "create") continue;
    const patch = await asMergedBefore(line, context);
    if (patch !== undefined) await journal.patchLine(run, line.seq, patch);
  }
}

async function asMergedBefore(
  { key, run }: Line,
  { journal, settings }: ComparisonContext,
): Promise<Settled | undefined> {
  for (const earlier of (await journal.auditTrail.linesWithKey(key)).toReversed()) {
    if (earlier.duplicateOf === undefined || earlier.run === run) continue;
    if (earlier.state === "unchanged" && settings.trustClocks !== true && earlier.reason?.includes(BY_CLOCK) === true) {
      const id = earlier.duplicateOf;
      // A later import may have too few of the workouts to prove a clock again.
      if (await journal.logHas("workout", id)) return asThere(id, `run ${earlier.run} found it there by another clock`);
      continue;
    }
    if (earlier.state !== "merged" || isPartOrWhole(earlier)) continue;
    const other = await standingFor(earlier.key, earlier.run, journal);
    const pairs = settings.manualDecisions?.pairs;
    if (pairs?.areTwo(key, earlier.duplicateOf) === true || pairs?.areTwo(key, other?.key) === true) continue;
    const record = await journal.remoteRecord(other?.key ?? earlier.duplicateOf);
    if (record === undefined || !(await journal.logHas("workout", record.remoteId))) continue;
    const place = other === undefined ? "another record" : describeOrigin(other.origin);
    return asThere(record.remoteId, `run ${earlier.run} found it to be the same workout as ${place}`);
  }
  return undefined;
}

type Settled = LinePatch & { readonly state: LineState };

function asThere(remoteId: string, why: string): Settled {
  return {
    ...{ state: "unchanged", action: "none", duplicateOf: remoteId, remoteId },
    reason: `already in the log: ${why}`,
  };
}
