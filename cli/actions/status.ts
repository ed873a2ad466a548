import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { needsAttention, summarise } from "../../pipelines/journal/summary.ts";
import { nextSteps } from "../../pipelines/review/next-steps.ts";
import { sumOfLost } from "../../transforms/model/lost-file.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { printPlan } from "../printing/print-run.ts";
import { describeWait, sayBacklog } from "../rehearsal/backlog.ts";
import {
  findOwnHolder,
  findRun,
  journalPath,
  mayBeJournal,
  openOwnJournalToRead,
  pricing,
} from "../session/own-journal.ts";
import { checkReports, sayVerified, writeReports } from "../session/report.ts";
import { count, type Output } from "../terminal/output.ts";

/** `logferry status`: shows past and current runs, without asking the log. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { repository, maxAge } = context.options;
  if (repository !== undefined && maxAge !== undefined)
    return (await import("../unattended/silence.ts")).askForSilence(context, repository, maxAge);
  const backups = await backupsOf(context);
  if (backups !== undefined && asksForBackups(context)) {
    context.output.conclude(backups.sentence);
    return "done";
  }
  return runsOf(context, backups?.sentence);
}

/** Whether a person asks only about backups: they typed the repository, and no option about runs. */
function asksForBackups({ options, typed }: CommandContext): boolean {
  return typed?.repository !== undefined && options.run === undefined && options.report === undefined;
}

/** The state of the backups, if a repository is named. */
async function backupsOf({ output, options, now }: CommandContext) {
  const { repository, maxAge } = options;
  if (repository === undefined) {
    if (maxAge !== undefined)
      throw new UsageError("--max-age is for backups: say where they are, with --repository FOLDER");
    return undefined;
  }
  // The state of a run is read far more often than that of backups, so their parts are loaded only here.
  const [{ readBackupStatus }, { tellBackupStatus }, { atRepository }] = await Promise.all([
    import("../../pipelines/backup/backup-status.ts"),
    import("../backup/backup-status.ts"),
    import("../backup/repository.ts"),
  ]);
  return tellBackupStatus(output, await atRepository(repository, () => readBackupStatus(repository, now())), undefined);
}

/** @param backups a sentence about them; it ends the output if there is nothing else to print */
async function runsOf(context: CommandContext, backups: string | undefined): Promise<ExitName> {
  const { output, options } = context;
  await checkReports(context);
  const path = journalPath(options);
  // This command must not create a journal. A mistyped name would leave an empty one behind.
  if (!mayBeJournal(path)) {
    if (backups !== undefined) {
      output.conclude(backups);
      return "done";
    }
    output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
    return "done";
  }
  await using journal = await openOwnJournalToRead(options);
  const runs = await journal.runs();
  const shown = await findRun(journal, options.run);
  if (shown === undefined) {
    output.conclude(backups ?? "No run yet. Begin with: logferry plan SOURCE");
    return "done";
  }
  if (backups !== undefined) output.conclude(backups);
  for (const run of runs) if (run.id !== shown.id) await printRun(output, journal, run);
  const waits = describeWait(shown, context.now());
  const steps = (await nextSteps(journal, shown)).filter(
    ({ command }) => waits === undefined || command !== resumeCommand(shown),
  );
  output.emit("run", { ...(await asJson(journal, shown)), next: steps });
  const isWritten = await writeReports(context, journal, shown);
  const holder = await findOwnHolder(options);
  const url = `http://${(await journal.account())?.baseUrl ?? ""}`;
  const prices = pricing({}, url, "later");
  await printPlan(output, journal, shown, shown.state === "planned" ? "plan" : "result", prices);
  await sayBacklog(context, journal, shown, prices.perSecond);
  if (holder !== undefined) {
    output.emit("holder", { run: shown.id, holder });
    const { all } = await summarise(journal, shown);
    const doing = shown.state === "running" ? ` Run ${shown.id}: ${count(all.left)} of ${count(all.read)} left.` : "";
    output.conclude(`A run is in progress: ${holder}.${doing} What is shown is as of now.`);
    return isWritten ? "done" : "usage";
  }
  await sayVerified(output, journal, shown);
  const next = steps.map(({ left, command }) => `${left} (${command})`).join(", ");
  // Nobody holds the journal, so a run that is marked as running has lost its process.
  const standing = shown.state === "running" ? "was cut off (killed, or the power failed)" : `is ${shown.state}`;
  const sentence = waits ?? `Run ${shown.id} ${standing}.`;
  output.conclude(`${sentence}${steps.length === 0 ? "" : ` Next: ${next}.`}`);
  return isWritten ? "done" : "usage";
}

/** Prints a run in one line, unless it is shown in full. */
async function printRun(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const { all, unreadValues, perhapsInLog = 0 } = await summarise(journal, run);
  output.emit("run", await asJson(journal, run));
  const toLookAt = needsAttention(all) + sumOfLost(all.lostFiles) + (unreadValues?.count ?? 0) + perhapsInLog;
  const parts = [
    `${count(all.read)} read`,
    `${count(all.created)} created`,
    `${count(all.updated)} updated`,
    ...(toLookAt > 0 ? [`${count(toLookAt)} to look at`] : []),
    `${count(all.left)} left`,
  ];
  const ended = run.finishedAt === undefined ? "" : ` to ${time(run.finishedAt)}`;
  const retryOf = run.options.retryOf === undefined ? "" : `, a retry of run ${run.options.retryOf}`;
  output.say(`Run ${run.id}, ${time(run.createdAt)}${ended} UTC, ${run.state}${retryOf}: ${parts.join(", ")}`);
}

async function asJson(journal: JournalReader, run: Run): Promise<Record<string, unknown>> {
  const { all } = await summarise(journal, run);
  return {
    run: run.id,
    state: run.state,
    createdAt: new Date(run.createdAt).toISOString(),
    endedAt: run.finishedAt === undefined ? undefined : new Date(run.finishedAt).toISOString(),
    retryOf: run.options.retryOf,
    ledger: all,
  };
}

function time(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
