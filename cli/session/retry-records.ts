/**
 * Retries records that a run left out, for both `quarantine retry` and `retry`. logferry reads the records again in their sources, plans
 * them and loads them, as a run of their own.
 */
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";
import { importAgain } from "../../pipelines/journal/options-again.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import { placeOfSource, type Run } from "../../pipelines/journal/run.ts";
import { summarise } from "../../pipelines/journal/summary.ts";
import { baseRun, type CurrentLine, selectForRetry } from "../../pipelines/plan/records/retry-selection.ts";
import { closeSources, type OpenedSource, openSourceAgain } from "../../pipelines/sources/sources.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { PLANNING_ENDS } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun, lostOfPlan } from "../printing/closing.ts";
import { printPlan, printResult } from "../printing/print-run.ts";
import { packageVersion } from "../system/version.ts";
import { keepNumbers } from "./ask-numbers.ts";
import { carryOut } from "./carry-out.ts";
import { makePlan } from "./make-plan.ts";
import { findRun, pricing } from "./own-journal.ts";
import { checkReports, withReports } from "./report.ts";
import { type LogSession, usedBy } from "./session.ts";

/** The run with the records in question: the last one that read whole sources, or the one of `--run`. */
export async function findBaseRun(journal: JournalReader, id: number | undefined): Promise<Run> {
  const base = await baseRun(journal, (await findRun(journal, id))?.id);
  if (base === undefined) throw new UsageError("No run yet. Begin with: logferry plan SOURCE");
  return base;
}

/** @throws UsageError when a run is not finished yet: its records would be in two runs at once */
export async function checkIsOver(journal: Journal, base: Run): Promise<void> {
  if (base.options.restores !== undefined) {
    throw new UsageError(
      `Cannot retry run ${base.id}: it put a snapshot back. Once the cause is mended, do that again: logferry restore ${base.options.restores.snapshot.slice(0, 8)}`,
    );
  }
  const runs = await journal.runs();
  const last = runs.at(-1);
  const later = runs.findLast(({ id, options }) => id > base.id && options.retryOf === undefined);
  if (later !== undefined) {
    throw new UsageError(
      `Cannot retry run ${base.id}: run ${later.id} read sources since. Import those of run ${base.id} again: ${importAgain(base)}. Or leave a record out: logferry quarantine drop ID --run ${base.id}`,
    );
  }
  const open = [base, last].find((run) => run !== undefined && run.state !== "finished" && !isOnlyPlanned(run, base));
  if (open === undefined) return;
  throw new UsageError(
    open.state === "planned"
      ? `Cannot retry run ${open.id}: it is planned and not done. Do it (${resumeCommand(open)}), or plan again with today's settings`
      : `Cannot retry run ${base.id}: run ${open.id} is ${open.state}. Go on with it first: ${resumeCommand(open)}`,
  );
}

/** The next retry replaces a rehearsal (`-n`) of a retry. */
function isOnlyPlanned(run: Run, base: Run): boolean {
  return run.id !== base.id && run.state === "planned";
}

/**
 * Reads records again, plans them and, except in a rehearsal, loads them.
 *
 * @param wanted the records in their current state
 */
export async function retryRecords(
  context: CommandContext,
  session: LogSession,
  base: Run,
  wanted: readonly CurrentLine[],
): Promise<ExitName> {
  const { output, options } = context;
  const { journal } = session;
  await checkReports(context);
  context.sayAtStop?.(PLANNING_ENDS);
  const sources: OpenedSource[] = [];
  try {
    const places: string[] = [];
    const selected: (CurrentLine & { source: number })[] = [];
    for (const current of wanted) {
      const ofRun = await journal.run(current.line.run);
      const from = ofRun?.sources[current.line.source];
      if (ofRun === undefined || from === undefined)
        throw new Error(`Cannot retry line ${current.line.seq}: its run has no such source`);
      const place = placeOfSource(from);
      if (!places.includes(place)) {
        places.push(place);
        const versions = { planned: ofRun.options.version, own: packageVersion() };
        sources.push(await openSourceAgain(from, options.map ?? from.mapping, versions, openOptions(context)));
      }
      selected.push({ ...current, source: places.indexOf(place) });
    }
    const selection = selectForRetry(journal, base, selected);
    const run = await makePlan(context, session, sources, { retried: { base, selection } });
    if (run === undefined) {
      output.conclude("Stopped before the plan was complete: nothing was changed.");
      return "stopped";
    }
    await keepNumbers(context, session);
    await printPlan(output, journal, run, "plan", {
      ...pricing(options, session.url, "now"),
      goesOn: options.dryRun !== true,
    });
    for (const { line } of selection.missing()) {
      output.remark(`${describeOrigin(line.origin)} is no longer there: plan the source again, with logferry import`);
    }
    context.sayAtStop?.(undefined);
    return await withReports(context, journal, run, async () => {
      if (options.dryRun === true) {
        const lost = lostOfPlan(await summarise(journal, run));
        output.conclude(`Dry run: nothing was changed.${lost} Without -n, this is what will be done.`);
        return exitOfRun(journal, run, "plan");
      }
      const finished = await carryOut(context, session, run, true);
      return printResult(output, journal, finished, usedBy(session));
    });
  } finally {
    await closeSources(sources);
  }
}
