import type { Repository } from "../../connectors/repository/repository.ts";
import { check as checkAll, snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import { shareOf } from "../arguments/options.ts";
import { atRepository, openOwnRepository, tellDamage } from "../backup/repository.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { count, many } from "../terminal/output.ts";

/** `logferry check`: checks whether a repository is still as it was written. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output, options, signal } = context;
  const repository = await openOwnRepository(context, "check");
  if (options.drill === true && !repository.isOpen)
    throw new UsageError("Cannot drill without the key: leave out --without-key, or --drill");
  const share = shareOf(options.readData ?? "1/1") ?? { part: 1, of: 1 };
  const { damaged, unused, opened, ...found } = await atRepository(repository, () =>
    checkAll(repository, share, signal, (done, total) => output.progress({ phase: "checking", done, total })),
  );
  output.endProgress();
  output.emit("repository", { ...found, damaged: damaged.length, unused, opened });
  tellDamage(output, damaged);
  if (output.loudness === "verbose") for (const file of unused) output.say(`  ${file} is named by no snapshot`);
  if (signal.aborted) {
    output.conclude("Stopped before everything was checked.");
    return "stopped";
  }
  const { snapshots, pieces, read, records } = found;
  const inside = opened
    ? many(records, "record")
    : "nothing decrypted: without the key, what they hold was not looked at";
  const seen = `${many(snapshots, "snapshot")}, ${count(read)} of ${many(pieces, "file")} of data read, ${inside}`;
  const extra = unused.length === 0 ? "" : ` ${many(unused.length, "file is", "files are")} of no snapshot.`;
  if (damaged.length === 0 && snapshots === 0) {
    output.conclude(
      `There is no snapshot in ${repository.root}: nothing can be restored from it. Make a backup first: logferry backup.${extra}`,
    );
    return "differs";
  }
  if (damaged.length === 0) {
    output.say(`Checked ${seen}. Nothing is damaged.${extra}`);
    if (options.drill === true) await drillLast(context, repository);
    return "done";
  }
  output.conclude(`Damaged: ${count(damaged.length)} found in ${seen}.${extra}`);
  return "differs";
}

async function drillLast(context: CommandContext, repository: Repository): Promise<void> {
  const last = (await snapshotsOf(repository)).snapshots.at(-1);
  if (last === undefined) throw new UsageError(`Cannot drill: there is no snapshot in ${repository.root}`);
  const { drill } = await import("../backup/drill.ts");
  await atRepository(repository, () => drill(context, repository, last));
}
