/**
 * A batch: everybody is looked at before anything is written for anybody; then athletes are carried side by side, each with a journal,
 * a pace and a budget of their own, all under their host's. What goes wrong with one is told, and stops nobody else.
 */
import { isDone, isOver, keepOutcome, type Outcome, readOutcome } from "../../pipelines/batch/outcome.ts";
import { lanes } from "../../pipelines/lanes.ts";
import type { CommandContext } from "../command.ts";
import { BATCH_FOLDER, contextOf, markOf } from "./athlete.ts";
import { openBoard } from "./board.ts";
import { carry } from "./carry.ts";
import { openHosts } from "./hosts.ts";
import { type Preflight, preflight } from "./preflight.ts";
import type { Athlete } from "./roster.ts";

/** An athlete, and how they stand. */
export interface Placed {
  readonly athlete: Athlete;
  readonly outcome: Outcome;
  /** Whether nothing was asked for them: they were done before. */
  readonly wasDone?: true;
}

/** Looks at every athlete who isn't done already. In the order of the roster. */
export async function preflightAll(context: CommandContext, athletes: readonly Athlete[]): Promise<readonly Placed[]> {
  const { output, options, signal } = context;
  const hosts = openHosts(options);
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
  for (const one of looked) placed.set(one.athlete, one);
  for (const { athlete, outcome } of withOneLogEach(looked)) placed.set(athlete, { athlete, outcome });
  for (const { athlete, outcome, wasDone } of placed.values())
    if (wasDone !== true && outcome.standing !== "ready") await keepOutcome(BATCH_FOLDER, athlete.key, outcome);
  return athletes.flatMap((athlete) => placed.get(athlete) ?? []);
}

/** Carries out what is ready. @returns everybody, in the same order */
export async function carryAll(context: CommandContext, placed: readonly Placed[]): Promise<readonly Placed[]> {
  const { output, options, signal } = context;
  const ready = placed.filter(({ outcome, wasDone }) => wasDone !== true && outcome.standing === "ready");
  const hosts = openHosts(options);
  const ended = new Map<Athlete, Outcome>();
  const board = openBoard(output, "loading athletes", ready.length);
  await lanes(each(ready), options.parallel ?? 1, signal, async ({ athlete, outcome }) => {
    const how = { hosts, output: board.outputFor(athlete.name), verifies: options.noVerify !== true };
    const carried = await carry(context, { athlete, outcome, account: undefined }, how);
    ended.set(athlete, carried);
    await keepOutcome(BATCH_FOLDER, athlete.key, carried);
    board.finished(athlete.name);
  });
  board.close();
  return placed.map((one) => {
    const outcome = ended.get(one.athlete);
    return outcome === undefined ? one : { athlete: one.athlete, outcome };
  });
}

/** The outcome of an athlete for whom there is nothing new to do; undefined for every other. */
async function doneBefore(context: CommandContext, athlete: Athlete): Promise<Outcome | undefined> {
  const { options } = context;
  const before = await readOutcome(BATCH_FOLDER, athlete.key);
  if (before === undefined || !isOver(before)) return undefined;
  if (options.noVerify !== true && before.standing === "loaded") return undefined;
  if (options.retryFailed === true && !isDone(before)) return undefined;
  try {
    return before.mark === (await markOf(athlete, contextOf(context, athlete, context.output))) ? before : undefined;
  } catch {
    // Whatever it is, the preflight meets it again and tells of it.
    return undefined;
  }
}

/** Athletes whose tokens open one and the same log are held, all of them: nobody knows whose it is. */
function withOneLogEach(looked: readonly Preflight[]): readonly Preflight[] {
  const byAccount = Map.groupBy(looked, ({ account }) => account);
  return looked.map((one) => {
    const others = one.account === undefined ? [] : (byAccount.get(one.account) ?? []).filter((other) => other !== one);
    if (others.length === 0 || one.outcome.standing !== "ready") return one;
    const why = `its token opens the same log as that of ${others.map(({ athlete }) => athlete.name).join(", ")}`;
    return { ...one, outcome: { ...one.outcome, standing: "held", why } };
  });
}

async function* each<T>(list: readonly T[]): AsyncIterable<T> {
  yield* list;
}
