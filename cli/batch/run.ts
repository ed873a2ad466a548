/**
 * A batch: everybody is looked at before anything is written for anybody; then athletes are carried side by side, each with a journal,
 * a pace and a budget of their own, all under their host's. What goes wrong with one is told, and stops nobody else.
 */
import { TransferError } from "../../connectors/errors.ts";
import { isDone, isOver, keepOutcome, type Outcome, readOutcome } from "../../pipelines/batch/outcome.ts";
import { lanes } from "../../pipelines/load/concurrently.ts";
import { contradictions, waysOut } from "../../pipelines/ownership/contradictions.ts";
import { type Passed, type Remembered, remember } from "../../pipelines/ownership/memory.ts";
import type { CommandContext } from "../arguments/command.ts";
import { isOfSystem, stateOf } from "../errors/system-errors.ts";
import { MEMORY, recall } from "../session/who-is-who.ts";
import { BATCH_FOLDER, markOf } from "./athlete.ts";
import { carry } from "./carry.ts";
import type { Hosts } from "./hosts.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { openBoard } from "./progress-board.ts";
import { type Athlete, isAmong } from "./roster.ts";

/** An athlete, and how they stand. */
export interface Placed {
  readonly athlete: Athlete;
  readonly outcome: Outcome;
  /** What their archives say of whose they are, to be remembered once they are in the log. */
  readonly passed?: Passed;
  /** Whether nothing was asked for them: they were done before. */
  readonly wasDone?: true;
  /** Whether they were not asked for this time. */
  readonly isOther?: true;
}

/** Looks at every athlete who isn't done already. In the order of the roster. */
export async function preflightAll(
  context: CommandContext,
  athletes: readonly Athlete[],
  hosts: Hosts,
): Promise<readonly Placed[]> {
  const { output, options, signal } = context;
  // Before any log is asked: what can't be read would leave a swap unnoticed.
  const memory = await recall();
  const placed = new Map<Athlete, Placed>();
  const looked: Preflight[] = [];
  const board = openBoard(output, "checking athletes", athletes.length);
  await lanes(each(athletes), options.parallel ?? 1, signal, async (athlete) => {
    const before = await doneBefore(context, athlete);
    if (before !== undefined) placed.set(athlete, { athlete, outcome: before, wasDone: true });
    else looked.push(await preflight(context, athlete, { hosts, output: board.outputFor(athlete.name) }));
    board.finished(athlete.name);
  });
  board.close();
  for (const { athlete, outcome, passed } of withHolds(context, inOrder(athletes, looked), memory))
    placed.set(athlete, { athlete, outcome, ...(passed !== undefined && { passed }) });
  // Also who is ready: a batch that is killed knows then who was left.
  for (const { athlete, outcome, wasDone } of placed.values())
    if (wasDone !== true && (outcome.standing !== "ready" || options.dryRun !== true))
      await keeping(context, () => keepOutcome(BATCH_FOLDER, athlete.key, outcome));
  return athletes.flatMap((athlete) => placed.get(athlete) ?? []);
}

/** Whether there is something to carry out. */
export function isToCarry({ outcome, wasDone }: Placed): boolean {
  return wasDone !== true && outcome.standing === "ready";
}

/** Carries out what is ready. @returns everybody, in the same order */
export async function carryAll(
  context: CommandContext,
  placed: readonly Placed[],
  hosts: Hosts,
): Promise<readonly Placed[]> {
  const { output, options, signal } = context;
  const ready = placed.filter(isToCarry);
  const ended = new Map<Athlete, Outcome>();
  const board = openBoard(output, "loading athletes", ready.length);
  await lanes(each(ready), options.parallel ?? 1, signal, async ({ athlete, outcome, passed }) => {
    const how = { hosts, output: board.outputFor(athlete.name), verifies: options.noVerify !== true };
    await keeping(context, () => keepOutcome(BATCH_FOLDER, athlete.key, { ...outcome, ...IN_THE_MIDDLE }));
    const carried = await carry(context, { athlete, outcome }, how);
    ended.set(athlete, carried);
    await keeping(context, async () => {
      await keepOutcome(BATCH_FOLDER, athlete.key, carried);
      if (passed !== undefined && isInLog(carried)) await remember(MEMORY, passed);
    });
    board.finished(athlete.name);
  });
  board.close();
  return placed.map((one) => {
    const outcome = ended.get(one.athlete);
    return outcome === undefined ? one : { athlete: one.athlete, outcome };
  });
}

/** How an athlete stands who is being carried over, should nobody come to say more. */
const IN_THE_MIDDLE = {
  standing: "stopped",
  why: "ended while it was carried over, without a word (killed, or the power failed): the same command goes on",
} as const;

/**
 * Everybody of a roster: who isn't among those that were looked at, as they stood last.
 *
 * @param placed those that were
 */
export async function withOthers(
  { now }: CommandContext,
  everybody: readonly Athlete[],
  placed: readonly Placed[],
): Promise<readonly Placed[]> {
  const byKey = new Map(placed.map((one) => [one.athlete.key, one]));
  return Promise.all(
    everybody.map(async (athlete): Promise<Placed> => {
      const looked = byKey.get(athlete.key);
      if (looked !== undefined) return looked;
      const before = await readOutcome(BATCH_FOLDER, athlete.key);
      const unbegun = { athlete: athlete.name, standing: "unbegun", at: now(), requests: 0, mark: "" } as const;
      return { athlete, outcome: before ?? unbegun, isOther: true };
    }),
  );
}

/** Whether something of an athlete's archives is in the log by now. */
function isInLog({ standing, ledger }: Outcome): boolean {
  return isOver({ standing }) || (ledger !== undefined && ledger.created + ledger.updated + ledger.inDoubt > 0);
}

/** Writes down what is only remembered: where it can't be, that is said, and everybody goes on. */
async function keeping({ output }: CommandContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOfSystem(error) && !(error instanceof TransferError)) throw error;
    const state = isOfSystem(error) ? stateOf(error) : error.message;
    output.warn(`Cannot remember how an athlete stands: ${state}. The journals are not touched by that.`);
  }
}

/** The outcome of an athlete for whom there is nothing new to do; undefined for every other. */
async function doneBefore(context: CommandContext, athlete: Athlete): Promise<Outcome | undefined> {
  const { options } = context;
  const before = await readOutcome(BATCH_FOLDER, athlete.key);
  if (before === undefined || !isOver(before)) return undefined;
  if (options.noVerify !== true && before.standing === "loaded") return undefined;
  if (options.retryFailed === true && !isDone(before)) return undefined;
  try {
    return before.mark === (await markOf(athlete, context)) ? before : undefined;
  } catch {
    // Whatever it is, the preflight meets it again and tells of it.
    return undefined;
  }
}

/**
 * Compares everybody with everybody, with their logs, and with what is remembered of earlier runs: whoever contradicts is held, unless the
 * coach trusts them.
 */
function withHolds(
  { options }: CommandContext,
  looked: readonly Preflight[],
  memory: readonly Remembered[],
): readonly Placed[] {
  const holds = contradictions(
    looked.map(({ suspect }) => suspect),
    memory,
  );
  return looked.map((one) => {
    const doubts = holds.filter(({ athlete }) => athlete === one.athlete.name);
    const isTrusted = isAmong(one.athlete, options.trust);
    const mine = doubts.filter(({ final }) => final === true || !isTrusted);
    if (mine.length > 0 && one.outcome.standing === "ready") {
      const why = [mine.map(({ says, rule }) => `${says} (${rule})`).join("; "), ...waysOut(mine)].join(". ");
      return { athlete: one.athlete, outcome: { ...one.outcome, standing: "held", why } };
    }
    // What the coach let pass once speaks for nobody next time, unless it is to be kept.
    const isKept = doubts.length === 0 || options.remember === true;
    const { account, evidence } = one.suspect;
    if (!isKept || account === undefined || evidence === undefined) return one;
    const trusted = doubts.map(({ mark }) => mark);
    return { ...one, passed: { athlete: one.athlete.name, account, evidence, trusted } };
  });
}

/** Whoever is looked at first mustn't decide who is held. */
function inOrder(athletes: readonly Athlete[], looked: readonly Preflight[]): readonly Preflight[] {
  const byAthlete = new Map(looked.map((one) => [one.athlete, one]));
  return athletes.flatMap((athlete) => byAthlete.get(athlete) ?? []);
}

async function* each<T>(list: readonly T[]): AsyncIterable<T> {
  yield* list;
}
