/** The last level of a certificate: whether a backup that holds every record was restored into an empty log, and was equal. */
import { FatalError } from "../../connectors/errors.ts";
import { readDrills } from "../../connectors/repository/drills.ts";
import { isToCome } from "../../connectors/repository/newest.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import { compareWithSnapshot } from "../../pipelines/certificate/check.ts";
import type { CertifiedRecord, Level } from "../../pipelines/certificate/schema.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import type { CommandContext } from "../arguments/command.ts";
import { atRepository, openOwnRepository, shortTime } from "../backup/repository.ts";
import type { LogSession } from "../session/session.ts";
import { count, records as manyRecords } from "../terminal/output.ts";

/** Finds the level, from the records of the certificate. */
type FindLevel = (records: AsyncIterable<CertifiedRecord>) => Promise<Level>;

/**
 * Opens the repository that the options name, before the log is read: it may ask for a passphrase.
 *
 * @throws as `openOwnRepository`
 */
export async function openRestored(
  context: CommandContext,
  { view: { account } }: Pick<LogSession, "view">,
  run: Run,
): Promise<FindLevel> {
  if (context.options.repository === undefined)
    return async () => levelOf(undefined, "No backup was named. Name one with --repository.");
  const repository = await openOwnRepository(context, "certify");
  const { snapshots } = await atRepository(repository, () => snapshotsOf(repository));
  const own = snapshots.filter(({ log }) => log.host === account.baseUrl && log.userHash === account.userHash);
  const [other] = snapshots;
  if (own.length === 0 && other !== undefined)
    return async () =>
      levelOf(
        false,
        `The backups that you named are of another log, that of ${other.log.name} at ${other.log.host}. Name those of this log with --repository.`,
      );
  return (records) => atRepository(repository, () => levelIn(repository, own, { run, records, now: context.now() }));
}

interface Compared {
  readonly run: Run;
  readonly records: AsyncIterable<CertifiedRecord>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The level, from the snapshots of this log. A time to come doesn't say that a snapshot was made after the run. */
async function levelIn(
  repository: Repository,
  snapshots: readonly Snapshot[],
  { run: { finishedAt = 0 }, records, now }: Compared,
): Promise<Level> {
  const after = snapshots.filter((one) => Date.parse(one.time) >= finishedAt && !isToCome(one, now));
  const { drills } = await readDrills(repository.root);
  const last = after.findLast(({ id }) => drills.some(({ snapshot }) => id.startsWith(snapshot)));
  const drill = drills.findLast(({ snapshot }) => last?.id.startsWith(snapshot) === true);
  if (last === undefined || drill === undefined) {
    const ahead = snapshots.findLast((one) => isToCome(one, now));
    const why =
      ahead === undefined ? "" : ` The backup of ${shortTime(ahead)} doesn't count: its time is in the future.`;
    return levelOf(
      undefined,
      `No backup after this run was restored for a test.${why} Make one with: logferry backup --drill`,
    );
  }
  const text = `The backup of ${shortTime(last)} was restored into an empty log on ${drill.time.slice(0, 10)}: ${count(drill.records)} records were compared, and ${count(drill.differences)} fields were different.`;
  const lacking = await lackingIn(repository, last, records);
  if (lacking === undefined) return levelOf(drill.differences === 0, text);
  return levelOf(false, `${text} ${lacking} Make a new one with: logferry backup --drill`);
}

/** Why a snapshot doesn't hold the records of a certificate as the log has them now; undefined if it does. */
async function lackingIn(
  repository: Repository,
  snapshot: Snapshot,
  records: AsyncIterable<CertifiedRecord>,
): Promise<string | undefined> {
  try {
    const { checked, differing } = await compareWithSnapshot(records, repository, snapshot);
    if (differing === 0) return undefined;
    return `But ${manyRecords(differing)} of ${count(checked)} ${differing === 1 ? "is" : "are"} not in it as your log has ${differing === 1 ? "it" : "them"} now.`;
  } catch (error) {
    if (!(error instanceof FatalError && error.code === "repository/damaged")) throw error;
    return `But it is damaged since. ${error.message}.`;
  }
}

function levelOf(isReached: boolean | undefined, text: string): Level {
  return { level: "restored", isReached, text };
}
