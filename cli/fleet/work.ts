/** Does one step of one athlete, as a batch on one machine does it: by the same check, the same load and the same comparison. */
import { hash } from "node:crypto";
import type { Tracer } from "@opentelemetry/api";
import { withoutLastSlashes } from "../../connectors/api/base-url.ts";
import { PATIENCE_MS } from "../../connectors/api/health.ts";
import { absoluteSource, isAddress, nameOfSource, rememberAddress } from "../../connectors/containers/address.ts";
import { identityOf } from "../../connectors/containers/identity.ts";
import { FatalError } from "../../connectors/errors.ts";
import { isOver, type Outcome } from "../../pipelines/batch/outcome.ts";
import {
  type CheckedAthlete,
  type Settle,
  type SettledAthlete,
  type TakenAthlete,
  tallyOf,
} from "../../pipelines/fleet/athletes.ts";
import type { Job } from "../../pipelines/fleet/queue.ts";
import type { RequestTally } from "../../pipelines/fleet/request-tally.ts";
import { SEALED_FOR_OTHERS } from "../../pipelines/fleet/sealed-tokens.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import type { Suspect } from "../../pipelines/ownership/block.ts";
import type { Remembered } from "../../pipelines/ownership/memory.ts";
import { printable } from "../../transforms/text/printable.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { computeFingerprint, failureOf, withoutOwnToken } from "../batch/athlete.ts";
import { carry, ledgerNow } from "../batch/carry.ts";
import type { Hosts } from "../batch/hosts.ts";
import { preflight } from "../batch/preflight.ts";
import { OF_SEALED, OF_WORKER } from "../batch/print.ts";
import type { Athlete } from "../batch/roster.ts";
import { doneBefore, isInLog, withBlocks } from "../batch/run.ts";
import type { BatchStore } from "../batch/store.ts";
import type { Trace } from "../session/trace.ts";
import type { Output } from "../terminal/output.ts";
import { durationMs } from "../wording/durations.ts";
import type { Fleet } from "./open.ts";
import { atWorker } from "./paths.ts";
import { withPersonClaims } from "./person-claims.ts";
import { withOutstandingReport, withPutReport } from "./put-report.ts";
import { contextOf, type FleetSettings } from "./settings.ts";
import { sourcesHere } from "./sources-here.ts";
import type { WorkerTokens } from "./tokens.ts";
import { unseenBy, withFolder, withWorkers } from "./unseen.ts";

/** What the steps of all athletes share on one worker. */
export interface Work {
  readonly fleet: Fleet;
  /** A store for one step of one athlete. @param signal ends waits for PostgreSQL */
  readonly store: (signal: AbortSignal, tally: RequestTally, trace?: Trace) => BatchStore;
  readonly hosts: (settings: FleetSettings) => Hosts;
  /** Where relative paths begin on this worker; undefined for the folder of the roster. */
  readonly archives: string | undefined;
  readonly tokens: WorkerTokens;
  /** The name of this worker. */
  readonly name: string;
  /** The folder of its copies of journals. */
  readonly copies: string;
  /** Makes spans of what it does. */
  readonly tracer: Tracer;
}

/** What became of a job. */
export type Done =
  | { readonly is: "ended"; readonly outcome: Outcome }
  /** This worker leaves the athlete as they are, for another one to go on with. */
  | { readonly is: "given back" }
  /** The journal or the account is held, perhaps by a worker that died. The job comes again, to this worker or another one. */
  | { readonly is: "locked" }
  /** The disk of this machine is full. Another worker can do it. */
  | { readonly is: "disk full"; readonly why: string }
  /** This worker can't see an archive. Another one that is at work has not tried yet. */
  | { readonly is: "unseen" }
  /** Only a worker with another key, or a newer one, can do it. */
  | { readonly is: "for others"; readonly why: string }
  /** The log of the athlete doesn't answer. The job comes again. */
  | { readonly is: "away"; readonly why: string }
  /** Another worker had taken it, or there was nothing to do any more. */
  | { readonly is: "not ours" };

/** Why a step ends before it is done. */
export interface Stops {
  /** Another worker has the athlete, or this one is told to stop: the athlete goes on elsewhere. */
  readonly leave: AbortSignal;
  /** A person cancelled the athlete. */
  readonly cancelled: AbortSignal;
}

/** Does the step of a job. Every problem of the athlete becomes their outcome. */
export async function doStep(
  worker: CommandContext,
  work: Work,
  { stops, output, ...step }: Pick<OneStep, "job" | "taken" | "trace"> & { stops: Stops; output: Output },
): Promise<Done> {
  const { taken, trace } = step;
  const settings = taken.settings as FleetSettings;
  const signal = AbortSignal.any([stops.leave, stops.cancelled]);
  const context = withoutOwnToken({ ...contextOf(worker, settings), signal, output });
  const seen = atWorker(taken.athlete as Athlete, work.archives ?? settings.folder);
  for (const path of seen.archives) if (isAddress(path)) rememberAddress(path);
  const unseen = taken.isCancelled ? undefined : await unseenBy(work, taken, seen);
  if (unseen?.isForOthers === true) return { is: "unseen" };
  const tally = tallyOf(work.fleet.database, taken);
  const ending = await endingOf(context, work, { ...step, tally, athlete: seen });
  if ("is" in ending) return ending;
  const { outcome: found, finish } = ending;
  await tally.settle();
  if (isWaitedFor(found, context, taken) && !signal.aborted) return { is: "away", why: found.why ?? "" };
  if (found.isOfOwnDisk === true && !signal.aborted) return { is: "disk full", why: found.why ?? "" };
  if (found.isForNewer === true && !signal.aborted) return forNewer(found.why);
  const { isAway: _, isOfOwnDisk: __, isForNewer: ___, ...stripped } = found;
  const outcome = withWorkers(stripped, unseen?.workers);
  if (stops.leave.aborted && !isOver(outcome) && !stops.cancelled.aborted) return { is: "given back" };
  if (outcome.status === "locked") return { is: "locked" };
  const isCancelled = stops.cancelled.aborted && outcome.status === "stopped";
  const before = isCancelled ? await overBefore(context, { taken, athlete: seen }) : undefined;
  const ended = before ?? (isCancelled ? { ...outcome, why: CANCELLED } : outcome);
  const isOurs = await trace.part("write down", () => finish(ended));
  return isOurs ? { is: "ended", outcome: ended } : { is: "not ours" };
}

/** Whether an athlete whose log doesn't answer is to be tried again: until it has not answered for as long as `--patience` says. */
function isWaitedFor({ isAway }: Outcome, { options }: CommandContext, { athlete, awayMs = 0 }: TakenAthlete): boolean {
  const patience = (athlete as Athlete).options.patience ?? options.patience;
  const patienceMs = (patience === undefined ? undefined : durationMs(patience)) ?? PATIENCE_MS;
  return isAway === true && awayMs < patienceMs;
}

/** A store that remembers that the log answers: a journal is opened only then. */
function storeFor(context: CommandContext, work: Work, { athlete, taken, tally, trace }: OneStep): BatchStore {
  const store = withPersonClaims(work.store(context.signal, tally, trace), athlete);
  if (taken.awayMs === undefined) return store;
  return {
    ...store,
    async openJournal(options) {
      await work.fleet.athletes.away(taken, undefined);
      return store.openJournal(options);
    },
  };
}

/** The reason of a cancelled athlete. */
const CANCELLED = "cancelled; the same batch goes on with them";

/** Finds the token and does the step. */
async function endingOf(
  context: CommandContext,
  work: Work,
  step: OneStep,
): Promise<Ending | (Done & { is: "for others" | "disk full" })> {
  const doIt = step.taken.step === "check" ? check : load;
  try {
    // Whoever is cancelled needs neither archives nor a token, which perhaps no worker can find.
    if (step.taken.isCancelled) return await doIt(context, work, step);
    const { trace } = step;
    const seen = await trace.part("look at archives", () => seenArchives(context, step));
    const find = () => work.tokens.find(step.athlete, context.environment);
    const { athlete, environment } = await trace.part("get token", find);
    const ending = await doIt({ ...context, environment }, work, { ...step, athlete, seen });
    if (athlete.token === step.athlete.token) return ending;
    const isSealed = athlete.token.from === "token-variable";
    return { ...ending, outcome: withWay(ending.outcome, isSealed ? OF_SEALED : OF_WORKER) };
  } catch (error) {
    if (error instanceof FatalError && error.code === SEALED_FOR_OTHERS)
      return { is: "for others", why: error.message };
    const { status, why, isOfOwnDisk, isForNewer } = failureOf(error, context.signal.aborted);
    if (isOfOwnDisk) return { is: "disk full", why };
    if (isForNewer) return forNewer(why);
    if (status === "bug") throw error;
    return doIt(context, work, { ...step, failed: { ...blankOf(context, step), status, why } });
  }
}

/** While a new version takes over a fleet, workers of both are at work. */
function forNewer(why = ""): Done & { is: "for others" } {
  return { is: "for others", why: `${why} It is left to a newer worker` };
}

/** An outcome with the way to another token, for one that the log refused, or that the worker's own command could not get. */
function withWay(outcome: Outcome, way: string): Outcome {
  const { status, why } = outcome;
  if (status !== "login" || why === undefined) return outcome;
  return { ...outcome, why: `${why.replace("the token command (", "the worker's --token-command (")}. ${way}` };
}

/**
 * The identities of an athlete's archives that lie behind addresses, by the address without its query.
 *
 * @throws FatalError `archive/changed`, reason `source`, when the load finds another file than the check; and where one can't be read
 */
async function seenArchives(context: CommandContext, { athlete, taken }: OneStep): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const path of athlete.archives) {
    if (!isAddress(path)) continue;
    const [stored, name] = [absoluteSource(path), nameOfSource(path)];
    seen[stored] = await identityOf(path, name, openOptions(context));
    const before = taken.seen[stored];
    if (taken.step === "check" || before === undefined || before === seen[stored]) continue;
    const found = `Cannot load ${printable(name)}: it changed since it was checked. Run the same batch again`;
    throw new FatalError("archive/changed", "source", found);
  }
  return seen;
}

interface OneStep {
  readonly job: Job;
  readonly taken: TakenAthlete;
  readonly tally: RequestTally;
  readonly trace: Trace;
  readonly athlete: Athlete;
  readonly seen?: Record<string, string>;
  /** The outcome where the step can't begin. */
  readonly failed?: Outcome;
}

/** An outcome, and how to write it down. `finish` answers false when another worker has the athlete. */
interface Ending {
  readonly outcome: Outcome;
  readonly finish: (outcome: Outcome) => Promise<boolean>;
}

/**
 * The outcome of a cancelled athlete who is over and stays so; undefined for every other. What was loaded by another row, from other archives or into
 * another log says nothing about this one.
 */
async function overBefore(
  context: CommandContext,
  { taken, athlete }: Pick<OneStep, "taken" | "athlete">,
): Promise<Outcome | undefined> {
  const { outcome } = taken;
  if (taken.step !== "check" || outcome === undefined || !isOver(outcome)) return undefined;
  const url = athlete.options.url ?? context.options.url ?? outcome.log?.url;
  if (url !== undefined && withoutLastSlashes(url) !== withoutLastSlashes(outcome.log?.url ?? "")) return undefined;
  // An archive that this worker can't see may be another one by now.
  const fingerprint = await computeFingerprint(athlete, context).catch(() => undefined);
  return fingerprint === outcome.fingerprint ? outcome : undefined;
}

async function check(context: CommandContext, work: Work, step: OneStep): Promise<Ending> {
  const { fleet, hosts } = work;
  const { job, taken, athlete } = step;
  const settings = taken.settings as FleetSettings;
  const settle: Settle = (checked, memory) => settleAll(context, checked, memory);
  const ending = (outcome: Outcome, suspect: Suspect, wasDone: boolean): Ending => {
    const seen = { ...step.seen, ...(suspect.tokenHash !== undefined && { [TOKEN]: suspect.tokenHash }) };
    const finish = (ended: Outcome) =>
      fleet.athletes.finishCheck(taken, { outcome: ended, suspect, wasDone, seen }, settle, job);
    return { outcome, finish };
  };
  const unasked: Suspect = { athlete: athlete.name, expects: athlete.expects };
  const over = taken.isCancelled ? await overBefore(context, step) : undefined;
  if (over !== undefined) return ending(over, unasked, true);
  const { failed = taken.isCancelled ? cancelled(context, step) : undefined } = step;
  if (failed !== undefined) return ending(failed, unasked, false);
  const store = storeFor(context, work, step);
  const before = await doneBefore(context, athlete, store);
  if (before !== undefined) {
    const outcome = settings.isPlan ? before : await withOutstandingReport(context, athlete, before, store);
    return ending(outcome, unasked, true);
  }
  const looked = await preflight(context, athlete, { hosts: hosts(settings), store, output: context.output });
  const { suspect } = looked;
  const outcome = withFolder(looked.outcome, taken, work.archives ?? settings.folder);
  const tokenHash = suspect.tokenHash && ofBatch(taken, suspect.tokenHash);
  const roster = hash("sha256", JSON.stringify([settings.folder, settings.roster])).slice(0, 24);
  return ending(
    outcome,
    { ...suspect, member: { key: taken.key, roster }, ...(tokenHash !== undefined && { tokenHash }) },
    false,
  );
}

/** The name of the token beside those of archives in what a check saw. */
const TOKEN = "token";

/** What is compared is whether two are equal. Of a token nothing is kept but that. */
function ofBatch({ batch }: TakenAthlete, tokenHash: string): string {
  return hash("sha256", `${batch} ${tokenHash}`);
}

async function load(context: CommandContext, work: Work, step: OneStep): Promise<Ending> {
  const { fleet, hosts } = work;
  const { job, taken, athlete } = step;
  const settings = taken.settings as FleetSettings;
  const { outcome: planned, passed } = taken;
  const finish = (outcome: Outcome) =>
    fleet.athletes.finishLoad(taken, outcome, isInLog(outcome) ? passed : undefined, job);
  const store = storeFor(context, work, step);
  if (step.failed !== undefined || taken.isCancelled || planned === undefined) {
    const ended = step.failed ?? cancelled(context, step);
    const ledger = await ledgerNow(undefined, ended, store);
    return { outcome: { ...ended, ...(ledger && { ledger }) }, finish };
  }
  const verifies = context.options.noVerify !== true;
  const how = { hosts: hosts(settings), store, output: context.output, verifies };
  const token = taken.seen[TOKEN];
  const isTokenOfCheck = token === undefined ? undefined : (now: string) => ofBatch(taken, now) === token;
  const here = (run: Run) => sourcesHere(run, taken.athlete as Athlete, work.archives ?? settings.folder);
  const carried = await carry(context, { athlete, outcome: planned, isTokenOfCheck, here }, how);
  return { outcome: await withPutReport(context, athlete, carried, how.store), finish };
}

/** Ends a step with an outcome that was not worked for. */
export async function endAs(
  worker: CommandContext,
  { fleet }: Pick<Work, "fleet">,
  { taken, outcome, job }: { readonly taken: TakenAthlete; readonly outcome: Outcome; readonly job: Job },
): Promise<void> {
  if (taken.step === "load") return void (await fleet.athletes.finishLoad(taken, outcome, undefined, job));
  const context = contextOf(worker, taken.settings as FleetSettings);
  const { name: athlete, expects } = taken.athlete as Athlete;
  const checked = { outcome, suspect: { athlete, expects }, wasDone: false };
  const settle: Settle = (all, memory) => settleAll(context, all, memory);
  await fleet.athletes.finishCheck(taken, checked, settle, job);
}

function cancelled(context: CommandContext, step: OneStep): Outcome {
  return { ...blankOf(context, step), status: "stopped", why: CANCELLED };
}

/** What is known of an athlete whose step did not begin. */
function blankOf({ now }: CommandContext, { athlete, taken, tally }: OneStep): Outcome {
  const nothing = { status: "unbegun", fingerprint: "" } as const;
  return { ...nothing, ...taken.outcome, requests: tally.before, athlete: athlete.name, at: now() };
}

/** Compares all athletes of a batch, as a batch on one machine does. */
async function* settleAll(
  context: CommandContext,
  checked: readonly CheckedAthlete[],
  memory: AsyncIterable<Remembered>,
): AsyncGenerator<SettledAthlete> {
  const keys = new Map<Athlete, string>();
  const looked = checked.map(({ key, athlete: row, outcome, suspect }) => {
    const athlete = row as Athlete;
    keys.set(athlete, key);
    return { athlete, outcome, suspect };
  });
  for await (const { athlete, outcome, passed } of withBlocks(context, looked, memory))
    yield { key: keys.get(athlete) ?? athlete.key, outcome, passed };
}
