import { forget as forgetSnapshots, type Policy } from "../../pipelines/snapshots.ts";
import type { Command, CommandContext } from "../command.ts";
import { UsageError } from "../exit-codes.ts";
import { count } from "../output.ts";
import {
  atRepository,
  many,
  openRepositoryOf,
  POLICY_OPTIONS,
  policyIn,
  shortId,
  shortTime,
  snapshotAsJson,
} from "../repository.ts";
import { KEY_OPTIONS } from "../repository-keys.ts";

/** `logferry forget`: take away old snapshots. */
export const forget: Command = {
  name: "forget",
  summary: "take away old snapshots by a policy, and the data nobody needs then",
  details: [
    "Keeps what any of the --keep options keeps, and takes away the rest, with the data that no other snapshot names. Daily means: of each of the N last days that have a snapshot, the newest one; weeks begin on Monday. Days are those of the machine that made the snapshot. Without a --keep option nothing is done.",
    "The whole repository is checked first, and where anything is damaged nothing is taken away: a snapshot that would go may be the last to hold what the others lost.",
    "See it first with --dry-run.",
  ],
  options: ["repository", ...KEY_OPTIONS, ...POLICY_OPTIONS, "dryRun"],
  examples: [
    {
      line: "logferry forget --repository ~/backups/log --keep-daily 14 --keep-yearly 50 --dry-run",
      does: "what two weeks of days and every year would leave",
    },
  ],
  stopping: "Stopping before anything is taken away.",
  async run(context) {
    const { output, options, signal } = context;
    const repository = await openRepositoryOf(context, "forget snapshots");
    const policy = policyOf(options);
    const isRehearsal = options.dryRun === true;
    const { kept, gone, files } = await atRepository(repository, () =>
      forgetSnapshots(repository, policy, isRehearsal, signal, (done, total) =>
        output.progress({ phase: "checking", done, total }),
      ),
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
    const removed = files === undefined ? "" : `, and ${many(files, "file")} of data nobody needs any more`;
    const verb = isRehearsal ? "would be forgotten" : "forgotten";
    output.say(`${many(gone.length, "snapshot")} ${verb}${removed}; ${count(kept.length)} kept.`);
    return "done";
  },
};

/** @throws UsageError for a policy that keeps nothing */
function policyOf(options: CommandContext["options"]): Policy {
  const policy = policyIn(options);
  if (policy !== undefined) return policy;
  throw new UsageError(
    "Cannot forget: say what to keep, with --keep-last, --keep-daily, --keep-weekly, --keep-monthly or --keep-yearly; a policy that keeps nothing would take everything away",
  );
}
