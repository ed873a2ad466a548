/**
 * Reads back everything a run put into the log, and compares it field by field with what was to stand there.
 */
import { ItemError } from "../connectors/errors.ts";
import type { SaveBody, Sink } from "../connectors/sink.ts";
import type { Workout } from "../transforms/model/workout.ts";
import { inMetres } from "../transforms/units.ts";
import { type EqualRecord, EqualRecords } from "./equal-records.ts";
import type { Journal, Line, LogEntry, Run } from "./journal/journal.ts";
import { lanes } from "./load/concurrently.ts";
import type { LoadContext } from "./load/load-context.ts";
import { compareBodies, type Difference } from "./log/compare-bodies.ts";
import { findRemoteId } from "./references.ts";

/** A record that isn't in the log as it should be. */
export interface Discrepancy {
  readonly line: Line;
  /** Empty when the record isn't there at all. */
  readonly differences: readonly Difference[];
}

/** What a verification found. */
export interface Verification {
  /** Records read back. */
  readonly checked: number;
  /** Of these, records recognised in the log and not ours: only their presence is checked. */
  readonly present: number;
  readonly discrepancies: readonly Discrepancy[];
  /** Records of the log that two lines of the run claim: a workout lost to a twin. */
  readonly claimedTwice: readonly string[];
  /** Workouts of the log that are alike to one of the run and stand for none: sent twice perhaps, or typed by the log's owner. */
  readonly equal: readonly EqualRecord[];
  /** Sums over the workouts checked, as planned and as read back. */
  readonly metres: { readonly planned: number; readonly found: number };
  readonly seconds: { readonly planned: number; readonly found: number };
}

/** What verifying needs. */
export interface VerifyContext {
  readonly journal: Journal;
  readonly sink: Sink;
  readonly encode: LoadContext["encode"];
  /** The log's workouts, to look for others like the run's; undefined where the service has no listing. */
  readonly list: () => Promise<AsyncIterable<LogEntry> | undefined>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** At most this many discrepancies are kept; the count goes on. */
const MOST_KEPT = 1000;

/** Verifies a run: every line that is in the log because of it or was found there. */
export async function verify(
  run: Run,
  context: VerifyContext,
): Promise<Verification & { readonly discrepancyCount: number }> {
  const { journal, sink, signal } = context;
  const discrepancies: Discrepancy[] = [];
  const metres = { planned: 0, found: 0 };
  const seconds = { planned: 0, found: 0 };
  const equals = new EqualRecords();
  let discrepancyCount = 0;
  let checked = 0;
  let present = 0;

  await lanes(journal.lines(run.id, { state: ["done", "unchanged"] }), context.concurrency, signal, async (line) => {
    if (line.kind === "set-aside" || line.remoteId === undefined) return;
    const differences = await differencesOf(line, run, context, sink, signal);
    checked++;
    context.onProgress(checked);
    if (differences.found !== undefined && line.kind === "workout") {
      add(line, sizeOf(differences.found));
      equals.add(differences.found);
    }
    if (differences.isOthers) present++;
    if (differences.list === undefined || differences.list.length === 0) return;
    discrepancyCount++;
    if (discrepancies.length < MOST_KEPT) discrepancies.push({ line, differences: differences.list });
  });
  return {
    checked,
    present,
    discrepancies,
    discrepancyCount,
    claimedTwice: await journal.claimedTwice(run.id),
    equal: signal.aborted ? [] : await equals.find(run, journal, context.list),
    metres,
    seconds,
  };

  function add(line: Line, found: { metres: number; seconds: number }): void {
    const workout = line.value as Workout;
    metres.planned += workout.distance === undefined ? 0 : inMetres(workout.distance);
    metres.found += found.metres;
    seconds.planned += workout.duration ?? 0;
    seconds.found += found.seconds;
  }
}

/** At most this many of the records that differ are remembered with the run. */
const MOST_REMEMBERED = 100;

/** Remembers what a verification found, so that the run's status and report can say so. One that was stopped isn't kept. */
export async function keepVerification(
  journal: Journal,
  run: Run,
  found: Awaited<ReturnType<typeof verify>>,
  now: number,
): Promise<void> {
  await journal.setVerified(run.id, {
    at: now,
    checked: found.checked,
    present: found.present,
    differing: found.discrepancyCount,
    claimedTwice: found.claimedTwice.length,
    metres: found.metres,
    seconds: found.seconds,
    examples: found.discrepancies
      .slice(0, MOST_REMEMBERED)
      .map(({ line: { kind, remoteId, origin }, differences }) => ({ kind, id: remoteId, origin, differences })),
  });
}

async function differencesOf(line: Line, run: Run, context: VerifyContext, sink: Sink, signal: AbortSignal) {
  const { journal, encode } = context;
  const kind = line.kind as Exclude<Line["kind"], "set-aside">;
  const id = line.remoteId ?? "";
  let found: Readonly<Record<string, unknown>>;
  try {
    found = await sink.read(kind, id, signal);
  } catch (error) {
    if (!(error instanceof ItemError)) throw error;
    return { list: [{ field: "id", expected: id, found: undefined }], found: undefined, isOthers: false };
  }
  const placed = await journal.placed(line.key);
  // Of what stands there as one with another record, that one's words were written.
  if (placed === undefined || placed.key !== line.key) return { list: undefined, found, isOthers: true };
  const references = kind === "workout" ? await referencesOf(line.value as Workout, journal, run) : {};
  // What is unchanged was written by an earlier run, perhaps together with what other sources knew of it; what was undone was put back as
  // it had been, which no source says (`content`); of what a restore wrote over, some fields may have been left as they were.
  const isPutBack = run.options.restores !== undefined && line.action === "update";
  const isOurs = line.state !== "unchanged" && placed.content !== "" && !isPutBack;
  const expected =
    !isOurs && placed.sent !== undefined
      ? (placed.sent as SaveBody)
      : encode(kind, line.value as NonNullable<Line["value"]>, references);
  return { list: compareBodies(expected, found), found, isOthers: false };
}

async function referencesOf(workout: Workout, journal: Journal, run: Run) {
  const course = workout.course === undefined ? undefined : await findRemoteId(journal, run.id, workout.course);
  const key = workout.equipment?.[0];
  const equipment = key === undefined ? undefined : await findRemoteId(journal, run.id, key);
  return { courseId: course, equipmentId: equipment };
}

function sizeOf(body: Readonly<Record<string, unknown>>): { metres: number; seconds: number } {
  const details = (body.details ?? {}) as { distance?: Parameters<typeof inMetres>[0]; duration?: number };
  return { metres: details.distance === undefined ? 0 : inMetres(details.distance), seconds: details.duration ?? 0 };
}
