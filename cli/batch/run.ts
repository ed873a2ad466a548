/**
 * A batch checks all athletes before it writes anything. Then it loads them side by side. Each athlete has a journal, a pace and a budget, and
 * all share the limit of their host. A problem of one athlete is reported, and stops no other.
 */
import { TransferError } from "../../connectors/errors.ts";
import { isDone, isOver, type Outcome } from "../../pipelines/batch/outcome.ts";
import { forEachConcurrently } from "../../pipelines/load/concurrently.ts";
import type { Block } from "../../pipelines/ownership/block.ts";
import { contradictions, waysOut } from "../../pipelines/ownership/contradictions.ts";
import type { Passed, Remembered } from "../../pipelines/ownership/memory.ts";
import type { Activity } from "../../transforms/activities.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { describeForAll } from "../session/check-numbers.ts";
import { computeFingerprint, trustLine } from "./athlete.ts";
import { carry } from "./carry.ts";
import type { Hosts } from "./hosts.ts";
import type { IsTokenOfCheck } from "./other-log.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { openProgressBoard } from "./progress-board.ts";
import { type Athlete, isAmong } from "./roster.ts";
import type { BatchStore } from "./store.ts";

/** An athlete and their outcome. */
export interface AthleteResult {
  readonly athlete: Athlete;
  readonly outcome: Outcome;
  /** The evidence in their archives about their owner. logferry remembers it once the archives are in the log. */
  readonly passed?: Passed;
  /** Of a log that the check opened. */
  readonly isTokenOfCheck?: IsTokenOfCheck;
  /** True if no request was made for them, because they were done before. */
  readonly wasDone?: true;
  /** True if the command did not choose them this time. */
  readonly isOther?: true;
}

/** The means that all athletes of a batch share. */
export interface Means {
  readonly hosts: Hosts;
  readonly store: BatchStore;
}

/** Checks every athlete who isn't done already, and returns them in the order of the roster. */
export async function preflightAll(
  context: CommandContext,
  athletes: readonly Athlete[],
  { hosts, store }: Means,
): Promise<readonly AthleteResult[]> {
  const { output, options, signal } = context;
  // This comes before any request to a log: without this memory, a swap of two athletes would stay unnoticed.
  const memory = await store.recall();
  const results = new Map<Athlete, AthleteResult>();
  const looked: Preflight[] = [];
  const board = openProgressBoard(output, "checking athletes", athletes.length);
  await forEachConcurrently(each(athletes), options.parallel ?? 1, signal, async (athlete) => {
    const before = await doneBefore(context, athlete, store);
    if (before !== undefined) results.set(athlete, { athlete, outcome: before, wasDone: true });
    else looked.push(await preflight(context, athlete, { hosts, store, output: board.outputFor(athlete.name) }));
    board.finished(athlete.name);
  });
  board.close();
  const checked = inOrder(athletes, looked);
  refuseSharedNumbers(context, checked);
  const tokens = new Map(checked.map(({ athlete, suspect }) => [athlete, suspect.tokenHash]));
  for await (const { athlete, outcome, passed } of withBlocks(context, checked, memory)) {
    const token = tokens.get(athlete);
    const isTokenOfCheck = token === undefined ? undefined : (now: string) => now === token;
    results.set(athlete, { athlete, outcome, ...defined({ passed, isTokenOfCheck }) });
  }
  // Ready athletes are kept, too: if the batch is killed, the next one knows who was left.
  for (const { athlete, outcome, wasDone } of results.values())
    if (wasDone !== true && (outcome.status !== "ready" || options.dryRun !== true))
      await keeping(context, () => store.keepOutcome(athlete.key, outcome));
  return athletes.flatMap((athlete) => results.get(athlete) ?? []);
}

/**
 * Refuses a number of the whole team's that a log lacks, once for all. Without it, the same mistake would be said for each athlete. A number of one
 * athlete's row holds up that athlete alone.
 *
 * @throws UsageError
 */
function refuseSharedNumbers({ tables }: CommandContext, looked: readonly Preflight[]): void {
  const shared = Object.entries(tables.overrides ?? {});
  const wrong = looked.flatMap(({ athlete, unknownNumbers }) =>
    unknownNumbers !== undefined &&
    shared.some(([activity, number]) => unknownNumbers.numbers[activity as Activity] === number)
      ? [{ name: athlete.name, unknownNumbers }]
      : [],
  );
  if (wrong.length === 0) return;
  throw describeForAll(
    wrong.map(({ unknownNumbers }) => unknownNumbers),
    nameSome(wrong.map(({ name }) => name)),
  );
}

/** The first names of a list. */
function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => printable(name));
  return `${shown.join(", ")}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""}`;
}

/** Names in one message. */
const MOST_NAMES = 5;

/** Whether the athlete has a plan to carry out. */
export function isToCarry({ outcome, wasDone }: AthleteResult): boolean {
  return wasDone !== true && outcome.status === "ready";
}

/** Carries out the plans of all ready athletes. @returns all athletes, in the same order */
export async function carryAll(
  context: CommandContext,
  results: readonly AthleteResult[],
  { hosts, store }: Means,
): Promise<readonly AthleteResult[]> {
  const { output, options, signal } = context;
  const ready = results.filter(isToCarry);
  const ended = new Map<Athlete, Outcome>();
  const board = openProgressBoard(output, "loading athletes", ready.length);
  await forEachConcurrently(
    each(ready),
    options.parallel ?? 1,
    signal,
    async ({ athlete, outcome, passed, isTokenOfCheck }) => {
      const how = { hosts, store, output: board.outputFor(athlete.name), verifies: options.noVerify !== true };
      await keeping(context, () => store.keepOutcome(athlete.key, { ...outcome, ...IN_THE_MIDDLE }));
      const carried = await carry(context, { athlete, outcome, isTokenOfCheck }, how);
      ended.set(athlete, carried);
      await keeping(context, async () => {
        await store.keepOutcome(athlete.key, carried);
        if (passed !== undefined && isInLog(carried)) await store.remember(passed);
      });
      board.finished(athlete.name);
    },
  );
  board.close();
  return results.map((one) => {
    const outcome = ended.get(one.athlete);
    return outcome === undefined ? one : { athlete: one.athlete, outcome };
  });
}

/** The outcome of an athlete during the load. It stays if the process ends without a further word. */
const IN_THE_MIDDLE = {
  status: "stopped",
  why: "ended while it was carried over, without a word (killed, or the power failed): the same command goes on",
} as const;

/**
 * All athletes of a roster. Those who were not checked now have their last outcome.
 *
 * @param results the athletes who were checked
 */
export async function withOthers(
  { now }: CommandContext,
  everybody: readonly Athlete[],
  results: readonly AthleteResult[],
  store: BatchStore,
): Promise<readonly AthleteResult[]> {
  const byKey = new Map(results.map((one) => [one.athlete.key, one]));
  return Promise.all(
    everybody.map(async (athlete): Promise<AthleteResult> => {
      const looked = byKey.get(athlete.key);
      if (looked !== undefined) return looked;
      const before = await store.outcome(athlete.key);
      const unbegun = { athlete: athlete.name, status: "unbegun", at: now(), requests: 0, fingerprint: "" } as const;
      return { athlete, outcome: before ?? unbegun, isOther: true };
    }),
  );
}

/** Whether the log already has some of the athlete's archives. */
export function isInLog({ status, ledger }: Outcome): boolean {
  return isOver({ status }) || (ledger !== undefined && ledger.created + ledger.updated + ledger.inDoubt > 0);
}

/** Writes a memory file. If that fails, logferry warns, and the batch continues. */
async function keeping({ output }: CommandContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOfSystem(error) && !(error instanceof TransferError)) throw error;
    const state = isOfSystem(error) ? describeSystemError(error) : error.message;
    output.warn(`Cannot remember how an athlete stands: ${state}. The journals are not touched by that.`);
  }
}

/** The outcome of an athlete who is already done; undefined for every other. */
export async function doneBefore(
  context: CommandContext,
  athlete: Athlete,
  store: BatchStore,
): Promise<Outcome | undefined> {
  const { options } = context;
  const before = await store.outcome(athlete.key);
  if (before === undefined || !isOver(before) || before.unsaved !== undefined) return undefined;
  if (options.noVerify !== true && before.status === "loaded") return undefined;
  if (options.retryFailed === true && !isDone(before)) return undefined;
  try {
    if (before.fingerprint !== (await computeFingerprint(athlete, context))) return undefined;
    return options.certify === true && (await hasDifferedSince(before, store)) ? undefined : before;
  } catch {
    // Any error here appears again in the preflight, which reports it.
    return undefined;
  }
}

/**
 * Whether the reading for a certificate found differences after the load: somebody edited the log since. One more load names them, and leaves the edits
 * with the coach's knowledge.
 */
async function hasDifferedSince({ journal: name, run }: Outcome, store: BatchStore): Promise<boolean> {
  if (name === undefined || run === undefined) return false;
  await using journal = await store.readJournal(name);
  return ((await journal.verified(run))?.differing ?? 0) > 0;
}

/**
 * Compares all athletes with each other, with their logs, and with the memory of earlier runs. It holds every athlete with a contradiction,
 * unless the coach trusts them.
 *
 * @returns all of them, in the same order
 */
export async function* withBlocks(
  context: CommandContext,
  looked: readonly Preflight[],
  memory: AsyncIterable<Remembered> | Iterable<Remembered>,
): AsyncGenerator<AthleteResult> {
  const suspects = looked.map(({ suspect }) => suspect);
  let at = 0;
  for await (const doubts of contradictions(suspects, memory)) {
    const one = looked[at++];
    if (one !== undefined) yield heldOrPassed(one, doubts, context);
  }
}

function heldOrPassed(one: Preflight, doubts: readonly Block[], context: CommandContext): AthleteResult {
  const { options } = context;
  const isTrusted = isAmong(one.athlete, options.trust);
  const mine = doubts.filter(({ final }) => final === true || !isTrusted);
  if (mine.length > 0 && one.outcome.status === "ready") {
    const reasons = [...Map.groupBy(mine, ({ rule }) => rule).values()].map(inWords).join("; ");
    const ways = waysOut(mine).map((way) => way.replace(/(?<=: )--trust .*$/, (option) => trustLine(context, option)));
    const why = [reasons, ...ways];
    return { athlete: one.athlete, outcome: { ...one.outcome, status: "held", why: why.join(". ") } };
  }
  // If the coach trusted doubtful evidence, it is not remembered for the next time, unless the coach asks for that.
  const isKept = doubts.length === 0 || options.remember === true;
  const { account, evidence, member } = one.suspect;
  if (!isKept || account === undefined || evidence === undefined) return one;
  const trusted = doubts.map(({ key }) => key);
  return { ...one, passed: { athlete: one.athlete.name, account, ...defined({ member }), evidence, trusted } };
}

/** The first blocks by one rule in words, and the number of the others. */
function inWords(blocks: readonly Block[]): string {
  const shown = blocks.slice(0, MOST_NAMES).map(({ says, rule }) => `${says} (${rule})`);
  const more = blocks.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more of this kind`] : [])].join("; ");
}

/** The order of the checks must not decide who is held, so the order of the roster applies. */
function inOrder(athletes: readonly Athlete[], looked: readonly Preflight[]): readonly Preflight[] {
  const byAthlete = new Map(looked.map((one) => [one.athlete, one]));
  return athletes.flatMap((athlete) => byAthlete.get(athlete) ?? []);
}

async function* each<T>(list: readonly T[]): AsyncIterable<T> {
  yield* list;
}
