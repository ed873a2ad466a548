/**
 * Restores a snapshot with the loader of the import. It reads the snapshot's records like those of any source, and compares them here with
 * the log. An unchanged record costs only the request that reads it. A missing record is created again. An edited record stays as it is, or
 * is overwritten on request.
 */
import type { LogRecord } from "../../connectors/api/source.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { recordsOfSnapshot, type SnapshotRecord } from "../../connectors/repository/source.ts";
import type { SaveBody } from "../../connectors/sink.ts";
import { closerMatch, matchDuplicates, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { hasPartIn } from "../../transforms/merge/put-back.ts";
import { sameValue } from "../../transforms/merge/three-way.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/model/identity.ts";
import { type Item, type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import type { UnsupportedValue } from "../../transforms/model/workout.ts";
import { measureText } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import { isRecord, type RecordLine } from "../journal/line.ts";
import { type LogEntry, toRemoteRecord } from "../journal/remote-record.ts";
import type { FieldsOfKinds } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import { differencesBetween } from "../log/compare-bodies.ts";
import { type LogView, NAMELESS } from "../log/log-view.ts";
import type { ComparisonContext } from "../plan/compare/comparison.ts";
import { findRemoteId } from "../plan/compare/references.ts";
import type { Encode } from "../plan/log/encode.ts";
import { ActivitiesMet, isCalled } from "./restore-numbers.ts";

/** Begins the reason of a record that was edited since the snapshot, and that stays as it is. */
export const EDITED_SINCE = "restore/edited-since";

/** Begins the reason of a missing record when only fields were to be restored. */
export const NOT_THERE = "restore/not-there";

/** The part of a snapshot to restore: everything without a filter. */
export interface RestoreFilter {
  readonly kinds?: ReadonlySet<LogRecord["kind"]> | undefined;
  /** Ids of records of any kind. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** The first and the last day of the workouts. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Workouts of these activities, by number or name in the snapshot's log, in small letters. */
  readonly activities?: ReadonlySet<string> | undefined;
  /** Only these fields of existing records. */
  readonly fields?: FieldsOfKinds | undefined;
}

/** The contents of a snapshot that matter before it is read as a source. */
export interface Survey {
  readonly activities: ActivitiesMet;
  /** Every id of the snapshot, by kind. */
  readonly ids: ReadonlyMap<LogRecord["kind"], ReadonlySet<string>>;
  /** Whether to restore a record: the person asked for it, or a requested workout refers to it. */
  readonly wants: (record: SnapshotRecord) => boolean;
  /** Requested ids and activities that the snapshot doesn't have. */
  readonly unknownIds: readonly string[];
  readonly unknownActivities: readonly string[];
}

/**
 * Goes through a snapshot once before anything is decided.
 *
 * @throws FatalError `repository/damaged` for a file of it that can't be read, because a partial restore would be wrong
 */
export async function survey(repository: Repository, snapshot: Snapshot, filter: RestoreFilter): Promise<Survey> {
  const activities = new ActivitiesMet();
  const ids = new Map<LogRecord["kind"], Set<string>>();
  const named = new Set<string>();
  const unknown = new Set(filter.ids);
  for await (const record of recordsOfSnapshot(repository, snapshot)) {
    activities.meet(record);
    const id = idOf(record);
    const ofKind = ids.get(record.kind) ?? new Set();
    ids.set(record.kind, ofKind.add(id));
    unknown.delete(id);
    if (record.kind === "workout" && isAskedFor(record, filter)) for (const key of namedBy(record)) named.add(key);
  }
  // For records that exist already, only their fields are restored, so nothing else is needed.
  const brings = filter.fields === undefined;
  return {
    activities,
    ids,
    wants: (record) => isAskedFor(record, filter) || (brings && named.has(`${record.kind} ${idOf(record)}`)),
    unknownIds: [...unknown],
    unknownActivities: [...(filter.activities ?? [])].filter(
      (word) => !activities.all().some(({ activityID, name }) => isCalled(word, activityID, name)),
    ),
  };
}

function isAskedFor({ kind, value }: SnapshotRecord, filter: RestoreFilter): boolean {
  const { kinds, ids, since, until, activities, fields } = filter;
  if (ids !== undefined && !(typeof value.id === "string" && ids.has(value.id))) return false;
  if (kinds !== undefined && !kinds.has(kind)) return false;
  if (fields !== undefined && fields[kind as Kind] === undefined) return false;
  const isOfWorkouts = since !== undefined || until !== undefined || activities !== undefined;
  if (kind !== "workout") return !isOfWorkouts || kinds !== undefined;
  const date = typeof value.date === "string" ? value.date : "";
  if (since !== undefined && date < since) return false;
  if (until !== undefined && (date === "" || date > until)) return false;
  const name = typeof value.activityName === "string" ? value.activityName : undefined;
  return activities === undefined || [...activities].some((word) => isCalled(word, Number(value.activityID), name));
}

function namedBy({ value }: SnapshotRecord): readonly string[] {
  const { course, equipment } = value as { course?: { id?: string }; equipment?: readonly { id?: string }[] };
  return [
    ...(course?.id === undefined ? [] : [`course ${course.id}`]),
    ...(equipment ?? []).flatMap(({ id }) => (id === undefined ? [] : [`equipment ${id}`])),
  ];
}

function idOf({ value }: Pick<SnapshotRecord, "value">): string {
  return typeof value.id === "string" ? value.id : "me";
}

/**
 * Whether a snapshot was made of this log. If the owners' names are withheld, two logs look alike. A workout that is in both then decides.
 *
 * @param isThere asks the log for a workout by its id
 */
export async function isLogOf(
  { log }: Pick<Snapshot, "log">,
  { account }: Pick<LogView, "account">,
  workouts: Iterable<string>,
  isThere: (id: string) => Promise<boolean>,
): Promise<boolean> {
  if (log.host !== account.baseUrl || log.userHash !== account.userHash) return false;
  if (account.name !== NAMELESS) return true;
  let asked = 0;
  for (const id of workouts) {
    if (await isThere(id)) return true;
    if (++asked === MOST_ASKED) break;
  }
  return false;
}

const MOST_ASKED = 5;

/** The data for comparing, besides that of a plan. */
export interface RestoreContext {
  /** Whether the snapshot is of this very log. Then the log's ids are those of the snapshot. */
  readonly isSameLog: boolean;
  readonly ids: Survey["ids"];
  readonly fields: FieldsOfKinds | undefined;
  /** Overwrite records that were edited since. */
  readonly overwrite: boolean;
  readonly encode: Encode;
  /** A record in its current state; undefined when the log has no record with this id. */
  readonly read: (kind: Kind, id: string, signal: AbortSignal) => Promise<SaveBody | undefined>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: string, done: number) => void;
}

/** Decides every planned line of a restore by comparing it with the log: `unchanged`, `skipped`, `update`, or `create`. */
export async function compareWithSnapshot(
  run: number,
  comparison: ComparisonContext,
  context: RestoreContext,
): Promise<void> {
  const restore = new Restore(run, comparison, context);
  await restore.findById();
  await restore.findByLooks();
  await restore.decide();
}

class Restore {
  readonly #run: number;
  readonly #journal: Journal;
  readonly #comparison: ComparisonContext;
  readonly #context: RestoreContext;
  /** The ids of lines in the log, by line number. */
  readonly #found = new Map<number, string>();
  /** Keys of the equipment and courses that are created again. */
  readonly #made = new Set<string>();
  #done = 0;

  constructor(run: number, comparison: ComparisonContext, context: RestoreContext) {
    this.#run = run;
    this.#journal = comparison.journal;
    this.#comparison = comparison;
    this.#context = context;
  }

  /** Finds the records of an earlier restore, and records under their own id. A listing may lack a record, so the log is asked for it. */
  async findById(): Promise<void> {
    const { isSameLog, concurrency, signal } = this.#context;
    await forEachConcurrently(this.#planned(), concurrency, signal, async (line) => {
      const remoteRecord = (await this.#journal.remoteRecord(line.key))?.remoteId;
      const own = isSameLog ? line.key.split(":").slice(2).join(":") : undefined;
      for (const id of new Set([remoteRecord, own])) {
        if (id === undefined || !(await this.#isThere(line.kind, id))) continue;
        await this.#stands(line, id);
        break;
      }
    });
  }

  async #isThere(kind: Kind, id: string): Promise<boolean> {
    if (await this.#journal.logHas(kind, id)) return true;
    return (await this.#context.read(kind, id, this.#context.signal)) !== undefined;
  }

  async #stands(line: RecordLine, id: string): Promise<void> {
    this.#found.set(line.seq, id);
    await this.#journal.claimLog(line.kind, id, line.key);
    const remoteRecord = await this.#journal.remoteRecord(line.key);
    if (remoteRecord !== undefined && remoteRecord.remoteId !== id)
      await this.#journal.keepRemoteRecord({ ...remoteRecord, remoteId: id });
  }

  /** Finds the remaining records that have another id in the log, because they are in another log, or because a person typed them again. */
  async findByLooks(): Promise<void> {
    for await (const line of this.#planned()) {
      if (this.#found.has(line.seq) || this.#context.fields !== undefined) continue;
      const entry = await this.#recognise(line);
      if (entry !== undefined) await this.#stands(line, entry.id);
    }
  }

  async #recognise(line: RecordLine): Promise<LogEntry | undefined> {
    const { settings } = this.#comparison;
    const { isSameLog, ids } = this.#context;
    // In its own log, every other record of the snapshot belongs to itself, even if the person didn't ask for it.
    const isFree = ({ kind, id }: LogEntry) => !(isSameLog && ids.get(kind)?.has(id) === true);
    if (line.kind === "workout") {
      const workout = line.value;
      const facts = toFacts(workout);
      const activityID = workout.activity === undefined ? undefined : settings.activityIDs[workout.activity];
      if (facts === undefined || activityID === undefined) return undefined;
      const candidates = (await this.#journal.logCandidates(this.#run, facts, activityID)).filter(isFree);
      const equal = candidates.find((entry) => entry.facts !== undefined && isEqual(facts, entry.facts));
      if (equal !== undefined) return equal;
      const alike = candidates.flatMap((entry) => {
        const evidence = entry.facts === undefined ? undefined : matchDuplicates(facts, entry.facts);
        return evidence === undefined ? [] : [{ entry, evidence }];
      });
      return alike.toSorted((a, b) => closerMatch(a.evidence, b.evidence))[0]?.entry;
    }
    const identity =
      line.kind === "equipment"
        ? equipmentIdentity(line.value, settings.activityIDs[line.value.activity])
        : courseIdentity(line.value);
    return (await this.#journal.logWithIdentity(this.#run, line.kind, identity)).find(isFree);
  }

  /** Equipment and courses come first, because a workout's comparison depends on their current state. */
  async decide(): Promise<void> {
    const { concurrency, signal } = this.#context;
    for (const kind of LOADING_ORDER) {
      await forEachConcurrently(
        this.#journal.lines(this.#run, { state: ["planned"], kind }),
        concurrency,
        signal,
        async (line) => {
          await this.#settle(line, this.#found.get(line.seq));
          this.#context.onProgress("comparing with the log", ++this.#done);
        },
      );
    }
  }

  async #settle(line: RecordLine, id: string | undefined): Promise<void> {
    const { kind } = line;
    const theirs = id === undefined ? undefined : await this.#context.read(kind, id, this.#context.signal);
    if (id === undefined || theirs === undefined) return this.#settleGone(line);
    const differing = await this.#differing(line, theirs);
    const base = { remoteId: id, duplicateOf: id, ...withoutUnsupported(line.value) } as const;
    if (differing.length === 0) {
      const reason = "in the log as it was in the snapshot";
      return this.#patch(line, { ...base, state: "unchanged", action: "none", reason });
    }
    const fields = differing.join(", ");
    if (!this.#context.overwrite) {
      return this.#patch(line, { ...base, state: "skipped", action: "none", reason: `${EDITED_SINCE} (${fields})` });
    }
    // The state before the restore. An edit between now and the restore stays.
    await this.#journal.keepRemoteRecord({ ...toRemoteRecord(line, id), sent: theirs });
    return this.#patch(line, { ...base, action: "update", uploadMethod: "save", reason: `put back: ${fields}` });
  }

  async #settleGone(line: RecordLine): Promise<void> {
    if (this.#context.fields !== undefined) {
      const reason = `${NOT_THERE} (only fields of records that are there are put back)`;
      return this.#patch(line, { state: "skipped", action: "none", reason });
    }
    const doubt = await this.#journal.runInDoubt(line.key);
    if (doubt !== undefined) {
      const reason = `plan/in-doubt (run ${doubt} sent it, the answer was lost, and the service can't list what it has: look in the log)`;
      return this.#patch(line, { state: "quarantined", action: "none", reason });
    }
    if (line.kind !== "workout") this.#made.add(line.key);
    const value = line.kind === "equipment" ? withWhatIsLost(line.value) : undefined;
    return this.#patch(line, { action: "create", uploadMethod: "save", ...(value !== undefined && { value }) });
  }

  /** Fields, by their path in the save body, in which a log's record differs from the snapshot. */
  async #differing(line: RecordLine, theirs: SaveBody): Promise<readonly string[]> {
    const { fields } = this.#context;
    const { course: run, equipment: [piece] = [] } = line.kind === "workout" ? line.value : {};
    const ours = this.#context.encode(line, {
      courseId: await this.#idOf(run),
      equipmentId: await this.#idOf(piece),
    });
    // Records that are created again get a new id, which is not known yet.
    const made = [
      ...(run !== undefined && this.#made.has(run) ? ["course"] : []),
      ...(piece !== undefined && this.#made.has(piece) ? ["equipment"] : []),
    ];
    const all = [...new Set([...made, ...differencesBetween(ours, theirs).map(({ field }) => field)])];
    const wanted = fields?.[line.kind];
    return fields === undefined ? all : all.filter((field) => hasPartIn(field, wanted ?? []));
  }

  async #idOf(key: string | undefined): Promise<string | undefined> {
    return key === undefined || this.#made.has(key) ? undefined : findRemoteId(this.#journal, this.#run, key);
  }

  async *#planned(): AsyncGenerator<RecordLine> {
    for await (const line of this.#journal.lines(this.#run, { state: ["planned"] })) {
      if (isRecord(line)) yield line;
    }
  }

  async #patch(line: RecordLine, patch: Parameters<Journal["patchLine"]>[2]): Promise<void> {
    await this.#journal.patchLine(this.#run, line.seq, patch);
  }
}

/**
 * Whether two workouts look the same in a listing. Records of one log need no tolerance, unlike records of two sources. A restored record
 * shows exactly the same values in a listing.
 */
function isEqual(a: WorkoutFacts, b: WorkoutFacts): boolean {
  return a.date === b.date && a.time === b.time && sameValue(a.metres, b.metres) && sameValue(a.seconds, b.seconds);
}

/** An existing record loses nothing, so its unsupported values are not counted. */
function withoutUnsupported(value: Item["value"] | undefined): { readonly value?: Item["value"] } {
  if (value?.unsupported === undefined) return {};
  const { unsupported: _unsupported, ...rest } = value;
  return { value: rest as Item["value"] };
}

/** The log computes the distance of a shoe or a bike itself. So it counts as unsupported. */
function withWhatIsLost(equipment: Equipment): Equipment | undefined {
  const { distance, unsupported = [] } = equipment;
  if (distance === undefined || distance.value === 0) return undefined;
  const lost: UnsupportedValue = { field: "accumulated distance", value: measureText(distance) };
  return { ...equipment, unsupported: [...unsupported, lost] };
}
