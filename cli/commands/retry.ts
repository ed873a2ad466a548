import type { Command } from "../arguments/command.ts";
import { PLAN_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry retry`: tries again, only with the records that didn't get into the log. */
export const retry: Command = {
  name: "retry",
  details: [
    "Retries the records that the last run could not put into the log. The log refused them, their file was gone or had changed, or their answer was lost and the log doesn't hold them. Mend the cause first. logferry then reads them again from their files, plans them against the log, and loads them as a run of its own. Nothing else is sent.",
    "logferry looks up records in doubt first. Some services can't list their workouts, and then only you can look. Say with --assume-absent ID that the log doesn't hold the record, and logferry sends it again. Or name its record in the log with --assume-done ID=LOGID. logferry reads, compares and completes that one. The journal keeps your word.",
    "With --restore-missing logferry lists the log. It loads again what the run loaded and the log no longer has. Somebody deleted it, or the log was reset to an older state. logferry asks for each of these by its id first.",
  ],
  options: [
    "run",
    "restoreMissing",
    "assumeAbsent",
    "assumeDone",
    "dryRun",
    ...RUN_OPTIONS,
    ...REPORT_OPTIONS,
    ...PLAN_OPTIONS,
  ],
  examples: [
    { line: "logferry retry", does: "after the cause is mended: send what is missing" },
    { line: "logferry retry --restore-missing", does: "also what was loaded, and is gone from the log" },
    { line: "logferry retry --assume-done 5f3a2c=8121", does: "it is in the log already, as record 8121" },
  ],
  run: async (context) => (await import("../actions/retry.ts")).act(context),
};
