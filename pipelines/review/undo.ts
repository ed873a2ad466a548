/**
 * Undoes a run, as far as an interface without a delete allows. It puts back the records that the run overwrote, unless somebody edited
 * them since. It lists the records that the run created. Each record is compared before and after, so a person can stop, kill or repeat an
 * undo.
 */
import { RetryableError } from "../../connectors/errors.ts";
import { type Sink, tryToRead } from "../../connectors/sink.ts";
import type { Overwritten } from "../journal/audit-trail.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import { isRecord, type Line, type RecordLine } from "../journal/line.ts";
import type { Difference, Run } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import { differencesBetween } from "../log/compare-bodies.ts";

/** The result for a record that the run overwrote. */
export type Verdict =
  /** The record is as before the run. In a rehearsal, it would be. */
  | "put back"
  /** The record was already as before, because of an earlier undo, or because of its owner. */
  | "as before"
  /** Somebody changed it since the run wrote it, so it stays. */
  | "edited"
  /** A later run overwrote it again. That run must be undone first. */
  | "written again"
  /** It is no longer in the log. */
  | "gone"
  /** It was put back, but the log kept some of the run's values. */
  | "in part"
  /** The log refused to show it, so it stays. It may be there. */
  | "unread"
  /** It was put back, but the log refused to show it after that. So the log may have kept some of the run's values. */
  | "put back unseen";

/** One record that the run overwrote. */
export interface UndoneRecord {
  readonly record: Overwritten;
  readonly line: Line;
  readonly verdict: Verdict;
  /**
   * For `edited`: the run's values and the current ones. For `put back`: the current values and the earlier ones. For `in part`: the values
   * that stayed.
   */
  readonly differences: readonly Difference[];
  /** For `written again`: the later run. */
  readonly byRun: number | undefined;
  /** For `unread` and `put back unseen`: the log's answer. */
  readonly reason: string | undefined;
}

/** The settings of an undo. */
export interface UndoContext {
  readonly journal: Journal;
  readonly sink: Sink;
  readonly concurrency: number;
  /** Only look, and change nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Whether this many more requests are allowed. When it returns false, it also aborts the signal. */
  readonly mayBegin?: (requests: number) => boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Puts back the records that a run overwrote.
 *
 * @returns every such record, in the order of the run; fewer when the signal stopped it
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

/** @returns undefined when it was stopped half-way; the next undo finds the record put back, or puts it back */
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

/** One to read, one to write, and one to read again. */
const REQUESTS_A_RECORD = 3;

async function undoOne(record: Overwritten, line: Line, context: UndoContext): Promise<UndoneRecord> {
  const { journal, sink, signal, dryRun } = context;
  const result = (
    verdict: Verdict,
    differences: readonly Difference[] = [],
    { byRun, reason }: { readonly byRun?: number; readonly reason?: string } = {},
  ): UndoneRecord => ({ record, line, verdict, differences, byRun, reason });
  const read = () => tryToRead(() => sink.read(record.kind, record.id, signal));
  if (record.putBackAt !== undefined) return result("as before");
  const byRun = await journal.auditTrail.overwrittenSince(record);
  if (byRun !== undefined) return result("written again", [], { byRun });
  const first = await read();
  if ("refused" in first) return result("unread", [], { reason: first.refused });
  const { found: now } = first;
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
  // A log may keep values that a save leaves out. So logferry reads the record again, and assumes nothing.
  const after = await read();
  if ("refused" in after) return result("put back unseen", [], { reason: after.refused });
  if (after.found === undefined) return result("gone");
  const left = differencesBetween(record.before, after.found);
  return left.length === 0 ? result("put back", changes) : result("in part", left);
}

/** Remembers that the record was undone, so that later plans leave it alone. The journal then has the put-back values as the sent ones. */
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

/**
 * Whether a record keeps something from the run after it is put back. The map of a course stays, because logferry can't read the earlier
 * map from the log.
 */
export function keepsMap({ record, line }: UndoneRecord): boolean {
  return record.kind === "course" && line.kind === "course" && line.value.map !== undefined;
}

/** The records that a run created, in loading order. The log can't delete any of them, so a person must do it. */
export async function* createdBy(
  journal: JournalReader,
  run: Run,
): AsyncIterable<RecordLine & { readonly remoteId: string }> {
  for await (const line of journal.lines(run.id, { state: ["done", "planned", "in-flight"] })) {
    const { action, remoteId } = line;
    // A record that was created, but not completed, counts as created.
    if (isRecord(line) && action === "create" && remoteId !== undefined) yield { ...line, remoteId };
  }
}
