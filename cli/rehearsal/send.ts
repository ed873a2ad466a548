/** Carries a promotion out: now, or over several days in its hours and with its quota. */
import { FatalError, RetryableError, type TransferError } from "../../connectors/errors.ts";
import { isPromoteRule } from "../../pipelines/journal/promote-rules.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { summarise } from "../../pipelines/journal/summary.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { printResult } from "../printing/print-run.ts";
import { carryOut } from "../session/carry-out.ts";
import { openOwnJournalToRead, pricing } from "../session/own-journal.ts";
import { withReports } from "../session/report.ts";
import { type LogSession, openSession } from "../session/session.ts";
import { waitUntil } from "../session/wait-until.ts";
import { many } from "../terminal/output.ts";
import { backlogOf, emitBacklog, endOf, limitsInWords, momentInWords } from "./backlog.ts";
import type { SendingLimits } from "./sending-limits.ts";

/** Parts in a row that may send nothing, because lost answers were looked up with all the requests of a day. */
const MOST_IDLE = 3;

/** How long a promotion with hours or a quota waits when the service fails, and how often in a row. */
const TRY_AGAIN_MS = 3_600_000;
const MOST_FAILED = 48;

/** How a run ends when the service fails for too long. A broken contract is no such error. */
const UNWELL: readonly string[] = ["load/answers-lost", "load/answers-unreadable", "load/service-unwell"];

/** What all parts of a promotion need. */
export interface Promoting {
  readonly folder: string;
  readonly limits: SendingLimits;
  /** The command that goes on, for messages. */
  readonly goOn: string;
}

/**
 * Sends what is left of a run in the open log, as far as the hours and the quota allow.
 *
 * @returns the exit code; undefined when the promotion waits now
 */
export async function sendPart(
  context: CommandContext,
  session: LogSession,
  run: Run,
  promoting: Promoting,
  isFresh = false,
): Promise<ExitName | undefined> {
  const { limits } = promoting;
  const { output } = context;
  const { expected } = await measure(context, session, run, promoting, true);
  const isKnown = limits.areSet || pricing(context.options, session.url, "now").perSecond !== undefined;
  const ends = expected === undefined || !isKnown ? undefined : `ends about ${momentInWords(expected.end)}`;
  const told: CommandContext = {
    ...context,
    output: { ...output, progress: (status) => output.progress({ at: ends, ...status }) },
  };
  let finished: Run;
  try {
    finished = await carryOut(told, session, run, isFresh);
  } finally {
    limits.close();
  }
  const isHeld = limits.reason !== undefined && session.budget.why === limits.reason;
  if (finished.state === "stopped" && isHeld && !context.signal.aborted) return undefined;
  if (finished.state === "finished") limits.end();
  return conclude(context, session, finished);
}

/** Goes on with a run, part by part, until it is over or stopped. */
export async function sendOn(context: CommandContext, id: number, promoting: Promoting): Promise<ExitName> {
  const stalls: Stalls = { leftBefore: Number.POSITIVE_INFINITY, idle: 0, failed: 0, isAfterFailure: false };
  for (;;) {
    // A token command runs once for each environment object, and the token may have changed overnight.
    const own = { ...context, environment: { ...context.environment } };
    if (!(await waitForHours(own, id, promoting))) return stopped(context, promoting);
    try {
      const exit = await sendNext(own, id, promoting, stalls);
      if (exit !== undefined) return exit;
    } catch (error) {
      if (++stalls.failed > MOST_FAILED || !waitsOut(own, promoting, error)) throw error;
      stalls.isAfterFailure = true;
    }
  }
}

/** Parts in a row without progress. */
interface Stalls {
  leftBefore: number;
  /** Parts that sent nothing though the service answered, and parts that the service ended by failing. */
  idle: number;
  failed: number;
  isAfterFailure: boolean;
}

/** Opens the log and sends one part. @returns as `sendPart` */
async function sendNext(context: CommandContext, id: number, promoting: Promoting, stalls: Stalls) {
  const { limits, goOn } = promoting;
  limits.open();
  await using session = await openSession(context, { long: limits });
  const { journal } = session;
  const run = await journal.run(id);
  if (run === undefined || run.state === "superseded")
    throw new UsageError(`Another plan took the place of run ${id} meanwhile. Compare once more: ${goOn}`);
  const { all } = await summarise(journal, run);
  if (all.left < stalls.leftBefore) [stalls.idle, stalls.failed] = [0, 0];
  else if (!stalls.isAfterFailure) stalls.idle++;
  if (stalls.idle > MOST_IDLE)
    throw new UsageError(`Nothing could be sent ${stalls.idle} times in a row. Allow more: ${goOn} --per-day N`);
  [stalls.leftBefore, stalls.isAfterFailure] = [all.left, false];
  return await withReports(context, journal, run, () => sendPart(context, session, run, promoting));
}

/**
 * Lets a promotion with hours or a quota wait when the service fails for longer than the patience: it has days.
 *
 * @returns false for another error, and for a promotion that a person waits for
 */
export function waitsOut({ output, now, signal }: CommandContext, { limits }: Promoting, error: unknown): boolean {
  if (!saysUnwell(error) || !limits.areSet || signal.aborted) return false;
  limits.close();
  limits.pause(now() + TRY_AGAIN_MS);
  output.endProgress();
  output.remark(error.message);
  return true;
}

function saysUnwell(error: unknown): error is TransferError {
  return error instanceof RetryableError || (error instanceof FatalError && UNWELL.includes(error.code));
}

/** Waits until requests may be sent, with the backlog in the progress line. @returns false when it was stopped */
async function waitForHours(context: CommandContext, id: number, promoting: Promoting): Promise<boolean> {
  const { output, options, now } = context;
  const { limits, folder } = promoting;
  await using journal = await openOwnJournalToRead(options);
  const run = await journal.run(id);
  if (run === undefined) return true;
  const url = `http://${(await journal.account())?.baseUrl ?? ""}`;
  const { perSecond } = pricing(options, url, "later");
  const backlog = await backlogOf(journal, run, limits, { perSecond, isOpen: false }, now());
  const opens = limits.opensAt(backlog.least);
  if (opens <= now()) return true;
  const { end } = endOf(backlog, limits);
  const left = `${many(backlog.records, "record")} left`;
  output.endProgress();
  output.say(
    `Waiting until ${momentInWords(opens)} (${limitsInWords(limits)}): ${left}. It ends about ${momentInWords(end)}. Ctrl-C ends it; ${promoting.goOn} goes on.`,
  );
  emitBacklog(output, run, backlog, folder, opens);
  limits.noteWait(opens);
  const { all } = await summarise(journal, run);
  const sent = all.created + all.updated;
  const waiting = `until ${momentInWords(opens)}`;
  const isThere = await waitUntil(opens, context, () =>
    output.progress({
      ...{ phase: "loading", done: sent, total: sent + backlog.records },
      ...{ at: `ends about ${momentInWords(end)}`, waiting },
    }),
  );
  output.endProgress();
  return isThere;
}

function stopped({ output }: CommandContext, { goOn }: Promoting): ExitName {
  output.conclude(`Stopped. Nothing is lost, and nothing is sent twice. Go on with: ${goOn}`);
  return "stopped";
}

/** What is left, by the pace of the session. */
export async function measure(
  { options, now }: CommandContext,
  { journal, url }: LogSession,
  run: Run,
  { limits }: Promoting,
  isOpen: boolean,
) {
  const { perSecond } = pricing(options, url, "now");
  return backlogOf(journal, run, limits, { perSecond, isOpen }, now());
}

async function conclude({ output }: CommandContext, { journal, budget }: LogSession, run: Run): Promise<ExitName> {
  const exit = await printResult(output, journal, run, { requests: run.requests ?? budget.used, why: budget.why });
  return exit === "done" && (await differs(run, journal)) ? "setAside" : exit;
}

/** Whether the plan named differences that nobody accepted. Records that wait are among the rejected ones. */
async function differs({ id, options }: Run, journal: LogSession["journal"]): Promise<boolean> {
  if (options.promotes?.acceptsDifferences === true) return false;
  return (await journal.issues(id)).some(({ rule }) => isPromoteRule(rule));
}
