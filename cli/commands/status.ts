import { existsSync } from "node:fs";
import { holderOf } from "../../pipelines/journal/lock.ts";
import { summarise } from "../../pipelines/summary.ts";
import type { Command } from "../command.ts";
import { printPlan } from "../print-run.ts";
import { findRun, journalPath, openOwnJournalToRead } from "../session.ts";

/** `logferry status`: runs past and present, without asking the log. */
export const status: Command = {
  name: "status",
  summary: "show what was planned and done, and what needs a look",
  details: [
    "Reads the journal alone: works without the network, and while a run is in progress, which it names. The last run is shown in full, or the one named with --run; --verbose shows every record that was set aside, refused or merged.",
  ],
  options: ["journal", "run"],
  examples: [{ line: "logferry status --verbose", does: "the last run with every record that needs a look" }],
  async run({ output, options }) {
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
      const holder = holderOf(path);
      await printPlan(output, journal, shown, shown.state === "planned" ? "plan" : "result");
      if (holder !== undefined) {
        output.emit("holder", { run: shown.id, holder });
        output.conclude(`A run is in progress: ${holder}. What is shown is as of now.`);
        return "done";
      }
      const { all } = await summarise(journal, shown);
      const isOpen = all.left > 0 && shown.state !== "superseded";
      output.conclude(
        `Run ${shown.id} is ${shown.state}${isOpen ? `, ${all.left} records left to do. Next: logferry apply` : ""}.`,
      );
      return "done";
    } finally {
      await journal.close();
    }
  },
};
