/** `logferry batch --fleet`: puts the athletes of a roster into the queue of a fleet, and shows how they stand until all are over. */
import { randomUUID } from "node:crypto";
import { isDone, type Outcome } from "../../pipelines/batch/outcome.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import { readOnly } from "../../pipelines/fleet/database.ts";
import { workersAtWork } from "../../pipelines/fleet/workers.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { withoutOwnToken } from "../batch/athlete.ts";
import { causesAmong, printCauses } from "../batch/causes.ts";
import { certifyAthlete } from "../batch/certify.ts";
import { exitOfPlans, athletes as inWords, printBatch, printPreflight } from "../batch/print.ts";
import { followed } from "../batch/renamed.ts";
import { type BatchReport, checkCertify, checkedFolder, writeBatch } from "../batch/report.ts";
import { type Athlete, chosen } from "../batch/roster.ts";
import { type AthleteResult, withOthers } from "../batch/run.ts";
import type { BatchStore } from "../batch/store.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { count } from "../terminal/output.ts";
import { forget, namesOf, removedOf } from "./forget.ts";
import { fleetHosts } from "./hosts.ts";
import { type Fleet, openFleet } from "./open.ts";
import { isByOther, isByOtherLimits } from "./other-row.ts";
import { atWorker } from "./paths.ts";
import { type FleetSettings, settingsOf } from "./settings.ts";
import { showStatus, stillUnderWay } from "./status.ts";
import { withReadingStore } from "./store.ts";
import { sealTokens } from "./tokens.ts";
import { NO_WORKER, watchTrouble } from "./trouble.ts";

/** What a person does with the athletes of a roster in a fleet. */
export type FleetWord = "put" | "status" | "retry" | "cancel" | "forget";

/** Milliseconds between two looks at how the athletes stand. */
const LOOK_MS = 1_000;

/** A roster for a fleet. */
export interface FleetRoster {
  readonly roster: string;
  readonly folder: string;
  readonly athletes: readonly Athlete[];
}

/** Does one of the words with the athletes of a roster. */
export async function batchInFleet(context: CommandContext, word: FleetWord, roster: FleetRoster): Promise<ExitName> {
  const { options } = context;
  if (options.certify === true && options.detach === true)
    throw new UsageError("Cannot use --certify with --detach: run the same batch without --detach once all are over");
  context.sayAtStop?.("Stopping to watch. The workers go on.");
  const makesFleet = word === "put" && options.retryFailed !== true;
  await using fleet = await openFleet(context, context.signal, makesFleet ? "make" : "refuse");
  if (word !== "status" && fleet.database.isReadOnly) throw readOnly(fleet.database.name);
  return await withReadingStore(fleet, context.signal, async (store, storeOfStep) => {
    const everybody = await followed(roster.athletes, options, store);
    const some = chosen(everybody, "only", options.only);
    const batch = { fleet, store, storeOfStep, ...roster, everybody, athletes: some };
    switch (word) {
      case "put":
        return options.retryFailed === true ? retry(context, batch) : put(context, batch, some);
      case "retry":
        return retry(context, batch);
      case "cancel":
        return cancel(context, batch);
      case "forget":
        return forget(context, batch);
      case "status":
        return showStatus(context, batch);
    }
  });
}

interface FleetBatch extends FleetRoster {
  readonly fleet: Fleet;
  readonly store: BatchStore;
  /** Makes a store whose journal is claimed, to certify an athlete. */
  readonly storeOfStep: () => BatchStore;
  /** Everybody in the roster. */
  readonly everybody: readonly Athlete[];
}

async function put(context: CommandContext, batch: FleetBatch, athletes: readonly Athlete[]): Promise<ExitName> {
  const { options, output } = context;
  chosen(batch.everybody, "trust", options.trust);
  const folder = await checkedFolder(context);
  checkCertify(options, folder);
  const settings: FleetSettings = { ...settingsOf(context), roster: batch.roster, folder: batch.folder };
  const ready =
    options.recipient === undefined
      ? athletes
      : await sealTokens(context, batch.fleet.database, athletes, batch.folder);
  const asked: Asked = { settings, athletes: ready, askedAt: await batch.fleet.athletes.time() };
  const keys = await putInto(batch, asked);
  const others = athletes.length - keys.length;
  output.say(
    `${inWords(keys.length)} put into the fleet${others === 0 ? "" : `; ${count(others)} wait or are worked on already`}.`,
  );
  await sayRemoved(output, batch);
  const limited = await byOtherLimits(batch, asked);
  if (limited.length > 0) output.say(otherLimits(limited, batch.roster));
  if (options.detach !== true) return follow(context, batch, asked, folder);
  sayWhom(output, "put", ready, keys);
  if ((await workersAtWork(batch.fleet.database)) === 0) output.say(NO_WORKER);
  const by = await byOther(batch, asked);
  const rest = `The workers do the rest. To see how they stand: ${statusLine(batch)}`;
  output.conclude(...(by.length === 0 ? [] : [`${namesOf(by)}: ${UNDER_WAY_BY_OTHER}`]), rest);
  return by.length + limited.length === 0 ? "done" : "setAside";
}

/** Names those whose row is gone from the roster and who go on all the same. */
async function sayRemoved(output: CommandContext["output"], batch: FleetBatch): Promise<void> {
  const open = (await removedOf(batch)).filter(({ isOver }) => !isOver);
  if (open.length > 0) output.say(stillUnderWay(open, batch.roster));
}

/** What a batch asks of the fleet: athletes as their rows say, with the address of their log where their tokens are sealed. */
interface Asked {
  readonly settings: FleetSettings;
  readonly athletes: readonly Athlete[];
  /** The time of the database before they were put. */
  readonly askedAt: string;
}

/** Puts athletes who aren't under way. @returns their keys */
function putInto({ fleet }: FleetBatch, { settings, athletes }: Omit<Asked, "askedAt">): Promise<readonly string[]> {
  return fleet.athletes.put(
    settings,
    athletes.map((athlete) => ({ key: athlete.key, athlete })),
  );
}

/** Those whom the fleet has by another row, or by other settings. */
async function byOther({ fleet }: FleetBatch, { settings, athletes }: Asked): Promise<readonly Athlete[]> {
  const now = await fleet.athletes.now(athletes.map(({ key }) => key));
  return athletes.filter((athlete) => {
    const one = now.get(athlete.key);
    return one !== undefined && isByOther(one, athlete, settings);
  });
}

/** Those who are under way by other limits than this batch sets. Who isn't under way was put by these. */
async function byOtherLimits({ fleet }: FleetBatch, { settings, athletes }: Asked): Promise<readonly Athlete[]> {
  const now = await fleet.athletes.now(athletes.map(({ key }) => key));
  return athletes.filter((athlete) => {
    const one = now.get(athlete.key);
    // Nothing more is sent for whoever is done, so no limit is missing.
    const isOver = one?.step === "done" && one.outcome !== undefined && isDone(one.outcome);
    return one !== undefined && !isOver && isByOtherLimits(one, athlete, settings);
  });
}

/** Says of athletes that the limits of this batch don't hold for them yet, and how to make them hold. */
function otherLimits(athletes: readonly Athlete[], roster: string): string {
  return `${namesOf(athletes)}: under way without the limits of this command (such as --rate or --max-requests). They don't hold yet. To stop the athletes now: logferry batch cancel ${shellWord(roster)}. Once they are over, type the same command again`;
}

const UNDER_WAY_BY_OTHER =
  "another row is worked on, because this one was changed meanwhile or another roster names them. Once they are over, type the same command again";

const FOLLOWS =
  "another row is worked on, because this one was changed meanwhile or another roster names them. This one follows once they are over";

const BY_OTHER =
  "another row was worked on meanwhile, so nothing is known of this one. Type the same command again once they are over";

/** Shows how the athletes stand until all are over. */
async function follow(
  context: CommandContext,
  batch: FleetBatch,
  asked: Asked,
  folder: string | undefined,
): Promise<ExitName> {
  const { now, options, output } = context;
  const { athletes } = asked;
  const isPlan = options.dryRun === true;
  if (!(await until(context, batch, athletes, "checking athletes", ["check", "checked"]))) return leave(context, batch);
  const why = isPlan ? BY_OTHER : FOLLOWS;
  const planned = await resultsOf(batch, asked, {
    why,
    choose: ({ planned: one, outcome }) => one ?? outcome,
    at: now(),
  });
  printPreflight(context, planned);
  const write = async (results: readonly AthleteResult[]) => {
    if (folder === undefined) return;
    const all = await withOthers(context, batch.everybody, results, batch.store);
    const certify = certifier(context, batch);
    await writeBatch(context, { folder, roster: batch.roster, results: all, store: batch.store, isPlan, certify });
  };
  if (isPlan) {
    await write(planned);
    printCauses(output, await causesAmong(planned, batch.roster, batch.store));
    output.conclude("Dry run: nothing was changed. Without -n, this is what will be done.");
    return exitOfPlans(planned);
  }
  if (!(await until(context, batch, athletes, "loading athletes", ["check", "checked", "load"])))
    return leave(context, batch);
  // Once, and not again and again: two batches that have other rows of one athlete would never end.
  const others = [...new Set([...(await byOther(batch, asked)), ...(await byOtherLimits(batch, asked))])];
  const keys = others.map(({ key }) => key);
  const cancelled = await batch.fleet.athletes.cancelled(keys, asked.askedAt);
  const late = others.filter(({ key }) => !cancelled.has(key));
  if (late.length > 0) {
    const put = await putInto(batch, { ...asked, athletes: late });
    output.say(`${inWords(put.length)} put into the fleet once more, by this row: ${namesOf(late)}.`);
    if (!(await until(context, batch, athletes, "loading athletes", ["check", "checked", "load"])))
      return leave(context, batch);
  }
  const results = await resultsOf(batch, asked, { why: BY_OTHER, choose: ({ outcome }) => outcome, at: now() });
  await write(results);
  const causes = await causesAmong(results, batch.roster, batch.store);
  return printBatch(context, results, { isStopped: context.signal.aborted, planned, causes });
}

/**
 * Certifies the athletes from this machine once all are over. So one key signs for all, as in a batch without a fleet, and a worker needs no place for
 * the files. undefined when nobody asked for it.
 */
function certifier(
  context: CommandContext,
  { fleet, storeOfStep, folder: ofRoster }: FleetBatch,
): BatchReport["certify"] {
  if (context.options.certify !== true) return undefined;
  const own = withoutOwnToken(context);
  const hosts = fleetHosts(fleet.database, `a batch ${randomUUID()}`).of(context.options.hostRate);
  return (result, folder) => {
    const here = { ...result, athlete: atWorker(result.athlete, ofRoster) };
    return certifyAthlete(own, here, { hosts, store: storeOfStep() }, folder);
  };
}

/** Waits until no athlete is at one of the steps. @returns false when a person stopped it */
async function until(
  { output, signal, sleep, now }: CommandContext,
  { fleet }: FleetBatch,
  athletes: readonly Athlete[],
  phase: string,
  open: readonly ("check" | "checked" | "load")[],
): Promise<boolean> {
  const keys = athletes.map(({ key }) => key);
  const look = watchTrouble(output, fleet.database, keys);
  for (;;) {
    const steps = await fleet.athletes.steps(keys);
    const left = open.reduce((sum, step) => sum + steps[step], 0);
    if (left === 0) break;
    if (signal.aborted) return false;
    const done = phase === "checking athletes" ? athletes.length - steps.check : athletes.length - left;
    output.progress({ phase, done, total: athletes.length });
    await look(now());
    await sleep(LOOK_MS, signal).catch(() => undefined);
  }
  output.endProgress();
  return true;
}

function statusLine({ roster }: FleetRoster): string {
  return `logferry batch status ${shellWord(roster)}`;
}

function leave({ output }: CommandContext, batch: FleetRoster): ExitName {
  output.endProgress();
  output.conclude(
    `You no longer watch. The workers go on. To see how they stand: ${statusLine(batch)}. For the result and the reports, type the same command again. To stop them: logferry batch cancel ${shellWord(batch.roster)}`,
  );
  return "stopped";
}

/** What becomes of an athlete whom somebody forgot after this batch had put them. */
const FORGOTTEN = {
  status: "stopped",
  why: "somebody forgot them meanwhile, with logferry batch forget. Type the same command again",
  requests: 0,
  fingerprint: "",
} as const;

/**
 * The athletes with an outcome each, in the order of the roster.
 *
 * @param why the reason for an athlete whom the fleet had by another row. They are not done, whatever became of that row
 */
async function resultsOf(
  { fleet }: FleetBatch,
  { settings, athletes }: Asked,
  { why, choose, at }: { readonly why: string; readonly choose: (now: AthleteNow) => Outcome | undefined; at: number },
): Promise<readonly AthleteResult[]> {
  const now = await fleet.athletes.now(athletes.map(({ key }) => key));
  return athletes.flatMap((athlete): readonly AthleteResult[] => {
    const one = now.get(athlete.key);
    if (one === undefined) return [{ athlete, outcome: { ...FORGOTTEN, athlete: athlete.name, at } }];
    const outcome = choose(one);
    if (outcome === undefined) return [];
    if (isByOther(one, athlete, settings)) return [{ athlete, outcome: { ...outcome, status: "stopped", why } }];
    return [{ athlete, outcome, ...(one.wasDone && { wasDone: true }) }];
  });
}

/** Puts those who failed, were held or stopped, of whom records were refused, or whose report didn't arrive. */
async function retry(context: CommandContext, batch: FleetBatch): Promise<ExitName> {
  const now = await batch.fleet.athletes.now(batch.athletes.map(({ key }) => key));
  const failed = batch.athletes.filter(({ key }) => {
    const one = now.get(key);
    return (
      one?.step === "done" && one.outcome !== undefined && (!isDone(one.outcome) || one.outcome.note !== undefined)
    );
  });
  if (failed.length === 0) {
    sayWhom(context.output, "put", [], []);
    context.output.conclude("Nobody of them failed the last time: there is nothing to try again.");
    return "done";
  }
  return put({ ...context, options: { ...context.options, retryFailed: true } }, batch, failed);
}

/** Says as JSON which athletes were put or cancelled, a line each, and how many. */
function sayWhom(
  output: CommandContext["output"],
  phase: "put" | "cancelled",
  athletes: readonly Pick<Athlete, "key" | "name">[],
  keys: readonly string[],
): void {
  const whom = athletes.filter(({ key }) => keys.includes(key));
  for (const { name: athlete } of whom) output.emit("athlete", { phase, athlete });
  output.emit("batch", { athletes: athletes.length, [phase]: whom.length });
}

async function cancel({ output, options }: CommandContext, batch: FleetBatch): Promise<ExitName> {
  // Whose row is gone has no other command to stop them.
  const removed = options.only === undefined ? await removedOf(batch) : [];
  const athletes = [...batch.athletes, ...removed];
  const keys = await batch.fleet.athletes.cancel(athletes.map(({ key }) => key));
  sayWhom(output, "cancelled", athletes, keys);
  output.conclude(
    keys.length === 0
      ? "Nobody of them waits or is worked on: there is nothing to cancel."
      : `${inWords(keys.length)} cancelled. A worker that is at work finishes its requests first. The same batch goes on with them.`,
  );
  return "done";
}
