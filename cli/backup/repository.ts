/** Common parts of the backup commands: they find the repository, and describe a snapshot. */
import { type Damage, KINDS } from "../../connectors/repository/layout.ts";
import { openRepository, type Repository } from "../../connectors/repository/repository.ts";
import { recordsOf, type Snapshot } from "../../connectors/repository/snapshot.ts";
import { type Policy, snapshotNamed } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { cannotUse, isOfSystem } from "../errors/system-errors.ts";
import { many, type Output } from "../terminal/output.ts";
import { findKeys, namesKey } from "./repository-keys.ts";

/**
 * Opens the repository that the options name, even if it doesn't exist yet (`isThere`). If the options give no key for an encrypted one, it
 * asks for the passphrase.
 *
 * @param action for the messages: `back up`
 * @param mayCreate whether the command creates a missing repository
 * @throws UsageError when the options name none; as `openRepository` and `atRepository`
 */
export async function openOwnRepository(
  context: CommandContext,
  action: string,
  { mayCreate = false } = {},
): Promise<Repository> {
  const folder = repositoryOf(context, action);
  // Without its key, an encrypted repository still shows some data from outside.
  const keys = context.options.withoutKey === true ? undefined : await findKeys(context, mayCreate);
  const repository = await atRepository(folder, () => openRepository(folder, keys));
  if (repository.isThere && !repository.isEncrypted && (keys?.create !== undefined || namesKey(context))) {
    throw new UsageError(
      `Cannot ${action}: ${folder} is not encrypted, and a key or --encrypt was given. A repository is encrypted from its first backup on or not at all: name another folder`,
    );
  }
  return repository;
}

/** The folder of the repository that the options name. @throws UsageError when they name none */
export function repositoryOf({ options }: Pick<CommandContext, "options">, action: string): string {
  // An empty name comes from an unset variable in a script. It would mean the folder where the command was started.
  if (options.repository !== undefined && options.repository !== "") return options.repository;
  throw new UsageError(`Cannot ${action}: say where the snapshots are, with --repository FOLDER`);
}

/**
 * Works with a repository, and describes errors of the system in words.
 *
 * @throws the errors of the work; UsageError or FatalError `backup/disk-full` for an error of the system
 */
export async function atRepository<T>(repository: string | Repository, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const folder = typeof repository === "string" ? repository : repository.root;
    if (isOfSystem(error)) throw cannotUse(folder, error, "backup/disk-full");
    const isLock = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
    throw isLock
      ? new UsageError(`Cannot use ${folder}: its lock can't be taken (${error.message})`, { cause: error })
      : error;
  }
}

/** The policy in the options; undefined if it would keep nothing. */
export function policyIn(options: CommandContext["options"]): Policy | undefined {
  const { keepLast, keepDaily, keepWeekly, keepMonthly, keepYearly } = options;
  const policy = { last: keepLast, daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly, yearly: keepYearly };
  return Object.values(policy).some((most = 0) => most > 0) ? policy : undefined;
}

/** The snapshot that a person names. @throws UsageError when no snapshot matches, or several do */
export function snapshotCalled(snapshots: readonly Snapshot[], name: string, action: string): Snapshot {
  const found = snapshotNamed(snapshots, name);
  if (found === "several")
    throw new UsageError(`Cannot ${action}: several snapshots begin with ${name}; say more of the id`);
  if (found !== undefined) return found;
  throw new UsageError(
    `Cannot ${action}: there is no snapshot ${JSON.stringify(name)}; logferry snapshots lists them, and latest is the last one`,
  );
}

/** The beginning of an id, for people to type. */
export function shortId({ id }: Pick<Snapshot, "id">): string {
  return id.slice(0, 8);
}

/** `2026-11-21 21:30` */
export function shortTime({ time }: Pick<Snapshot, "time">): string {
  return time.slice(0, 16).replace("T", " ");
}

/** The number of records of each kind in a snapshot, without the kinds that have none. */
export function countsOf(snapshot: Snapshot): Readonly<Record<string, number>> {
  return Object.fromEntries(
    KINDS.map((kind) => [kind, recordsOf(snapshot, kind)] as const).filter(([, records]) => records > 0),
  );
}

/** A snapshot for a JSON line. */
export function snapshotAsJson(snapshot: Snapshot): Record<string, unknown> {
  const { id, time, day, pass, unread, file } = snapshot;
  return { id, time, day, pass, records: countsOf(snapshot), unread, file };
}

/** Reports all of the damage. */
export function tellDamage(output: Output, damaged: readonly Damage[]): void {
  for (const one of damaged) {
    output.emit("damage", { ...one });
    output.remark(`  ${one.file} ${one.found}`);
  }
}

/** Words for a kind of record: singular and plural. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  user: ["user", "users"],
  preference: ["preference", "preferences"],
  equipment: ["piece of equipment", "pieces of equipment"],
  course: ["course", "courses"],
  "training-plan": ["training plan", "training plans"],
  workout: ["workout", "workouts"],
};

/** `3 workouts`, `1 piece of equipment` */
export function counted(kind: string, records: number): string {
  const [one, several] = WORDS[kind] ?? [kind, kind];
  return many(records, one, several);
}

/** Bytes as people say them: `812 bytes`, `12.3 kB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
