/** Detects silence. A backup that isn't made can't report itself, so something else must regularly check the age of the last good one. */
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
 * Reports whether the last good backup is too old. If it is, this function also notifies the people in the settings. It notifies nobody
 * while all is well, because the backups themselves do that.
 *
 * @param maxAge the value of the option
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
