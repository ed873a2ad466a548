/** Takes a person's decisions from the journal of a rehearsal into the journal of the real log, before the sources are planned there. */
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";

/** A decision that was taken over belongs to no run of the journal that it is in now. */
const NO_LINE = { run: 0, seq: 0 } as const;

/**
 * Takes over the records that were dropped or fixed by hand, and the answers about pairs. Where the journal has another decision about the same
 * records, the one of the rehearsal counts: its result is what the person saw.
 *
 * @returns the number of decisions
 */
export async function takeDecisions(from: JournalReader, to: Journal): Promise<number> {
  const decisions = await decisionsByHand(from);
  for (const decision of decisions) await to.auditTrail.recordDecision({ ...decision, ...NO_LINE });
  // A workout of the rehearsal's log that no source has is not in the real log.
  const answers = (await from.links.answers()).filter(({ records }) =>
    records.every(({ inLog }) => inLog === undefined),
  );
  for (const answer of answers) await to.links.keepAnswer(answer);
  return decisions.length + answers.length;
}

/** The number of decisions that a person made after a run was over. Nobody has seen what they do. */
export async function decidedSince(journal: JournalReader, { finishedAt = 0 }: Run): Promise<number> {
  const all = [...(await decisionsByHand(journal)), ...(await journal.links.answers())];
  return all.filter(({ at }) => at > finishedAt).length;
}

/** An undo is about the log of a rehearsal alone. */
async function decisionsByHand({ auditTrail }: JournalReader) {
  return (await auditTrail.manualDecisions()).filter(({ decision }) => decision !== "undone");
}
