/**
 * Undoing a run, as far as an interface without a delete allows: what the run wrote over is put back as it was, where nobody edited it
 * since; what it made is listed. Each record is compared before and after, so undoing can be stopped, killed and done twice.
 */
import { ItemError, RetryableError } from "../../connectors/errors.ts";
import type { SaveBody, Sink } from "../../connectors/sink.ts";
import type { Overwritten } from "../journal/audit-trail.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import { isRecord, type Line, type RecordLine } from "../journal/line.ts";
import type { Difference, Run } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import { compareBodies } from "../log/compare-bodies.ts";

/** What becomes of a record that the run wrote over. */
export type Verdict =
  /** It stands as it did before the run, or would. */
  | "put back"
  /** It did already: an earlier undo, or its owner. */
  | "as before"
  /** Somebody changed it since the run wrote it: it is left alone. */
  | "edited"
  /** A later run wrote over it again: that one is to be undone first. */
  | "written again"
  /** It is no longer in the log. */
  | "gone"
  /** It was put back, and the log kept some of what the run wrote. */
  | "in part";

/** One record that the run wrote over. */
export interface UndoneRecord {
  readonly record: Overwritten;
  readonly line: Line;
  readonly verdict: Verdict;
  /** Of `edited`: as the run wrote it, and as it stands now. Of `put back`: as it stands now, and as it was. Of `in part`: what is left. */
  readonly differences: readonly Difference[];
  /** Of `written again`: the run that did. */
  readonly byRun: number | undefined;
}

/** What undoing needs. */
export interface UndoContext {
  readonly journal: Journal;
  readonly sink: Sink;
  readonly concurrency: number;
  /** Looks, and changes nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Whether so many more requests may be made; where they may not, the signal is aborted. */
  readonly mayBegin?: (requests: number) => boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Puts back what a run wrote over.
 *
 * @returns every record of it, in the order of the run; fewer when the signal stopped it
 */
export async function undo(run: Run, context: UndoContext): Promise<readonly UndoneRecord[]> {
  const { journal, signal } = context;
  const records = await journal.auditTrail.overwritten(run.id);
  const done: UndoneRecord[] = [];
  async function* each() {
    yield* records;
  }
  await forEachConcurrently(each(), context.concurrency, signal, async (record) => {
    if (record.putBackAt === undefined && context.mayBegin?.(context.dryRun ? 1 : REQUESTS_A_RECORD) === false) return;
    const line = await journal.line(record.run, record.seq);
    if (line === undefined) throw new Error(`Cannot undo line ${record.seq} of run ${record.run}: there is none`);
    const undone = await undoneOrStopped(record, line, context);
    if (undone === undefined) return;
    done.push(undone);
    context.onProgress(done.length, records.length);
  });
  return done.sort((a, b) => a.line.seq - b.line.seq);
}

/** @returns undefined when it was stopped on the way: the next undo finds it put back, or puts it back */
async function undoneOrStopped(
  record: Overwritten,
  line: Line,
  context: UndoContext,
): Promise<UndoneRecord | undefined> {
  try {
    return await undoOne(record, line, context);
  } catch (error) {
    if (context.signal.aborted && error instanceof RetryableError && error.code === "api/stopped") return undefined;
    throw error;
  }
}

/** Read, written, and read again. */
const REQUESTS_A_RECORD = 3;

async function undoOne(record: Overwritten, line: Line, context: UndoContext): Promise<UndoneRecord> {
  const { journal, sink, signal, dryRun } = context;
  const result = (verdict: Verdict, differences: readonly Difference[] = [], byRun?: number): UndoneRecord => ({
    record,
    line,
    verdict,
    differences,
    byRun,
  });
  if (record.putBackAt !== undefined) return result("as before");
  const byRun = await journal.auditTrail.overwrittenSince(record);
  if (byRun !== undefined) return result("written again", [], byRun);
  const now = await readIfThere(sink, record, signal);
  if (now === undefined) return result("gone");
  if (differencesBetween(record.before, now).length === 0) {
    if (!dryRun) await remember(record, line, context);
    return result("as before");
  }
  const edits = differencesBetween(record.sent, now);
  if (edits.length > 0) return result("edited", edits);
  const changes = differencesBetween(now, record.before);
  if (dryRun) return result("put back", changes);
  await sink.replace(record.kind, record.id, record.before, signal);
  await remember(record, line, context);
  // Nobody knows whether a log takes out what a save leaves out: it is looked at, not assumed.
  const after = await readIfThere(sink, record, signal);
  const left = after === undefined ? [] : differencesBetween(record.before, after);
  return left.length === 0 ? result("put back", changes) : result("in part", left);
}

/** That it was undone: later plans leave it so. What stands there now is what we put there. */
async function remember(record: Overwritten, line: Line, { journal, now }: UndoContext): Promise<void> {
  const remoteRecord = await journal.remoteRecord(line.key);
  const decision = {
    key: line.key,
    decision: "undone",
    at: now(),
    run: line.run,
    seq: line.seq,
    origin: line.origin,
  } as const;
  await journal.auditTrail.putBack(
    record,
    { ...decision, issue: undefined, fix: undefined },
    remoteRecord === undefined ? undefined : { ...remoteRecord, content: "", sent: record.before },
  );
}

async function readIfThere(sink: Sink, { kind, id }: Overwritten, signal: AbortSignal): Promise<SaveBody | undefined> {
  try {
    return await sink.read(kind, id, signal);
  } catch (error) {
    if (error instanceof ItemError) return undefined;
    throw error;
  }
}

/** Where two whole records differ, whichever of them has more; the number that the log gives a set of intervals is nobody's edit. */
export function differencesBetween(one: SaveBody, other: SaveBody): readonly Difference[] {
  const there = compareBodies(one, other);
  const back = compareBodies(other, one)
    .filter(({ field }) => !there.some((known) => field.startsWith(known.field) || known.field.startsWith(field)))
    .map(({ field, expected, found }) => ({ field, expected: found, found: expected }));
  return [...there, ...back].filter(({ field }) => field !== "intervalSet.id");
}

/** Whether putting a record back leaves something of it as the run wrote it: a course's line on the map can't be read, so not kept. */
export function keepsMap({ record, line }: UndoneRecord): boolean {
  return record.kind === "course" && line.kind === "course" && line.value.map !== undefined;
}

/** The records a run made, in loading order: the log can delete none, so a person has to. */
export async function* createdBy(
  journal: JournalReader,
  run: Run,
): AsyncIterable<RecordLine & { readonly remoteId: string }> {
  for await (const line of journal.lines(run.id, { state: ["done", "planned", "in-flight"] })) {
    const { action, remoteId } = line;
    // Made and not completed yet is made.
    if (isRecord(line) && action === "create" && remoteId !== undefined) yield { ...line, remoteId };
  }
}
