/** Opens the sources, plans them and prints the plan, for both `plan` and `import`. */
import type { When } from "../../pipelines/journal/cost.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { describeConditions } from "../../pipelines/plan/records/acceptance.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { PLANNING_ENDS } from "../arguments/stop-lines.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { printPlan } from "../printing/print-run.ts";
import { askForNumbers, keepNumbers } from "./ask-numbers.ts";
import { makePlan, type PlanPurpose } from "./make-plan.ts";
import { pricing } from "./own-journal.ts";
import { checkReports, withReports } from "./report.ts";
import { type LogSession, openSession, type Shared } from "./session.ts";
import { refusePeople, waysForPeople } from "./several-people.ts";
import { type Guard, guardOf } from "./who-is-who.ts";

/** What differs from the plan of an import. */
export interface Planning {
  /** The time at which the plan is carried out, because the cost depends on it. */
  readonly when?: When;
  readonly shared?: Shared;
  /** The purpose of the plan. It is asked for once more when the plan is made once more, after answers of the person. */
  readonly purpose?: () => PlanPurpose;
  /** What a person can do about exports of several people, where it isn't the usual; "trusted" where they belong together. */
  readonly people?: readonly string[] | "trusted";
  /** Called when the log is open, before the plan is made. */
  readonly before?: (session: LogSession) => Promise<void>;
  /** Called when the plan is made, before it is printed. It may change lines of the plan. */
  readonly amend?: (session: LogSession, run: Run) => Promise<void>;
}

/**
 * Plans the sources on the command line, prints the plan, and calls `then` while the sources are open.
 *
 * @returns the result of `then`; `stopped` when the plan was not completed
 */
export async function withPlan(
  context: CommandContext,
  then: (session: LogSession, run: Run, guard: Guard | undefined) => Promise<ExitName>,
  { when = "now", shared, purpose = () => ({}), people, before, amend }: Planning = {},
): Promise<ExitName> {
  await checkReports(context);
  context.sayAtStop?.(PLANNING_ENDS);
  const sources = await openSources(context.arguments, context.options.map, openOptions(context));
  let session: LogSession | undefined;
  try {
    session = await openSession(context, shared);
    await before?.(session);
    const { options } = context;
    const goesOn = when === "now" && options.dryRun !== true;
    // A plan shows that the sources are of several people. An import stops there.
    const ways = people ?? waysForPeople(session);
    const stops = goesOn && ways !== "trusted" ? { refusePeople: refusePeople(ways) } : undefined;
    let guard = guardOf(context, session);
    let run = await makePlan(context, session, sources, { ...purpose(), who: guard ?? stops });
    const answers = run === undefined ? {} : await askForNumbers(context, session.journal, run);
    await keepNumbers(context, session, answers);
    if (Object.keys(answers).length > 0) {
      // logferry reads the sources again, because a record that an answer lets in may duplicate another record.
      guard = guardOf(context, session);
      run = await makePlan(context, session, sources, { ...purpose(), who: guard ?? stops });
    }
    if (run === undefined) {
      const why = session.budget.why === undefined ? "" : `, for ${session.budget.why}`;
      context.output.conclude(`Stopped before the plan was complete${why}: nothing was changed.`);
      return "stopped";
    }
    const { journal } = session;
    await amend?.(session, run);
    await printPlan(context.output, journal, run, "plan", { ...pricing(options, session.url, when), goesOn });
    sayRule(context, run);
    context.sayAtStop?.(undefined);
    const [planned, ready, watching] = [session, run, guard];
    return await withReports(context, journal, ready, () => then(planned, ready, watching));
  } finally {
    await closeSources(sources);
    await session?.close();
  }
}

/** Says the conditions for closing the old account that this plan fixes. */
function sayRule({ output }: CommandContext, { options: { accepts = [], acceptanceHash = "" } }: Run): void {
  if (accepts.length === 0) return;
  output.say(`Your rule for closing the old account, fixed with this plan (${acceptanceHash.slice(0, 16)}):`);
  for (const sentence of describeConditions(accepts)) output.say(`  ${sentence}`);
}
