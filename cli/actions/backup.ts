import type { Repository } from "../../connectors/repository/repository.ts";
import { type BackupResult, backUp } from "../../pipelines/backup/backup.ts";
import { readBackupStatus } from "../../pipelines/backup/backup-status.ts";
import { forget } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  bytesInWords,
  counted,
  countsOf,
  openOwnRepository,
  policyIn,
  shortId,
  snapshotAsJson,
  tellDamage,
} from "../backup/repository.ts";
import { describeError, isStop } from "../errors/describe-error.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { openLog } from "../session/session.ts";
import { packageVersion } from "../system/version.ts";
import { count, many, type Output } from "../terminal/output.ts";
import type { BackupDone } from "../unattended/attempt.ts";
import { runBackups } from "../unattended/run.ts";
import { durationMs } from "../wording/durations.ts";

/** `logferry backup`: saves the whole log as a snapshot. */
export async function act(context: CommandContext): Promise<ExitName> {
  return runBackups(context, backUpOnce);
}

async function backUpOnce(context: CommandContext): Promise<BackupDone> {
  const { output, options, signal, now } = context;
  const repository = await openOwnRepository(context, "back up", { mayCreate: true });
  await using log = await openLog(context);
  const { connection } = log;
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
      onProgress: (phase, done, total) => output.progress({ phase, done, total, waiting: connection.pacing.waiting() }),
    }),
  );
  output.endProgress();
  const done = tell(output, result);
  if (await isDrillDue(context, repository)) {
    // A drill needs the service and the reading of sources, and most backups come without one.
    const { drill } = await import("../backup/drill.ts");
    await atRepository(repository, () => drill(context, repository, result.snapshot, connection));
  }
  return done.exit === "done" ? await forgetAfter(context, repository, done) : done;
}

/** Whether to prove the snapshot: the person asked for it, or the last drill is too old. */
async function isDrillDue({ options, now }: CommandContext, { root }: Repository): Promise<boolean> {
  if (options.drill === true || options.drillEvery === undefined) return options.drill === true;
  const { lastProven } = await atRepository(root, () => readBackupStatus(root, now()));
  const last = lastProven === undefined ? Number.NEGATIVE_INFINITY : Date.parse(lastProven.drilledAt);
  // A drill from the future comes from a wrong clock. It would count as the last one for a long time.
  return last > now() || now() - last >= (durationMs(options.drillEvery) ?? 0);
}

function tell(output: Output, result: BackupResult): BackupDone {
  const { snapshot, previous, readInFull, resumed, written, damaged, toCome, shrunk } = result;
  output.emit("snapshot", { ...snapshotAsJson(snapshot), previous: previous?.id, readInFull, resumed, written });
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
  const taken = resumed === undefined ? "" : `, ${count(resumed.records)} taken over from the backup that was cut off`;
  const how = snapshot.pass === "full" ? "everything read in full" : `${count(readInFull)} read in full${taken}`;
  const sentence = `Snapshot ${shortId(snapshot)}: ${holds}; ${how}, ${bytesInWords(written)} written`;
  if ([damaged, snapshot.unread, toCome, shrunk].every(({ length }) => length === 0)) {
    output.say(`${sentence}.`);
    return { exit: "done", sentence: `${sentence}.` };
  }
  const problems = [
    ...(snapshot.unread.length === 0 ? [] : [`${count(snapshot.unread.length)} could not be read`]),
    ...(damaged.length === 0
      ? []
      : [
          `${count(damaged.length)} damaged in the repository: run logferry check, which tells whether older snapshots lost something`,
        ]),
    ...shrunk.map(
      ({ kind, before, now }) =>
        `the log lists ${counted(kind, now)}, and the snapshot before holds ${count(before)}: look whether that is so. Nothing was forgotten`,
    ),
    ...toCome
      .slice(0, 1)
      .map(
        ({ time, file }) =>
          `there is a snapshot of ${time}, still to come: set the clock; where it was wrong then, delete ${file} in the repository`,
      ),
  ];
  const whole = `${sentence}; ${problems.join("; ")}.`;
  output.conclude(whole);
  return { exit: "setAside", sentence: whole };
}

/**
 * Removes the snapshots that the policy in the options doesn't keep. If that fails, the backup is still good, and logferry reports the
 * failure.
 */
async function forgetAfter(
  { output, options, signal, now }: CommandContext,
  repository: Repository,
  done: BackupDone,
): Promise<BackupDone> {
  const policy = policyIn(options);
  if (policy === undefined) return done;
  try {
    const { gone, kept } = await atRepository(repository, () =>
      forget(repository, policy, {
        now: now(),
        signal,
        onProgress: (read, total) => output.progress({ phase: "checking", done: read, total }),
      }),
    );
    output.endProgress();
    for (const snapshot of gone) output.emit("forgotten", snapshotAsJson(snapshot));
    if (gone.length > 0) output.say(`${many(gone.length, "snapshot")} forgotten; ${count(kept.length)} kept.`);
    return done;
  } catch (error) {
    const problem = describeError(error);
    if (problem === undefined || isStop(error, signal)) throw error;
    output.endProgress();
    output.conclude(problem.message);
    return { exit: "setAside", sentence: `${done.sentence} ${problem.message}` };
  }
}
