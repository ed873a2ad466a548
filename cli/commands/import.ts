import type { Command } from "../arguments/command.ts";
import { ATHLETE_OPTIONS, PLAN_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS, SOURCES } from "../arguments/option-lists.ts";

/** `logferry import`: plan and apply in one. */
export const importCommand: Command = {
  name: "import",
  details: [
    "Plans, then does what it planned: equipment and courses first, then workouts, newest first. logferry imports a workout's device file, then adds names, notes, gear and the right local time.",
    "After a stop or a kill, run the same command again. What reached the log is not sent again.",
    "When the log no longer has a record of an earlier run, logferry counts and names it, and leaves it out. You may have deleted it. With --restore-missing logferry loads it again.",
    "With --enrich logferry fills the blank fields of workouts that your log has already, and changes no value there: see docs/sources.md.",
    "docs/loading.md explains the pace, the waits for a service that fails, and what ends a run early. When --max-requests, --max-duration or --on-errors stops a run, logferry finishes the requests under way first. `logferry apply` resumes it.",
    "With --athlete the log must be that person's, by screen name or e-mail address. logferry holds archives that belong to somebody else: see docs/who-is-who.md. --trust lets them through.",
  ],
  positional: SOURCES,
  options: [
    "dryRun",
    "again",
    "restoreMissing",
    "enrich",
    "accept",
    ...ATHLETE_OPTIONS,
    ...RUN_OPTIONS,
    ...REPORT_OPTIONS,
    ...PLAN_OPTIONS,
  ],
  examples: [
    { line: "logferry import export_123.zip ~/watch log.csv", does: "all three into the log, each workout once" },
    {
      line: "logferry import export_123.zip --report report.html",
      does: "and a page that says what became of every record",
    },
    { line: "logferry import export_123.zip -n", does: "the same without changing anything" },
  ],
  run: async (context) => (await import("../actions/import.ts")).act(context),
};
