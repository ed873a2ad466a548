import type { Command } from "../arguments/command.ts";
import { ATHLETE_OPTIONS, PLAN_OPTIONS, REPORT_OPTIONS, SOURCES } from "../arguments/option-lists.ts";

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
  run: async (context) => (await import("../actions/plan.ts")).act(context),
};
