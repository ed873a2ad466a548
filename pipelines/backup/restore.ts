/**
 * Puts a snapshot back by the loader that imports: its records are read as those of any source, and here compared with what the log has.
 * What is there as it was costs no request but its reading; what is gone is made again; what was edited since is left as it is, or,
 * where that is asked for, written over.
 */
import type { LogRecord } from "../../connectors/api/source.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { recordsOfSnapshot, type SnapshotRecord } from "../../connectors/repository/source.ts";
import type { SaveBody } from "../../connectors/sink.ts";
import { closerTwin, factsOf, twinEvidence, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/identity.ts";
import { hasPartIn } from "../../transforms/merge/put-back.ts";
import { sameValue } from "../../transforms/merge/three-way.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import type { Beyond, Workout } from "../../transforms/model/workout.ts";
import type { ComparisonContext } from "../compare-with-log.ts";
import type { Encode } from "../encode.ts";
import type { FieldsOfKinds, Journal, Line, LogEntry } from "../journal/journal.ts";
import { lanes } from "../load/concurrently.ts";
import type { LogView } from "../log/log-view.ts";
import { NAMELESS } from "../log/log-view.ts";
import { findRemoteId } from "../references.ts";
import { differencesBetween } from "../review/undo.ts";
import { ActivitiesMet, isCalled } from "./restore-numbers.ts";

/** Begins the reason of a record that is no longer as in the snapshot, and was left so. */
export const EDITED_SINCE = "restore/edited-since";

/** Begins the reason of a record of which only fields were to be put back, and which isn't there. */
export const NOT_THERE = "restore/not-there";

/** What of a snapshot is put back: everything where nothing is said. */
export interface RestoreFilter {
  readonly kinds?: ReadonlySet<LogRecord["kind"]> | undefined;
  /** Of any kind. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Workouts on or after, and on or before, this day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Workouts of these activities, by number or name in the snapshot's log, in small letters. */
  readonly activities?: ReadonlySet<string> | undefined;
  /** Only these fields of records that are there. */
  readonly fields?: FieldsOfKinds | undefined;
}

/** What a snapshot holds, as far as it matters before it is read as a source. */
export interface Survey {
  readonly activities: ActivitiesMet;
  /** Every id of the snapshot, by kind. */
  readonly ids: ReadonlyMap<LogRecord["kind"], ReadonlySet<string>>;
  /** Whether a record is to be put back: it is asked for, or a workout that is asked for names it. */
  readonly wants: (record: SnapshotRecord) => boolean;
  /** Ids and activities that were asked for and that the snapshot doesn't hold. */
  readonly unknownIds: readonly string[];
  readonly unknownActivities: readonly string[];
}

/**
 * Goes through a snapshot once before anything is decided.
 *
 * @throws FatalError `repository/damaged` for a file of it that can't be read: nothing is restored by halves
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
  // Of records that are there already nothing else is needed.
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
 * Whether a log is the one a snapshot was made of. Two whose owners' names are withheld look alike: then a record that is in both tells.
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

/** What comparing needs besides what a plan gives. */
export interface RestoreContext {
  /** Whether the snapshot is of the very log: then ids are those of the snapshot. */
  readonly isSameLog: boolean;
  readonly ids: Survey["ids"];
  readonly fields: FieldsOfKinds | undefined;
  /** Write over what was edited since. */
  readonly overwrite: boolean;
  readonly encode: Encode;
  /** A record as it stands now; undefined when the log has none of this id. */
  readonly read: (kind: Kind, id: string, signal: AbortSignal) => Promise<SaveBody | undefined>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: string, done: number) => void;
}

/** Settles every planned line of a restore against the log: `unchanged`, `skipped`, `update`, or `create`. */
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
  /** Where lines stand in the log, by their number. */
  readonly #found = new Map<number, string>();
  /** Keys of the equipment and courses that are made again. */
  readonly #made = new Set<string>();
  #done = 0;

  constructor(run: number, comparison: ComparisonContext, context: RestoreContext) {
    this.#run = run;
    this.#journal = comparison.journal;
    this.#comparison = comparison;
    this.#context = context;
  }

  /** What an earlier restore put there, and what is there under its own id. A listing may lack it: then it is asked for. */
  async findById(): Promise<void> {
    const { isSameLog, concurrency, signal } = this.#context;
    await lanes(this.#planned(), concurrency, signal, async (line) => {
      const placed = (await this.#journal.placed(line.key))?.remoteId;
      const own = isSameLog ? line.key.split(":").slice(2).join(":") : undefined;
      for (const id of new Set([placed, own])) {
        if (id === undefined || !(await this.#isThere(line.kind as Kind, id))) continue;
        await this.#stands(line, id);
        break;
      }
    });
  }

  async #isThere(kind: Kind, id: string): Promise<boolean> {
    if (await this.#journal.logHas(kind, id)) return true;
    return (await this.#context.read(kind, id, this.#context.signal)) !== undefined;
  }

  async #stands(line: Line, id: string): Promise<void> {
    this.#found.set(line.seq, id);
    await this.#journal.claimLog(line.kind as Kind, id, line.key);
    const placed = await this.#journal.placed(line.key);
    if (placed !== undefined && placed.remoteId !== id) await this.#journal.place({ ...placed, remoteId: id });
  }

  /** Of what is left, what the log has under an id that isn't the snapshot's: of another log, or typed again since. */
  async findByLooks(): Promise<void> {
    for await (const line of this.#planned()) {
      if (this.#found.has(line.seq) || this.#context.fields !== undefined) continue;
      const entry = await this.#recognise(line);
      if (entry !== undefined) await this.#stands(line, entry.id);
    }
  }

  async #recognise(line: Line): Promise<LogEntry | undefined> {
    const { settings } = this.#comparison;
    const { isSameLog, ids } = this.#context;
    // In its own log every other record of the snapshot stands for itself, asked for or not.
    const isFree = ({ kind, id }: LogEntry) => !(isSameLog && ids.get(kind)?.has(id) === true);
    if (line.kind === "workout") {
      const workout = line.value as Workout;
      const facts = factsOf(workout);
      const activityID = workout.activity === undefined ? undefined : settings.activityIDs[workout.activity];
      if (facts === undefined || activityID === undefined) return undefined;
      const candidates = (await this.#journal.logCandidates(this.#run, facts, activityID)).filter(isFree);
      const equal = candidates.find((entry) => entry.facts !== undefined && isEqual(facts, entry.facts));
      if (equal !== undefined) return equal;
      const alike = candidates.flatMap((entry) => {
        const evidence = entry.facts === undefined ? undefined : twinEvidence(facts, entry.facts);
        return evidence === undefined ? [] : [{ entry, evidence }];
      });
      return alike.toSorted((a, b) => closerTwin(a.evidence, b.evidence))[0]?.entry;
    }
    const identity =
      line.kind === "equipment"
        ? equipmentIdentity(line.value as Equipment, settings.activityIDs[(line.value as Equipment).activity])
        : courseIdentity(line.value as Course);
    return (await this.#journal.logWithIdentity(this.#run, line.kind as Kind, identity)).find(isFree);
  }

  /** Equipment and courses first: whether a workout is as it was depends on what they are now. */
  async decide(): Promise<void> {
    const { concurrency, signal } = this.#context;
    for (const kind of ["equipment", "course", "workout"] as const) {
      await lanes(this.#journal.lines(this.#run, { state: ["planned"], kind }), concurrency, signal, async (line) => {
        await this.#settle(line, this.#found.get(line.seq));
        this.#context.onProgress("comparing with the log", ++this.#done);
      });
    }
  }

  async #settle(line: Line, id: string | undefined): Promise<void> {
    const kind = line.kind as Kind;
    const theirs = id === undefined ? undefined : await this.#context.read(kind, id, this.#context.signal);
    if (id === undefined || theirs === undefined) return this.#settleGone(line);
    const differing = await this.#differing(line, theirs);
    const base = { remoteId: id, twin: id, ...withoutBeyond(line.value) } as const;
    if (differing.length === 0) {
      const reason = "in the log as it was in the snapshot";
      return this.#patch(line, { ...base, state: "unchanged", action: "none", reason });
    }
    const fields = differing.join(", ");
    if (!this.#context.overwrite) {
      return this.#patch(line, { ...base, state: "skipped", action: "none", reason: `${EDITED_SINCE} (${fields})` });
    }
    // What it is put back from: an edit that is made until then stays.
    const content = line.content ?? "";
    await this.#journal.place({
      key: line.key,
      kind,
      remoteId: id,
      content,
      sent: theirs,
      finished: false,
      run: this.#run,
    });
    return this.#patch(line, { ...base, action: "update", carrier: "save", reason: `put back: ${fields}` });
  }

  async #settleGone(line: Line): Promise<void> {
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
    const value = line.kind === "equipment" ? withWhatIsLost(line.value as Equipment) : undefined;
    return this.#patch(line, { action: "create", carrier: "save", ...(value !== undefined && { value }) });
  }

  /** Fields, by their path in the save body, in which a record of the log is not as in the snapshot. */
  async #differing(line: Line, theirs: SaveBody): Promise<readonly string[]> {
    const { fields } = this.#context;
    const kind = line.kind as Kind;
    const { course, equipment } = line.value as Workout;
    const piece = kind === "workout" ? equipment?.[0] : undefined;
    const run = kind === "workout" ? course : undefined;
    const ours = this.#context.encode(kind, line.value as NonNullable<Line["value"]>, {
      courseId: await this.#idOf(run),
      equipmentId: await this.#idOf(piece),
    });
    // What is made again gets an id that nobody knows yet.
    const made = [
      ...(run !== undefined && this.#made.has(run) ? ["course"] : []),
      ...(piece !== undefined && this.#made.has(piece) ? ["equipment"] : []),
    ];
    const all = [...new Set([...made, ...differencesBetween(ours, theirs).map(({ field }) => field)])];
    const wanted = fields?.[kind];
    return fields === undefined ? all : all.filter((field) => hasPartIn(field, wanted ?? []));
  }

  async #idOf(key: string | undefined): Promise<string | undefined> {
    return key === undefined || this.#made.has(key) ? undefined : findRemoteId(this.#journal, this.#run, key);
  }

  async *#planned(): AsyncGenerator<Line> {
    for await (const line of this.#journal.lines(this.#run, { state: ["planned"] })) {
      if (line.kind !== "set-aside") yield line;
    }
  }

  async #patch(line: Line, patch: Parameters<Journal["patchLine"]>[2]): Promise<void> {
    await this.#journal.patchLine(this.#run, line.seq, patch);
  }
}

/**
 * Whether two show alike in a listing. A log's own records need not be measured in two ways to be recognised, as those of two sources
 * must: of one that was put back, all that a listing shows is the same.
 */
function isEqual(a: WorkoutFacts, b: WorkoutFacts): boolean {
  return a.date === b.date && a.time === b.time && sameValue(a.metres, b.metres) && sameValue(a.seconds, b.seconds);
}

/** Nothing is lost of what is there. */
function withoutBeyond(value: Item["value"] | undefined): { readonly value?: Item["value"] } {
  if (value?.beyond === undefined) return {};
  const { beyond: _beyond, ...rest } = value;
  return { value: rest as Item["value"] };
}

/** The log computes how far a piece went, and can't be told that it is retired. */
function withWhatIsLost(equipment: Equipment): Equipment | undefined {
  const { retired, distance, beyond = [] } = equipment;
  const lost: Beyond[] = [
    ...(retired === true ? [{ field: "retired", value: "yes" }] : []),
    ...(distance === undefined || distance.value === 0
      ? []
      : [{ field: "accumulated distance", value: `${distance.value} ${distance.unit}` }]),
  ];
  return lost.length === 0 ? undefined : { ...equipment, beyond: [...beyond, ...lost] };
}
