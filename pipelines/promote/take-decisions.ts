/** Takes a person's decisions from the journal of a rehearsal into the journal of the real log, before the sources are planned there. */
import type { Origin } from "../../transforms/model/issue.ts";
import type { ManualDecision } from "../journal/audit-trail.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { PairAnswer } from "../journal/links.ts";
import type { Run } from "../journal/run.ts";

/** A decision that was taken over belongs to no run of the journal that it is in now. */
const NO_LINE = { run: 0, seq: 0 } as const;

/**
 * Takes over the records that were dropped or fixed by hand, and the answers about pairs. Where the journal has another decision about the same
 * records, the one of the rehearsal counts: its result is what the person saw. Only a record that was dropped there later stays dropped. So a decision of an earlier rehearsal that was taken back since is no
 * decision any more.
 *
 * @returns the number of decisions
 */
export async function takeDecisions(from: JournalReader, to: Journal): Promise<number> {
  const decisions = await decisionsByHand(from);
  await dropOthers(decisions, from, to);
  for (const decision of decisions) await to.auditTrail.recordDecision({ ...decision, ...NO_LINE });
  // A workout of the rehearsal's log that no source has is not in the real log.
  const answers = (await from.links.answers()).filter(({ records }) =>
    records.every(({ inLog }) => inLog === undefined),
  );
  await forgetOthers(answers, from, to);
  for (const answer of answers) await to.links.keepAnswer({ ...answer, isRehearsed: true });
  return decisions.length + answers.length;
}

/** What a person decided about. */
export interface DecidedAbout {
  /** The records and pairs, in the order of the decisions. */
  readonly decided: readonly string[];
  /** Where each of the records is in the sources, by its key. */
  readonly origins: Readonly<Record<string, Origin>>;
}

/** The records and pairs that a person decided about. */
export async function decidedRecords(journal: JournalReader): Promise<DecidedAbout> {
  const decisions = await decisionsByHand(journal);
  return {
    decided: (await decidedAt(journal)).map(({ about }) => about),
    origins: Object.fromEntries(decisions.map(({ key, origin }) => [key, origin])),
  };
}

/**
 * The number of decisions that a person made after a run was over, or took back. Nobody has seen what that does.
 *
 * @param before what was decided about when the run began; undefined where nobody kept it
 */
export async function decidedSince(
  journal: JournalReader,
  { finishedAt = 0 }: Run,
  before: readonly string[] = [],
): Promise<number> {
  const now = await decidedAt(journal);
  const known = new Set(now.map(({ about }) => about));
  const takenBack = new Set(before.filter((about) => !known.has(about)));
  return now.filter(({ at }) => at > finishedAt).length + takenBack.size;
}

async function decidedAt(journal: JournalReader) {
  return [
    ...(await decisionsByHand(journal)).map(({ key, at }) => ({ about: key, at })),
    ...(await journal.links.answers()).map((answer) => ({ about: pairOf(answer), at: answer.at })),
  ];
}

/** An undo is about the log of a rehearsal alone. */
async function decisionsByHand({ auditTrail }: JournalReader): Promise<readonly ManualDecision[]> {
  return (await auditTrail.manualDecisions()).filter(({ decision }) => decision !== "undone");
}

/** Removes what the journal has about records that the rehearsal read with another decision, or with none since one was taken back there. */
async function dropOthers(decisions: readonly ManualDecision[], from: JournalReader, to: Journal): Promise<void> {
  const kinds = Map.groupBy(decisions, ({ key }) => key);
  for (const { key, decision, run, at } of await decisionsByHand(to)) {
    const own = kinds.get(key);
    // What a person dropped since, beside the real log, is their last word: they deleted it there, say.
    const isLast = decision === "dropped" && run !== NO_LINE.run && own?.every((one) => one.at < at);
    const isOther = own !== undefined && !isLast && !own.some((one) => one.decision === decision);
    const isTakenBack = own === undefined && run === NO_LINE.run && (await hasRead(from, key));
    if (isOther || isTakenBack) await to.auditTrail.takeBack(key, decision);
  }
}

/** Removes the answers that came from an earlier rehearsal, and were taken back since. */
async function forgetOthers(answers: readonly PairAnswer[], from: JournalReader, to: Journal): Promise<void> {
  const known = new Set(answers.map(pairOf));
  for (const answer of await to.links.answers()) {
    const [one, other] = answer.records;
    if (answer.isRehearsed !== true || known.has(pairOf(answer))) continue;
    if ((await hasRead(from, one.key)) && (await hasRead(from, other.key)))
      await to.links.forgetAnswer(one.key, other.key);
  }
}

const pairOf = ({ records }: PairAnswer) => JSON.stringify(records.map(({ key }) => key).toSorted());

/**
 * Whether the last rehearsal of whole sources has a record. Another rehearsal of other sources says nothing of it, and a retry reads few records.
 */
async function hasRead(journal: JournalReader, key: string): Promise<boolean> {
  const whole = (await journal.runs()).filter(({ options }) => options.retryOf === undefined);
  const newest = Math.max(...whole.map(({ id }) => id));
  return (await journal.auditTrail.linesWithKey(key)).some(({ run }) => run >= newest);
}
