/** Finds what became of a record that a run left out, and that a later run or a person settled. */
import type { JournalReader } from "../journal/journal.ts";
import { keptLine } from "../journal/kept-line.ts";
import type { Line, LineState, RecordLine } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { openSeqs } from "../plan/records/open-lines.ts";
import { retriesOf } from "../plan/records/retry-selection.ts";

/** The fate of a record that the run itself did not bring in. */
export type Fate =
  /** Still out, or out for good by a rule. `as` is the line whose state counts, for a duplicate of a record that stayed out. */
  | { readonly is: "own"; readonly as?: Line }
  /** Left out once more by a retry of it. `as` is the line of the newest one. */
  | { readonly is: "again"; readonly as: Line }
  | { readonly is: "dropped"; readonly as?: Line }
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
  const laterWith = async ({ key }: Line) =>
    (await journal.auditTrail.linesWithKey(key)).filter(({ run: id }) => id > run.id);
  /** The newest of some lines that is in the log as its run sent it; `put back` where a person undid that. */
  const newestInLog = async (lines: readonly Line[]): Promise<RecordLine | "put back" | undefined> => {
    const newest = lines.findLast(isInLog);
    if (newest === undefined) return undefined;
    const [overwritten] = await journal.auditTrail.overwritten(newest.run, newest.seq);
    return overwritten?.putBackAt === undefined ? newest : "put back";
  };
  /** A duplicate of a record that stayed out is not in the log either, unless a later run brought in one of the two. */
  async function fateOfMerged(line: Line): Promise<Fate> {
    const kept = await keptLine(journal, line);
    if (kept === undefined || !STAYED_OUT.includes(kept.state)) return { is: "own" };
    const later = await newestInLog(await laterWith(line));
    if (later === "put back") return { is: "own", as: kept };
    if (later !== undefined) return { is: "later", line: later };
    if (isLeftByHand(kept) || dropped.has(kept.key)) return { is: "dropped", as: kept };
    return open.has(kept.seq) || kept.state === "skipped" ? { is: "own", as: kept } : { is: "own" };
  }
  return {
    async fateOf(line) {
      if (isLeftByHand(line)) return { is: "dropped" };
      if (line.state === "merged") return fateOfMerged(line);
      if (open.has(line.seq) || line.state === "skipped") return { is: "own" };
      if (dropped.has(line.key)) return { is: "dropped" };
      const { entry: place, locator } = line.origin;
      // A row or a file that was mended has another key, and is at the same place.
      const samePlace = await journal.auditTrail.find({ place, locator });
      const ofLater = [...samePlace.filter(({ run: id }) => id > run.id), ...(await laterWith(line))];
      const later = await newestInLog([...(retried.get(line.seq) ?? []), ...ofLater]);
      if (later === "put back") return { is: "own" };
      const again = retried.get(line.seq)?.findLast(({ state }) => STAYED_OUT.includes(state));
      return later === undefined && again !== undefined ? { is: "again", as: again } : { is: "later", line: later };
    },
  };
}

/** The states of a record that stays out. */
const STAYED_OUT: readonly LineState[] = ["quarantined", "refused", "failed", "skipped"];

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
