/**
 * Silence: a backup that isn't made can't say so. Somebody else has to ask, now and then, how old the last good one is.
 */
import { readBackupStatus } from "../../pipelines/backup/backup-status.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { tellBackupStatus } from "../backup/backup-status.ts";
import { atRepository } from "../backup/repository.ts";
import { describeError } from "../errors/describe-error.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { tell } from "../notify/notifier.ts";
import { notifyContext } from "./attempt.ts";

/**
 * Says whether the last good backup is older than it may be, and tells whom the settings name when it is. Nothing is told while all is well:
 * that is for the backups themselves.
 *
 * @param maxAge as the option has it
 */
export async function askForSilence(context: CommandContext, repository: string, maxAge: string): Promise<ExitName> {
  const { output } = context;
  const silence = await silenceOf(context, repository, maxAge);
  if (silence.exit === "done") {
    output.say(silence.sentence);
    return "done";
  }
  output.conclude(silence.sentence);
  const next = `see why: logferry schedule status, then: logferry backup --repository ${shellWord(repository)}`;
  await tell(notifyContext(context, repository), { event: "silence", ...silence, next }, false);
  return silence.exit;
}

async function silenceOf(
  { output, now }: CommandContext,
  repository: string,
  maxAge: string,
): Promise<{ readonly exit: ExitName; readonly sentence: string }> {
  try {
    const status = await atRepository(repository, () => readBackupStatus(repository, now()));
    const { isTooOld, sentence } = tellBackupStatus(output, status, maxAge);
    return { exit: isTooOld ? "differs" : "done", sentence };
  } catch (error) {
    const problem = describeError(error);
    if (problem === undefined) throw error;
    return { exit: "differs", sentence: problem.message };
  }
}
