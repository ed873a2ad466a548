import type { Command } from "../arguments/command.ts";
import { REPORT_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry status`: shows past and current runs, without asking the log. */
export const status: Command = {
  name: "status",
  details: [
    "Reads only the journal. It works without the network, and during a run, which it names. It lists every run with its start, end and state. It shows the last one in full, or the one named with --run: what is left, and what to type next. --verbose shows every rejected, refused or merged record.",
    "With --repository it shows the age of the last good backup and of the last proven one instead of the runs. --run or --report brings the runs back. When the repository is set in the environment or the config file, the runs are shown, too. With --max-age 26h the exit code is 7 when the last good backup is older or missing. logferry then tells those whom the `notify` table of the config file names for silence.",
    "--report FILE.html writes a page about the run to keep, FILE.json one for programs, at any time. FILE.csv lists each value that the log doesn't hold, and what the other copies of duplicates say. The page says whether you can close the old account, and what is in the way.",
  ],
  options: ["journal", "run", "repository", "maxAge", ...REPORT_OPTIONS],
  examples: [
    { line: "logferry status --verbose", does: "the last run with every record that needs a look" },
    { line: "logferry status --run 3 --report run-3.html", does: "what became of run 3, as a page to keep" },
    { line: "logferry status --run 3 --report loss.csv", does: "each value that the log doesn't hold, with its place" },
    { line: "logferry status --repository ~/backups/log --max-age 26h", does: "is last night's backup there?" },
  ],
  run: async (context) => (await import("../actions/status.ts")).act(context),
};
