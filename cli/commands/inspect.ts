import { inspectSource, type LostFilesOfKind, lostIn, type SourceReport } from "../../pipelines/sources/inspect.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import { describeIssue } from "../../transforms/model/issue.ts";
import { describeLost } from "../../transforms/model/lost-file.ts";
import { printable } from "../../transforms/text/printable.ts";
import { ARCHIVE_OPTIONS, archiveLimits } from "../arguments/archive-limits.ts";
import type { Command } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { count, type Output } from "../terminal/output.ts";
import { inspectAnonymously } from "./inspect-anonymously.ts";

/** `logferry inspect`: shows the contents of an archive, without a log. */
export const inspect: Command = {
  name: "inspect",
  summary: "show what an archive holds, without touching any log",
  details: [
    "Recognises each source and reads all of it. Shows how many records of each kind it holds, from when to when, which sports, and what can't be read. Needs no login.",
    "With --anonymise it shows how the archive is built, and none of its values. You see the shapes of paths, headers and the shapes of columns, keys of JSON and XML, and numbers of FIT messages. Use it to report an archive that isn't read: docs/my-archive-isnt-read.md. logferry sends nothing anywhere.",
  ],
  positional: {
    name: "source",
    help: "an export zip, a folder or zip of watch files, a spreadsheet with its mapping file",
    atLeast: 1,
  },
  options: ["map", "sport", "anonymise", "out", ...ARCHIVE_OPTIONS],
  says: { out: { metavar: "FILE", help: "with --anonymise: the file to write to, instead of printing" } },
  examples: [
    { line: "logferry inspect export_123.zip", does: "what is in an export" },
    {
      line: "logferry inspect export_123.zip --anonymise --out structure.txt",
      does: "how an export is built, without its values, to report one that isn't read",
    },
  ],
  async run(context) {
    const { arguments: paths, options, output, signal, tables } = context;
    if (options.anonymise === true) return inspectAnonymously(context);
    if (options.out !== undefined) throw new UsageError("Cannot use --out: it goes with --anonymise");
    const sources = await openSources(paths, options.map, archiveLimits(options));
    let problems = 0;
    let implausible = 0;
    let unread = 0;
    const lost: LostFilesOfKind[] = [];
    try {
      for (const source of sources) {
        const report = await inspectSource(source, { signal, sports: tables.sports }, (done) =>
          output.progress({ phase: `reading ${source.archive.name}`, done }),
        );
        output.endProgress();
        output.emit("source", { ...report });
        printReport(output, report);
        problems += report.quarantined;
        implausible += report.implausible;
        unread += report.unread?.count ?? 0;
        lost.push(...report.lostFiles);
        if (signal.aborted) {
          output.conclude("Stopped: not everything was read.");
          return "stopped";
        }
      }
    } finally {
      await closeSources(sources);
    }
    output.conclude(conclusion({ problems, unread, implausible, lost }));
    return problems + implausible + lost.length === 0 ? "done" : "setAside";
  },
};

/** The problems in all sources. */
interface Found {
  readonly problems: number;
  readonly unread: number;
  readonly implausible: number;
  readonly lost: readonly LostFilesOfKind[];
}

/** The sentence says that everything can be read only if logferry left nothing out. */
function conclusion({ problems, unread, implausible, lost }: Found): string {
  const parts = [
    unread === 0 ? undefined : `${count(unread)} ${unread === 1 ? "file was" : "files were"} not read`,
    problems === 0
      ? undefined
      : `${count(problems)} ${problems === 1 ? "record can't be used as it is" : "records can't be used as they are"}`,
    implausible === 0
      ? undefined
      : `${count(implausible)} ${implausible === 1 ? "workout" : "workouts"} can't be true, and a plan holds them back`,
    ...sentencesOf(lost).map(({ text }) => text),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "Everything can be read." : `${parts.join("; ")}. Everything else can be read.`;
}

function sentencesOf(lost: readonly LostFilesOfKind[]) {
  return describeLost({ workout: lostIn(lost, "workout"), course: lostIn(lost, "course") }, "go");
}

function printLost(output: Output, lost: readonly LostFilesOfKind[]): void {
  for (const { text, kind, because } of sentencesOf(lost)) {
    const { count: all = 0, names = [] } = lost.find((one) => one.kind === kind && one.because === because) ?? {};
    const more = all > names.length ? " ..." : "";
    output.say(`  ${text}: ${names.map((name) => printable(name, 80)).join(", ")}${more}`);
  }
}

function printReport(output: Output, report: SourceReport): void {
  const { counts } = report;
  output.say(`${report.name}: ${report.title} (${report.saw})`);
  output.say(
    `  ${count(report.read)} records: ${count(counts.workout)} workouts, ${count(counts.equipment)} equipment, ${count(counts.course)} courses, ` +
      `${count(report.skipped)} left out by rule, ${count(report.quarantined)} unusable`,
  );
  if (report.first !== undefined)
    output.say(`  workouts from ${report.first} to ${report.last}, ${count(report.withTrack)} with a device file`);
  if (report.unread !== undefined) {
    const { count: files, names, reads } = report.unread;
    output.say(
      `  ${count(files)} ${files === 1 ? "file was" : "files were"} not read: ${names} (logferry reads ${reads} here)`,
    );
  }
  printLost(output, report.lostFiles);
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
