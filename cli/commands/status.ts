import { existsSync } from "node:fs";
import { holderOf } from "../../pipelines/journal/lock.ts";
import { summarise } from "../../pipelines/summary.ts";
import type { Command } from "../command.ts";
import { printPlan } from "../print-run.ts";
import { checkReports, REPORT_OPTIONS, sayVerified, writeReports } from "../report.ts";
import { findRun, journalPath, openOwnJournalToRead } from "../session.ts";

/** `logferry status`: runs past and present, without asking the log. */
export const status: Command = {
  name: "status",
  summary: "show what was planned and done, and what needs a look",
  details: [
    "Reads the journal alone: works without the network, and while a run is in progress, which it names. The last run is shown in full, or the one named with --run; --verbose shows every record that was set aside, refused or merged.",
    "--report FILE.html writes what became of a run as a page to keep, FILE.json for programs: any time, from the journal alone. It says whether the old account can be closed, and what holds it back.",
  ],
  options: ["journal", "run", ...REPORT_OPTIONS],
  examples: [
    { line: "logferry status --verbose", does: "the last run with every record that needs a look" },
    { line: "logferry status --run 3 --report run-3.html", does: "what became of run 3, as a page to keep" },
  ],
  async run(context) {
    const { output, options } = context;
    await checkReports(context);
    const path = journalPath(options);
    // Looking must not make one: a name mistyped would leave an empty journal behind.
    if (!existsSync(path)) {
      output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
      return "done";
    }
    const journal = await openOwnJournalToRead(options);
    try {
      const runs = await journal.runs();
      const shown = await findRun(journal, options.run);
      if (shown === undefined) {
        output.conclude("No run yet. Begin with: logferry plan SOURCE");
        return "done";
      }
      for (const run of runs) {
        if (run.id === shown.id) continue;
        const { all } = await summarise(journal, run);
        output.emit("run", {
          run: run.id,
          state: run.state,
          createdAt: new Date(run.createdAt).toISOString(),
          ledger: all,
        });
        output.say(
          `Run ${run.id}, ${new Date(run.createdAt).toISOString().slice(0, 16).replace("T", " ")} UTC, ${run.state}: ${all.read} read, ${all.created} created, ${all.updated} updated, ${all.left} left`,
        );
      }
      const isWritten = await writeReports(context, journal, shown);
      const holder = holderOf(path);
      await printPlan(output, journal, shown, shown.state === "planned" ? "plan" : "result");
      if (holder !== undefined) {
        output.emit("holder", { run: shown.id, holder });
        output.conclude(`A run is in progress: ${holder}. What is shown is as of now.`);
        return isWritten ? "done" : "usage";
      }
      await sayVerified(output, journal, shown);
      const { all } = await summarise(journal, shown);
      const isOpen = all.left > 0 && shown.state !== "superseded";
      output.conclude(
        `Run ${shown.id} is ${shown.state}${isOpen ? `, ${all.left} records left to do. Next: logferry apply` : ""}.`,
      );
      return isWritten ? "done" : "usage";
    } finally {
      await journal.close();
    }
  },
};
