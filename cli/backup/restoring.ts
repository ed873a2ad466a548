/** What `restore` and a drill have in common: a snapshot is planned into a log, by the code that imports. */
import type { LogRecord } from "../../connectors/api/source.ts";
import { savableFields } from "../../connectors/exports/savable.ts";
import { KINDS, type RecordKind } from "../../connectors/exports/tables.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { snapshotSource } from "../../connectors/repository/source.ts";
import { compareWithSnapshot, isLogOf, type RestoreFilter, type Survey } from "../../pipelines/backup/restore.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { readIfThere } from "../../pipelines/load/settle.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/encode.ts";
import { canBePasted, shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { makePlan } from "../session/make-plan.ts";
import type { LogSession } from "../session/session.ts";
import { parseList, unknownValue } from "../wording/lists.ts";
import { firstDay, lastDay } from "../wording/periods.ts";

/** What the options choose of a snapshot. @throws UsageError naming a word that means nothing */
export function filterOf({ options }: CommandContext): RestoreFilter {
  const [kinds, fields, only, ids] = [options.kind, options.fields, options.only, options.id].map(parseList);
  const kindOf = new Map(Object.entries(KINDS).map(([kind, { word }]) => [word, kind as RecordKind]));
  const odd = kinds?.find((word) => !kindOf.has(word));
  if (odd !== undefined) throw unknownValue("kind", odd, [...kindOf.keys()]);
  const chosen = fields === undefined ? undefined : savableFields(fields);
  const [unknown] = chosen?.unknown ?? [];
  if (unknown !== undefined) throw unknownValue("fields", unknown, chosen?.known ?? []);
  return {
    kinds: kinds && new Set(kinds.flatMap((word): readonly LogRecord["kind"][] => [kindOf.get(word) ?? []].flat())),
    ids: ids && new Set(ids),
    since: firstDay(options.since),
    until: lastDay(options.until),
    activities: only && new Set(only.map((word) => word.toLowerCase())),
    fields: chosen?.fields,
  };
}

/** A snapshot that is to be put back. */
export interface ToRestore {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
  readonly survey: Survey;
  readonly filter: RestoreFilter;
  readonly overwrite: boolean;
  /** Told whether the snapshot is of the log that it is to go to, before anything is read for it; may refuse. */
  readonly approve?: (isSameLog: boolean) => void;
}

/**
 * Plans what of a snapshot is put back, and how. Nothing in the log is changed.
 *
 * @returns undefined when it was stopped
 */
export async function planRestore(
  context: CommandContext,
  session: LogSession,
  { repository, snapshot, survey, filter, overwrite, approve }: ToRestore,
): Promise<Run | undefined> {
  const { view, sink, signal, concurrency } = session;
  const read: Parameters<typeof compareWithSnapshot>[2]["read"] = (kind, id, stop) => readIfThere(sink, kind, id, stop);
  const isThere = async (id: string) => (await read("workout", id, signal)) !== undefined;
  const isSameLog = await isLogOf(snapshot, view, survey.ids.get("workout") ?? [], isThere);
  approve?.(isSameLog);
  const numbers = isSameLog
    ? survey.activities.ownNumbers()
    : survey.activities.numbersIn(await view.activityTypes?.(signal), context.tables);
  const { archive, connector, saw } = snapshotSource(repository, snapshot, survey.activities, survey.wants);
  const source = { path: `${repository.root}/${snapshot.file}`, archive, connector, saw };
  return makePlan(context, session, [source], {
    restoring: {
      numbers,
      restores: { snapshot: snapshot.id, ...(filter.fields !== undefined && { fields: filter.fields }) },
      compare: (run, comparison) =>
        compareWithSnapshot(run, comparison, {
          isSameLog,
          ids: survey.ids,
          fields: filter.fields,
          overwrite,
          encode: createEncoder(numbers),
          read,
          concurrency,
          signal,
          onProgress: (phase, done) => context.output.progress({ phase, done, waiting: view.waiting() }),
        }),
    },
  });
}

/** Refuses what was asked for and isn't in the snapshot: a typing error would restore nothing, and say that all is well. */
export function refuseUnknown({ unknownIds, unknownActivities, activities }: Survey): void {
  const [id] = unknownIds;
  if (id !== undefined) throw new UsageError(`Cannot restore: the snapshot holds no record with the id ${id}`);
  const [word] = unknownActivities;
  if (word === undefined) return;
  const known = activities.all().map(({ activityID, name }) => name?.toLowerCase() ?? String(activityID));
  throw unknownValue("only", word, known);
}

/** Why a snapshot may not go into a log, for the end of a sentence, and what to type instead. */
export interface OtherLog {
  readonly because: string;
  readonly remedy: string;
}

/**
 * Whether a snapshot of another log may go into this one: only by its name, typed. A token of somebody else's log is easily taken for one's
 * own, and what is put there can't be taken out again.
 *
 * @returns why not, naming both logs; undefined where it may
 * @throws UsageError where another log was named than this one
 */
export function refusalOf(
  { log }: Pick<Snapshot, "log">,
  { baseUrl, name }: LogSession["view"]["account"],
  into: string | undefined,
): OtherLog | undefined {
  const called = name === NAMELESS ? baseUrl : name;
  if (into === called) return undefined;
  if (into !== undefined)
    throw new UsageError(`Cannot restore into the log of ${into}: this is the log of ${name} at ${baseUrl}`);
  const word = canBePasted(called) ? shellWord(called) : "NAME";
  return {
    because: `the snapshot is of the log of ${log.name} at ${log.host}, and this is the log of ${name} at ${baseUrl}`,
    remedy: `To put it there all the same: --into ${word}`,
  };
}
