import { summarise } from "../../pipelines/journal/summary.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun, lostOfPlan, noneReadable } from "../printing/closing.ts";
import { areSeveralPeople, waysForPeople } from "../session/several-people.ts";
import { withPlan } from "../session/with-plan.ts";
import { reviewPairs } from "./plan-review.ts";

/** `logferry plan`: writes down every decision, and changes nothing. */
export async function act(context: CommandContext): Promise<ExitName> {
  const [word, ...rest] = context.arguments;
  if (word === "review" && rest.length === 0) return reviewPairs(context);
  const extra = (["list", "answer", "answers", "forget", "yes"] as const).find(
    (name) => context.options[name] !== undefined,
  );
  if (extra !== undefined) throw new UsageError(`Cannot use --${extra} here: it goes with logferry plan review`);
  return makePlanOfSources(context);
}

function makePlanOfSources(context: CommandContext): Promise<ExitName> {
  return withPlan(
    context,
    async (session, run) => {
      const lost = lostOfPlan(await summarise(session.journal, run));
      if (await areSeveralPeople(session.journal, run)) {
        const held = `Planned as run ${run.id}.${lost} Nothing was changed. logferry doesn't apply this plan, because its sources are of different people.`;
        context.output.conclude(held, ...waysForPeople(session));
        return "setAside";
      }
      const none = await noneReadable(session.journal, run);
      if (none !== undefined) context.output.warn(...none, `Planned as run ${run.id}: nothing is to be loaded.`);
      else context.output.conclude(`Planned as run ${run.id}.${lost} Nothing was changed. Next: logferry apply`);
      return exitOfRun(session.journal, run, "plan");
    },
    { when: "later" },
  );
}
