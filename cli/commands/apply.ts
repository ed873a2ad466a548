import type { Command } from "../arguments/command.ts";
import { ARCHIVE_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry apply`: carries out a plan, or resumes one that was stopped. */
export const apply: Command = {
  name: "apply",
  details: [
    "Does exactly what the last plan says, or the run named with --run. Keep the sources where they are. logferry names a file that changed since. It doesn't load a device file that changed. The records of a table that changed are loaded as they were planned, and the certificate then says no.",
    "Somebody may have added a workout to the log since the plan was made. When the plan would make the same one, logferry doesn't make it again. That record fails and names the other one, and the rest goes on. A new plan takes it in.",
    "After a stop or a kill, `logferry apply` resumes the run. What reached the log is not sent again.",
    "docs/loading.md explains the pace, the waits for a service that fails, and what ends a run early. When --max-requests, --max-duration or --on-errors stops a run, logferry finishes the requests under way first.",
  ],
  options: ["dryRun", "run", "trustList", ...RUN_OPTIONS, ...REPORT_OPTIONS, ...ARCHIVE_OPTIONS, ...SESSION_OPTIONS],
  examples: [{ line: "logferry apply", does: "the last plan" }],
  run: async (context) => (await import("../actions/apply.ts")).act(context),
};
