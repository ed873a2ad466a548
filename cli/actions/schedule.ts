import { readBackupStatus } from "../../pipelines/backup/backup-status.ts";
import { findNext } from "../../transforms/schedule.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { tellBackupStatus } from "../backup/backup-status.ts";
import { repositoryOf } from "../backup/repository.ts";
import { describeError } from "../errors/describe-error.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, readLogin } from "../login/credentials.ts";
import { remembered, runLogOf, scheduleName } from "../notify/remembered.ts";
import { openCrontab } from "../schedule/crontab.ts";
import { goneOf, scheduleOf } from "../schedule/schedule.ts";
import type { Installed, Scheduler } from "../schedule/scheduler.ts";
import { openSystemd } from "../schedule/systemd.ts";
import { lastBackupAt } from "../unattended/last-backup.ts";
import { ownZone, timeInWords } from "../wording/moments.ts";

/** The words after `schedule`. */
const ACTIONS: Readonly<Record<string, (context: CommandContext) => Promise<ExitName>>> = { install, status, remove };

/** `logferry schedule`: lets the system make the backups. */
export async function act(context: CommandContext): Promise<ExitName> {
  const [action = ""] = context.arguments;
  const run = ACTIONS[action];
  if (run !== undefined) return run(context);
  throw new UsageError(
    `Cannot schedule ${JSON.stringify(action)}: expected install, status or remove${didYouMean(action, Object.keys(ACTIONS))}`,
  );
}

function schedulersOf({ environment }: CommandContext): readonly [Scheduler, Scheduler] {
  return [openSystemd(environment), openCrontab(environment)];
}

async function install(context: CommandContext): Promise<ExitName> {
  const { output, options } = context;
  const wanted = await scheduleOf(context, repositoryOf(context, "install a schedule"));
  const scheduler = await chosen(context, wanted);
  if (scheduler.name === "crontab" && wanted.randomDelayMs > 0)
    throw new UsageError("Cannot use --random-delay: cron knows no such thing. Use --with systemd");
  if (options.dryRun === true) {
    output.conclude(...scheduler.preview(wanted).trimEnd().split("\n"));
    return "done";
  }
  if (!(await scheduler.isThere()))
    throw new UsageError(`Cannot install a schedule with ${scheduler.name}: it doesn't run here for this user`);
  const isNew = await scheduler.install(wanted);
  for (const other of schedulersOf(context)) if (other.name !== scheduler.name) await other.remove(wanted.name);
  const canLogIn = await remarkOnLogin(context);
  // Without this first backup, the alarm may come before the first night.
  if (isNew && canLogIn && (await lastBackupAt(wanted.repository, context.now())) === undefined)
    await scheduler.begin?.(wanted.name);
  const next = findNext({ cron: wanted.cron, zone: ownZone() }, context.now());
  output.emit("schedule", {
    name: wanted.name,
    with: scheduler.name,
    profile: wanted.profile,
    repository: wanted.repository,
    cron: wanted.cron,
    maxAge: wanted.maxAge,
    next: new Date(next).toISOString(),
    isNew,
  });
  const where = scheduler.name === "systemd" ? "as timers of systemd" : "in the crontab";
  if (!isNew) {
    output.say(`Nothing to do: the schedule ${wanted.name} is there just so, ${where}.`);
    return "done";
  }
  output.say(
    `Installed ${where}: ${wanted.repository} is backed up at ${timeInWords(next, { everyMs: 0 })} next. You are warned when the last good backup is older than ${wanted.maxAge}.`,
  );
  if (scheduler.name === "systemd") {
    output.say("Timers of a user run while the user is logged in; always with: loginctl enable-linger");
  }
  return "done";
}

/** The scheduler: the one that was named, else systemd if it runs, else cron. */
async function chosen(
  context: CommandContext,
  { repository, cron }: { readonly repository: string; readonly cron: string },
): Promise<Scheduler> {
  const { options } = context;
  const [systemd, crontab] = schedulersOf(context);
  if (options.with !== undefined) return options.with === "systemd" ? systemd : crontab;
  if (await systemd.isThere()) return systemd;
  if (await crontab.isThere()) return crontab;
  throw new UsageError(
    `Cannot install a schedule: neither systemd nor cron runs for this user. Stay in the foreground with: logferry backup --repository ${shellWord(repository)} --cron ${shellWord(cron)}`,
  );
}

/**
 * Warns if a schedule would have no token. Nobody logs in for a schedule, and it doesn't get the variables of a shell. @returns whether
 * there is a token for it
 */
async function remarkOnLogin({ output, options, environment }: CommandContext): Promise<boolean> {
  const { tokenFile, tokenCommand, envFile } = options;
  if ((tokenFile ?? tokenCommand ?? envFile) !== undefined) return true;
  const login = await readLogin(credentialsPath(options.profile));
  if (login === undefined) {
    const profile = options.profile === "default" ? "" : ` --profile ${options.profile}`;
    const unset = environment.LOGFERRY_TOKEN === undefined ? "" : " LOGFERRY_TOKEN is not set in a schedule.";
    output.remark(`Nobody is logged in yet.${unset} Before the first backup: logferry login --url URL${profile}`);
    return false;
  }
  if (login.keyring !== undefined) {
    output.remark(
      "The token is in the system keyring, which may be locked at night. To be sure: logferry login --no-keyring",
    );
  }
  return true;
}

async function status(context: CommandContext): Promise<ExitName> {
  const { output, options, now } = context;
  const all = await installed(context);
  const shown =
    options.repository === undefined
      ? all
      : all.filter(({ name }) => name === scheduleName(options.profile, options.repository ?? ""));
  if (shown.length === 0) {
    output.conclude("No schedule is installed. Begin with: logferry schedule install --daily 02:30");
    return "done";
  }
  let isWell = true;
  for (const one of shown) {
    const { lastRun } = await remembered(one.name);
    const { stored } = one;
    const problems = problemsOf(one);
    isWell &&= problems.length === 0;
    const next = stored && findNext({ cron: stored.cron, zone: ownZone() }, now());
    output.emit("schedule", {
      name: one.name,
      with: one.with,
      ...(stored !== undefined && {
        profile: stored.profile,
        repository: stored.repository,
        cron: stored.cron,
        maxAge: stored.maxAge,
      }),
      ...(next !== undefined && { next: new Date(next).toISOString() }),
      lastRun,
      problems,
      log: runLogOf(one.name),
    });
    output.conclude(`${one.name}, by ${one.with}: ${stored?.repository ?? "can't be read"}`);
    if (next !== undefined) output.conclude(`  next      ${timeInWords(next, { everyMs: 0 })} (${stored?.cron})`);
    const last =
      lastRun && `${timeInWords(Date.parse(lastRun.at), { everyMs: 0 })} ${lastRun.event}: ${lastRun.sentence}`;
    output.conclude(`  last run  ${last ?? "none yet"}`);
    if (stored !== undefined) isWell = (await tellBackups(context, stored)) && isWell;
    for (const problem of problems) output.conclude(`  PROBLEM   ${problem}`);
    output.conclude(`  log       ${runLogOf(one.name)}`);
  }
  return isWell ? "done" : "setAside";
}

/** Prints the age of the last good backup. @returns false when it is too old or unknown */
async function tellBackups(
  { output, now }: CommandContext,
  { repository, maxAge }: { readonly repository: string; readonly maxAge: string },
): Promise<boolean> {
  try {
    const { isTooOld, sentence } = tellBackupStatus(output, await readBackupStatus(repository, now()), maxAge);
    output.conclude(`  backups   ${sentence}`);
    return !isTooOld;
  } catch (error) {
    const problem = describeError(error);
    if (problem === undefined) throw error;
    output.conclude(`  backups   ${problem.message}`);
    return false;
  }
}

function problemsOf({ stored, problem }: Installed): readonly string[] {
  const again = "install it again: logferry schedule install";
  return [
    ...(stored === undefined ? [`it was changed by hand, and can't be read; ${again}`] : []),
    ...(stored === undefined ? [] : goneOf(stored).map((path) => `${path} is not there any more; ${again}`)),
    ...(problem === undefined ? [] : [`${problem}; ${again}`]),
  ];
}

async function installed(context: CommandContext): Promise<readonly Installed[]> {
  const found: Installed[] = [];
  for (const scheduler of schedulersOf(context)) found.push(...(await scheduler.installed()));
  return found;
}

async function remove(context: CommandContext): Promise<ExitName> {
  const { output, options } = context;
  const name = await nameToRemove(context);
  if (name !== undefined && options.dryRun === true) {
    output.conclude(`The schedule ${name} would be removed.`);
    return "done";
  }
  let isGone = false;
  if (name !== undefined)
    for (const scheduler of schedulersOf(context)) isGone = (await scheduler.remove(name)) || isGone;
  output.say(isGone ? `Removed: the schedule ${name}. The snapshots stay.` : "There is no such schedule.");
  return "done";
}

/** The name of the schedule to remove: that of the repository, or the only one. */
async function nameToRemove(context: CommandContext): Promise<string | undefined> {
  const { repository, profile } = context.options;
  if (repository !== undefined) return scheduleName(profile, repository);
  const all = await installed(context);
  if (all.length < 2) return all[0]?.name;
  const known = all.map(({ name, stored }) => `${name} (${stored?.repository ?? "?"})`).join(", ");
  throw new UsageError(`Cannot remove a schedule: say which, with --repository FOLDER; there are ${known}`);
}
