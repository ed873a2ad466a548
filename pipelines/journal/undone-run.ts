/** Remembers that a person undid a run. The log can't delete, so what the run made stays there until its owner takes it out. */
import { utcDay } from "../../transforms/calendar.ts";
import type { Journal, JournalReader } from "./journal.ts";
import type { Run } from "./run.ts";

/** The rule of the remark that a run has once it was undone. */
const RULE = "undo/made-by-run";

/**
 * Notes that a run was undone, for its history and its certificate.
 *
 * @param made the number of records that the run made, and that are its owner's to take out of the log
 * @param at milliseconds since 1970
 */
export async function noteUndone(journal: Journal, { id }: Run, made: number, at: number): Promise<void> {
  await journal.links.dropIssue(id, RULE);
  if (made === 0) return;
  await journal.addIssue(id, {
    severity: "info",
    rule: RULE,
    found: `you undid this run on ${utcDay(at)}, and ${made === 1 ? "1 record that it made is" : `${made} records that it made are`} yours to take out of the log`,
  });
}

/** The number of records that a run made and that its owner is to take out, since an undo. 0 once a later run read the same sources: then they stay. */
export async function madeByUndone(journal: JournalReader, { id, sources }: Run): Promise<number> {
  if (!(await journal.issues(id)).some(({ rule }) => rule === RULE)) return 0;
  const isReadAgain = (await journal.runs()).some((later) => {
    const paths = new Set(later.sources.map(({ path }) => path));
    const isDone = later.state !== "planned" && later.state !== "planning" && later.state !== "superseded";
    return later.id > id && isDone && sources.every(({ path }) => paths.has(path));
  });
  if (isReadAgain) return 0;
  const rows = (await journal.tally(id)).filter(({ state, action }) => state === "done" && action === "create");
  return rows.reduce((sum, { count }) => sum + count, 0);
}
