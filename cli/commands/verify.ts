import type { Command } from "../arguments/command.ts";
import { REPORT_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";
import { NOT_ALL_COMPARED, READING_ENDS } from "../arguments/stop-lines.ts";

/** `logferry verify`: reads the log back and compares it. */
export const verify: Command = {
  name: "verify",
  details: [
    "Reads back every record of the last run, or of the one named with --run. Compares each field with the plan, within the rounding of the log: 0.001 mi or km, 1 m, 0.1 lb or kg, 0.1 degree.",
    "Records that were in the log before are yours. Of them, logferry checks that they are there, and counts the values of the sources that they lack. It names workouts, shoes and courses of the log that look like one of the run and belong to none of your records. They were sent twice, or somebody typed them. Two equal records that were both there before the run are no difference.",
    "Of shoes and bikes it compares the mileage of the source with that of the log, and says what makes a difference. The log adds it up from its own workouts, so this is no fault.",
    "A value that somebody edited in the log is no difference once a later run left it so. logferry names it. When it would be more than half of the records, it counts as a difference: then the log itself changed them.",
    "The exit code is 7 when anything differs, or when a share of all loaded records is no longer in the log. Records that are still to be sent, in doubt or gone can't be read back. logferry counts them, and ends with exit code 75 or 3. A record that the log refuses to show doesn't count as missing: logferry names it with the log's answer, and ends with exit code 3.",
    "The run keeps the result: `logferry status` and the report show it. --report FILE.html writes a page about the run to keep. It says whether you can close the old account.",
  ],
  options: ["run", ...REPORT_OPTIONS, ...SESSION_OPTIONS],
  examples: [
    { line: "logferry verify", does: "is everything of the last run in the log, as planned?" },
    { line: "logferry verify --report report.html", does: "and a page to keep: can the old account be closed?" },
  ],
  stopping: READING_ENDS,
  stopped: NOT_ALL_COMPARED,
  run: async (context) => (await import("../actions/verify.ts")).act(context),
};
