import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS, POLICY_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry forget`: removes old snapshots. */
export const forget: Command = {
  name: "forget",
  details: [
    "Keeps every snapshot that one of the --keep options keeps. It removes the others, and the data that only they use. Daily means the newest snapshot of each of the last N days that have one. Weeks begin on Monday. Days are those of the machine that made the snapshot. Without a --keep option nothing is removed.",
    "logferry checks the whole repository first. When anything is damaged it removes nothing, because an old snapshot may hold the last good copy.",
    "Some damage stays because the log no longer has the data. --drop-damaged gives up every snapshot that is damaged or uses damaged data. It removes nothing else, and never the last good snapshot. Use it without a --keep option.",
    "Try it with --dry-run first.",
  ],
  options: ["repository", ...KEY_OPTIONS, ...POLICY_OPTIONS, "dropDamaged", "dryRun"],
  examples: [
    {
      line: "logferry forget --repository ~/backups/log --keep-daily 14 --keep-yearly 50 --dry-run",
      does: "what two weeks of days and every year would leave",
    },
    {
      line: "logferry forget --repository ~/backups/log --drop-damaged --dry-run",
      does: "which snapshots would be given up",
    },
  ],
  stopping: "Stopping before anything is taken away.",
  run: async (context) => (await import("../actions/forget.ts")).act(context),
};
