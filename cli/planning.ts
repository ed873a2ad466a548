/**
 * What `plan` and `import` have in common: the sources are opened and planned, the plan is printed.
 */
import type { When } from "../pipelines/journal/cost.ts";
import type { Run } from "../pipelines/journal/journal.ts";
import { closeSources, openSources } from "../pipelines/sources/sources.ts";
import { archiveLimits } from "./arguments/archive-limits.ts";
import type { Command, CommandContext } from "./arguments/command.ts";
import type { ExitName } from "./errors/exit-codes.ts";
import { makePlan } from "./make-plan.ts";
import { printPlan } from "./printing/print-run.ts";
import { checkReports, withReports } from "./session/report.ts";
import { openSession, pricing, type Session } from "./session/session.ts";
import { type Guard, guardOf } from "./session/who-is-who.ts";

/** What may follow the command. */
export const SOURCES: NonNullable<Command["positional"]> = {
  name: "source",
  help: "an export zip, a folder or zip of watch files, a spreadsheet with its mapping file",
  atLeast: 1,
};

/**
 * Plans the sources that the command was given, prints the plan, and goes on with it while they are open.
 *
 * @param when the plan is carried out: what it costs depends on it
 * @returns what `then` returns; `stopped` when the plan was not completed
 */
export async function withPlan(
  context: CommandContext,
  then: (session: Session, run: Run, guard: Guard | undefined) => Promise<ExitName>,
  when: When = "now",
): Promise<ExitName> {
  await checkReports(context);
  const sources = await openSources(context.arguments, context.options.map, archiveLimits(context.options));
  let session: Session | undefined;
  try {
    session = await openSession(context);
    const guard = guardOf(context, session);
    const run = await makePlan(context, session, sources, undefined, guard);
    if (run === undefined) {
      const why = session.budget.why === undefined ? "" : `, for ${session.budget.why}`;
      context.output.conclude(`Stopped before the plan was complete${why}: nothing was changed.`);
      return "stopped";
    }
    const { journal } = session;
    await printPlan(context.output, journal, run, "plan", pricing(context.options, when));
    const planned = session;
    return await withReports(context, journal, run, () => then(planned, run, guard));
  } finally {
    await closeSources(sources);
    await session?.close();
  }
}
