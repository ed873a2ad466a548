/** Plans a snapshot into a log with the code of the import, for both `restore` and a drill. */

import type { LogRecord } from "../../connectors/api/source.ts";
import { savableFields } from "../../connectors/exports/savable.ts";
import { KINDS, type RecordKind } from "../../connectors/exports/tables.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { snapshotSource } from "../../connectors/repository/source.ts";
import { readIfThere } from "../../connectors/sink.ts";
import { compareWithSnapshot, isLogOf, type RestoreFilter, type Survey } from "../../pipelines/backup/restore.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { canBePasted, shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { makePlan } from "../session/make-plan.ts";
import type { LogSession } from "../session/session.ts";
import { parseList, unknownValue } from "../wording/lists.ts";
import { firstDay, lastDay } from "../wording/periods.ts";

/** The part of a snapshot that the options choose. @throws UsageError with a word that has no meaning */
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

/** A snapshot to restore. */
export interface ToRestore {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
  readonly survey: Survey;
  readonly filter: RestoreFilter;
  readonly overwrite: boolean;
  /** Called before any record is read, with whether the snapshot is from the log that it goes to; it may throw to refuse. */
  readonly approve?: (isSameLog: boolean) => void;
}

/**
 * Plans which records of a snapshot are restored, and how. The log does not change.
 *
 * @returns undefined when it was stopped
 */
export async function planRestore(
  context: CommandContext,
  session: LogSession,
  { repository, snapshot, survey, filter, overwrite, approve }: ToRestore,
): Promise<Run | undefined> {
  const { view, sink, signal, concurrency } = session;
  const read: Parameters<typeof compareWithSnapshot>[2]["read"] = (kind, id, stop) =>
    readIfThere(() => sink.read(kind, id, stop));
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

/** Refuses a request for records that are not in the snapshot. Otherwise a typing error would restore nothing, and still report success. */
export function refuseUnknown({ unknownIds, unknownActivities, activities }: Survey): void {
  const [id] = unknownIds;
  if (id !== undefined) throw new UsageError(`Cannot restore: the snapshot holds no record with the id ${id}`);
  const [word] = unknownActivities;
  if (word === undefined) return;
  const known = activities.all().map(({ activityID, name }) => name?.toLowerCase() ?? String(activityID));
  throw unknownValue("only", word, known);
}

/** Why a snapshot may not go into a log, for the end of a sentence, and the right command. */
export interface OtherLog {
  readonly because: string;
  readonly remedy: string;
}

/**
 * Decides whether a snapshot of another log may go into this one. The person must type the other log's name. It is easy to use the token of
 * somebody else's log by mistake, and restored records can't be removed again.
 *
 * @returns the reason for a refusal, with the names of both logs; undefined if it may
 * @throws UsageError when the typed name belongs to a different log
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
