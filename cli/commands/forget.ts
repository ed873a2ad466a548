import type { Repository } from "../../connectors/repository/repository.ts";
import { dropDamaged } from "../../pipelines/backup/drop-damaged.ts";
import { forget as forgetSnapshots, type Policy } from "../../pipelines/backup/snapshots.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  openOwnRepository,
  POLICY_OPTIONS,
  policyIn,
  shortId,
  shortTime,
  snapshotAsJson,
  tellDamage,
} from "../backup/repository.ts";
import { KEY_OPTIONS } from "../backup/repository-keys.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { count, many } from "../terminal/output.ts";

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
  async run(context) {
    const { output, options, signal } = context;
    const repository = await openOwnRepository(context, "forget snapshots");
    if (options.dropDamaged === true) return giveUp(context, repository);
    const policy = policyOf(options);
    const isRehearsal = options.dryRun === true;
    const { kept, gone, files } = await atRepository(repository, () =>
      forgetSnapshots(repository, policy, {
        now: context.now(),
        dryRun: isRehearsal,
        signal,
        onProgress: (done, total) => output.progress({ phase: "checking", done, total }),
      }),
    );
    output.endProgress();
    for (const { snapshot, because } of kept) {
      output.emit("snapshot", { ...snapshotAsJson(snapshot), because });
      output.say(`  kept ${shortId(snapshot)}  ${shortTime(snapshot)}  ${because.join(", ")}`);
    }
    for (const snapshot of gone) {
      output.emit("forgotten", snapshotAsJson(snapshot));
      output.say(`  ${isRehearsal ? "would go" : "gone"} ${shortId(snapshot)}  ${shortTime(snapshot)}`);
    }
    const removed = files === undefined ? "" : `, and ${many(files, "file")} of unused data`;
    const verb = isRehearsal ? "would be forgotten" : "forgotten";
    output.say(
      `${many(gone.length, "snapshot")} ${verb}${removed}. ${count(kept.length)} ${isRehearsal ? "would stay" : "stayed"}.`,
    );
    return "done";
  },
};

async function giveUp(context: CommandContext, repository: Repository): Promise<ExitName> {
  const { output, options, signal } = context;
  if (policyIn(options) !== undefined) {
    throw new UsageError("Cannot forget: --drop-damaged stands alone; forget by a policy afterwards");
  }
  const isRehearsal = options.dryRun === true;
  const { files, incomplete, kept, left } = await atRepository(repository, () =>
    dropDamaged(repository, isRehearsal, signal, (done, total) => output.progress({ phase: "checking", done, total })),
  );
  output.endProgress();
  const fate = isRehearsal ? "would go" : "gone";
  for (const one of files) {
    output.emit("damage", { ...one });
    output.say(`  ${fate} ${one.file}, which ${one.found}`);
  }
  for (const snapshot of incomplete) {
    output.emit("forgotten", snapshotAsJson(snapshot));
    output.say(`  ${fate} ${shortId(snapshot)}  ${shortTime(snapshot)}, which names damaged data`);
  }
  const number = files.length + incomplete.length;
  const sentence = `${many(number, "damaged file or snapshot", "damaged files and snapshots")} ${isRehearsal ? "would be given up" : "given up"}; ${many(kept.length, "snapshot")} whole`;
  if (left.length === 0) {
    output.say(`${sentence}.`);
    return "done";
  }
  tellDamage(output, left);
  output.conclude(`${sentence}; ${count(left.length)} damaged besides: the next backup writes anew what is its own.`);
  return "differs";
}

/** @throws UsageError for a policy that keeps nothing */
function policyOf(options: CommandContext["options"]): Policy {
  const policy = policyIn(options);
  if (policy !== undefined) return policy;
  throw new UsageError(
    "Cannot forget: say what to keep, with --keep-last, --keep-daily, --keep-weekly, --keep-monthly or --keep-yearly; a policy that keeps nothing would take everything away",
  );
}
