import { closeSources, openSources } from "../../pipelines/sources.ts";
import type { Command } from "../command.ts";
import { exitOfRun, printPlan } from "../print-run.ts";
import { makePlan, openSession, PLAN_OPTIONS, type Session } from "../session.ts";

/** `logferry plan`: every decision, written down, nothing changed. */
export const plan: Command = {
  name: "plan",
  summary: "decide about every record of the sources, and change nothing",
  details: [
    "Reads the sources and the log, decides about every record, prints the decisions and keeps them in the journal. Nothing in the log is changed.",
    "`logferry apply` then does exactly this plan. `logferry import` is both in one.",
  ],
  positional: {
    name: "source",
    help: "an export zip, a folder or zip of watch files, a spreadsheet with its mapping file",
    atLeast: 1,
  },
  options: PLAN_OPTIONS,
  examples: [
    { line: "logferry plan export_123.zip ~/watch log.csv", does: "what would happen with all three" },
    { line: "logferry plan export_123.zip --verbose", does: "and every pair and every issue" },
  ],
  async run(context) {
    const sources = await openSources(context.arguments, context.options.map);
    let session: Session | undefined;
    try {
      session = await openSession(context);
      const run = await makePlan(context, session, sources);
      if (run === undefined) {
        context.output.conclude("Stopped before the plan was complete: nothing was changed.");
        return "stopped";
      }
      await printPlan(context.output, session.journal, run);
      context.output.conclude(`Planned as run ${run.id}; nothing was changed. Next: logferry apply`);
      return await exitOfRun(session.journal, run, "plan");
    } finally {
      await closeSources(sources);
      await session?.close();
    }
  },
};
