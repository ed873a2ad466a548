import { createEncoder } from "../../pipelines/encode.ts";
import { countedIn } from "../../pipelines/report/report.ts";
import { keepVerification, verify as verifyRun } from "../../pipelines/verify.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Command } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { distanceIn } from "../printing/print-run.ts";
import { checkReports, REPORT_OPTIONS, writeReports } from "../session/report.ts";
import { findRun, openSession, SESSION_OPTIONS } from "../session/session.ts";
import { count, span } from "../terminal/output.ts";

/** How many discrepancies are printed without --verbose. */
const SHOWN = 20;

/** `logferry verify`: read back and compare. */
export const verify: Command = {
  name: "verify",
  summary: "read everything back from the log and compare it field by field",
  details: [
    "Reads back every record of the last run (or the one named with --run) and compares each field with what was planned, within the rounding the log is written in: 0.01 mi or km, 1 m, 0.1 lb or kg, 0.1 degree.",
    "Records that were in the log before are checked to be there. Workouts of the log that are alike to one of the run, and that nothing you brought stands for, are named: they may have been sent twice, or you typed them. Exit code 7 when anything differs.",
    "What it found is remembered with the run: `logferry status` and the report say so. With --report FILE.html the whole run is written as a page to keep, which says whether the old account can be closed.",
  ],
  options: ["run", ...REPORT_OPTIONS, ...SESSION_OPTIONS],
  examples: [
    { line: "logferry verify", does: "is everything of the last run in the log, as planned?" },
    { line: "logferry verify --report report.html", does: "and a page to keep: can the old account be closed?" },
  ],
  async run(context) {
    const { output, options } = context;
    await checkReports(context);
    const session = await openSession(context);
    try {
      const run = await findRun(session.journal, options.run);
      if (run === undefined) throw new UsageError("There is no run to verify. Begin with: logferry import SOURCE");
      const result = await verifyRun(run, {
        journal: session.journal,
        sink: session.sink,
        encode: createEncoder(run.options),
        list: () => session.view.list("workout", context.signal),
        concurrency: session.concurrency,
        signal: context.signal,
        onProgress: (done) => output.progress({ phase: "reading back", done }),
      });
      output.endProgress();
      if (context.signal.aborted) {
        output.conclude("Stopped: not everything was compared.");
        return "stopped";
      }
      await keepVerification(session.journal, run, result, context.now());
      for (const [index, { line, differences }] of result.discrepancies.entries()) {
        output.emit("difference", {
          key: line.key,
          kind: line.kind,
          id: line.remoteId,
          origin: line.origin,
          differences,
        });
        if (index >= SHOWN && output.loudness !== "verbose") continue;
        const fields = differences.map(
          ({ field, expected, found }) => `${field}: ${JSON.stringify(found)}, planned ${JSON.stringify(expected)}`,
        );
        output.remark(`${describeOrigin(line.origin)} (${line.kind} ${line.remoteId}): ${fields.join("; ")}`);
      }
      const { metres, seconds, checked, present, discrepancyCount, claimedTwice, equal } = result;
      for (const [index, { id, like }] of equal.entries()) {
        if (index >= SHOWN && output.loudness !== "verbose") continue;
        output.remark(
          `Workout ${id} of the log is alike to ${like}, and is none of yours by the journal: sent twice, or typed by hand?`,
        );
      }
      output.emit("verification", {
        run: run.id,
        checked,
        present,
        differing: discrepancyCount,
        claimedTwice,
        equal,
        metres,
        seconds,
      });
      const unit = countedIn(session.view.preference.distanceUnit);
      output.say(
        `Distance planned ${distanceIn(unit, metres.planned)}, in the log ${distanceIn(unit, metres.found)}; time planned ${span(seconds.planned)}, in the log ${span(seconds.found)}.`,
      );
      const isGood = discrepancyCount === 0 && claimedTwice.length === 0 && equal.length === 0;
      output.conclude(
        isGood
          ? `Verified: all ${count(checked)} records of run ${run.id} are in the log, every field as planned${present > 0 ? ` (${count(present)} of them were there before)` : ""}.`
          : `Verification found ${count(discrepancyCount)} of ${count(checked)} records of run ${run.id} different${claimedTwice.length > 0 ? `, and ${claimedTwice.length} standing for two` : ""}${equal.length > 0 ? `, and ${count(equal.length)} that may be there twice` : ""}.`,
      );
      await writeReports(context, session.journal, run);
      return isGood ? "done" : "differs";
    } finally {
      await session.close();
    }
  },
};
