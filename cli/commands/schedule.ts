import type { Command } from "../arguments/command.ts";
import { PASSED_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry schedule`: lets the system make the backups. */
export const schedule: Command = {
  name: "schedule",
  details: [
    "`schedule install` lets the system make the backups: by timers of systemd for this user, else by lines of the crontab. --with chooses. On macOS it is the crontab: launchd is not used. When the machine was off or asleep, the backup is made up for once. Once a day the system also checks the age of the last good backup (`logferry status --max-age 26h`), so you learn of a backup that was never made. Options of `logferry backup` are passed on. The config file is read each time. No token is written anywhere. The backup uses the stored login, --token-file or --env-file.",
    "Installing again changes only the differences. Each profile and repository has one schedule. --dry-run prints what would be written.",
    "`schedule status` says what is installed, when the next backup is due, how the last one went, and how old the last good one is. `schedule remove` removes the schedule of a repository.",
  ],
  positional: {
    name: "action",
    help: "install, status or remove",
    atLeast: 1,
    atMost: 1,
  },
  options: ["repository", "daily", "cron", "with", "randomDelay", "maxAge", "envFile", "dryRun", ...PASSED_OPTIONS],
  says: {
    maxAge: {
      help: "how old the last good backup may be before you are warned (default: the longest pause, and 2 h)",
    },
    dryRun: { help: "print what would be written, and change nothing" },
  },
  examples: [
    { line: "logferry schedule install --repository ~/backups/log --daily 02:30 --keep-daily 14", does: "every night" },
    { line: "logferry schedule status", does: "what is installed, and how it goes" },
    { line: "logferry schedule remove --repository ~/backups/log", does: "no more" },
  ],
  run: async (context) => (await import("../actions/schedule.ts")).act(context),
};
