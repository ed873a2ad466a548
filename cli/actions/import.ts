import { summarise } from "../../pipelines/journal/summary.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { exitOfRun, lostOfPlan } from "../printing/closing.ts";
import { printResult } from "../printing/print-run.ts";
import { carryOut } from "../session/carry-out.ts";
import { usedBy } from "../session/session.ts";
import { type Planning, withPlan } from "../session/with-plan.ts";

/** `logferry import`: plan and apply in one. @param planning what differs in a rehearsal */
export async function act(
  context: CommandContext,
  planning: Pick<Planning, "people" | "purpose"> = {},
): Promise<ExitName> {
  const then: Parameters<typeof withPlan>[1] = async (session, run, guard) => {
    if (context.options.dryRun === true) {
      const lost = lostOfPlan(await summarise(session.journal, run));
      context.output.conclude(`Dry run: nothing was changed.${lost} Without -n, this is what will be done.`);
      return exitOfRun(session.journal, run, "plan");
    }
    await guard?.remember();
    const planned = await summarise(session.journal, run);
    const finished = await carryOut(context, session, run, true);
    return printResult(context.output, session.journal, finished, usedBy(session), planned);
  };
  return withPlan(context, then, planning);
}
