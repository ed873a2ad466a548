/** Carries a promotion out: now, or over several days in its hours and with its quota. */
import type { Run } from "../../pipelines/journal/run.ts";
import { summarise } from "../../pipelines/journal/summary.ts";
import { PROMOTE_RULES } from "../../pipelines/promote/compare-line.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { printResult } from "../printing/print-run.ts";
import { carryOut } from "../session/carry-out.ts";
import { withReports } from "../session/report.ts";
import { type LogSession, openOwnJournalToRead, openSession, pricing } from "../session/session.ts";
import { waitUntil } from "../session/wait-until.ts";
import { many } from "../terminal/output.ts";
import { backlogOf, emitBacklog, endOf, limitsInWords, momentInWords } from "./backlog.ts";
import type { SendingLimits } from "./sending-limits.ts";

/** Parts in a row that may send nothing, because lost answers were looked up with all the requests of a day. */
const MOST_IDLE = 3;

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
  const { limits } = promoting;
  let [leftBefore, idle] = [Number.POSITIVE_INFINITY, 0];
  for (;;) {
    // A token command runs once for each environment object, and the token may have changed overnight.
    const own = { ...context, environment: { ...context.environment } };
    if (!(await waitForHours(own, id, promoting))) return stopped(context, promoting);
    limits.open();
    await using session = await openSession(own, { long: limits });
    const run = await session.journal.run(id);
    if (run === undefined || run.state === "superseded")
      throw new UsageError(`Another plan took the place of run ${id} meanwhile. Compare once more: ${promoting.goOn}`);
    const { all } = await summarise(session.journal, run);
    idle = all.left < leftBefore ? 0 : idle + 1;
    if (idle > MOST_IDLE)
      throw new UsageError(`Nothing could be sent ${idle} times in a row. Allow more: ${promoting.goOn} --per-day N`);
    leftBefore = all.left;
    const { journal } = session;
    const exit = await withReports(context, journal, run, () => sendPart(own, session, run, promoting));
    if (exit !== undefined) return exit;
  }
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
  const { all } = await summarise(journal, run);
  const waiting = `until ${momentInWords(opens)}`;
  const isThere = await waitUntil(opens, context, () =>
    output.progress({
      ...{ phase: "loading", done: all.read - backlog.records, total: all.read },
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
  const rules: readonly string[] = Object.values(PROMOTE_RULES);
  return (await journal.issues(id)).some(({ rule }) => rules.includes(rule));
}
