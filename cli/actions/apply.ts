import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import { summarise } from "../../pipelines/journal/summary.ts";
import { assumedTimes } from "../../pipelines/plan/records/assumed-times.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun, lostOfPlan } from "../printing/closing.ts";
import { printPlan, printResult } from "../printing/print-run.ts";
import { printAssumedTimes } from "../printing/print-times.ts";
import { carryOut } from "../session/carry-out.ts";
import { findRun, pricing } from "../session/own-journal.ts";
import { checkReports, withReports } from "../session/report.ts";
import { openSession, usedBy } from "../session/session.ts";
import { areSeveralPeople, waysForPeople } from "../session/several-people.ts";

/** `logferry apply`: carries out a plan, or resumes one that was stopped. */
export async function act(context: CommandContext): Promise<ExitName> {
  await checkReports(context);
  await using session = await openSession(context);
  const run = await findRun(session.journal, context.options.run);
  if (run === undefined) throw new UsageError("There is no plan to apply. Make one: logferry plan SOURCE");
  if (run.state === "superseded")
    throw new UsageError(`Run ${run.id} was replaced by a later plan. Apply that one: logferry apply`);
  // A lost answer may give records back to a finished run. The later runs have already planned these records again.
  const [first] = (await session.journal.runs()).filter(({ id }) => id > run.id);
  if (run.state === "finished" && first !== undefined) {
    throw new UsageError(
      `Run ${run.id} is over, and run ${first.id} came after it. See what is left with: logferry status --run ${run.id}`,
    );
  }
  return await withReports(context, session.journal, run, async () => {
    if (context.options.dryRun === true) {
      await printPlan(context.output, session.journal, run, "plan", pricing(context.options, session.url, "later"));
      context.output.conclude(`Dry run: nothing was changed.${lostOfPlan(await summarise(session.journal, run))}`);
      return exitOfRun(session.journal, run, "plan");
    }
    if (run.options.promotes !== undefined)
      throw new UsageError(
        `Run ${run.id} promotes a rehearsal. Only promote keeps to its hours and its quota: ${resumeCommand(run)}`,
      );
    if (await areSeveralPeople(session.journal, run))
      throw new UsageError(`The sources of run ${run.id} are of different people, so nothing was changed`, {
        more: waysForPeople(session),
      });
    printAssumedTimes(context.output, await assumedTimes(session.journal, run, ["planned"]));
    const finished = await carryOut(context, session, run);
    return printResult(context.output, session.journal, finished, usedBy(session));
  });
}
