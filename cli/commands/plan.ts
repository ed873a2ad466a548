import { summarise } from "../../pipelines/journal/summary.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun, lostOfPlan, noneReadable } from "../printing/closing.ts";
import { REPORT_OPTIONS } from "../session/report.ts";
import { PLAN_OPTIONS } from "../session/session.ts";
import { areSeveralPeople, waysForPeople } from "../session/several-people.ts";
import { ATHLETE_OPTIONS } from "../session/who-is-who.ts";
import { SOURCES, withPlan } from "../session/with-plan.ts";
import { reviewPairs } from "./plan-review.ts";

/** `logferry plan`: writes down every decision, and changes nothing. */
export const plan: Command = {
  name: "plan",
  details: [
    "Reads the sources and the log, and decides about every record. Prints the decisions and what they cost in requests and time, and keeps them in the journal. Changes nothing in the log.",
    "`logferry apply` then does exactly this plan. `logferry import` does both in one.",
    "With --athlete the log must be that person's, by screen name or e-mail address. logferry holds archives that belong to somebody else: see docs/who-is-who.md. --trust lets them through.",
    "`plan review` shows the doubtful pairs of the newest plan side by side, those with your log too, and asks about each: one workout, or two? logferry remembers the answers, and every later plan obeys them. Without a terminal use --list, --answer, --answers and --forget. docs/sources.md shows how. For a folder called review type ./review.",
  ],
  positional: SOURCES,
  options: [
    "list",
    "answer",
    "answers",
    "forget",
    "yes",
    "again",
    "restoreMissing",
    "enrich",
    "accept",
    ...ATHLETE_OPTIONS,
    ...REPORT_OPTIONS,
    ...PLAN_OPTIONS,
  ],
  examples: [
    { line: "logferry plan export_123.zip ~/watch log.csv", does: "what would happen with all three" },
    { line: "logferry plan export_123.zip --verbose", does: "and every pair and every issue" },
    { line: "logferry plan review", does: "decide which doubtful pairs are one workout" },
    { line: "logferry plan review --answer 5f3a2c+9b1d00=one", does: "say it without a terminal" },
  ],
  run: (context) => {
    const [word, ...rest] = context.arguments;
    if (word === "review" && rest.length === 0) return reviewPairs(context);
    const extra = (["list", "answer", "answers", "forget", "yes"] as const).find(
      (name) => context.options[name] !== undefined,
    );
    if (extra !== undefined) throw new UsageError(`Cannot use --${extra} here: it goes with logferry plan review`);
    return makePlanOfSources(context);
  },
};

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
