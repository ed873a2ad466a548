import type { Command } from "../arguments/command.ts";
import { ATHLETE_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry promote`: does in the real log what a rehearsal did in a private one. */
export const promote: Command = {
  name: "promote",
  details: [
    "Takes the sources, the options and your decisions from the last rehearsal, plans them for your real log, and compares the plan with the rehearsal record by record. Records that are as you saw them are sent: gear and courses first, then workouts, newest first.",
    "A record that is not as in the rehearsal waits, and nothing of it is sent: its row changed, your log may have it, or your log would be changed. The plan says what the rehearsal did and what would happen now. --accept-differences sends these records, too. A workout that your log has already is not sent again. What `logferry undo` put back stays so, unless you say --again beside it.",
    "Before it starts, it says how many requests it takes and when it ends, and asks. --yes leaves out the question, --dry-run ends there.",
    "With --at 22:00-06:00 it sends only in these hours, and with --per-day N at most so many requests a day. It waits by itself, for days if need be. `logferry status` shows how much is left. After a stop run `logferry promote` again: it goes on with the same hours and quota, and sends nothing twice.",
  ],
  options: [
    ...(["out", "dryRun", "yes", "acceptDifferences", "again", "at", "perDay", "activity", "trustList"] as const),
    ...ATHLETE_OPTIONS,
    ...RUN_OPTIONS,
    ...REPORT_OPTIONS,
    ...SESSION_OPTIONS,
  ],
  says: { out: { help: "folder of the rehearsal (default: rehearsal in the data folder)" } },
  examples: [
    { line: "logferry promote --dry-run", does: "what would be done, and how long it takes" },
    { line: "logferry promote", does: "the rehearsed import, in your real log" },
    { line: "logferry promote --at 22:00-06:00 --per-day 5000", does: "at night, over several days" },
  ],
  run: async (context) => (await import("../actions/promote.ts")).act(context),
};
