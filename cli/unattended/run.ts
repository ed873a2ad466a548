/**
 * Makes unattended backups: repeatedly in the foreground, or once if one is due. After a pause, one backup makes up for all the missed
 * ones. logferry reports a failure once and tries again. With --quiet it prints nothing while all is well.
 */
import { join } from "node:path";
import { findHolder, takeScheduleLock } from "../../pipelines/journal/lock.ts";
import { dueAt, type Rule } from "../../transforms/schedule.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { dueRuleOf, ruleOf } from "../arguments/schedule-rule.ts";
import { repositoryOf } from "../backup/repository.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { remembered, scheduleName } from "../notify/remembered.ts";
import { waitUntil } from "../session/wait-until.ts";
import { count, span } from "../terminal/output.ts";
import { timeInWords } from "../wording/moments.ts";
import { attemptBackup, type BackUp, wasStopped } from "./attempt.ts";
import { lastBackupAt } from "./last-backup.ts";

/** Backs up as the options say: now, if it is due, or repeatedly. @throws the errors of a backup */
export async function runBackups(context: CommandContext, backUp: BackUp): Promise<ExitName> {
  const repository = repositoryOf(context, "back up");
  const rule = ruleOf(context.options);
  if (rule !== undefined) return backUpAgainAndAgain(context, repository, rule, backUp);
  if (context.options.ifDue !== undefined) return backUpWhereDue(context, repository, context.options.ifDue, backUp);
  const attempt = await attemptBackup(context, repository, backUp);
  if ("error" in attempt) throw attempt.error;
  return attempt.exit;
}

async function backUpWhereDue(
  context: CommandContext,
  repository: string,
  when: string,
  backUp: BackUp,
): Promise<ExitName> {
  const { output, options, now } = context;
  const rule = dueRuleOf(when, options.zone);
  const due = dueAt(rule, await lastBackupAt(repository, now()), now());
  if (due > now()) {
    output.say(`Nothing is due: the next backup is, at ${timeInWords(due, rule)}.`);
    return "done";
  }
  const holder = findHolder(join(repository, "repository"));
  if (holder !== undefined) {
    output.say(`A backup is being made already (${holder}).`);
    return "done";
  }
  const { lastRun } = await remembered(scheduleName(options.profile, repository));
  const attempt = await attemptBackup(context, repository, backUp);
  if (!("error" in attempt)) return attempt.exit;
  // With an hourly check the same error would come every hour, so it is reported once.
  if (attempt.problem === undefined || attempt.problem.message !== lastRun?.sentence) throw attempt.error;
  return attempt.problem.exit;
}

async function backUpAgainAndAgain(
  context: CommandContext,
  repository: string,
  rule: Rule,
  backUp: BackUp,
): Promise<ExitName> {
  const { output, options, now, signal } = context;
  const name = scheduleName(options.profile, repository);
  using _lock = takeScheduleLock(join(userFolders().data, "backups", name), repository);
  let isFirst = true;
  let failures = 0;
  let said: string | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  for (;;) {
    const due = Math.max(dueAt(rule, await lastBackupAt(repository, now()), now()), notBefore);
    if (due > now()) {
      if (failures === 0) output.say(`The next backup is at ${timeInWords(due, rule)}.`);
      output.emit("schedule", { next: new Date(due).toISOString(), failures });
      if (!(await waitUntil(due, context))) return "done";
    }
    // logferry runs a token command once for each environment object. A fresh copy makes each backup run it again, because the token may
    // have changed.
    const own = { ...context, environment: { ...context.environment } };
    const attempt = await attemptBackup(own, repository, backUp);
    if (!("error" in attempt)) {
      if (failures > 0) output.conclude(`Backups go well again, after ${count(failures)} that failed.`);
      isFirst = false;
      failures = 0;
      said = undefined;
      notBefore = Number.NEGATIVE_INFINITY;
      continue;
    }
    const { error, problem } = attempt;
    // A setting that can't be used is reported at once, to the person who just started this.
    if (wasStopped(error, signal) || problem === undefined || (problem.exit === "usage" && isFirst)) throw error;
    isFirst = false;
    failures++;
    if (failures === options.maxFailures) throw error;
    const waitMs = pauseMs(failures);
    notBefore = now() + waitMs;
    if (problem.message === said) continue;
    said = problem.message;
    output.endProgress();
    output.warn(
      problem.message,
      `It is tried again in ${span(waitMs / 1000)}, and again after that. You hear of it when it changes.`,
    );
  }
}

/** The wait after this many failures in a row: a minute, two, four, and so on up to an hour. */
function pauseMs(failures: number): number {
  return Math.min(60, 2 ** (failures - 1)) * 60_000;
}
