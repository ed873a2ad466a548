/**
 * A run in words: the plan, the result, the ledger, and the sentence that answers "is it done, and is it good?".
 */
import { isDeepStrictEqual } from "node:util";
import { GUARD } from "../../connectors/api/pace.ts";
import { type Cost, costOf, type When } from "../../pipelines/journal/cost.ts";
import { GONE_MEANWHILE } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Line } from "../../pipelines/journal/line.ts";
import type { Looked, Run } from "../../pipelines/journal/run.ts";
import {
  COLUMN_WORDS,
  inLog,
  isBalanced,
  isShareLost,
  LEDGER_COLUMNS,
  type Ledger,
  type RunSummary,
  summarise,
} from "../../pipelines/journal/summary.ts";
import { assumedTimes } from "../../pipelines/plan/assumed-times.ts";
import { countedIn, totalsOf } from "../../pipelines/report/report.ts";
import { ruleIn } from "../../pipelines/review/quarantine.ts";
import { describeIssue, describeOrigin, withRuleLast } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, type JsonType, type Output, span, table } from "../terminal/output.ts";
import { closingSentence, exitOfRun } from "./closing.ts";
import { printCauses } from "./print-causes.ts";
import { printLostFiles } from "./print-lost-files.ts";
import { printAssumedTimes } from "./print-times.ts";

/** How many pairs, rejected records and issues are shown without --verbose. */
const SHOWN = 10;

/** Prints the decisions of a run: sources, ledger, pairs, what is rejected, what the log can't hold. */
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
  output.say(...ledgerTable(summary, as, output.width));
  if (cost !== undefined && cost.requests > 0) output.say("", `It takes ${costSentence(cost, pricing)}.`);
  printAssumedTimes(output, times);
  await printPairs(output, journal, run);
  await printRejected(output, journal, run, pricing.goesOn === true ? "result" : as);
  await printGone(output, journal, run);
  if (as === "result") await printRefused(output, journal, run);
  await printLostFiles(output, journal, summary);
  await printLosses(output, journal, run);
  await printIssues(output, journal, run);
  output.say();
}

/** When a plan is carried out, and how fast: requests a second, undefined for as fast as answers come. */
export interface Pricing {
  readonly when: When;
  readonly perSecond: number | undefined;
  /** The same command carries it out: what it rejects can be retried afterwards. */
  readonly goesOn?: boolean;
}

/** `611 requests, about 63 s at 10 a second` */
export function costSentence(cost: Cost, pricing: Pricing): string {
  const requests = `${count(cost.requests)} ${cost.requests === 1 ? "request" : "requests"}`;
  const { seconds, perSecond } = timeOf(cost, pricing) ?? {};
  return seconds === undefined ? requests : `${requests}, about ${longSpan(seconds)} at ${perSecond} a second`;
}

/** Seconds as they are counted up to two minutes. */
function longSpan(seconds: number): string {
  return seconds <= 120 ? `${Math.ceil(seconds)} s` : span(seconds);
}

function timeOf({ requests }: Cost, { perSecond }: Pricing) {
  return perSecond === undefined ? undefined : { perSecond, seconds: Math.ceil((requests * GUARD) / perSecond) };
}

/** What a command used up, and why it stopped where it did. */
export interface Used {
  readonly requests: number;
  /** Undefined where nothing was used up. */
  readonly why: string | undefined;
}

/**
 * Prints what became of a run, and the closing sentence.
 *
 * @param used what the command that carried it out used up
 * @param planned the run as its plan was printed a moment ago: where nothing came of it, its ledger isn't printed again
 * @returns the exit the run deserves; `bug` when the ledger doesn't balance
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
  else output.say(...ledgerTable(summary, "result", output.width));
  await printTotals(output, journal, run, looked);
  await printIssues(output, journal, run, (rule) => rule.startsWith("load/"));
  await printRefused(output, journal, run);
  await printGone(output, journal, run, ({ reason }) => reason?.startsWith(GONE_MEANWHILE) === true);
  printSurplus(output, looked);
  warnOfLoss(output, summary);
  output.say();
  if (used !== undefined) output.say(`This took ${count(used.requests)} requests.`);
  output.conclude(closingSentence(summary, looked, used?.why));
  const exit = await exitOfRun(journal, run, "result");
  // What is in doubt was to be looked up, and there was nothing left to do it with.
  return used?.why !== undefined && exit === "setAside" && summary.all.inDoubt > 0 ? "stopped" : exit;
}

/** Names of sources are cut to so many columns where the table would be too wide, and no further. */
const SHORTEST_NAME = 8;

/**
 * The ledger, a column a source. In a plan, what is left to do is what would be done.
 *
 * @param width columns it may take: names of sources are shortened for it, and then what the words mean is left out
 */
export function ledgerTable(
  { all, bySource }: Pick<RunSummary, "all" | "bySource">,
  of: "plan" | "result",
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const sources = bySource.length > 1 ? bySource : [];
  const row = (word: string, value: (ledger: Ledger) => number, means: string) =>
    value(all) === 0 ? [] : [[word, ...sources.map(value), value(all), means]];
  const rows: (string | number)[][] = [
    ["", ...sources.map(({ name }) => name), "all", ""],
    ["read", ...sources.map((source) => source.read), all.read, ""],
  ];
  if (of === "plan") {
    rows.push(...row("create", (ledger) => ledger.left - ledger.toUpdate, "new to the log"));
    rows.push(...row("update", (ledger) => ledger.toUpdate, "in the log, to be updated"));
  }
  for (const column of LEDGER_COLUMNS) {
    if (of === "plan" && column === "left") continue;
    rows.push(...row(COLUMN_WORDS[column].word, (ledger) => ledger[column], COLUMN_WORDS[column].means));
  }
  // Not a row: it would make the column of words as wide as itself.
  return [...fitting(rows, width), `  ${accountedFor(all)}`];
}

/** Whether every record has its place in the table, in a sentence. */
function accountedFor(all: Ledger): string {
  if (!isBalanced(all)) return "SOME RECORDS ARE NOT ACCOUNTED FOR. This is a bug: please report it.";
  return all.read === 1 ? "The one record is accounted for" : `All ${count(all.read)} records are accounted for`;
}

function fitting(rows: readonly (readonly (string | number)[])[], width: number): readonly string[] {
  const [head = [], ...body] = rows;
  const longest = Math.max(0, ...head.map((name) => String(name).length));
  for (const meanings of [true, false]) {
    for (let most = longest; most >= Math.min(SHORTEST_NAME, longest); most--) {
      const names = head.map((name) => printable(String(name), most));
      const cut = meanings ? body : body.map((cells) => cells.slice(0, -1));
      const lines = table([names, ...cut]);
      if (lines.every((line) => line.length <= width)) return lines;
      if (!meanings && most <= SHORTEST_NAME) return lines;
    }
  }
  return table(rows);
}

/** What of the run is in the log, as people count their years: as the log's list shows it where that was read, else as it was sent. */
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

/** `8 526.2 km`: a sum of distances, as the log's owner counts them. */
export function distanceIn(unit: "km" | "mi", metres: number): string {
  const [whole = "", fraction] = (metres / (unit === "mi" ? 1609.344 : 1000)).toFixed(1).split(".");
  return `${count(Number(whole))}.${fraction} ${unit}`;
}

async function printPairs(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const title = "Duplicates, each loaded once";
  await printLines(output, journal, run, { states: ["merged"], title, columns: placeAndReason });
}

/** Scripts get a line a record, people a line a cause; with --verbose, all records as well. */
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
 * Names what is gone.
 *
 * @param isNew picks them by their reasons: a result doesn't repeat what its plan named
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

/** One record that is gone may be somebody's wish; of so many that it is a share of the log, nobody may miss the news. */
function warnOfLoss(output: Output, { all }: RunSummary): void {
  if (!isShareLost(all)) return;
  output.remark(
    `WARNING: ${count(all.gone)} of ${count(all.gone + inLog(all))} loaded records are no longer in the log. Was the log emptied, or reset to an older state?`,
  );
}

/** Names the days on which the log has more than it should, then those on which it had equal records before. */
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

/** Lines that are listed one by one. */
interface ListOfLines {
  readonly states: readonly Line["state"][];
  readonly title: string;
  /** What is shown of one. */
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

async function printLosses(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const losses = await journal.losses(run.id);
  if (losses.length === 0) return;
  output.emit("loss", { fields: losses });
  output.say(
    "",
    "Values that are not put in the log: it has no field for them, or they can't be true (the journal keeps them):",
  );
  output.say(`  ${losses.map(({ field, count: times }) => `${field} ${count(times)}x`).join(", ")}`);
}

/** Of a plan that was told already, only what was met in carrying it out is new. */
async function printIssues(
  output: Output,
  journal: JournalReader,
  run: Run,
  isWanted: (rule: string) => boolean = () => true,
): Promise<void> {
  const all = (await journal.issues(run.id)).filter(({ rule }) => isWanted(rule));
  for (const row of all) output.emit("issue", { ...row });
  // An error rejected its record, and is listed there.
  const rows = all.filter((row) => output.loudness === "verbose" || row.severity === "warning");
  if (rows.length === 0) return;
  output.say("", "Remarks:");
  for (const { count: times, rule, example } of rows) {
    const often = times === 1 ? "" : `${count(times)} times, such as `;
    output.say(`  ${often}${withRuleLast(describeIssue(example), rule)}`);
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
