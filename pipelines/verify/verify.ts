/** Reads back everything that a run put into the log, and compares it with the planned values, field by field. */
import { type ReadResult, type SaveBody, type Sink, tryToRead } from "../../connectors/sink.ts";
import { fillBlanks } from "../../transforms/merge/fill-blanks.ts";
import type { ValuesBeside } from "../../transforms/merge/source-beside-log.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { inMetres } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, RecordLine } from "../journal/line.ts";
import type { LogEntry, RemoteRecord } from "../journal/remote-record.ts";
import type { Difference, Run, VerifiedRun } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import type { LoadContext } from "../load/load-context.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { isGone } from "../log/describe-difference.ts";
import { RemoteIds } from "../plan/compare/references.ts";
import { missingLines } from "../plan/records/open-lines.ts";
import { type EqualRecord, EqualRecords, equalThings } from "./equal-records.ts";
import { type GearDifference, gearDifferences } from "./gear-mileage.ts";
import { LeftAlone, leftByPlan, NotAddedTally } from "./not-in-log.ts";
import { areTooMany, type SplitDifferences, splitEdits } from "./owner-edits.ts";

/** A record that differs in the log from its plan, or is missing. */
export interface Discrepancy {
  readonly line: Line;
  /** The differences. For a missing record this is its id only (see `isGone`). */
  readonly differences: readonly Difference[];
  /** The record as the journal should have it, where its last save is lost. */
  readonly unsaved?: RemoteRecord | undefined;
}

/** A record that the log refused to show. It may be there. */
export interface UnreadRecord {
  readonly line: Line;
  /** The log's answer. */
  readonly reason: string;
}

/** The result of a verification. */
export interface Verification {
  /** Records read back. */
  readonly checked: number;
  /** Of these, records recognised in the log that are not ours. Only their presence is checked. */
  readonly present: number;
  readonly discrepancies: readonly Discrepancy[];
  /** Records with values that somebody edited in the log, and that the run left so: their number, and the first of them. */
  readonly edited: { readonly count: number; readonly first: readonly Discrepancy[] };
  /** Records that could not be read back: their number, and the first of them. They don't count as checked. */
  readonly unread: { readonly count: number; readonly first: readonly UnreadRecord[] };
  /** Records that are missing in the log. */
  readonly missing: number;
  /** Ids of log records that two lines of the run claim. Then one of two equal workouts is lost. */
  readonly claimedTwice: readonly string[];
  /** Records of the log that equal a record of the run, but are not ours. They may have been sent twice, or typed by the log's owner. */
  readonly equal: readonly EqualRecord[];
  /** The number of these that may be there twice. Pairs that were both there before the run don't count. */
  readonly doubled: number;
  /** Shoes and bikes with another mileage in the log than at the source. This is no fault: the log adds it up from its own workouts. */
  readonly gear: readonly GearDifference[];
  /** Values of the sources that the log doesn't have, in workouts that it had before. */
  readonly notAdded: NonNullable<VerifiedRun["notAdded"]>;
  /** Sums over the workouts, as planned and as found. A workout that is missing in the log, or was not read, counts only as planned. */
  readonly metres: { readonly planned: number; readonly found: number };
  readonly seconds: { readonly planned: number; readonly found: number };
}

/** The journal, the log and the settings for a verification. */
export interface VerifyContext {
  readonly journal: Journal;
  readonly sink: Sink;
  readonly encode: LoadContext["encode"];
  /** Lists the log's records of a kind, to search for others with the same values; undefined when the service has no listing. */
  readonly list: (kind: Kind) => Promise<AsyncIterable<LogEntry> | undefined>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  /** Called for each record that was asked for, with what the log has. */
  readonly onRead?: (line: RecordLine, read: ReadRecord) => Promise<void>;
}

/** A record that was asked for. */
export interface ReadRecord {
  /** The record in the form in which it is saved; undefined if the log doesn't have it, or refused to show it. */
  readonly found: SaveBody | undefined;
  readonly differences: readonly Difference[];
  /** Values that somebody edited in the log, and that the run left so. */
  readonly edits: readonly Difference[];
  /** The log's answer when it refused to show the record. */
  readonly refused: string | undefined;
  /** The values of the sources that the log doesn't have, of a workout that it had before. */
  readonly beside: ValuesBeside | undefined;
}

/** The maximum number of discrepancies that are kept, and of unread records. The counts include all. */
const MOST_KEPT = 1000;

/** Verifies a run: all lines that it put into the log, and all lines that it found there. */
export async function verify(
  run: Run,
  context: VerifyContext,
): Promise<Verification & { readonly discrepancyCount: number }> {
  const { journal, sink, signal } = context;
  const tally = new Tally();
  const equals = new EqualRecords();
  const leftAlone = new LeftAlone(journal);
  const ids = new RemoteIds(journal);
  let read = 0;
  await forEachConcurrently(
    journal.lines(run.id, { state: ["done", "unchanged"] }),
    context.concurrency,
    signal,
    async (line) => {
      if (line.kind === "set-aside" || line.remoteId === undefined) return;
      const result = await differencesOf(line, run, { ...context, leftAlone, ids });
      context.onProgress(++read);
      const isRefused = "refused" in result;
      await context.onRead?.(line, {
        found: isRefused ? undefined : result.found,
        differences: isRefused ? [] : (result.list ?? []),
        edits: isRefused ? [] : result.edits,
        refused: isRefused ? result.refused : undefined,
        beside: isRefused ? undefined : result.beside,
      });
      if (isRefused) return tally.addUnread(line, result.refused);
      tally.addRead(line, result);
      if (line.kind !== "workout") return;
      if (result.found !== undefined) equals.add(result.found);
      const made = await journal.imported(line.remoteId);
      if (made !== undefined) equals.addImported(line.remoteId, made);
    },
  );
  const missing = await missingLines(journal, run);
  if (missing.size > 0) {
    for await (const line of journal.lines(run.id, { kind: "workout" })) {
      if (!missing.has(line.seq)) continue;
      // The log took this workout and then refused to complete it. So it is there, but its values are not compared.
      const id = line.state === "refused" ? line.remoteId : undefined;
      const result = id === undefined ? { found: undefined } : await tryToRead(() => sink.read("workout", id, signal));
      if ("refused" in result) tally.addUnread(line, result.refused);
      else tally.addSize(line, result.found);
    }
  }
  const equal = signal.aborted ? [] : await equalsOf(run, equals, context);
  return {
    ...tally.result(),
    claimedTwice: await journal.claimedTwice(run.id),
    equal,
    doubled: equal.filter(({ wasThere }) => !wasThere).length,
    gear: signal.aborted ? [] : await gearDifferences(run, context),
  };
}

/** Counts the records of a run as they are read back. */
class Tally {
  readonly #discrepancies: Discrepancy[] = [];
  readonly #edited: Discrepancy[] = [];
  readonly #unread: UnreadRecord[] = [];
  readonly #counts = { checked: 0, present: 0, missing: 0, discrepancyCount: 0, editedCount: 0 };
  readonly #metres = { planned: 0, found: 0 };
  readonly #seconds = { planned: 0, found: 0 };
  readonly #notAdded = new NotAddedTally();
  #unreadCount = 0;

  /** Counts a record that was read, or that the log doesn't have. */
  addRead(line: RecordLine, { list = [], edits, found, isOthers, beside, unsaved }: Compared): void {
    const counts = this.#counts;
    counts.checked++;
    if (beside !== undefined) this.#notAdded.add(beside);
    this.addSize(line, found);
    if (isOthers) counts.present++;
    if (list.length === 0) {
      if (edits.length > 0) this.#addEdited({ line, differences: edits });
      return;
    }
    counts.discrepancyCount++;
    if (list.some(isGone)) counts.missing++;
    if (this.#discrepancies.length < MOST_KEPT) this.#discrepancies.push({ line, differences: list, unsaved });
  }

  #addEdited(edited: Discrepancy): void {
    this.#counts.editedCount++;
    if (this.#edited.length < MOST_KEPT) this.#edited.push(edited);
  }

  /** Counts a record that the log refused to show. */
  addUnread(line: RecordLine, reason: string): void {
    this.#unreadCount++;
    this.addSize(line, undefined);
    if (this.#unread.length < MOST_KEPT) this.#unread.push({ line, reason });
  }

  /** Adds a workout to the sums, with its values in the log, if they are known. */
  addSize(line: RecordLine, found: SaveBody | undefined): void {
    if (line.kind !== "workout") return;
    const { distance, duration = 0 } = line.value;
    const size = sizeOf(found ?? {});
    this.#metres.planned += distance === undefined ? 0 : inMetres(distance);
    this.#metres.found += size.metres;
    this.#seconds.planned += duration;
    this.#seconds.found += size.seconds;
  }

  /** The counts, the sums and the first records of each kind. */
  result() {
    const { editedCount, ...counts } = this.#counts;
    const isFault = areTooMany(editedCount, counts.checked - counts.present);
    return {
      ...counts,
      discrepancyCount: counts.discrepancyCount + (isFault ? editedCount : 0),
      discrepancies: isFault ? [...this.#discrepancies, ...this.#edited].slice(0, MOST_KEPT) : this.#discrepancies,
      edited: { count: isFault ? 0 : editedCount, first: isFault ? [] : this.#edited },
      unread: { count: this.#unreadCount, first: this.#unread },
      notAdded: this.#notAdded.result(),
      metres: this.#metres,
      seconds: this.#seconds,
    };
  }
}

async function equalsOf(
  run: Run,
  workouts: EqualRecords,
  { journal, list }: VerifyContext,
): Promise<readonly EqualRecord[]> {
  return [
    ...(await equalThings("equipment", run, journal, () => list("equipment"))),
    ...(await equalThings("course", run, journal, () => list("course"))),
    ...(await workouts.find(run, journal, () => list("workout"))),
  ];
}

/** A record of the log beside its plan. */
export interface Compared extends Pick<SplitDifferences, "unsaved"> {
  /** The differences; undefined if the record is not ours, and only its presence counts. */
  readonly list: readonly Difference[] | undefined;
  /** Values that somebody edited in the log, and that the run left so. */
  readonly edits: readonly Difference[];
  /** The record; undefined if the log doesn't have it. */
  readonly found: SaveBody | undefined;
  readonly isOthers: boolean;
  /** The values of the sources that the log doesn't have, of a workout that it had before. */
  readonly beside?: ValuesBeside | undefined;
}

/** The journal and the log, to compare one record. */
type CompareContext = Pick<VerifyContext, "journal" | "sink" | "encode" | "signal"> & {
  readonly leftAlone: LeftAlone;
  readonly ids: RemoteIds;
};

/** Reads a record that a run put into the log, and compares it with the plan of that run. @returns the log's answer if it refused to show it */
export async function differencesOf(
  line: RecordLine,
  run: Run,
  context: CompareContext,
): Promise<Compared | { readonly refused: string }> {
  const { journal } = context;
  const { kind } = line;
  const id = line.remoteId ?? "";
  const remoteRecord = await journal.remoteRecord(line.key);
  // A later run may have found the record under another id, because a restore made it again.
  const ids = new Set([id, remoteRecord?.remoteId ?? id]);
  const result = await readFirst(kind, [...ids], context);
  if ("refused" in result) return result;
  const { found } = result;
  if (found === undefined)
    return { list: [{ field: "id", expected: id, found: undefined }], edits: [], found: undefined, isOthers: false };
  const filled = await filledIn(line, run, context);
  const isOthers = filled === undefined && remoteRecord?.key !== line.key;
  // The log has this record merged with another one, and holds the values of that one. So its values are no differences from the plan.
  const beside = isOthers || filled !== undefined ? await besideOf(line, run, found, context) : undefined;
  if (filled !== undefined) return { list: compareBodies(filled, found), edits: [], found, isOthers, beside };
  if (remoteRecord === undefined || isOthers)
    return { ...(await sinceLoaded(line, run, found, journal)), found, isOthers: true, beside };
  const all = compareBodies(await expectedOf(line, run, remoteRecord, context), found);
  const split = await splitEdits(line, run, { record: remoteRecord, found, all }, journal);
  return { ...split, found, isOthers, beside: line.kind === "workout" ? leftByPlan(line) : undefined };
}

/**
 * The differences of a record that stands for a line and was loaded for another record, perhaps by a run of other sources. It is held against the
 * values that were sent then. `list` is undefined for a record that logferry never wrote.
 */
async function sinceLoaded(
  line: RecordLine,
  run: Run,
  found: SaveBody,
  journal: Journal,
): Promise<Pick<Compared, "list" | "edits" | "unsaved">> {
  const record = line.state === "unchanged" ? await journal.sentTo(line.kind, line.remoteId ?? "") : undefined;
  if (record === undefined) return { list: undefined, edits: [] };
  const all = compareBodies(record.sent as SaveBody, found);
  return splitEdits(line, run, { record, found, all }, journal);
}

async function besideOf(
  line: RecordLine,
  run: Run,
  found: SaveBody,
  { encode, leftAlone, ids }: CompareContext,
): Promise<ValuesBeside | undefined> {
  const { activityIDs, restores } = run.options;
  if (
    restores !== undefined ||
    line.kind !== "workout" ||
    line.value.activity === undefined ||
    activityIDs[line.value.activity] === undefined
  )
    return undefined;
  const ours = encode(line, await referencesOf(line.value, ids, run));
  return leftAlone.compare({ line, run, ours, found });
}

/**
 * The values that a record of ours should have. In three cases they are the ones sent last. An earlier run wrote an unchanged record, perhaps with values
 * from other sources. A record of this run that was undone has its former values (its `content` is empty). A restore may have left some fields as they were.
 */
async function expectedOf(
  line: RecordLine,
  run: Run,
  { content, sent, finished }: RemoteRecord,
  { encode, ids }: CompareContext,
): Promise<SaveBody> {
  const isPutBack = run.options.restores !== undefined && line.action === "update";
  // An unchanged record without content was as planned, until an undo of an earlier run put it back.
  const isPlanned = line.state === "unchanged" ? content === "" : content !== "" && !isPutBack;
  if (!isPlanned && sent !== undefined && finished) return sent as SaveBody;
  return encode(line, line.kind === "workout" ? await referencesOf(line.value, ids, run) : {});
}

/** The values that a run filled into a workout that is not ours; undefined if there are none, or an undo took them back. */
async function filledIn(
  line: RecordLine,
  run: Run,
  { journal, encode, ids }: CompareContext,
): Promise<SaveBody | undefined> {
  if (line.kind !== "workout" || line.state !== "done" || line.value.completes === undefined) return undefined;
  const [written] = await journal.auditTrail.overwritten(run.id, line.seq);
  if (written?.putBackAt !== undefined) return undefined;
  const paths = line.value.completes.values.map(({ path }) => path);
  return fillBlanks({}, encode(line, await referencesOf(line.value, ids, run)), paths);
}

/** Reads the first of these ids that exists in the log. If none does, and one was refused, the record may exist under that one. */
async function readFirst(
  kind: Kind,
  ids: readonly string[],
  { sink, signal }: Pick<VerifyContext, "sink" | "signal">,
): Promise<ReadResult<SaveBody>> {
  let result: ReadResult<SaveBody> = { found: undefined };
  for (const id of ids) {
    const one = await tryToRead(() => sink.read(kind, id, signal));
    if ("refused" in one) result = one;
    else if (one.found !== undefined) return one;
  }
  return result;
}

async function referencesOf(workout: Workout, ids: RemoteIds, run: Run) {
  const course = workout.course === undefined ? undefined : await ids.find(run.id, workout.course);
  const key = workout.equipment?.[0];
  const equipment = key === undefined ? undefined : await ids.find(run.id, key);
  return { courseId: course, equipmentId: equipment };
}

function sizeOf(body: Readonly<Record<string, unknown>>): { metres: number; seconds: number } {
  const details = (body.details ?? {}) as { distance?: Parameters<typeof inMetres>[0]; duration?: number };
  return { metres: details.distance === undefined ? 0 : inMetres(details.distance), seconds: details.duration ?? 0 };
}
