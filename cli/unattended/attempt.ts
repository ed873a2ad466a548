/** Makes one unattended backup. logferry notifies the people in the settings of the result, and remembers it. */
import { resolve } from "node:path";
import { TransferError } from "../../connectors/errors.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { bugLines, describeError, type Problem } from "../errors/describe-error.ts";
import { EXIT_CODES, type ExitName } from "../errors/exit-codes.ts";
import { type News, type NotifyContext, tell, tellBeginning } from "../notify/notifier.ts";
import { scheduleName } from "../notify/remembered.ts";

/** The result of a backup. */
export interface BackupDone {
  readonly exit: "done" | "setAside";
  /** Its last sentence. */
  readonly sentence: string;
}

/** Makes a backup. */
export type BackUp = (context: CommandContext) => Promise<BackupDone>;

/** The outcome of an attempt. */
export type Attempt =
  | { readonly exit: ExitName }
  /** The backup threw. Everybody was told already, unless a person stopped it. */
  | { readonly error: unknown; readonly problem: Problem | undefined };

/** The settings and names for notifications about a repository. */
export function notifyContext(context: CommandContext, repository: string): NotifyContext {
  const { notify, options, environment, output, now } = context;
  return {
    settings: notify,
    name: scheduleName(options.profile, repository),
    profile: options.profile,
    repository: resolve(repository),
    environment,
    output,
    now,
  };
}

/** Makes a backup and tells the result. */
export async function attemptBackup(context: CommandContext, repository: string, backUp: BackUp): Promise<Attempt> {
  const telling = notifyContext(context, repository);
  const isBeginningTold = await tellBeginning(telling);
  let done: BackupDone;
  try {
    done = await backUp(context);
  } catch (error) {
    const problem = describeError(error);
    if (!wasStopped(error, context.signal)) await tell(telling, newsOf(error, problem, context), true);
    return { error, problem };
  }
  const { exit, sentence } = done;
  const isWell = exit === "done";
  const next = isWell
    ? undefined
    : `look at what it names; what there is: logferry snapshots --repository ${shellWord(repository)}`;
  const isTold = await tell(telling, { event: isWell ? "success" : "failure", exit, sentence, next }, true);
  return { exit: isTold && isBeginningTold ? exit : "setAside" };
}

/** Whether a person stopped the backup, before the snapshot or between it and its proof. Nobody needs news about their own action. */
export function wasStopped(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof TransferError && error.code.endsWith("/stopped");
}

function newsOf(error: unknown, problem: Problem | undefined, { options }: CommandContext): News {
  if (problem === undefined) return { event: "failure", exit: "bug", sentence: bugLines(error)[0] ?? "" };
  const { exit, message, more } = problem;
  const next = more.length > 0 ? more.join(" ") : nextOf(exit, options.profile);
  return { event: "failure", exit, sentence: message, next };
}

/** The next step, for an error that doesn't name one. */
function nextOf(exit: ExitName, profile: string): string {
  const steps: Partial<Record<ExitName, string>> = {
    login: `log in again: logferry login --profile ${profile}`,
    differs: "find out what is damaged: logferry check",
    locked: "wait for the other one, or stop it",
    service: "it is tried again the next time. If it stays so, tell the people who run the service",
    usage: "mend the setting that is named",
  };
  return steps[exit] ?? `look what exit code ${EXIT_CODES[exit].code} means: logferry backup --help`;
}
