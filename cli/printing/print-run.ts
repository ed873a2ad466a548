/** Prints a run in words: the plan, the result, the ledger, and the sentence that answers "is it done, and is it good?". */
import { isDeepStrictEqual } from "node:util";
import { GUARD } from "../../connectors/api/pace.ts";
import { type Cost, costOf, type When } from "../../pipelines/journal/cost.ts";
import type { IssueRow } from "../../pipelines/journal/counts.ts";
import { GONE_MEANWHILE } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Line } from "../../pipelines/journal/line.ts";
import type { Looked, Run } from "../../pipelines/journal/run.ts";
import { inLog, isShareLost, type RunSummary, summarise } from "../../pipelines/journal/summary.ts";
import { assumedTimes } from "../../pipelines/plan/records/assumed-times.ts";
import { countedIn, totalsOf } from "../../pipelines/report/report.ts";
import { causesOf } from "../../pipelines/review/causes.ts";
import { ruleIn } from "../../pipelines/review/quarantine.ts";
import { describeInLines, describeOrigin, withoutRule } from "../../transforms/model/issue.ts";
import { unreadFiles } from "../../transforms/model/unread.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, type JsonType, type Output, span } from "../terminal/output.ts";
import { closingSentence, exitOfRun, noneReadable } from "./closing.ts";
import { ledgerTable } from "./ledger-table.ts";
import { printCauses } from "./print-causes.ts";
import { printFilled } from "./print-filled.ts";
import { printLosses } from "./print-losses.ts";
import { printLostFiles } from "./print-lost-files.ts";
import { printNotAdded } from "./print-not-added.ts";
import { printAssumedTimes } from "./print-times.ts";
import { printUnread } from "./print-unread.ts";

/** How many pairs, rejected records and issues are shown without --verbose. */
const SHOWN = 10;

/** Prints the decisions of a run: sources, ledger, pairs, rejected records, and the values that the log can't hold. */
export async function printPlan(
  output: Output,
  journal: JournalReader,
  run: Run,
  as: "plan" | "result",
  pricing: Pricing,
): Promise<void> {
  output.endProgress();
  const summary = await summarise(journal, run);
  const cost = as === "plan" ? await costOf(journal, run.id, pricing.when) : undefined;
  const time = cost && timeOf(cost, pricing);
  const times = as === "plan" ? await assumedTimes(journal, run, ["planned"]) : undefined;
  emitSummary(output, as === "plan" ? "plan" : "summary", summary, {
    ...(cost && { cost: { ...cost, ...time } }),
    ...(times && { assumedTimes: times }),
  });
  output.say(`Run ${run.id}`);
  for (const source of run.sources) output.say(`  ${source.name}: ${source.connector} (${source.saw})`);
  output.say();
  output.say(...ledgerTable(summary, as, output.width, await unclosedIn(journal, run, summary)));
  if (cost !== undefined && cost.requests > 0) output.say("", `It takes ${costSentence(cost, pricing)}.`);
  printAssumedTimes(output, times);
  await printPairs(output, journal, run);
  await printRejected(output, journal, run, pricing.goesOn === true ? "result" : as);
  await printSkipped(output, journal, run, summary);
  await printGone(output, journal, run);
  if (as === "result") await printRefused(output, journal, run);
  await printLostFiles(output, journal, summary);
  await printLosses(output, journal, run);
  await printNotAdded(output, journal, summary);
  await printFilled(output, journal, summary);
  printUnread(output, summary);
  await printIssues(output, journal, run);
  output.say();
}

/** The time and the pace of a plan: requests a second, undefined for no limit. */
export interface Pricing {
  readonly when: When;
  readonly perSecond: number | undefined;
  /** The same command carries the plan out, so the person can retry its rejected records afterwards. */
  readonly goesOn?: boolean;
}

/** `611 requests, about 63 s at 10 a second` */
export function costSentence(cost: Cost, pricing: Pricing): string {
  const requests = `${count(cost.requests)} ${cost.requests === 1 ? "request" : "requests"}`;
  const { seconds, perSecond } = timeOf(cost, pricing) ?? {};
  return seconds === undefined ? requests : `${requests}, about ${longSpan(seconds)} at ${perSecond} a second`;
}

/** Counts in seconds up to two minutes. */
function longSpan(seconds: number): string {
  return seconds <= 120 ? `${Math.ceil(seconds)} s` : span(seconds);
}

function timeOf({ requests }: Cost, { perSecond }: Pricing) {
  return perSecond === undefined ? undefined : { perSecond, seconds: Math.ceil((requests * GUARD) / perSecond) };
}

/** The requests that a command used, and why it stopped early. */
export interface Used {
  readonly requests: number;
  /** Undefined if no limit was reached. */
  readonly why: string | undefined;
}

/**
 * Prints the result of a run, and the closing sentence.
 *
 * @param used the requests of the command that carried it out
 * @param planned the run as its plan was printed a moment ago: if nothing changed since, the ledger isn't printed again
 * @returns the exit code of the run; `bug` when records are not accounted for
 */
export async function printResult(
  output: Output,
  journal: JournalReader,
  run: Run,
  used?: Used,
  planned?: RunSummary,
): Promise<ExitName> {
  output.endProgress();
  const summary = await summarise(journal, run);
  const stopped = used?.why !== undefined && { stoppedBy: used.why };
  const looked = await journal.looked(run.id);
  const { at: _at, ...look } = looked ?? {};
  emitSummary(output, "summary", summary, {
    ...(used !== undefined && { requests: used.requests, ...stopped }),
    ...(looked !== undefined && { look }),
  });
  if (isDeepStrictEqual(planned?.all, summary.all)) output.say("Nothing to do.");
  else output.say(...ledgerTable(summary, "result", output.width, await unclosedIn(journal, run, summary)));
  await printTotals(output, journal, run, looked);
  await printIssues(output, journal, run, (rule) => rule.startsWith("load/"));
  await printRefused(output, journal, run);
  await printGone(output, journal, run, ({ reason }) => reason?.startsWith(GONE_MEANWHILE) === true);
  printSurplus(output, looked);
  warnOfLoss(output, summary);
  output.say();
  if (used !== undefined) output.say(`This took ${count(used.requests)} requests.`);
  const none = await noneReadable(journal, run);
  if (none !== undefined) output.warn(...none);
  output.conclude(closingSentence(summary, looked, used?.why));
  const exit = await exitOfRun(journal, run, "result");
  // The command ran out of its budget before it looked up the records in doubt.
  return used?.why !== undefined && exit === "setAside" && summary.all.inDoubt > 0 ? "stopped" : exit;
}

/** The places of the quotes that are never closed, as a person finds them. */
async function unclosedIn(journal: JournalReader, run: Run, { all }: RunSummary): Promise<readonly string[]> {
  if (all.quarantined === 0) return [];
  const cause = (await causesOf(journal, run)).find(({ rule }) => rule === "csv/unclosed-quote");
  return cause?.examples.map(({ origin }) => describeOrigin(origin)) ?? [];
}

/** The run's records in the log, as people count their years: by the log's own list if logferry has read it, else by the sent records. */
async function printTotals(
  output: Output,
  journal: JournalReader,
  run: Run,
  looked: Looked | undefined,
): Promise<void> {
  const { inLog: sent, from, to, activities } = await totalsOf(journal, run);
  const inLog = looked?.seen ?? sent;
  if (inLog.workouts === 0) return;
  const unit = countedIn(run.options.distanceUnit);
  const when = from === undefined || to === undefined ? "" : `, ${from} to ${to}`;
  output.say(
    "",
    `${looked?.seen === undefined ? "Sent to your log" : "Of these sources, in your log"}: ${count(inLog.workouts)} workout${inLog.workouts === 1 ? "" : "s"}, ${distanceIn(unit, inLog.metres)}, ${span(inLog.seconds)}${when}`,
  );
  output.say(`  ${activities.map(([activity, workouts]) => `${activity} ${count(workouts)}`).join(", ")}`);
}

/** `8 526.2 km`: a sum of distances, in the unit of the log's owner. */
export function distanceIn(unit: "km" | "mi", metres: number): string {
  const [whole = "", fraction] = (metres / (unit === "mi" ? 1609.344 : 1000)).toFixed(1).split(".");
  return `${count(Number(whole))}.${fraction} ${unit}`;
}

async function printPairs(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const title = "Duplicates, each loaded once";
  await printLines(output, journal, run, { states: ["merged"], title, columns: placeAndReason });
}

/** Scripts get one line for each record, and people one line for each cause. With --verbose, people also get all records. */
async function printRejected(
  output: Output,
  journal: JournalReader,
  run: Run,
  after: "plan" | "result",
): Promise<void> {
  await printCauses(output, journal, run, after);
  if (!output.isJson && output.loudness !== "verbose") return;
  const title = "Rejected, each of them";
  await printLines(output, journal, run, { states: ["quarantined"], title, columns: placeAndReason });
}

/** What rules leave out, in words. The words of a table's own rule are its reason, and those of any other rule stand here. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "device-files/planned-tour": "a planned tour",
  "device-files/same-recording": "a second copy of a recording",
  "device-files/single-place": "a route of a single place",
  "device-files/transition": "the change between two legs",
  "fit/no-activity": "a file without an activity",
  "gpx/no-activity": "a file without an activity",
  "plan/outside-dates": "outside the days that you asked for",
  "table/equipment-without-activity": "equipment that no workout was done with",
  "table/other-version": "another version of a record",
  "table/same-id": "a second row of a record",
  "table/same-row": "a record that an earlier file has, too",
};

/** Names what rules left out, by count. Nobody who reads "4 left out by a rule" knows that these were weights. What a person left out is no surprise. */
async function printSkipped(output: Output, journal: JournalReader, run: Run, { all }: RunSummary): Promise<void> {
  if (all.skipped === (all.dropped ?? 0)) return;
  const counts = new Map<string, number>();
  for await (const line of journal.lines(run.id, { state: ["skipped"] })) {
    const rule = ruleIn(line);
    if (rule === "plan/dropped") continue;
    const isOwn = rule.endsWith("/skipped-row") || rule === "logferry-export/not-imported";
    const words = isOwn ? withoutRule(line.reason ?? rule, rule) : (LEFT_OUT[rule] ?? rule);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const rows = [...counts].toSorted((a, b) => b[1] - a[1]);
  const shown = output.loudness === "verbose" ? rows : rows.slice(0, SHOWN);
  output.say("", "Left out by a rule:");
  for (const [words, n] of shown) output.say(`  ${count(n)} ${printable(words, 120)}`);
  if (shown.length < rows.length)
    output.say(`  ... and ${count(rows.length - shown.length)} more reasons (--verbose shows all)`);
}

async function printRefused(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const columns = (line: Line) => [describeOrigin(line.origin), `${line.state}: ${line.reason ?? ""}`];
  const states = ["refused", "failed", "in-doubt"] as const;
  const isThere = ({ state, remoteId }: Line) => state === "refused" && remoteId !== undefined;
  const isNotThere = (line: Line) => !isThere(line);
  await printLines(output, journal, run, { states, title: "Not in the log", columns, isWanted: isNotThere });
  await printLines(output, journal, run, {
    states,
    title: "In the log, but without your values",
    columns,
    isWanted: isThere,
  });
}

/**
 * Names the records that are gone.
 *
 * @param isNew chooses them by their reasons, because a result doesn't repeat the names of its plan
 */
async function printGone(
  output: Output,
  journal: JournalReader,
  run: Run,
  isNew: (line: Line) => boolean = () => true,
): Promise<void> {
  const rules = new Set<string>();
  const columns = (line: Line) => {
    rules.add(ruleIn(line));
    return [describeOrigin(line.origin), line.reason ?? ""];
  };
  await printLines(output, journal, run, { states: ["gone"], title: "No longer in the log", columns, isWanted: isNew });
  if (rules.size > 0 && run.options.restores === undefined)
    output.say(`  If you deleted it yourself: logferry quarantine drop ${[...rules].join(" ")}`);
}

/** One missing record may be the owner's wish. If a share of the log is missing, the warning must be impossible to overlook. */
function warnOfLoss(output: Output, { all }: RunSummary): void {
  if (!isShareLost(all)) return;
  output.remark(
    `WARNING: ${count(all.gone)} of ${count(all.gone + inLog(all))} loaded records are no longer in the log. Was the log emptied, or reset to an older state?`,
  );
}

/** Names first the days on which the log has more records than it should, then the days on which it had equal records before. */
function printSurplus(output: Output, looked: Looked | undefined): void {
  printDays(
    output,
    "Your log holds more than was loaded (a request was repeated on the way, or somebody typed the workout):",
    looked?.surplus,
    ["more than expected", "more than expected"],
  );
  printDays(
    output,
    "Equal records that were in your log before this run (typed by you, or loaded with another journal). This is no error:",
    looked?.before,
    ["record equal to another", "records equal to others"],
  );
}

function printDays(
  output: Output,
  title: string,
  days: Looked["surplus"] = [],
  [one, several]: readonly [one: string, several: string],
): void {
  if (days.length === 0) return;
  output.say("", title);
  const shown = output.loudness === "verbose" ? days : days.slice(0, SHOWN);
  for (const { kind, day, count: more, ids } of shown) {
    const others = more > ids.length ? " ..." : "";
    output.say(`  ${day ?? kind}: ${count(more)} ${more === 1 ? one : several} (${ids.join(", ")}${others})`);
  }
  if (shown.length < days.length)
    output.say(`  ... and ${count(days.length - shown.length)} more days (--verbose shows all)`);
}

function placeAndReason({ origin, reason = "" }: Line): readonly string[] {
  return [describeOrigin(origin), reason];
}

/** Lines for a list, one by one. */
interface ListOfLines {
  readonly states: readonly Line["state"][];
  readonly title: string;
  /** The columns of one line. */
  readonly columns: (line: Line) => readonly string[];
  readonly isWanted?: (line: Line) => boolean;
}

async function printLines(
  output: Output,
  journal: JournalReader,
  run: Run,
  { states, title, columns, isWanted = () => true }: ListOfLines,
): Promise<void> {
  let met = 0;
  for await (const line of journal.lines(run.id, { state: states })) {
    if (!isWanted(line)) continue;
    met++;
    output.emit("record", {
      key: line.key,
      kind: line.kind,
      state: line.state,
      origin: line.origin,
      reason: line.reason,
      duplicateOf: line.duplicateOf,
    });
    if (met === 1) output.say("", `${title}:`);
    if (met <= SHOWN || output.loudness === "verbose") output.say(`  ${columns(line).join(": ")}`);
  }
  if (met > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(met - SHOWN)} more (--verbose shows all)`);
}

/** If the plan was already printed, only issues of the load are new. */
async function printIssues(
  output: Output,
  journal: JournalReader,
  run: Run,
  isWanted: (rule: string) => boolean = () => true,
): Promise<void> {
  const all = (await journal.issues(run.id)).filter(({ rule }) => isWanted(rule));
  for (const row of all) output.emit("issue", { ...row });
  // An error rejected its record, and the list of rejected records shows it. The files that were not read have their own lines.
  const isShown = (row: IssueRow) => row.severity === "warning" && unreadFiles(row.example) === undefined;
  const rows = all.filter((row) => output.loudness === "verbose" || isShown(row));
  if (rows.length === 0) return;
  output.say("", "Remarks:");
  for (const { count: times, example } of rows) {
    const often = times === 1 ? "" : `${count(times)} times, such as `;
    output.say(...describeInLines(example).map((line, at) => `  ${at === 0 ? often : ""}${line}`));
  }
}

function emitSummary(
  output: Output,
  type: JsonType,
  { run, all, bySource, byKind, balanced }: RunSummary,
  more: Record<string, unknown> = {},
): void {
  output.emit(type, { run: run.id, state: run.state, balanced, ledger: all, bySource, byKind, ...more });
}
