import type { Repository } from "../../connectors/repository/repository.ts";
import { dropDamaged } from "../../pipelines/backup/drop-damaged.ts";
import { forget as forgetSnapshots, type Policy } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  openOwnRepository,
  policyIn,
  shortId,
  shortTime,
  snapshotAsJson,
  tellDamage,
} from "../backup/repository.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { count, many } from "../terminal/output.ts";

/** `logferry forget`: removes old snapshots. */
export async function act(context: CommandContext): Promise<ExitName> {
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
}

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
