/**
 * Tells everybody in the settings how a backup went. logferry sends a heartbeat and runs a command each time. It sends one mail when
 * backups begin to fail, a reminder after a while, and one mail when all is well again. A failed notification never fails a backup:
 * logferry only reports it.
 */
import { printable } from "../../transforms/text/printable.ts";
import type { NotifyEvent, NotifySettings } from "../arguments/notify-settings.ts";
import { EXIT_CODES, type ExitName } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import type { Environment } from "../system/programs.ts";
import type { Output } from "../terminal/output.ts";
import { runHook } from "./command-hook.ts";
import { type Beat, sendBeat } from "./heartbeat.ts";
import { sendMail } from "./mail.ts";
import { logRun, type Remembered, remember, remembered, runLogOf } from "./remembered.ts";

/** The news to tell. */
export interface News {
  readonly event: NotifyEvent;
  readonly exit: ExitName;
  /** The event, in one sentence. */
  readonly sentence: string;
  /** The next step for the person. */
  readonly next?: string | undefined;
}

/** The settings and the backups that the news is about. */
export interface NotifyContext {
  readonly settings: NotifySettings;
  /** The result of `scheduleName`. */
  readonly name: string;
  readonly profile: string;
  readonly repository: string;
  readonly environment: Environment;
  readonly output: Output;
  readonly now: () => number;
}

/** Tells the start of a backup to the heartbeats that want it. @returns whether everybody could be told */
export async function tellBeginning(context: NotifyContext): Promise<boolean> {
  let isTold = true;
  for (const [channel, spec] of numbered("heartbeat", context.settings.heartbeat)) {
    if (!spec.start) continue;
    const problem = await sendBeat(spec, "start", "", context.environment.LOGFERRY_HEARTBEAT_URL);
    isTold = say(context, channel, problem) && isTold;
  }
  return isTold;
}

/**
 * Tells the news to everybody, and remembers it.
 *
 * @param isRun true for a backup that ran, which goes into the log of runs; false for a check of the last backup's age
 * @returns whether everybody could be told
 */
export async function tell(context: NotifyContext, news: News, isRun: boolean): Promise<boolean> {
  const { settings, name, environment, now } = context;
  const before = await remembered(name);
  const at = new Date(now()).toISOString();
  const text = textOf(context, news);
  const isWell = news.event === "success";
  const told: Remembered["told"] = { ...before.told };
  let isTold = true;

  for (const [channel, spec] of numbered("heartbeat", settings.heartbeat)) {
    if (!spec.on.includes(news.event)) continue;
    const beat: Beat = isWell ? "success" : "fail";
    if (beat === "fail" && !spec.fail) continue;
    isTold = say(context, channel, await sendBeat(spec, beat, text, environment.LOGFERRY_HEARTBEAT_URL)) && isTold;
  }
  for (const [channel, spec] of numbered("command", settings.command)) {
    const { isWell: wasWell = true } = before.told[channel] ?? {};
    told[channel] = { isWell, at };
    if (!spec.on.includes(news.event)) continue;
    const { event, exit, sentence, next } = news;
    const { profile, repository } = context;
    const exitCode = EXIT_CODES[exit].code;
    const facts = {
      event,
      exitCode,
      sentence,
      next,
      profile,
      repository,
      log: runLogOf(name),
      changed: isWell !== wasWell,
    };
    isTold = say(context, channel, await runHook(spec, facts, environment)) && isTold;
  }
  for (const [channel, spec] of numbered("mail", settings.mail)) {
    const last = before.told[channel] ?? { isWell: true, at };
    const isReminder = !isWell && !last.isWell && now() - Date.parse(last.at) >= spec["remind-after"];
    const isWanted = spec.on.includes(news.event);
    if (isWell ? last.isWell && !isWanted : !isWanted || (!last.isWell && !isReminder)) continue;
    const subject = subjectOf(context, news, last.isWell, isReminder);
    const problem = await sendMail(spec, subject, text, environment);
    // A person whose mail failed gets it the next time.
    if (problem === undefined) told[channel] = { isWell, at };
    isTold = say(context, channel, problem) && isTold;
  }

  const lastRun = isRun
    ? { at, event: news.event, exitCode: EXIT_CODES[news.exit].code, sentence: news.sentence }
    : before.lastRun;
  try {
    await remember(name, { lastRun, told });
    if (isRun && lastRun !== undefined) await logRun(name, lastRun);
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    // Only the memory of the run is lost, so this doesn't change the exit code.
    context.output.remark(`Cannot remember how it went in ${runLogOf(name)}: ${describeSystemError(error)}`);
  }
  return isTold;
}

/** `mail` for the first, `mail 2` for the second. */
function numbered<T>(word: string, specs: readonly T[] = []): [string, T][] {
  return specs.map((spec, index) => [index === 0 ? word : `${word} ${index + 1}`, spec]);
}

function say({ output }: NotifyContext, channel: string, problem: string | undefined): boolean {
  output.emit("notification", { channel, isSent: problem === undefined, ...(problem !== undefined && { problem }) });
  if (problem !== undefined) output.remark(`Cannot tell by ${channel}: ${problem}`);
  return problem === undefined;
}

const SUBJECTS: Readonly<Record<NotifyEvent, string>> = {
  success: "backed up",
  failure: "the backup failed",
  silence: "the backups have stopped",
};

function subjectOf({ profile }: NotifyContext, { event }: News, wasWell: boolean, isReminder: boolean): string {
  const what = event === "success" && !wasWell ? "backed up again" : SUBJECTS[event];
  return `logferry (${profile}): ${what}${isReminder ? ", still" : ""}`;
}

function textOf({ name, profile, repository }: NotifyContext, { sentence, next }: News): string {
  const lines = [
    sentence,
    "",
    ...(next === undefined ? [] : [`What to do: ${next}`, ""]),
    `Profile:    ${profile}`,
    `Repository: ${repository}`,
    `Log:        ${runLogOf(name)}`,
    `Status:     logferry schedule status`,
    "",
  ];
  // A sentence may contain a service's answer, which must not begin a line of its own.
  return lines.map((line) => printable(line, 2_000)).join("\n");
}
