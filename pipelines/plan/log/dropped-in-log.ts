/**
 * Names the records that a person left out, and that the log has from an earlier run all the same. Leaving out takes nothing out of the log, and only its
 * owner can delete there.
 */
import { describeOrigin, type Issue } from "../../../transforms/model/issue.ts";
import { grouped } from "../../../transforms/text/grouped.ts";
import { DROPPED_IN_LOG } from "../../journal/summary.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** The remark names so many. */
const MOST_NAMED = 5;

/** Tells it in the reason of each line, and all of them in one remark. Another remark names the records that stay as an undo put them back. */
export async function tellDroppedInLog(run: number, { journal, report }: ComparisonContext): Promise<void> {
  const named: string[] = [];
  const undone: string[] = [];
  let [count, undoneCount] = [0, 0];
  for await (const { seq, key, origin, reason = "" } of journal.lines(run, { state: ["skipped"] })) {
    if (reason.startsWith("plan/undone ")) {
      undoneCount++;
      if (undone.length < MOST_NAMED) undone.push(describeOrigin(origin));
    }
    if (!reason.startsWith("plan/dropped")) continue;
    const record = await journal.remoteRecord(key);
    if (record === undefined || (await journal.logEntry(record.kind, record.remoteId)) === undefined) continue;
    const inLog = `your log has it as ${record.remoteId}, from run ${record.run}: delete it there`;
    await journal.patchLine(run, seq, { reason: `${reason.replace(/\)$/, "")}; ${inLog})` });
    count++;
    if (named.length < MOST_NAMED) named.push(`${describeOrigin(origin)} as ${record.remoteId} (run ${record.run})`);
  }
  if (undoneCount > 0) await report(staysUndone(undoneCount, undone));
  if (count === 0) return;
  const records = count === 1 ? "1 record that you left out is" : `${grouped(count)} records that you left out are`;
  await report({
    severity: "warning",
    rule: DROPPED_IN_LOG,
    found: `${records} in your log from an earlier run: ${named.join("; ")}${count > named.length ? " ..." : ""}`,
    expected: "your log without them. logferry can't delete in it: delete them there",
  });
}

/** The sources have other values, and the person once put back what a run had sent. */
function staysUndone(count: number, places: readonly string[]): Issue {
  const stay = count === 1 ? "1 record stays" : `${grouped(count)} records stay`;
  const more = count > places.length ? " ..." : "";
  return {
    severity: "warning",
    rule: "plan/stays-undone",
    found: `${stay} as you put ${count === 1 ? "it" : "them"} back with an undo: ${places.join("; ")}${more}`,
    expected: "the values of the sources. To send them after all, type the same once more with --again",
  };
}
