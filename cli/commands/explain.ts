import type { Command } from "../arguments/command.ts";
import { SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry explain`: the audit trail of one record. */
export const explain: Command = {
  name: "explain",
  details: [
    "Names a record by its day (2019-05-04), its place (`log.csv:212` or `log.csv line 212`), its file, its whole key (`strava:workout:1100600003`), its id in the log, or its id in logferry. Shows its history. You see the values as the source has them, with their units, and how the local time and the activity came about. You see which other workouts of that day it was compared with, and how they differ. For each run you see what it decided, sent, and got back. You see what was merged with it, and which values are unsupported.",
    "All of it comes from the journal, without asking the log. --check also reads the record in the log, and shows the edits since. When your words name several records, logferry lists them. Name one by its id.",
  ],
  positional: { name: "record", help: "a day, a place, a file, an id or a key", atLeast: 1 },
  options: ["check", ...SESSION_OPTIONS],
  examples: [
    { line: "logferry explain 2019-05-04", does: "what became of that day's run" },
    {
      line: "logferry explain log.csv:212 --check",
      does: "of line 212 of the spreadsheet, and how it stands in the log now",
    },
  ],
  run: async (context) => (await import("../actions/explain.ts")).act(context),
};
