/**
 * A run in words: the plan, the result, the ledger, and the sentence that answers "is it done, and is it good?".
 */
import { isDeepStrictEqual } from "node:util";
import { GUARD } from "../../connectors/api/pace.ts";
import { type Cost, costOf, type When } from "../../pipelines/journal/cost.ts";
import type { JournalReader, Line, Run } from "../../pipelines/journal/journal.ts";
import {
  COLUMN_WORDS,
  isBalanced,
  LEDGER_COLUMNS,
  type Ledger,
  needsAttention,
  type RunSummary,
  summarise,
} from "../../pipelines/journal/summary.ts";
import { countedIn, totalsOf } from "../../pipelines/report/report.ts";
import { REQUESTS_PER_SECOND } from "../../transforms/assumptions.ts";
import { describeIssue, describeOrigin } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, type JsonType, type Output, span, table } from "../terminal/output.ts";

/** How many pairs, set-aside records and issues are shown without --verbose. */
const SHOWN = 10;

/** Prints the decisions of a run: sources, ledger, pairs, what is set aside, what the log can't hold. */
export async function printPlan(
  output: Output,
  journal: JournalReader,
  run: Run,
  as: "plan" | "result" = "plan",
  pricing: Pricing = { when: "later", perSecond: REQUESTS_PER_SECOND },
): Promise<void> {
  output.endProgress();
  const summary = await summarise(journal, run);
  const cost = as === "plan" ? await costOf(journal, run.id, pricing.when) : undefined;
  const time = cost && timeOf(cost, pricing);
  emitSummary(output, as === "plan" ? "plan" : "summary", summary, cost && { cost: { ...cost, ...time } });
  output.say(`Run ${run.id}`);
  for (const source of run.sources) output.say(`  ${source.name}: ${source.connector} (${source.saw})`);
  output.say();
  output.say(ledgerTable(summary, as, output.width));
  if (cost !== undefined && cost.requests > 0) output.say(`\nIt takes ${costSentence(cost, pricing)}.`);
  await printPairs(output, journal, run);
  await printSetAside(output, journal, run);
  if (as === "result") await printRefused(output, journal, run);
  await printLosses(output, journal, run);
  await printIssues(output, journal, run);
  output.say();
}

/** When a plan is carried out, and how fast: requests a second, undefined for as fast as answers come. */
export interface Pricing {
  readonly when: When;
  readonly perSecond: number | undefined;
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
  emitSummary(output, "summary", summary, used && { requests: used.requests, ...stopped });
  if (isDeepStrictEqual(planned?.all, summary.all)) output.say("Nothing was to be done.");
  else output.say(ledgerTable(summary, "result", output.width));
  await printTotals(output, journal, run);
  await printIssues(output, journal, run, (rule) => rule.startsWith("load/"));
  await printRefused(output, journal, run);
  output.say();
  if (used !== undefined) output.say(`${count(used.requests)} requests were used.`);
  output.conclude(closingSentence(summary, used?.why));
  const exit = await exitOfRun(journal, run, "result");
  // What is in doubt was to be looked up, and there was nothing left to do it with.
  return used?.why !== undefined && exit === "setAside" && summary.all.inDoubt > 0 ? "stopped" : exit;
}

/** The exit of a run as it stands. A plan's records that are left to do are no reason to complain. */
export async function exitOfRun(journal: JournalReader, run: Run, after: "plan" | "result"): Promise<ExitName> {
  const { all } = await summarise(journal, run);
  if (!isBalanced(all)) return "bug";
  if (after === "result" && all.left > 0) return "stopped";
  return needsAttention(all) > 0 ? "setAside" : "done";
}

/** "Is it done, and is it good?" @param why it stopped, where something was used up */
export function closingSentence({ all, balanced, run }: RunSummary, why?: string): string {
  if (!balanced) {
    return `The ledger of run ${run.id} does not balance: ${all.read} records were read and ${sumOf(all)} are accounted for. This is a bug in logferry: please report it.`;
  }
  const inLog = all.created + all.updated + all.unchanged + all.merged;
  const attention = needsAttention(all);
  const parts = [
    `${count(inLog)} of ${count(all.read)} records are in your log, each once`,
    all.skipped > 0 ? `${count(all.skipped)} left out by rule` : undefined,
    attention > 0 ? `${count(attention)} set aside for you to look at` : undefined,
    all.left > 0 ? `${count(all.left)} still to do` : undefined,
  ].filter((part) => part !== undefined);
  const state = all.left > 0 ? "Stopped early" : attention > 0 ? "Done, with items set aside" : "Done";
  const next =
    all.left > 0
      ? " Go on with: logferry apply"
      : attention > 0
        ? ` See them with: logferry ${all.quarantined > 0 ? "quarantine" : "status --verbose"}. Check the rest with: logferry verify`
        : " Check it with: logferry verify";
  const because = why === undefined || all.left + all.inDoubt === 0 ? "" : `: ${why}`;
  return `${state}${because}. ${parts.join("; ")}.${next}`;
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
): string {
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
  return `${fitting(rows, width)}\n  ${isBalanced(all) ? "the ledger balances" : "THE LEDGER DOES NOT BALANCE"}`;
}

function fitting(rows: readonly (readonly (string | number)[])[], width: number): string {
  const [head = [], ...body] = rows;
  const longest = Math.max(0, ...head.map((name) => String(name).length));
  for (const meanings of [true, false]) {
    for (let most = longest; most >= Math.min(SHORTEST_NAME, longest); most--) {
      const names = head.map((name) => printable(String(name), most));
      const cut = meanings ? body : body.map((cells) => cells.slice(0, -1));
      const text = table([names, ...cut]);
      if (text.split("\n").every((line) => line.length <= width)) return text;
      if (!meanings && most <= SHORTEST_NAME) return text;
    }
  }
  return table(rows);
}

/** What of the run is in the log, as people count their years. */
async function printTotals(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const { inLog, from, to, activities } = await totalsOf(journal, run);
  if (inLog.workouts === 0) return;
  const unit = countedIn(run.options.distanceUnit);
  const when = from === undefined || to === undefined ? "" : `, ${from} to ${to}`;
  output.say(
    `\nIn your log: ${count(inLog.workouts)} workout${inLog.workouts === 1 ? "" : "s"}, ${distanceIn(unit, inLog.metres)}, ${span(inLog.seconds)}${when}`,
  );
  output.say(`  ${activities.map(([activity, workouts]) => `${activity} ${count(workouts)}`).join(", ")}`);
}

/** `8 526.2 km`: a sum of distances, as the log's owner counts them. */
export function distanceIn(unit: "km" | "mi", metres: number): string {
  const [whole = "", fraction] = (metres / (unit === "mi" ? 1609.344 : 1000)).toFixed(1).split(".");
  return `${count(Number(whole))}.${fraction} ${unit}`;
}

async function printPairs(output: Output, journal: JournalReader, run: Run): Promise<void> {
  await printLines(output, journal, run, ["merged"], "The same record twice, kept once", (line) => [
    describeOrigin(line.origin),
    line.reason ?? "",
  ]);
}

async function printSetAside(output: Output, journal: JournalReader, run: Run): Promise<void> {
  await printLines(output, journal, run, ["quarantined"], "Set aside, for you to look at", (line) => [
    describeOrigin(line.origin),
    line.reason ?? "",
  ]);
}

async function printRefused(output: Output, journal: JournalReader, run: Run): Promise<void> {
  await printLines(output, journal, run, ["refused", "failed", "in-doubt"], "Not in the log", (line) => [
    describeOrigin(line.origin),
    `${line.state}: ${line.reason ?? ""}`,
  ]);
}

async function printLines(
  output: Output,
  journal: JournalReader,
  run: Run,
  states: readonly Line["state"][],
  title: string,
  columns: (line: Line) => readonly string[],
): Promise<void> {
  let met = 0;
  for await (const line of journal.lines(run.id, { state: states })) {
    met++;
    output.emit("record", {
      key: line.key,
      kind: line.kind,
      state: line.state,
      origin: line.origin,
      reason: line.reason,
      twin: line.twin,
    });
    if (met === 1) output.say(`\n${title}:`);
    if (met <= SHOWN || output.loudness === "verbose") output.say(`  ${columns(line).join(": ")}`);
  }
  if (met > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(met - SHOWN)} more (--verbose shows all)`);
}

async function printLosses(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const losses = await journal.losses(run.id);
  if (losses.length === 0) return;
  output.emit("loss", { fields: losses });
  output.say("\nWhat the log has no field for (kept in the journal, record by record):");
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
  // An error set its record aside, and stands there.
  const rows = all.filter((row) => output.loudness === "verbose" || row.severity === "warning");
  if (rows.length === 0) return;
  output.say("\nRemarks:");
  for (const row of rows) output.say(`  ${count(row.count)} x ${row.rule}, such as ${describeIssue(row.example)}`);
}

function emitSummary(
  output: Output,
  type: JsonType,
  { run, all, bySource, byKind, balanced }: RunSummary,
  more: Record<string, unknown> = {},
): void {
  output.emit(type, { run: run.id, state: run.state, balanced, ledger: all, bySource, byKind, ...more });
}

function sumOf(ledger: Ledger): number {
  return LEDGER_COLUMNS.reduce((sum, column) => sum + ledger[column], 0);
}
