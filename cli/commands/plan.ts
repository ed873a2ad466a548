import { summarise } from "../../pipelines/journal/summary.ts";
import type { Command } from "../arguments/command.ts";
import { exitOfRun, lostOfPlan, noneReadable } from "../printing/closing.ts";
import { REPORT_OPTIONS } from "../session/report.ts";
import { PLAN_OPTIONS } from "../session/session.ts";
import { areSeveralPeople, waysForPeople } from "../session/several-people.ts";
import { ATHLETE_OPTIONS } from "../session/who-is-who.ts";
import { SOURCES, withPlan } from "../session/with-plan.ts";

/** `logferry plan`: writes down every decision, and changes nothing. */
export const plan: Command = {
  name: "plan",
  summary: "decide about every record of the sources, and change nothing",
  details: [
    "Reads the sources and the log, and decides about every record. Prints the decisions and what they cost in requests and time, and keeps them in the journal. Changes nothing in the log.",
    "`logferry apply` then does exactly this plan. `logferry import` does both in one.",
    "With --athlete the log must be that person's, by screen name or e-mail address. logferry holds archives that belong to somebody else: see docs/who-is-who.md. --trust lets them through.",
  ],
  positional: SOURCES,
  options: ["again", "restoreMissing", "enrich", ...ATHLETE_OPTIONS, ...REPORT_OPTIONS, ...PLAN_OPTIONS],
  examples: [
    { line: "logferry plan export_123.zip ~/watch log.csv", does: "what would happen with all three" },
    { line: "logferry plan export_123.zip --verbose", does: "and every pair and every issue" },
  ],
  run: (context) =>
    withPlan(
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
      "later",
    ),
};
