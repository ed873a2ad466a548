/**
 * Carries out a run: what the commands that write have in common.
 */
import { FatalError } from "../../connectors/errors.ts";
import { createEncoder } from "../../pipelines/encode.ts";
import type { Run } from "../../pipelines/journal/journal.ts";
import { checkAssumptions } from "../../pipelines/load/check-assumptions.ts";
import { load } from "../../pipelines/load/load.ts";
import type { LoadContext } from "../../pipelines/load/load-context.ts";
import { lookAhead } from "../../pipelines/load/look-ahead.ts";
import { openSourceFiles } from "../../pipelines/sources/source-files.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { archiveLimits } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { sayIssue, settleDoubts, settleTime } from "../settle-doubts.ts";
import type { Session } from "./session.ts";

/**
 * Carries out a run.
 *
 * @param isFresh whether it was planned just now; else the log is compared with what the plan assumed
 * @returns the run as it stands afterwards
 */
export async function loadRun(context: CommandContext, session: Session, run: Run, isFresh = false): Promise<Run> {
  const { output, now } = context;
  const { budget, journal, signal } = session;
  const tally = await journal.tally(run.id);
  const total = tally
    .filter(({ state }) => state === "planned" || state === "in-flight")
    .reduce((sum, row) => sum + row.count, 0);
  const files = openSourceFiles(run, archiveLimits(context.options));
  const say = sayIssue(context);
  const report = async (issue: Issue) => {
    say(issue);
    await journal.addIssue(run.id, issue);
  };
  const watched = watch(context, session, "loading", total);
  try {
    await load(run, {
      journal,
      sink: session.sink,
      files,
      encode: createEncoder(run.options),
      settle: (_signal, quietMs) =>
        settleDoubts(context, session, report, quietMs, watched.waitFor).finally(() => watched.waitFor(undefined)),
      ...(!isFresh && comparing(session, run)),
      ...settleTime(context.options),
      report,
      onProgress: watched.progress,
      now,
      concurrency: session.concurrency,
      signal,
      isWaitedFor: session.isWaitedFor,
      mayBegin: (requests) => budget.mayBegin(requests),
      onSetAside: () => budget.setAside(),
    });
  } catch (error) {
    // Used up while what was lost was looked up: the journal knows where to go on.
    if (budget.explain(error) === error) throw withWayOn(error);
  } finally {
    watched.stop();
    await files.close();
    output.endProgress();
  }
  await journal.addRequests(run.id, session.usedSinceAsked());
  return (await journal.run(run.id)) ?? run;
}

/** How the log is held against a plan that was made before. */
function comparing({ budget, journal, view }: Session, run: Run): Pick<LoadContext, "check" | "lookAhead"> {
  const { list, page } = view;
  return {
    check: (kinds, signal) => checkAssumptions(run, { journal, list }, kinds, signal),
    ...(page !== undefined && {
      // A command that may end before it comes to that settles first what was lost: its owner may change it meanwhile.
      lookAhead: async (inDoubt, signal) =>
        inDoubt > 0 && budget.isBounded ? undefined : lookAhead(run, { journal, page }, inDoubt, signal),
    }),
  };
}

/** What ends a run that a login mends says what goes on with the run. */
function withWayOn(error: unknown): unknown {
  if (!(error instanceof FatalError) || error.reason !== "login") return error;
  return new FatalError(error.code, error.reason, error.message, { cause: error, goOn: "logferry apply" });
}

/**
 * Progress of a long step that is said again while nothing happens: what it waits for then is what a person wants to know.
 *
 * @param total records of the step, where known
 */
function watch({ output }: CommandContext, { budget, view }: Session, phase: string, total?: number) {
  let done = 0;
  let waitsFor: string | undefined;
  const say = () => {
    const end = budget.why === undefined ? undefined : `what is under way; ${budget.why}`;
    const waiting = view.waiting() ?? waitsFor ?? end;
    output.progress({ phase, done, total, waiting });
  };
  const timer = setInterval(say, 1000).unref();
  return {
    progress(count: number) {
      done = count;
      say();
    },
    waitFor(what: string | undefined) {
      waitsFor = what;
      if (what !== undefined) say();
    },
    stop: () => clearInterval(timer),
  };
}
