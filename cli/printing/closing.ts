/** The end of a run's output: the sentence that answers "is it done, and is it good?", and the exit code. */
import { BRING_BACK } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import type { Looked, Run } from "../../pipelines/journal/run.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import {
  countedAway,
  describeStaying,
  inLog,
  isBalanced,
  isShareLost,
  LEDGER_COLUMNS,
  type Ledger,
  type LedgerColumn,
  leftOutside,
  lostByKind,
  needsAttention,
  type RunSummary,
  summarise,
} from "../../pipelines/journal/summary.ts";
import { adviceFor } from "../../pipelines/plan/advice/advice.ts";
import { surplusOf } from "../../pipelines/plan/records/last-look.ts";
import { describeLacking } from "../../pipelines/report/not-added.ts";
import { describeShared } from "../../pipelines/report/shared-records.ts";
import { causesOf } from "../../pipelines/review/causes.ts";
import { planAgain, planCommand } from "../../pipelines/sources/describe-changed.ts";
import { defined } from "../../transforms/model/defined.ts";
import { describeOrigin, withoutRule } from "../../transforms/model/issue.ts";
import { describeLost, sumOfLost } from "../../transforms/model/lost-file.ts";
import { describeFiles, describeValues } from "../../transforms/model/unread.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { withIdOf } from "../suggested-commands.ts";
import { count, records } from "../terminal/output.ts";
import { nameAll } from "./print-unread.ts";

/**
 * The exit code of a run in its current state. A plan may have records left to do. If the log holds more or less than the journal says, the
 * exit code is 7, as after a verification. A few missing records may be their owner's wish (3).
 */
export async function exitOfRun(journal: JournalReader, run: Run, after: "plan" | "result"): Promise<ExitName> {
  const summary = await summarise(journal, run);
  const { all } = summary;
  if (!isBalanced(all)) return "bug";
  if ((await noneReadable(journal, run)) !== undefined) return "source";
  if (after === "result" && isStopped(all, run)) return "stopped";
  const looked = after === "result" ? await journal.looked(run.id) : undefined;
  if (isShareLost(all) || surplusOf(looked) > 0) return "differs";
  return openIn(summary) > 0 || summary.changedSources !== undefined ? "setAside" : "done";
}

/** The number of records, of tracks and maps, of unread values and of unread files that a person should look at. */
function openIn({
  all,
  unreadFiles,
  unreadValues,
  perhapsInLog = 0,
  saidTwice,
  foundTwice,
  staysInLog = 0,
}: Pick<
  RunSummary,
  "all" | "unreadFiles" | "unreadValues" | "perhapsInLog" | "saidTwice" | "foundTwice" | "staysInLog"
>): number {
  const files = sumOfLost(all.lostFiles) + (unreadFiles?.count ?? 0) + (unreadValues?.count ?? 0);
  return needsAttention(all) + files + perhapsInLog + (saidTwice?.count ?? 0) + (foundTwice?.count ?? 0) + staysInLog;
}

/** Doubts about a column as a whole. Its rows were read, and wait. */
const DOUBTS: readonly string[] = [
  "csv/date-order",
  "csv/unreadable-column",
  "table/date-order",
  "table/unreadable-column",
];

/**
 * What a person must know if no row of the sources could be read: one mistake in the mapping file, most likely. Undefined if some record is usable, or
 * if rows were read and rejected for their values.
 */
export async function noneReadable(journal: JournalReader, run: Run): Promise<readonly string[] | undefined> {
  const { all } = await summarise(journal, run);
  const isNone = all.quarantined > 0 && all.quarantined + all.skipped === all.read;
  if (!isNone || run.options.retryOf !== undefined) return undefined;
  const causes = await causesOf(journal, run);
  if (causes.some(({ rule }) => !/^(?:csv|table)\//.test(rule) || DOUBTS.includes(rule))) return undefined;
  const [first] = causes;
  const [example] = first?.examples ?? [];
  if (first === undefined || example === undefined) return undefined;
  const whole =
    all.quarantined === 1 ? "The only row can't be read" : `None of the ${count(all.quarantined)} rows can be read`;
  const remedy = adviceFor(first.rule)?.remedy;
  const id = shortId(example.key);
  return [
    `${whole}: ${withIdOf(id, withoutRule(example.reason ?? first.rule, first.rule))} (${describeOrigin(example.origin)}, ${first.rule})`,
    ...(remedy === undefined ? [] : [`  ${withIdOf(id, remedy)}`]),
  ];
}

/** The files of the sources that were not read, in words. */
function unreadIn({ unreadFiles, unreadValues }: RunSummary): readonly string[] {
  return [
    ...(unreadValues === undefined ? [] : [describeValues(unreadValues)]),
    ...(unreadFiles === undefined ? [] : [describeFiles(unreadFiles)]),
  ];
}

/** The new workouts that the log perhaps has by another clock; undefined if there are none. @param when before or after the load */
function perhapsTwice(n = 0, when: "go" | "went"): string | undefined {
  if (n === 0) return undefined;
  const [workouts, is] = [n === 1 ? "1 new workout" : `${count(n)} new workouts`, n === 1 ? "is" : "are"];
  const remedy =
    when === "go"
      ? "To load no copy, plan again with --doubtful one"
      : "See them with: logferry plan review --list. If they are copies, delete them in your log, and import with --doubtful one from then on";
  return `${workouts} ${is} perhaps in your log already, at another time. ${remedy}`;
}

/** The losses of a plan's records, for the end of its last line: empty if nothing is lost. */
export function lostOfPlan(summary: RunSummary): string {
  const lacking = describeLacking(summary);
  const twice = perhapsTwice(summary.perhapsInLog, "go");
  return [
    ...(twice === undefined ? [] : [twice]),
    ...describeLost(lostByKind(summary), "go").map(({ text }) => text),
    ...(lacking === undefined ? [] : [lacking]),
    ...unreadIn(summary),
  ]
    .map((text) => ` ${text}.`)
    .join("");
}

/**
 * "Is it done, and is it good?"
 *
 * @param looked the findings of the look at the log after the run; only they can justify "each once"
 * @param why the limit that stopped the run, if one did
 */
export function closingSentence(summary: RunSummary, looked: Looked | undefined, why?: string): string {
  const { all, balanced, run } = summary;
  if (!balanced) {
    return `Run ${run.id} read ${all.read} records, and ${sumOf(all)} are accounted for. This is a bug in logferry: please report it.`;
  }
  const { refusedThere = 0, leftThere = 0, dropped = 0, logChanged = 0 } = all;
  const [more, before] = [surplusOf(looked), sumOfDays(looked?.before)];
  const parts = [
    `${count(inLog(all))} of ${count(all.read)} records are in your log${describeShared(summary)}${(summary.saidTwice ?? summary.foundTwice) ? "" : onceOrNot(all, looked)}`,
    more > 0 ? `It holds ${count(more)} more than it should` : undefined,
    before > 0 ? `It held ${count(before)} equal to another before this run` : undefined,
    sentence(all.gone, "is no longer in the log", "are no longer in the log"),
    ...describeLost(lostByKind(summary), "went").map(({ text }) => text),
    perhapsTwice(summary.perhapsInLog, "went"),
    sentence(summary.saidTwice?.count ?? 0, "is there twice, as you said", "are there twice, as you said"),
    sentence(
      summary.foundTwice?.count ?? 0,
      "workout is there twice, by its values",
      "workouts are there twice, by their values",
    ),
    describeLacking(summary),
    ...unreadIn(summary),
    summary.rowsAway && countedAway(summary.rowsAway),
    summary.droppedInLog && countedAway(summary.droppedInLog),
    summary.staysInLog && describeStaying(summary.staysInLog),
    sentence(refusedThere + leftThere, "of them is without your values", "of them are without your values"),
    sentence(all.skipped - dropped, "was left out by a rule", "were left out by a rule"),
    sentence(dropped, "was left out by you", "were left out by you"),
    sentence(all.quarantined, "was rejected", "were rejected"),
    sentence(all.refused - refusedThere, "was refused by the log", "were refused by the log"),
    sentence(all.failed - logChanged, "could not be sent", "could not be sent"),
    sentence(logChanged, "was stopped, because your log changed", "were stopped, because your log changed"),
    sentence(all.inDoubt, "is in doubt", "are in doubt"),
    sentence(leftOutside(all), "is still to do", "are still to do"),
  ].filter((part) => part !== undefined);
  const because = why === undefined || all.left + all.inDoubt === 0 ? "" : `: ${why}`;
  return `${stateOf(summary, looked)}${because}. ${parts.join(". ")}. ${nextOf(summary, looked)}`;
}

/** Records of a run that are missing from the log, or in doubt. A verification reads back only the other records. */
const NOT_READ_BACK: readonly (readonly [LedgerColumn, (n: number) => string, string | ((run: Run) => string)])[] = [
  ["left", (n) => `${records(n)} ${n === 1 ? "is" : "are"} still to be sent`, resumeCommand],
  ["inDoubt", (n) => `${records(n)} ${n === 1 ? "is" : "are"} in doubt`, "logferry retry"],
  ["gone", (n) => `${records(n)} ${n === 1 ? "is" : "are"} no longer in the log`, BRING_BACK],
  ["refused", (n) => `the log refused ${records(n)}`, "logferry retry"],
  ["failed", (n) => `${records(n)} could not be sent`, "logferry retry"],
];

/** What the journal knows of the records that a verification can't read back. */
export interface OpenRecords {
  readonly all: Ledger;
  /** Records of a promotion that wait for a decision. */
  readonly waiting: number;
  /** Records that could not be sent because their files changed or went away since the plan. They are counted in `all.failed`. */
  readonly changed: number;
}

/** The same records in one text, each with its command; empty if the log has every record that it should have. */
export function notReadBack(run: Run, { all, waiting, changed }: OpenRecords): string {
  const others: Ledger = { ...all, failed: all.failed - changed };
  const ofFiles =
    changed === 0
      ? []
      : [
          `${records(changed)} could not be sent, because ${changed === 1 ? "its file" : "their files"} changed since the plan (${planCommand(run)})`,
        ];
  const parts = NOT_READ_BACK.flatMap(([column, words, command]) =>
    others[column] === 0 ? [] : [`${words(others[column])} (${typeof command === "string" ? command : command(run)})`],
  );
  const wait = `${records(waiting)} ${waiting === 1 ? "waits" : "wait"} for your decision, not being as in the rehearsal (logferry quarantine)`;
  return [...parts, ...ofFiles, ...(waiting === 0 ? [] : [wait])].join("; ");
}

/**
 * The exit code of a verification that found no difference in the existing records. It is 7 if a share of the log is gone, as for the
 * import.
 *
 * @param open as `notReadBack` has it
 */
export function exitOfVerified(all: Ledger, open: string): ExitName {
  if (all.left > 0) return "stopped";
  if (isShareLost(all)) return "differs";
  return open === "" ? "done" : "setAside";
}

/** `5 were rejected`; undefined for none. */
function sentence(n: number, one: string, several: string): string | undefined {
  return n === 0 ? undefined : `${count(n)} ${n === 1 ? one : several}`;
}

/** `, each once` only after a look that would have shown duplicates. */
function onceOrNot(all: Ledger, looked: Looked | undefined): string {
  if (all.left > 0 || inLog(all) === 0 || surplusOf(looked) + sumOfDays(looked?.before) > 0) return "";
  return looked?.isSure === true
    ? ", each once"
    : " by the answers of its service (the log could not be looked at once more, so a record may be there twice)";
}

/** Whether a run still has something to do: records to send, or lost answers that it was about to look up. */
function isStopped(all: Ledger, { state }: Run): boolean {
  return all.left > 0 || (state === "stopped" && all.inDoubt > 0);
}

function stateOf(summary: RunSummary, looked: Looked | undefined): string {
  const { all, run } = summary;
  if (isStopped(all, run)) return "Stopped early";
  if (all.quarantined > 0 && all.quarantined === all.read) return "Nothing was loaded";
  if (isShareLost(all)) return "Done, but records are missing from the log";
  if (surplusOf(looked) > 0) return "Done, but the log holds more than was loaded";
  if (
    openIn({
      all,
      ...defined({ perhapsInLog: summary.perhapsInLog, saidTwice: summary.saidTwice, foundTwice: summary.foundTwice }),
      ...defined({ staysInLog: summary.staysInLog }),
    }) > 0
  )
    return "Done, but some records need your attention";
  if (summary.changedSources !== undefined) return "Done, but the sources changed since the plan";
  if (summary.unreadFiles !== undefined) return "Done, but some files were not read";
  return openIn(summary) > 0 ? "Done, but some values could not be read" : "Done";
}

function nextOf(
  { all, run, unreadFiles, unreadValues, changedSources }: RunSummary,
  looked: Looked | undefined,
): string {
  if (isStopped(all, run)) return `Resume with: ${resumeCommand(run)}`;
  const { restores } = run.options;
  const bringBack = restores === undefined ? BRING_BACK : `logferry restore ${restores.snapshot.slice(0, 8)}`;
  const back = all.gone > 0 ? `Load the missing records again with: ${bringBack}. ` : "";
  if (surplusOf(looked) > 0)
    return `${back}Delete the duplicates named above in your log. Then check it with: logferry verify`;
  const rejectedCount = needsAttention(all) - all.gone;
  if (rejectedCount > 0) {
    const see = `${back}See them with: logferry ${all.quarantined > 0 ? "quarantine" : "status --verbose"}`;
    return inLog(all) === 0 ? see : `${see}. Check the rest with: logferry verify`;
  }
  if (changedSources !== undefined) return `${back}${planAgain(run)}`;
  if (sumOfLost(all.lostFiles) > 0)
    return `${back}See which with: logferry status --verbose. Check the rest with: logferry verify`;
  if (unreadValues !== undefined)
    return `${back}List each with: logferry status --run ${run.id} --report loss.csv. Check the rest with: logferry verify`;
  if (unreadFiles !== undefined) return `${back}${nameAll(unreadFiles)}. Check the rest with: logferry verify`;
  return `${back}Check ${all.gone > 0 ? "the rest" : "it"} with: logferry verify`;
}

function sumOfDays(days: Looked["surplus"] = []): number {
  return days.reduce((sum, { count: more }) => sum + more, 0);
}

function sumOf(ledger: Ledger): number {
  return LEDGER_COLUMNS.reduce((sum, column) => sum + ledger[column], 0);
}
