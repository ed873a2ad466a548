import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS, POLICY_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry backup`: saves the whole log as a snapshot. */
export const backup: Command = {
  name: "backup",
  details: [
    "Reads the whole log into a snapshot: workouts in full, courses, equipment, training plans, user and preference. The repository is a folder of its own, which the first backup makes. A snapshot is complete or absent. Data that several snapshots share is stored once. All files have plain formats, and you can read them without logferry.",
    "Every backup reads the listings. It then reads the new and changed workouts and courses in full. A listing lacks the effort, the heart rates, the weather and the intervals. When you edit only those, the next full backup notices: after --full-every DAYS, or with --full.",
    "When a full backup is stopped or killed, the next one resumes it. It keeps the records that are listed as they were. The next full backup is due so many days after the first one began. --full begins anew.",
    "When a listing changes while logferry reads it, logferry reads it again from its start. A listed record that can't be read keeps its older copy. logferry names it, and ends with exit code 3.",
    '--every 24h or --cron "30 2 * * *" stays in the foreground and backs up at these times. It makes up for missed times once, at the start. When a backup fails, it says so once and tries again: after a minute, two, four, and so on up to an hour. With --if-due logferry makes a backup only when one is due. `logferry schedule install` lets the system run the backups.',
    "--drill proves that the snapshot restores. logferry restores it into a private log in memory, reads it back, and compares it with the snapshot and the log field by field. It names every difference, and ends with exit code 7. `logferry status` says which backup was proven last. --drill-every 7d does it once a week.",
    "With a --keep option, or its key in the config file, a good backup then removes the snapshots that the policy doesn't keep. See logferry forget.",
    "logferry tells everybody in the `notify` table of the config file how each backup went: see docs/schedule.md. When a message can't be sent, the exit code is 3.",
    "--encrypt makes an encrypted repository with a passphrase. logferry asks for it, or reads it from --passphrase-file. --recipient age1... makes one for age keys, which you open with --identity FILE. Only the first backup can do this. Every later backup needs the passphrase or the key, too. If you lose it, the backups are lost. The standard age tool opens all files.",
    "With --quiet logferry prints nothing when all is well. It names damage in the repository. It stores the damaged data again, as far as the log still has it.",
  ],
  options: [
    "repository",
    "encrypt",
    "recipient",
    ...KEY_OPTIONS,
    "full",
    "fullEvery",
    "drill",
    "drillEvery",
    "every",
    "cron",
    "zone",
    "ifDue",
    "maxFailures",
    ...POLICY_OPTIONS,
    ...SESSION_OPTIONS.filter((name) => name !== "journal" && name !== "networkJournal" && name !== "settle"),
  ],
  says: { zone: { help: "time zone of --cron and --if-due (default: the machine's)" } },
  examples: [
    { line: "logferry backup --repository ~/backups/log", does: "a snapshot; the first one reads everything" },
    {
      line: "logferry backup --repository ~/backups/log --quiet",
      does: "the same every night: silent when all is well",
    },
    {
      line: 'logferry backup --repository ~/backups/log --cron "30 2 * * *" --keep-daily 14 --keep-monthly 12',
      does: "stays, backs up every night, and keeps two weeks of days and a year of months",
    },
  ],
  stopped: "Stopped: no snapshot was made. The same command goes on from there.",
  stopping: "Stopping: no snapshot is made. The same command goes on from here. Once more ends at once.",
  run: async (context) => (await import("../actions/backup.ts")).act(context),
};
