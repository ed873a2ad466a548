import { writeFile } from "node:fs/promises";
import { withoutQuery } from "../../connectors/containers/address.ts";
import type { SheetCount } from "../../connectors/contract.ts";
import { describePeople, describeProfile, type NamedProfile } from "../../pipelines/log/profile.ts";
import { inspectSource, type LostFilesOfKind, lostIn, type SourceReport } from "../../pipelines/sources/inspect.ts";
import { closeSources, openSources, WITHOUT_WORKOUTS } from "../../pipelines/sources/sources.ts";
import { reportStructure } from "../../pipelines/structure/report.ts";
import { describeIssue, type Issue } from "../../transforms/model/issue.ts";
import { describeLost } from "../../transforms/model/lost-file.ts";
import { proposeTable, TO_THE_END, WITHOUT_CONTENT } from "../../transforms/model/unread.ts";
import { printable } from "../../transforms/text/printable.ts";
import { printablePath } from "../../transforms/text/printable-path.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { givenDateOrder, givenUnits } from "../arguments/distance-units.ts";
import { NOT_ALL_READ } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { cannotUse, onSystemError } from "../errors/system-errors.ts";
import { structureLines } from "../printing/print-structure.ts";
import { packageVersion } from "../system/version.ts";
import { count, type Output } from "../terminal/output.ts";

/** `logferry inspect`: shows the contents of an archive, without a log. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { arguments: paths, options, output, signal, tables } = context;
  if (options.anonymise === true) return inspectAnonymously(context);
  if (options.out !== undefined) throw new UsageError("Cannot use --out: it goes with --anonymise");
  const sources = await openSources(paths, options.map, openOptions(context));
  let problems = 0;
  let usable = 0;
  let example: Issue | undefined;
  let implausible = 0;
  let withoutSport = 0;
  let unread = 0;
  let newColumns = 0;
  let leftValues = 0;
  let incomplete = 0;
  const lost: LostFilesOfKind[] = [];
  const refused: SourceReport["refusedTables"][number][] = [];
  const profiles: NamedProfile[] = [];
  try {
    for (const source of sources) {
      const reads = {
        signal,
        sports: tables.sports,
        distanceUnits: givenUnits(options),
        dateOrder: givenDateOrder(options),
        now: context.now(),
      };
      const report = await inspectSource(source, reads, (done) =>
        output.progress({ phase: `reading ${source.archive.name}`, done }),
      );
      output.endProgress();
      output.emit("source", { ...report });
      printReport(output, report, withoutQuery(source.path));
      problems += report.quarantined;
      usable += report.counts.workout + report.counts.equipment + report.counts.course;
      example ??= report.issues.find(({ example: { severity } }) => severity === "error")?.example;
      implausible += report.implausible;
      newColumns += report.newColumns.length;
      leftValues += report.leftValues;
      withoutSport += report.withoutSport;
      incomplete += report.issues.filter(({ rule }) => rule === WITHOUT_WORKOUTS).length;
      unread += report.unread.reduce((sum, { count: n, mayHoldWorkouts }) => sum + (mayHoldWorkouts ? n : 0), 0);
      lost.push(...report.lostFiles);
      refused.push(...report.refusedTables);
      if (report.profile !== undefined) profiles.push({ name: report.name, profile: report.profile });
      if (signal.aborted) {
        output.conclude(NOT_ALL_READ);
        return "stopped";
      }
    }
  } finally {
    await closeSources(sources);
  }
  for (const line of otherPeople(profiles)) output.say(line);
  if (newColumns + unread + refused.length > 0) output.say(howToReport(paths));
  if (usable === 0 && problems > 0) {
    output.warn(noneUsable(problems, example));
    return "source";
  }
  const found = { problems, unread, newColumns, leftValues, implausible, withoutSport, incomplete, lost, refused };
  output.conclude(conclusion(found));
  return problems + unread + implausible + withoutSport + incomplete + lost.length === 0 ? "done" : "setAside";
}

/** The error if nothing in the sources can be used. One mistake in a mapping file may be the cause of every row. */
function noneUsable(problems: number, example: Issue | undefined): string {
  const whole = problems === 1 ? "The only record can't be used" : `None of the ${count(problems)} records can be used`;
  return `${whole}${example === undefined ? "" : `, such as ${describeIssue(example)}`}`;
}

/** A line if sources are of different people: one log is one person's. */
function otherPeople(profiles: readonly NamedProfile[]): readonly string[] {
  const people = describePeople(profiles);
  return people === undefined
    ? []
    : [`These are exports of different people: ${people}. Import each into its own log.`, ""];
}

/** The way to tell the makers of logferry about columns and files that it doesn't know. */
function howToReport(paths: readonly string[]): string {
  const words = [
    "logferry",
    "inspect",
    ...paths.map((path) => shellWord(withoutQuery(path))),
    "--anonymise",
    "--out",
    "structure.txt",
  ];
  return `If logferry should read more of it, report its structure without your data: ${words.join(" ")} (docs/my-archive-isnt-read.md)`;
}

/** The problems in all sources. */
interface Found {
  readonly problems: number;
  readonly unread: number;
  readonly newColumns: number;
  readonly leftValues: number;
  readonly implausible: number;
  readonly withoutSport: number;
  /** Exports without their table of workouts. */
  readonly incomplete: number;
  readonly lost: readonly LostFilesOfKind[];
  readonly refused: SourceReport["refusedTables"];
}

/** The sentence says that everything can be read only if logferry left nothing out. */
function conclusion(found: Found): string {
  const { unread, newColumns, leftValues, implausible, withoutSport, incomplete, lost, refused } = found;
  const problems = found.problems - refused.length;
  const parts = [
    ...refused.map(({ path, rows }) => {
      const none = rows === 1 ? "the only row" : `none of the ${count(rows)} rows`;
      return `${none} of ${printable(path, 80)} can${rows === 1 ? "'t" : ""} be read`;
    }),
    incomplete === 0
      ? undefined
      : `${incomplete === 1 ? "an export lacks its table" : `${incomplete} exports lack their tables`} of workouts: get it once more`,
    unread === 0 ? undefined : `${count(unread)} ${unread === 1 ? "file was" : "files were"} not read`,
    newColumns === 0
      ? undefined
      : `${count(newColumns)} new ${newColumns === 1 ? "column was" : "columns were"} left out`,
    leftValues === 0
      ? undefined
      : `${count(leftValues)} ${leftValues === 1 ? "value that can't be read was" : "values that can't be read were"} left out`,
    problems === 0
      ? undefined
      : `${count(problems)} ${problems === 1 ? "record can't be used as it is" : "records can't be used as they are"}`,
    implausible === 0
      ? undefined
      : `${count(implausible)} ${implausible === 1 ? "workout" : "workouts"} can't be true, and a plan holds ${implausible === 1 ? "it" : "them"} back`,
    withoutSport === 0
      ? undefined
      : `${count(withoutSport)} ${withoutSport === 1 ? "workout has" : "workouts have"} no known sport, and a plan holds ${withoutSport === 1 ? "it" : "them"} back unless --sport or another source names it`,
    ...sentencesOf(lost).map(({ text }) => text),
  ].filter((part) => part !== undefined);
  const [first = "", ...more] = parts;
  if (first === "") return "Everything can be read.";
  return `${[first.charAt(0).toUpperCase() + first.slice(1), ...more].join("; ")}. Everything else can be read.`;
}

function sentencesOf(lost: readonly LostFilesOfKind[]) {
  return describeLost({ workout: lostIn(lost, "workout"), course: lostIn(lost, "course") }, "go");
}

function printLost(output: Output, lost: readonly LostFilesOfKind[]): void {
  for (const { text, kind, because } of sentencesOf(lost)) {
    const { count: all = 0, names = [] } = lost.find((one) => one.kind === kind && one.because === because) ?? {};
    output.say(...nameLines(output, `  ${text}: `, all, names, ""));
  }
}

/** From when to when, and what is missing between. */
function period(report: SourceReport): string[] {
  const { first, last, withTrack, withMadeTrack, withoutRow, emptyYears, longestGap } = report;
  const lines = [`  workouts from ${first} to ${last}, ${count(withTrack)} with a device file`];
  if (withMadeTrack > 0)
    lines.push(
      `  ${count(withMadeTrack)} with a track in the platform's own form, which logferry turns into a TCX file`,
    );
  if (withoutRow > 0)
    lines.push(
      `  ${count(withoutRow)} of them ${withoutRow === 1 ? "is a device file" : "are device files"} that no row names`,
    );
  if (emptyYears.length > 0) lines.push(`  no workout in ${runsOf(emptyYears).join(", ")}`);
  if (longestGap !== undefined)
    lines.push(`  longest gap: ${longestGap.days} days, from ${longestGap.after} to ${longestGap.before}`);
  return lines;
}

/** Years in a row in one word: `1903 to 1989`, `2018`, `2019`. @param years ascending */
function runsOf(years: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const year of years) {
    const last = runs.at(-1);
    if (Number(last?.at(-1)) === Number(year) - 1) last?.push(year);
    else runs.push([year]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run));
}

/** `"2019" (312 rows)`, `"Goals" (4 rows, not read)`. */
function describeSheet({ name, rows, isHidden, isRead }: SheetCount): string {
  const words = [`${count(rows)} ${rows === 1 ? "row" : "rows"}`, isHidden && "hidden", !isRead && "not read"];
  return `${JSON.stringify(printable(name, 40))} (${words.filter(Boolean).join(", ")})`;
}

/** The number of files that are named without --verbose, and the columns of a name. */
const FEW = { files: 5, width: 60 } as const;

/** Lines that name files: the first ones in one line, or with --verbose each with its whole name. */
function nameLines(
  { loudness }: Output,
  start: string,
  all: number,
  names: readonly string[],
  end: string,
): readonly string[] {
  const isShort = names.length <= FEW.files && names.every((name) => printablePath(name, FEW.width) === name);
  if (loudness === "verbose" && !isShort) {
    const more = all > names.length ? [`    and ${count(all - names.length)} more`] : [];
    return [`${start.replace(/: $/, "")}${end}:`, ...names.map((name) => `    ${name}`), ...more];
  }
  const first = names.slice(0, FEW.files).map((name) => printablePath(name, FEW.width));
  const more = all > first.length ? " ... (-v names all)" : "";
  return [`${start}${first.join(", ")}${more}${end}`];
}

/** A platform's own files are known by their names and headers. Elsewhere the formats decide. @param reads what is read there */
function whyUnread(reads: string): string {
  if (reads === WITHOUT_CONTENT) return "empty: 0 bytes. Get the export again, or copy it again";
  if (reads === TO_THE_END) return "the rest can't be read. Get the export again, or copy it again";
  const [, platform] = /^files of (.+)$/.exec(reads) ?? [];
  return platform === undefined ? `here logferry reads ${reads}` : `logferry knows no such file in ${platform}`;
}

/** @param path of the source, as the person gave it */
function printReport(output: Output, report: SourceReport, path: string): void {
  const { counts } = report;
  const language = report.language === undefined ? "" : `, in ${report.language}`;
  output.say(`${report.name}: ${report.title} (${report.saw}${language})`);
  output.say(
    `  ${count(report.read)} records: ${count(counts.workout)} workouts, ${count(counts.equipment)} equipment, ${count(counts.course)} courses, ` +
      `${count(report.skipped)} left out by rule, ${count(report.quarantined)} unusable`,
  );
  if (report.profile !== undefined) output.say(`  the account of ${describeProfile(report.profile)}`);
  if (report.first !== undefined) output.say(...period(report));
  for (const { count: files, names, why } of report.left) {
    const end = ` (${files > 1 ? `${count(files)} files; ` : ""}${why})`;
    output.say(...nameLines(output, "  left on purpose: ", files, names, end));
  }
  for (const { count: files, names, reads, mayHoldWorkouts } of report.unread) {
    if (!mayHoldWorkouts) {
      output.say(
        ...nameLines(
          output,
          `  ${count(files)} ${files === 1 ? "file" : "files"} that can't hold workouts: `,
          files,
          names,
          "",
        ),
      );
      continue;
    }
    const start = `  ${count(files)} ${files === 1 ? "file was" : "files were"} not read: `;
    output.say(...nameLines(output, start, files, names, ` (${whyUnread(reads)})`));
    const propose = proposeTable({ count: files, names, sources: [path] });
    if (propose !== "") output.say(`  ${propose}`);
  }
  if (report.newColumns.length > 0) output.say(`  columns that logferry doesn't know: ${report.newColumns.join(", ")}`);
  printLost(output, report.lostFiles);
  for (const { path, sheets } of report.workbooks)
    output.say(`  sheets of ${printable(path, 80)}: ${sheets.map(describeSheet).join(", ")}`);
  if (report.sports.length > 0) {
    output.say(
      `  sports: ${report.sports.map(({ name, activity, count: times }) => `${name} (${count(times)})${activity === undefined ? " unknown: say what it is with --sport" : ""}`).join(", ")}`,
    );
  }
  for (const { rule, count: times, example } of report.issues) {
    // The names stand above. A mapping file is the person's own, so its message says what to do.
    const isSaid = example.severity === "info" || /^(?!csv\/).*\/unknown-column$/.test(rule);
    if (isSaid && output.loudness !== "verbose") continue;
    if (rule === WITHOUT_WORKOUTS) output.say(`  it has ${example.found}, expected ${example.expected}`);
    else output.say(`  ${count(times)} x ${rule}, such as ${describeIssue(example)}`);
  }
  output.say();
}

const READ_FIRST =
  "Read it before you send it: column names and keys are words of your archive. More in docs/my-archive-isnt-read.md.";

/** Describes each archive. */
async function inspectAnonymously(context: CommandContext): Promise<ExitName> {
  const { arguments: paths, options, output, signal, tables } = context;
  if (options.out === "") throw new UsageError("Cannot write: say where to, with --out FILE");
  const text: string[] = [];
  let isUnopened = false;
  for (const path of paths) {
    // The live line doesn't name the archive either, because people copy it from the screen with the rest.
    const onProgress = (done: number) => output.progress({ phase: "looking at the structure", done });
    const report = await reportStructure(path, {
      open: openOptions(context),
      signal,
      sports: tables.sports,
      onProgress,
    });
    output.endProgress();
    const lines = structureLines(report, packageVersion());
    text.push(...lines, "");
    isUnopened ||= report.files === 0 && report.problem !== undefined;
    output.emit("structure", { ...report });
    if (options.out === undefined) output.say(...lines, "");
    if (signal.aborted) break;
  }
  const { out } = options;
  if (out !== undefined)
    await writeFile(out, `${text.join("\n")}\n`, { flag: "wx", mode: 0o600 }).catch(
      onSystemError((_problem, error) => cannotUse(out, error, "structure/disk-full")),
    );
  if (signal.aborted) {
    output.conclude("Stopped: not everything was looked at.");
    return "stopped";
  }
  output.conclude(`${options.out === undefined ? "" : `Written: ${options.out}. `}${READ_FIRST}`);
  return isUnopened ? "source" : "done";
}
