import { LEDGER_ROWS } from "../../pipelines/journal/summary.ts";
import { HISTORY_GENERATOR, type HistoryRun, historyPage, sinceThen } from "../../pipelines/report/page/history.ts";
import { checkFree, ReportError, writeWhole } from "../../pipelines/report/write.ts";
import { readHistory } from "../../pipelines/review/history.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { journalPath, mayBeJournal, openOwnJournalToRead } from "../session/own-journal.ts";
import { asPrinted } from "../suggested-commands.ts";
import { packageVersion } from "../system/version.ts";
import { count, many, type Output } from "../terminal/output.ts";

/** The causes of a run that are printed without --verbose. */
const CAUSES_SHOWN = 5;

/** `logferry history`: every run with what it did and why records stayed out. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output, options } = context;
  const paths = options.report ?? [];
  for (const path of paths) await checkPath(path);
  const path = journalPath(options);
  if (!mayBeJournal(path)) {
    output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
    return "done";
  }
  await using journal = await openOwnJournalToRead(options);
  const reading = { now: context.now(), version: packageVersion(), places: false };
  let runs = 0;
  for await (const run of readHistory(journal, reading)) {
    runs++;
    tellRun(context, run);
  }
  for (const file of paths) {
    const account = (await journal.account())?.name;
    await writeWhole(file, historyPage(account, asOnTerminal(readHistory(journal, reading), output), output.completes));
    output.say(`Page: ${file}`);
  }
  output.conclude(runs === 0 ? "No run yet. Begin with: logferry plan SOURCE" : `${many(runs, "run")}.`);
  return "done";
}

/** The runs with the commands that the terminal prints. */
async function* asOnTerminal(runs: AsyncIterable<HistoryRun>, output: Output): AsyncIterable<HistoryRun> {
  for await (const run of runs) yield asPrinted(run, output);
}

/** @throws UsageError when the page can't be written there */
async function checkPath(path: string): Promise<void> {
  if (!/\.html?$/i.test(path)) throw new UsageError(`Cannot write ${path}: its name must end in .html`);
  await checkFree(path, HISTORY_GENERATOR).catch((error: unknown) => {
    throw error instanceof ReportError ? new UsageError(error.message, { cause: error }) : error;
  });
}

function tellRun({ output }: CommandContext, { report, what, groups, steps, ...since }: HistoryRun): void {
  const { run, sources, ledger } = report;
  output.emit("run", {
    run: run.number,
    state: run.state,
    createdAt: run.plannedAt,
    endedAt: run.finishedAt,
    what,
    ledger,
    reasons: report.reasons,
    ...since,
    next: steps,
  });
  const did = LEDGER_ROWS.filter(({ value }) => value(ledger) > 0).map(
    ({ word, value }) => `${count(value(ledger))} ${word}`,
  );
  const at = (run.finishedAt ?? run.plannedAt).slice(0, 16).replace("T", " ");
  output.say(
    `Run ${run.number}, ${what}, ${at} UTC, ${run.state}: ${did.length === 0 ? "nothing was read" : did.join(", ")}`,
    `  from ${sources.map(({ name }) => name).join(", ")}`,
  );
  for (const sentence of sinceThen(since)) output.say(`  ${sentence}`);
  tellCauses(output, groups);
  for (const { left, command } of steps) output.say(`  ${left}: ${command}`);
}

function tellCauses(output: Output, groups: HistoryRun["groups"]): void {
  const shown = output.loudness === "verbose" ? groups.length : CAUSES_SHOWN;
  for (const { state, rule, count: n, records, isSettled } of groups.slice(0, shown)) {
    const [first] = records;
    const why = first?.reason ?? rule ?? state;
    const since = isSettled === true ? ", settled since" : "";
    output.say(`  ${count(n)} ${state}${rule === undefined ? "" : ` (${rule})`}${since}, such as: ${why}`);
  }
  const more = groups.length - shown;
  if (more > 0) output.say(`  and ${count(more)} more ${more === 1 ? "cause" : "causes"}: --verbose`);
}
