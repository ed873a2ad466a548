import type { Command } from "../arguments/command.ts";
import { PLAN_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry quarantine`: shows the rejected records, the reasons, and the remedies. */
export const quarantine: Command = {
  name: "quarantine",
  details: [
    "Lists the rejected records of the last run, or of the one named with --run, that still wait. They are grouped by reason, with what to do. Each has an id, its file and line, the value found and the value expected. With ids or rules (`csv/bad-date`, `csv/`) logferry lists only those.",
    "`quarantine retry [ID|RULE...]` reads those records again from their files. It uses the settings of the run, and the ones you add now (--sport, --activity, --zone, --map). It loads the good ones as a run of its own. Nothing else of the sources is sent.",
    "`quarantine fix ID --set FIELD=VALUE` sets a value that can't be read. logferry checks it like a cell of a spreadsheet, and keeps it in the journal. `quarantine retry` and every later plan use it. You can't fix a file that can't be read at all. The list says what else to do.",
    "`quarantine fix ID --allow implausible` lets in a workout that logferry held back as impossible, now and in later plans. `quarantine retry --allow implausible` lets in all the named ones, this once: docs/plausibility.md.",
    "`quarantine drop ID` leaves a record out for good, and later plans count it as skipped. `quarantine take-back ID` forgets a fix or a drop.",
    "With `retry` alone, --dry-run shows what would be read, and loads nothing. `fix`, `drop` and `take-back` refuse it: they send nothing, and keep what you said in the journal.",
  ],
  positional: {
    name: "word",
    help: "retry, fix, drop or take-back and its records, or ids and rules to list",
    atLeast: 0,
  },
  options: ["run", "set", "dryRun", ...RUN_OPTIONS, ...REPORT_OPTIONS, ...PLAN_OPTIONS],
  tables: [
    {
      title: "What --set takes",
      rows: [
        ["date=2019-05-04", "the day it was done, where you were"],
        ["time=18:05", "the time of day; also 6:05 PM"],
        ["activity=run", "the activity, by logferry's name for it"],
        ['distance="10 km"', "with its unit: km, mi, m, yd"],
        ["duration=1:02:03", 'hours, minutes and seconds; or in words, "45 min"'],
        ["name=TEXT, notes=TEXT", "as you would have written it"],
      ],
    },
  ],
  examples: [
    { line: "logferry quarantine", does: "what was rejected, and what to do about it" },
    {
      line: 'logferry quarantine retry workout/unknown-sport --sport "Nordic Walking=walk"',
      does: "let in all of a sport that no table knew",
    },
    { line: 'logferry quarantine fix 5f3a2c --set date=2019-05-04 --set distance="10 km"', does: "say it by hand" },
    { line: "logferry quarantine drop 5f3a2c", does: "leave it out for good" },
  ],
  run: async (context) => (await import("../actions/quarantine.ts")).act(context),
};
