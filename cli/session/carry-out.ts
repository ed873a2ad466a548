/** Carries out a run, for all commands that write. */
import { isShortened } from "../../connectors/containers/address.ts";
import { FatalError } from "../../connectors/errors.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { checkAssumptions } from "../../pipelines/load/check-assumptions.ts";
import type { LoadContext } from "../../pipelines/load/load-context.ts";
import { loadPlan } from "../../pipelines/load/load-plan.ts";
import { lookAhead } from "../../pipelines/load/look-ahead.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { describeChanged } from "../../pipelines/sources/describe-changed.ts";
import { compareInventory, type InventoryContext, takeInventory } from "../../pipelines/sources/inventory.ts";
import { openSourceFiles } from "../../pipelines/sources/source-files.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { packageVersion } from "../system/version.ts";
import { lookAfter, lookAtPlan, toMake } from "./look-back.ts";
import type { LogSession } from "./session.ts";
import { sayIssue, settleDoubts, settleTime, waitForCutOff } from "./settle-doubts.ts";
import { watch } from "./watch.ts";

/**
 * Carries out a run.
 *
 * @param isFresh whether it was planned just now; otherwise logferry compares the log with the plan's assumptions
 * @returns the run in its new state
 */
export async function carryOut(context: CommandContext, session: LogSession, run: Run, isFresh = false): Promise<Run> {
  const { output, now } = context;
  const { budget, journal, signal } = session;
  await waitForCutOff(context, session);
  const tally = await journal.tally(run.id);
  // Settling puts records in doubt back to planned, or completes them.
  const total = tally
    .filter(({ state }) => state === "planned" || state === "in-flight" || state === "in-doubt")
    .reduce((sum, row) => sum + row.count, 0);
  const made = await toMake(journal, run);
  if (total > 0 && !(await takeStock(context, session, run, isFresh))) return run;
  const files = openSourceFiles(run, openOptions({ ...context, signal }), packageVersion());
  const say = sayIssue(context);
  const report = async (issue: Issue) => {
    say(issue);
    await journal.addIssue(run.id, issue);
  };
  const watched = watch(context, session, "loading", total);
  try {
    if (total > 0) await journal.setLooked(run.id, undefined);
    const loading: LoadContext = {
      journal,
      sink: session.sink,
      files,
      encode: createEncoder(run.options),
      settle: (_signal, quietMs) =>
        settleDoubts(context, session, report, quietMs, watched.waitFor).finally(() => watched.waitFor(undefined)),
      ...settleTime(context.options),
      report,
      onProgress: watched.progress,
      now,
      concurrency: session.concurrency,
      signal,
      isWaitedFor: session.isWaitedFor,
      isIdle: session.isIdle,
      mayBegin: (requests) => budget.mayBegin(requests),
      onReserve: () => budget.reserve(),
    };
    const isDone = await loadPlan(run, { ...loading, ...(!isFresh && comparing(session, run)) });
    if (isDone && total > 0) {
      let swapped = 0;
      const looking = { made, onWait: watched.waitFor };
      await lookAfter(context, session, run, { ...looking, onSwapped: (count) => (swapped += count) });
      // The log has the swapped records under each other's ids. Loading again finds them there, and overwrites them with the right values.
      if (swapped > 0 && (await loadPlan(run, loading))) await lookAfter(context, session, run, looking);
    }
    if (isDone && total === 0) {
      if (isFresh) await lookAtPlan(context, session, run);
      else await lookAfter(context, session, run, { made, onWait: watched.waitFor });
    }
  } catch (error) {
    // The budget ran out while lost answers were looked up. The journal knows the place to resume.
    if (budget.explain(error) === error) throw withWayOn(error, run);
  } finally {
    watched.stop();
    await files.close();
    output.endProgress();
  }
  await journal.addRequests(run.id, session.usedSinceAsked());
  return (await journal.run(run.id)) ?? run;
}

/**
 * Names the files that changed since the plan, before the first record is sent. The records of a table are sent as they were planned, so the run keeps this
 * for its certificate. A plan of an older version has no inventory, and gets it now. A restore has no sources.
 *
 * @returns false when a person stopped it; then nothing was sent
 */
async function takeStock(context: CommandContext, session: LogSession, run: Run, isFresh: boolean): Promise<boolean> {
  if (run.options.restores !== undefined) return true;
  const { journal, signal } = session;
  const reading = listing(context, session);
  const isOfPlan = (await journal.inventoryTakenAt(run.id)) !== undefined;
  if (isFresh || !isOfPlan) return takeInventory(run, journal, context.now(), reading);
  const { words, issue } = describeChanged(await compareInventory(run, journal, reading), run);
  if (signal.aborted) return false;
  context.output.endProgress();
  if (words.length > 0) context.output.remark(...words);
  if (issue !== undefined) await journal.addIssue(run.id, issue);
  return true;
}

/** Settings for reading every file of the sources once more. */
export function listing(context: CommandContext, { signal }: LogSession): InventoryContext {
  return {
    open: openOptions({ ...context, signal }),
    version: packageVersion(),
    signal,
    onProgress: (done) =>
      context.output.progress({ phase: "listing the files of the sources", done, total: undefined }),
  };
}

/** How to compare the log with a plan that was made before. */
function comparing({ budget, journal, view }: LogSession, run: Run): Pick<LoadContext, "check" | "lookAhead"> {
  const { list, page } = view;
  return {
    check: (kinds, signal) => checkAssumptions(run, { journal, list }, kinds, signal),
    ...(page !== undefined && {
      // A bounded command may end before it settles the lost answers, so it settles them first. Otherwise the owner may change those
      // records meanwhile.
      lookAhead: async (inDoubt, signal) =>
        inDoubt > 0 && budget.isBounded ? undefined : lookAhead(run, { journal, page }, inDoubt, signal),
    }),
  };
}

/** Adds the resume command to an error that a person can mend: by a login, by another address, or when a source can be read again. */
function withWayOn(error: unknown, run: Run): unknown {
  if (!(error instanceof FatalError)) return error;
  const { code, reason } = error;
  const { sources } = run;
  // The message about an address without its query has the way on in it.
  const isOfSource = reason === "source" && code !== "archive/address-forgotten";
  if (reason !== "login" && code !== "api/redirect" && !isOfSource) return error;
  const needsQuery = sources.some(({ path, parts = [] }) => [path, ...parts].some(isShortened));
  const goOn =
    isOfSource && needsQuery ? "the same logferry import, with the whole address of the archive" : resumeCommand(run);
  return new FatalError(code, reason, error.message, { cause: error, goOn });
}
