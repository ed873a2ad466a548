import { inspectSource, type SourceReport } from "../../pipelines/sources/inspect.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import { describeIssue } from "../../transforms/model/issue.ts";
import { ARCHIVE_OPTIONS, archiveLimits } from "../arguments/archive-limits.ts";
import type { Command } from "../arguments/command.ts";
import { count, type Output } from "../terminal/output.ts";

/** `logferry inspect`: what an archive holds, without a log. */
export const inspect: Command = {
  name: "inspect",
  summary: "show what an archive holds, without touching any log",
  details: [
    "Recognises each source and reads all of it: how many records of which kind, from when to when, which sports, and what can't be read. Needs no login.",
  ],
  positional: {
    name: "source",
    help: "an export zip, a folder or zip of watch files, a spreadsheet with its mapping file",
    atLeast: 1,
  },
  options: ["map", "sport", ...ARCHIVE_OPTIONS],
  examples: [{ line: "logferry inspect export_123.zip", does: "what is in an export" }],
  async run({ arguments: paths, options, output, signal, tables }) {
    const sources = await openSources(paths, options.map, archiveLimits(options));
    let troubles = 0;
    try {
      for (const source of sources) {
        const report = await inspectSource(source, { signal, sports: tables.sports }, (done) =>
          output.progress({ phase: `reading ${source.archive.name}`, done }),
        );
        output.endProgress();
        output.emit("source", { ...report });
        printReport(output, report);
        troubles += report.quarantined;
        if (signal.aborted) {
          output.conclude("Stopped: not everything was read.");
          return "stopped";
        }
      }
    } finally {
      await closeSources(sources);
    }
    output.conclude(
      troubles === 0
        ? "Everything can be read."
        : `${count(troubles)} records can't be used as they are; the rest can.`,
    );
    return troubles === 0 ? "done" : "setAside";
  },
};

function printReport(output: Output, report: SourceReport): void {
  const { counts } = report;
  output.say(`${report.name}: ${report.title} (${report.saw})`);
  output.say(
    `  ${count(report.read)} records: ${count(counts.workout)} workouts, ${count(counts.equipment)} equipment, ${count(counts.course)} courses, ` +
      `${count(report.skipped)} left out by rule, ${count(report.quarantined)} unusable`,
  );
  if (report.first !== undefined)
    output.say(`  workouts from ${report.first} to ${report.last}, ${count(report.withTrack)} with a device file`);
  if (report.sports.length > 0) {
    output.say(
      `  sports: ${report.sports.map(({ name, activity, count: times }) => `${name} (${count(times)})${activity === undefined ? " unknown: say what it is with --sport" : ""}`).join(", ")}`,
    );
  }
  for (const { rule, count: times, example } of report.issues) {
    if (example.severity === "info" && output.loudness !== "verbose") continue;
    output.say(`  ${count(times)} x ${rule}, such as ${describeIssue(example)}`);
  }
  output.say();
}
