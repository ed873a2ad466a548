/** `logferry plan review`: decides about pairs of workouts that may be one, and remembers the answers. */
import { existsSync, readFileSync } from "node:fs";
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";
import type { PairAnswer } from "../../pipelines/journal/links.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { type Amended, amendPlan } from "../../pipelines/plan/amend-plan.ts";
import { CHOOSABLE } from "../../pipelines/plan/pairs/pair-answers.ts";
import { contradictedBy, type Said } from "../../pipelines/review/contradictions.ts";
import {
  canChoose,
  canTake,
  type Decision,
  findPairs,
  keepDecision,
  keysOfPair,
  pairId,
  type ReviewedPair,
  readPair,
  whyNoChoice,
} from "../../pipelines/review/pairs.ts";
import { asIfUtc } from "../../transforms/calendar.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { emitPair, pairLines } from "../printing/print-pairs.ts";
import { canAsk } from "../session/ask-choices.ts";
import { askPairs } from "../session/ask-pairs.ts";
import { journalPath, mayBeJournal, openOwnJournal, openOwnJournalToRead } from "../session/own-journal.ts";
import { findBaseRun } from "../session/retry-records.ts";
import { openLines } from "../terminal/ask-lines.ts";
import { count } from "../terminal/output.ts";

/** Reviews the pairs of the newest plan. */
export async function reviewPairs(context: CommandContext): Promise<ExitName> {
  const { options, output } = context;
  const path = journalPath(options);
  if (!mayBeJournal(path))
    throw new UsageError(`There is no plan yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
  if (existsSync("review")) output.remark("For the folder or file review in this folder type: logferry plan ./review");
  const answers = [
    ...(options.answer ?? []).map((text): TypedAnswer => ({ text })),
    ...(options.answers === undefined ? [] : linesOf(options.answers)),
  ];
  const forget = options.forget ?? [];
  if (answers.length > 0 || forget.length > 0) {
    await using journal = await openOwnJournal(options);
    return await decideTyped(context, journal, { answers, forget });
  }
  if (options.list === true || !canAsk(context)) {
    await using journal = await openOwnJournalToRead(options);
    return await list(context, journal);
  }
  await using journal = await openOwnJournal(options);
  return await ask(context, journal);
}

async function list({ output }: CommandContext, journal: JournalReader): Promise<ExitName> {
  const run = await findBaseRun(journal, undefined);
  const pairs = await findPairs(journal, run, { answered: true });
  for (const pair of pairs) {
    emitPair(output, pair);
    output.say(...pairLines(pair), "");
  }
  const open = pairs.filter(({ answer }) => answer === undefined);
  const [first] = open;
  output.conclude(
    first === undefined
      ? `Run ${run.id} has no open doubtful pair.`
      : `Run ${run.id} has ${pairsInWords(open.length)} to decide. Each stays two workouts until you do. Answer on a terminal with: logferry plan review. Or here with: logferry plan review --answer ${first.id}=one`,
  );
  return "done";
}

async function ask(context: CommandContext, journal: Journal): Promise<ExitName> {
  const { output, input, signal } = context;
  const run = await findBaseRun(journal, undefined);
  const pairs = await findPairs(journal, run);
  const lines = openLines(input, signal);
  const done: Settled[] = [];
  try {
    const say = (...texts: readonly string[]) => output.remark(...texts);
    await askPairs(pairs, { lines, say }, async (about, decision) => {
      const decided = about.map((pair) => ({ pair, decision }));
      const refusal = refusalOf(decided, await journal.links.answers());
      if (refusal === undefined) done.push(...(await settle(context, journal, run, decided)));
      return refusal;
    });
  } finally {
    lines.close();
  }
  if (pairs.length === 0) output.conclude(`Run ${run.id} has no open doubtful pair.`);
  else conclude(context, run, done);
  return signal.aborted ? "killed" : "done";
}

/** What was done about a pair. */
interface Settled {
  readonly pair: string;
  readonly amended: Amended;
}

interface Decided {
  readonly pair: ReviewedPair;
  /** Undefined to forget the answer. */
  readonly decision: Decision | undefined;
}

/** Keeps decisions, and changes the plan after them: together if that is possible, else one by one. */
async function settle(
  { output, now }: CommandContext,
  journal: Journal,
  run: Run,
  decided: readonly Decided[],
): Promise<readonly Settled[]> {
  for (const { pair, decision } of decided) {
    if (decision === undefined) await journal.links.forgetAnswer(pair.left.key, pair.right.key);
    else await keepDecision(journal, run, { pair, decision, at: now() });
  }
  const keysOf = ({ pair }: Decided) => [pair.left.key, pair.right.key];
  const together = await amendPlan(journal, decided.flatMap(keysOf));
  const settled: Settled[] = [];
  for (const one of decided) {
    const isAlone = "later" in together && together.later === "sent" && decided.length > 1;
    const amended = isAlone ? await amendPlan(journal, keysOf(one)) : together;
    settled.push({ pair: one.pair.id, amended });
    const answer = one.decision?.answer ?? "forgotten";
    output.emit("answer", {
      pair: one.pair.id,
      answer,
      ...(one.decision?.take !== undefined && { take: one.decision.take }),
      plan: "later" in amended ? "later" : "changed",
    });
    const are = { one: "one workout", two: "two workouts", forgotten: "forgotten" }[answer];
    output.say(`${one.pair.id}: ${are}.${await laterWords(journal, one, amended)}`);
  }
  return settled;
}

/** What an answer means that can't change the plan: the records may be in the log already. */
async function laterWords(journal: Journal, { pair, decision }: Decided, amended: Amended): Promise<string> {
  const left = await journal.remoteRecord(pair.left.key);
  const { entry } = pair.right;
  const right = entry === undefined ? await journal.remoteRecord(pair.right.key) : { remoteId: entry.id };
  // Also where the plan could be changed: of two that are loaded no plan makes one.
  if (decision === undefined && pair.answer?.answer === "two" && left !== undefined && right !== undefined)
    if (left.remoteId !== right.remoteId)
      return ` Both are in your log, as ${left.remoteId} and ${right.remoteId}, and stay two there. If they are one workout, answer ${pair.id}=one, and delete one of them in your log yourself.`;
  if (!("later" in amended)) return "";
  if (left !== undefined && right !== undefined) {
    if (decision?.answer === "one" && left.remoteId !== right.remoteId)
      return ` Both are in your log already, as ${left.remoteId} and ${right.remoteId}. logferry deletes nothing there: delete one of them in your log yourself, then plan again.`;
    if (decision?.answer === "two" && left.remoteId === right.remoteId)
      return ` Both are in your log as one workout, ${left.remoteId}. The next import loads the other one as a workout of its own, and gives the first its own values. What only the other one had stays there: remove it yourself.`;
  }
  if (decision === undefined && left !== undefined && left.remoteId === right?.remoteId)
    return ` Both are in your log as one workout, ${left.remoteId}, and stay one. To make two of it, answer ${pair.id}=two.`;
  if (amended.later === "sent") return " This run has sent a part of it already. Go on with it, then plan again.";
  if (amended.later === "log")
    return " This plan was made with --enrich, --again or --restore-missing. Plan again to have it in the plan.";
  return "";
}

function conclude({ output }: CommandContext, run: Run, done: readonly Settled[]): void {
  const changed = done.filter(({ amended }) => "changed" in amended).length;
  const later = done.length - changed;
  const parts = [
    ...(changed > 0 ? [`The plan of run ${run.id} is changed for ${pairsInWords(changed)}. Next: logferry apply`] : []),
    ...(later > 0 ? [`For ${pairsInWords(later)} it counts from the next plan on.`] : []),
  ];
  output.conclude(...(parts.length === 0 ? ["Nothing was decided."] : parts));
}

async function decideTyped(
  context: CommandContext,
  journal: Journal,
  { answers, forget }: { readonly answers: readonly TypedAnswer[]; readonly forget: readonly string[] },
): Promise<ExitName> {
  const run = await findBaseRun(journal, undefined);
  // All words are checked before anything is kept.
  const decided: Decided[] = [];
  const pairNamed = async (text: string): Promise<ReviewedPair> => {
    const named = await keysOfPair(journal, run, text);
    if ("error" in named)
      throw new UsageError(`Cannot find the pair ${JSON.stringify(printable(text, 80))}: ${named.error}`);
    const pair = await readPair(journal, run, named.keys);
    if (pair === undefined)
      throw new UsageError(`Cannot decide about ${printable(text, 80)}: one of the two is rejected`);
    return pair;
  };
  const answered = await journal.links.answers();
  for (const { text, place } of answers) {
    try {
      const { name, decision } = parseAnswer(text);
      const pair = await pairNamed(name);
      if (context.options.yes !== true) checkDays(text, pair);
      checkDecision(text, { pair, decision }, decided);
      decided.push({ pair, decision });
      const refusal = refusalOf(decided, answered);
      if (refusal !== undefined) throw new UsageError(refusal);
    } catch (error) {
      if (place === undefined || !(error instanceof UsageError)) throw error;
      throw new UsageError(`${place}: ${error.message}`, { cause: error });
    }
  }
  const gone = await forgetTyped(journal, run, forget);
  decided.push(...gone.pairs.map((pair) => ({ pair, decision: undefined })));
  const done = decided.length === 0 ? [] : await settle(context, journal, run, decided);
  for (const id of gone.others) context.output.say(`${id}: forgotten. The newest plan lacks its records.`);
  if (done.length === 0 && gone.others.length > 0) context.output.conclude("The next plan decides by the score.");
  else conclude(context, run, done);
  return "done";
}

/**
 * @throws UsageError if the two are of different days, and nothing compared them: most likely one of the ids is a wrong one. A workout over midnight and a
 * clock in another zone make a day of difference, not two.
 */
function checkDays(text: string, { left, right, found, answer }: ReviewedPair): void {
  const [one, other] = [left.value.start.date, right.value.start.date];
  if (found !== undefined || answer !== undefined || one === undefined || other === undefined) return;
  const days = Math.abs(asIfUtc({ date: one }) - asIfUtc({ date: other })) / 86_400_000;
  if (days < 2) return;
  const [first, second] = [describeOrigin(left.origin), describeOrigin(right.origin)];
  throw new UsageError(
    `Cannot use the answer ${JSON.stringify(printable(text, 80))}: the two are ${count(days)} days apart, ${first} on ${one} and ${second} on ${other}. See the pairs with: logferry plan review --list. If you mean these two, add --yes`,
  );
}

/** @throws UsageError if the answer can't be obeyed, or if an earlier one of the same command says otherwise about the pair */
function checkDecision(text: string, { pair, decision }: Decided, earlier: readonly Decided[]): void {
  const shown = JSON.stringify(printable(text, 80));
  if (!canChoose(pair) && decision?.take !== undefined)
    throw new UsageError(`Cannot choose fields in ${shown}: ${whyNoChoice(pair)}. Answer one or two`);
  if (
    pair.fields.some(
      (field) => decision?.take?.[field.field] !== undefined && !canTake(field, decision.take[field.field] ?? "left"),
    )
  )
    throw new UsageError(
      `Cannot take the start of that side in ${shown}: it has no time of day, and the other one has. Leave the start out of the answer`,
    );
  const same = earlier.find(({ pair: { left, right } }) =>
    [left.key, right.key].every((key) => key === pair.left.key || key === pair.right.key),
  );
  if (same !== undefined && same.decision?.answer !== decision?.answer)
    throw new UsageError(
      `Two answers say different things about one pair, and the second is ${shown}. Keep the one that is right`,
    );
}

/** Why a decision can't be kept: with the earlier answers it makes two workouts one that are said to be two. Undefined if all can be true. */
function refusalOf(decided: readonly Decided[], answered: readonly PairAnswer[]): string | undefined {
  let known = answered.map(({ records: [one, other], answer }): Said => ({ keys: [one.key, other.key], answer }));
  for (const { pair, decision } of decided) {
    if (decision === undefined) continue;
    const said: Said = { keys: [pair.left.key, pair.right.key], answer: decision.answer };
    known = known.filter(({ keys }) => !keys.every((key) => said.keys.includes(key)));
    const others = contradictedBy(said, known)?.map(({ keys, answer }) => `${pairId(...keys)}=${answer}`);
    if (others !== undefined)
      return `Cannot keep the answer ${pair.id}=${said.answer}: it can't be true together with ${others.join(" and ")}. Leave it out, or forget the wrong one first, with logferry plan review --forget PAIR`;
    known.push(said);
  }
  return undefined;
}

/** The answers to forget. Those whose records are not in the newest plan are forgotten here. */
async function forgetTyped(journal: Journal, run: Run, words: readonly string[]) {
  const known = await journal.links.answers();
  const idOf = ({ records: [one, other] }: (typeof known)[number]) => [
    pairId(one.key, other.key),
    pairId(other.key, one.key),
  ];
  const pairs: ReviewedPair[] = [];
  const others: string[] = [];
  for (const word of words) {
    const named = word === "all" ? undefined : await keysOfPair(journal, run, word);
    const keys = named !== undefined && "keys" in named ? named.keys : undefined;
    const wanted = known.filter(
      (answer) =>
        word === "all" ||
        idOf(answer).includes(word) ||
        (keys !== undefined && answer.records.every(({ key }) => keys.includes(key))),
    );
    if (wanted.length === 0) {
      const ids = known.flatMap((answer) => idOf(answer).slice(0, 1));
      throw new UsageError(
        `Cannot forget ${JSON.stringify(printable(word, 80))}: ${ids.length === 0 ? "no pair was answered" : `answered are ${ids.slice(0, 10).join(", ")}`}`,
      );
    }
    for (const { records } of wanted) {
      const pair = await readPair(journal, run, [records[0].key, records[1].key]);
      if (pair !== undefined) pairs.push(pair);
      else {
        await journal.links.forgetAnswer(records[0].key, records[1].key);
        others.push(pairId(records[0].key, records[1].key));
      }
    }
  }
  return { pairs, others };
}

const FIELDS = CHOOSABLE.map(([field]) => field);

/** Reads `PAIR=one`, `PAIR=two` or `PAIR=one,distance:right`. */
function parseAnswer(text: string): { readonly name: string; readonly decision: Decision } {
  const at = text.lastIndexOf("=");
  const [answer, ...fields] = text
    .slice(at + 1)
    .split(",")
    .map((part) => part.trim());
  const wrong = (expected: string) =>
    new UsageError(`Cannot use the answer ${JSON.stringify(printable(text, 80))}: expected ${expected}`);
  if (at < 1 || (answer !== "one" && answer !== "two")) throw wrong("PAIR=one or PAIR=two, such as 5f3a2c+9b1d00=one");
  if (answer === "two" && fields.length > 0) throw wrong("fields with one alone: two workouts keep their own values");
  const take: Record<string, "left" | "right"> = {};
  for (const part of fields) {
    const [field = "", side] = part.split(":");
    if (!FIELDS.includes(field)) throw wrong(`one of the fields ${FIELDS.join(", ")}${didYouMean(field, FIELDS)}`);
    if (side !== "left" && side !== "right") throw wrong(`${field}:left or ${field}:right`);
    take[field] = side;
  }
  return { name: text.slice(0, at), decision: { answer, ...(fields.length > 0 && { take }) } };
}

/** An answer as it was typed, with its place in a file of answers. */
interface TypedAnswer {
  readonly text: string;
  readonly place?: string;
}

/** The answers of a file: one a line. Empty lines and lines that begin with # say nothing. */
function linesOf(path: string): readonly TypedAnswer[] {
  try {
    return readFileSync(path, "utf8")
      .split(/\r?\n/)
      .map((line, index) => ({ text: line.trim(), place: `${printable(path)} line ${index + 1}` }))
      .filter(({ text }) => text !== "" && !text.startsWith("#"));
  } catch (error) {
    throw new UsageError(`Cannot read the answers ${printable(path)}: ${describeSystemError(error)}`, { cause: error });
  }
}

function pairsInWords(pairs: number): string {
  return pairs === 1 ? "1 pair" : `${count(pairs)} pairs`;
}
