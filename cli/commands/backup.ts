import { type BackupResult, backUp } from "../../pipelines/backup.ts";
import type { Command, CommandContext } from "../command.ts";
import { count, type Output } from "../output.ts";
import {
  atRepository,
  bytesInWords,
  counted,
  countsOf,
  openRepositoryOf,
  shortId,
  snapshotAsJson,
  tellDamage,
} from "../repository.ts";
import { KEY_OPTIONS } from "../repository-keys.ts";
import { openLog, SESSION_OPTIONS } from "../session.ts";
import { packageVersion } from "../version.ts";

/** `logferry backup`: the whole log as a snapshot. */
export const backup: Command = {
  name: "backup",
  summary: "back up the whole log as a snapshot",
  details: [
    "Reads the whole log (workouts in full, courses, equipment and whether it is retired, training plans, user, preference) into a snapshot. The repository is a folder of its own, which the first backup makes. A snapshot is there whole or not at all; what it shares with others is stored once. Everything inside is in plain formats, which can be read without logferry.",
    "The listings are read each time. Of workouts and courses, only what is new there or shows otherwise is then read in full. A listing doesn't show everything (not the effort, the heart rates, the weather, the intervals), so an edit of those alone is noticed by the next full pass: after --full-every DAYS, or with --full.",
    "A listing that changes while it is read is read again from its start. A record that is listed and can't be read keeps its older copy, where there is one; it is named, and the exit code is 3.",
    "With --quiet nothing is printed when all is well. Damage in the repository is named; what was damaged of what the log still holds is written anew.",
  ],
  options: [
    "repository",
    "encrypt",
    "recipient",
    ...KEY_OPTIONS,
    "full",
    "fullEvery",
    ...SESSION_OPTIONS.filter((name) => name !== "journal" && name !== "networkJournal" && name !== "settle"),
  ],
  examples: [
    { line: "logferry backup --repository ~/backups/log", does: "a snapshot; the first one reads everything" },
    {
      line: "logferry backup --repository ~/backups/log --quiet",
      does: "the same every night: silent when all is well",
    },
  ],
  stopping: "Stopping: no snapshot is made. Once more ends at once.",
  run: backUpOnce,
};

/** One backup, as the options have it. */
async function backUpOnce(context: CommandContext): Promise<"done" | "setAside"> {
  const { output, options, signal, now } = context;
  const repository = await openRepositoryOf(context, "back up", { mayCreate: true });
  const { connection, close } = await openLog(context);
  try {
    const result = await atRepository(repository, () =>
      backUp({
        connection,
        repository,
        full: options.full === true,
        fullEvery: options.fullEvery ?? 7,
        version: packageVersion(),
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        now,
        signal,
        onProgress: (phase, done, total) =>
          output.progress({ phase, done, total, waiting: connection.pacing.waiting() }),
      }),
    );
    output.endProgress();
    return tell(output, result);
  } finally {
    await close();
  }
}

function tell(output: Output, { snapshot, previous, readInFull, written, damaged }: BackupResult): "done" | "setAside" {
  output.emit("snapshot", { ...snapshotAsJson(snapshot), previous: previous?.id, readInFull, written });
  tellDamage(output, damaged);
  for (const { kind, id, kept } of snapshot.unread) {
    output.remark(
      id === "*"
        ? "  The service doesn't list its courses: they are not in the snapshot"
        : `  The ${kind} ${id} could not be read: ${kept ? "its older copy is kept" : "it is not in the snapshot"}`,
    );
  }
  const counts = Object.entries(countsOf(snapshot)).filter(([kind]) => kind !== "user" && kind !== "preference");
  const holds = counts.map(([kind, records]) => counted(kind, records)).join(", ") || "an empty log";
  const how = snapshot.pass === "full" ? "everything read in full" : `${count(readInFull)} read in full`;
  const sentence = `Snapshot ${shortId(snapshot)}: ${holds}; ${how}, ${bytesInWords(written)} written`;
  const isWell = damaged.length === 0 && snapshot.unread.length === 0;
  if (isWell) {
    output.say(`${sentence}.`);
    return "done";
  }
  const troubles = [
    ...(snapshot.unread.length === 0 ? [] : [`${count(snapshot.unread.length)} could not be read`]),
    ...(damaged.length === 0
      ? []
      : [
          `${count(damaged.length)} damaged in the repository: run logferry check, which tells whether older snapshots lost something`,
        ]),
  ];
  output.conclude(`${sentence}; ${troubles.join("; ")}.`);
  return "setAside";
}
