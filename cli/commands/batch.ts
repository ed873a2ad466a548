import type { Command } from "../arguments/command.ts";
import { kebab } from "../arguments/options.ts";
import { BATCH_ENDS } from "../arguments/stop-lines.ts";
import { ATHLETE_FIELDS, ROW_OPTIONS } from "../batch/roster-fields.ts";

/** `logferry batch`: many athletes, one command. */
export const batch: Command = {
  name: "batch",
  details: [
    "Reads a roster, as CSV or YAML: each athlete, their token and their archives. logferry checks all athletes before anything is written. It prints what it would do and what that costs. Then it imports for several athletes at once, each with a journal, a pace and a budget of their own. At the end it reads everything back. docs/batch.md describes the roster.",
    "One athlete's problem never stops another: a revoked token, a damaged archive, or records that the log refuses. The same command resumes where each athlete stood. It asks nothing of logs that are done. Options such as --since, --zone, --rate and --max-requests apply to all athletes whose row doesn't set them.",
    "Nobody's workouts go into somebody else's log. The token must belong to the athlete named. When an archive or a token contradicts that, logferry holds the athlete and gives the reason. You let them through with --trust: see docs/who-is-who.md.",
    "With --fleet the workers of a fleet do it, on as many machines as you like: see docs/fleet.md. Then `logferry batch retry ROSTER` and `logferry batch cancel ROSTER` work too. `logferry batch forget ROSTER` takes the roster's athletes out of the fleet's database once all are over.",
    "`logferry batch status ROSTER` shows the state of every athlete, without asking any log.",
  ],
  positional: {
    name: "roster",
    help: "the roster, CSV or YAML; before it, perhaps the word status, retry, cancel or forget",
    atLeast: 0,
    atMost: 2,
  },
  options: [
    "dryRun",
    "only",
    "retryFailed",
    "trust",
    "remember",
    "parallel",
    "hostRate",
    "noVerify",
    "report",
    "noPlaces",
    "certify",
    "template",
    ...ROW_OPTIONS.filter((name) => name !== "map"),
    "networkJournal",
    "fleet",
    "detach",
    "recipient",
    "maxAge",
    "yes",
  ],
  says: {
    yes: { help: "with forget: take them out. Without it, forget shows whom it would take out" },
    only: {
      metavar: "ATHLETE",
      help: 'only these athletes, by their names in the roster: --only "Ana López,Ben Okafor"',
    },
    recipient: {
      metavar: "AGE-KEY",
      help: "with --fleet: read each access token here, and put it into the fleet, sealed for this age key of the workers (age1..., or a file of them)",
    },
    maxAge: {
      metavar: "DURATION",
      help: "with status and --fleet: end with 7 when athletes wait and nobody ended for so long, or no worker lives: 1h, 90m",
    },
    report: {
      metavar: "FOLDER",
      help: "write an overview, and for each athlete a report and a summary, into a folder",
    },
  },
  examples: [
    { line: "logferry batch --template > roster.csv", does: "a roster to begin with" },
    { line: "logferry batch roster.csv -n", does: "what would be done for everybody, and what it costs" },
    {
      line: "logferry batch roster.csv --report results",
      does: "do it, with an overview and a summary for each athlete",
    },
    { line: "logferry batch roster.csv --retry-failed", does: "once the causes are mended" },
    { line: "logferry batch status roster.csv", does: "where everybody stands" },
  ],
  tables: [
    {
      title: "Columns of a roster",
      rows: [
        ...Object.entries(ATHLETE_FIELDS).map(([field, { means }]) => [field, means] as const),
        [ROW_OPTIONS.map(kebab).join(", "), "options of this athlete alone, as on the command line"],
      ],
    },
  ],
  stopping: BATCH_ENDS,
  run: async (context) => (await import("../actions/batch.ts")).act(context),
};
