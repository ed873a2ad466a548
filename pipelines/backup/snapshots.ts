/** Lists the snapshots, and decides which of them may go. */
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { type Checked, checkRepository, type Share } from "../../connectors/repository/check.ts";
import type { Damage } from "../../connectors/repository/layout.ts";
import { isToCome } from "../../connectors/repository/newest.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import type { LocalDate } from "../../transforms/calendar.ts";
import { takeRepositoryLock } from "../journal/lock.ts";

/** The number of snapshots to keep of each kind; absent and 0 keep none. */
export interface Policy {
  /** The number of newest snapshots. */
  readonly last?: number | undefined;
  /** The number of days, weeks (from Monday), months and years that keep their newest snapshot. Only periods with a snapshot count. */
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
  readonly yearly?: number | undefined;
}

/** Why a policy keeps a snapshot: it is the newest of a day, and so on. */
export type KeptBecause = keyof Policy;

/**
 * Every snapshot of a repository, oldest first.
 *
 * @throws FatalError `repository/none` if there is no repository
 */
export async function snapshotsOf(
  repository: Repository,
): Promise<{ readonly snapshots: readonly Snapshot[]; readonly damaged: readonly Damage[] }> {
  mustBe(repository);
  return repository.readSnapshots();
}

/**
 * The snapshot that a person names: the beginning of its id, `latest`, or `latest~2` for the one two before.
 *
 * @returns undefined if there is none; `"several"` if several ids begin so
 */
export function snapshotNamed<S extends Pick<Snapshot, "id">>(
  snapshots: readonly S[],
  name: string,
): S | "several" | undefined {
  const back = /^latest(?:~(\d{1,6}))?$/.exec(name);
  if (back !== null) return snapshots.at(-1 - Number(back[1] ?? 0));
  if (!/^[0-9a-f]{4,64}$/.test(name)) return undefined;
  const [first, ...others] = snapshots.filter(({ id }) => id.startsWith(name));
  return others.length === 0 ? first : "several";
}

/**
 * Checks a repository. If logferry can write to it, it locks the repository meanwhile, so that nothing disappears during the check.
 *
 * @throws FatalError `repository/none`, `repository/locked`
 */
export async function check(
  repository: Repository,
  share: Share,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Checked> {
  mustBe(repository);
  using _lock = lockIfWritable(repository);
  return checkRepository(repository, share, signal, onProgress);
}

/** The result of forgetting, or of a rehearsal. */
export interface Forgotten {
  readonly kept: readonly { readonly snapshot: Snapshot; readonly because: readonly KeptBecause[] }[];
  readonly gone: readonly Snapshot[];
  /** The number of removed data files; undefined for a rehearsal. */
  readonly files: number | undefined;
}

/** Settings for removing snapshots. */
export interface ForgetOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Only report the snapshots that would go. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
  /** Called during the check of the repository. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Removes the snapshots that a policy doesn't keep, and the data that no other snapshot needs. It checks the whole repository first. If
 * anything is damaged, a snapshot that would go may be the last one with the lost data.
 *
 * @throws RangeError for a policy that keeps nothing; FatalError `repository/damaged` when the check fails, `repository/clock` if a
 * snapshot is from the future; as `check`
 */
export async function forget(
  repository: Repository,
  policy: Policy,
  { now, dryRun = false, signal, onProgress }: ForgetOptions,
): Promise<Forgotten> {
  if (Object.values(policy).every((count = 0) => count === 0)) throw new RangeError("a policy must keep something");
  mustBe(repository);
  using _lock = takeRepositoryLock(repository.root);
  const { damaged } = await checkRepository(repository, { part: 1, of: 1 }, signal, onProgress);
  const [first] = damaged;
  if (first !== undefined) {
    throw new FatalError(
      "repository/damaged",
      "source",
      `Cannot forget anything: ${first.file} ${first.found}${damaged.length === 1 ? "" : `, and ${damaged.length - 1} more`}. logferry check names all damage. A new backup stores again what the log still has. logferry forget --drop-damaged gives up the rest.`,
    );
  }
  if (signal.aborted) throw new RetryableError("api/stopped", "Cannot forget anything: stopped before it was checked");
  const { snapshots } = await repository.readSnapshots();
  refuseToCome(repository.root, snapshots, now);
  const because = keptBy(snapshots, policy);
  const kept = snapshots.filter(({ id }) => because.has(id));
  const gone = snapshots.filter(({ id }) => !because.has(id));
  const files = dryRun ? undefined : await repository.removeSnapshots(gone, kept);
  return { kept: kept.map((snapshot) => ({ snapshot, because: because.get(snapshot.id) ?? [] })), gone, files };
}

/**
 * The snapshots that a policy keeps, by id, with the reasons. Days are those of the machine that made the snapshot.
 *
 * @param snapshots oldest first
 */
export function keptBy(
  snapshots: readonly Pick<Snapshot, "id" | "day">[],
  policy: Policy,
): ReadonlyMap<string, readonly KeptBecause[]> {
  const kept = new Map<string, KeptBecause[]>();
  for (const rule of Object.keys(PERIOD_OF) as KeptBecause[]) {
    const most = policy[rule] ?? 0;
    const periods = new Set<string>();
    for (const { id, day } of snapshots.toReversed()) {
      const period = PERIOD_OF[rule](day, id);
      if (periods.has(period)) continue;
      if (periods.size === most) break;
      periods.add(period);
      kept.set(id, [...(kept.get(id) ?? []), rule]);
    }
  }
  return kept;
}

/** The period of a snapshot under each rule. The newest snapshot of a period is kept. */
const PERIOD_OF: Readonly<Record<KeptBecause, (day: LocalDate, id: string) => string>> = {
  last: (_day, id) => id,
  daily: (day) => day,
  weekly: (day) => mondayOf(day),
  monthly: (day) => day.slice(0, 7),
  yearly: (day) => day.slice(0, 4),
};

/** The number of a day's week, counted from Mondays: 1970 began with a Thursday. */
function mondayOf(day: LocalDate): string {
  const days = Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  return String(Math.floor((days + 3) / 7));
}

/** A snapshot with a wrong clock must not displace the newest one of a week. */
function refuseToCome(repository: string, snapshots: readonly Snapshot[], now: number): void {
  const ahead = snapshots.find((one) => isToCome(one, now));
  if (ahead === undefined) return;
  throw new FatalError(
    "repository/clock",
    "source",
    `Cannot forget anything: the snapshot ${ahead.id.slice(0, 8)} is of ${ahead.time}, and it is ${new Date(now).toISOString()}. Set the clock; where it was wrong then, delete ${ahead.file} in ${repository}`,
  );
}

function mustBe({ isThere, root }: Repository): void {
  if (isThere) return;
  throw new FatalError("repository/none", "source", `There is no snapshot repository at ${root}`);
}

/** Locks a repository during a look, so that nothing disappears meanwhile. A repository that can't be written to needs no lock. */
export function lockIfWritable(repository: Repository): Disposable {
  try {
    return takeRepositoryLock(repository.root);
  } catch (error) {
    if (error instanceof FatalError) throw error;
    // Nobody else can write to a read-only medium either.
    return { [Symbol.dispose]: () => undefined };
  }
}
