import { closeSources, openSources } from "../../pipelines/sources.ts";
import type { Command } from "../command.ts";
import { exitOfRun, printPlan, printResult } from "../print-run.ts";
import { loadRun, makePlan, openSession, PLAN_OPTIONS, type Session } from "../session.ts";

/** `logferry import`: plan and apply in one. */
export const importCommand: Command = {
  name: "import",
  summary: "carry everything in the sources into the log",
  details: [
    "Plans, then does what it planned: equipment and courses first, then workouts, newest first. A workout with a device file goes by import, followed by its names, notes, gear and the right local time.",
    "Killed or stopped, run it again: what is in the log already is not put there a second time.",
  ],
  positional: {
    name: "source",
    help: "an export zip, a folder or zip of watch files, a spreadsheet with its mapping file",
    atLeast: 1,
  },
  options: ["dryRun", ...PLAN_OPTIONS],
  examples: [
    { line: "logferry import export_123.zip ~/watch log.csv", does: "all three into the log, each workout once" },
    { line: "logferry import export_123.zip -n", does: "the same without changing anything" },
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
      if (context.options.dryRun === true) {
        context.output.conclude("Dry run: nothing was changed. Without -n, this is what will be done.");
        return await exitOfRun(session.journal, run, "plan");
      }
      const finished = await loadRun(context, session, run);
      return await printResult(context.output, session.journal, finished);
    } finally {
      await closeSources(sources);
      await session?.close();
    }
  },
};
