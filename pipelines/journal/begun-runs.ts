/** The runs of a journal that did something. */
import type { JournalReader } from "./journal.ts";
import type { Run } from "./run.ts";

/** The runs that were carried out, at least in part, oldest first. A mere plan resolves nothing and leaves nothing out. */
export async function begunRuns(journal: Pick<JournalReader, "runs" | "sentBetween">): Promise<readonly Run[]> {
  const begun: Run[] = [];
  for (const run of await journal.runs()) {
    const isReplaced = run.state === "superseded" && (await journal.sentBetween(run.id)) === undefined;
    if (run.state !== "planned" && run.state !== "planning" && !isReplaced) begun.push(run);
  }
  return begun.toSorted((a, b) => a.id - b.id);
}
