/** Finds what became of a record that a run left out, and that a later run or a person settled. */
import type { JournalReader } from "../journal/journal.ts";
import type { Line, RecordLine } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { openSeqs } from "../plan/open-lines.ts";
import { retriesOf } from "../plan/retry-selection.ts";

/** The fate of a record that the run itself did not bring in. */
export type Fate =
  /** Still out, or out for good by a rule. */
  | { readonly is: "own" }
  | { readonly is: "dropped" }
  /** A later run brought it in. `line` is that run's line, if it can be told. */
  | { readonly is: "later"; readonly line: RecordLine | undefined };

/** Answers for all lines of a run. */
export interface Settled {
  fateOf(line: Line): Promise<Fate>;
}

/** Reads what later runs and decisions settled. */
export async function readSettled(journal: JournalReader, run: Run): Promise<Settled> {
  const open = await openSeqs(journal, run);
  const retried = new Map<number, readonly Line[]>();
  for (const { id } of await retriesOf(journal, run))
    for (const [seq, lines] of await journal.auditTrail.retriedLines(id)) retried.set(seq, lines);
  const dropped = new Set(
    (await journal.auditTrail.manualDecisions()).flatMap(({ key, decision }) => (decision === "dropped" ? [key] : [])),
  );
  return {
    async fateOf(line) {
      if (isLeftByHand(line)) return { is: "dropped" };
      if (open.has(line.seq) || line.state === "merged" || line.state === "skipped") return { is: "own" };
      if (dropped.has(line.key)) return { is: "dropped" };
      const { entry: place, locator } = line.origin;
      // A row or a file that was mended has another key, and is at the same place.
      const samePlace = await journal.auditTrail.find({ place, locator });
      const sameKey = await journal.auditTrail.linesWithKey(line.key);
      const ofLater = [...samePlace, ...sameKey].filter(({ run: id }) => id > run.id);
      const later = [...(retried.get(line.seq) ?? []), ...ofLater].findLast(isInLog);
      return { is: "later", line: later };
    },
  };
}

/** The rules of a plan by which a record stays out because a person said so before: they dropped it, or undid what a run wrote. */
const BY_HAND: readonly string[] = ["plan/dropped", "plan/undone"];

function isLeftByHand({ state, reason }: Line): boolean {
  return state === "skipped" && BY_HAND.includes(reason?.split(" ", 1)[0] ?? "");
}

function isInLog(line: Line): line is RecordLine {
  return (
    line.kind !== "set-aside" && line.remoteId !== undefined && (line.state === "done" || line.state === "unchanged")
  );
}
