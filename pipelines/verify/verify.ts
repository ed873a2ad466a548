/** Reads back everything that a run put into the log, and compares it with the planned values, field by field. */
import { ItemError } from "../../connectors/errors.ts";
import type { SaveBody, Sink } from "../../connectors/sink.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { inMetres } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, RecordLine, WorkoutLine } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Difference, Run } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import type { LoadContext } from "../load/load-context.ts";
import { readIfThere } from "../load/settle.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { isGone } from "../log/describe-difference.ts";
import { missingLines } from "../plan/open-lines.ts";
import { findRemoteId } from "../plan/references.ts";
import { type EqualRecord, EqualRecords, equalThings } from "./equal-records.ts";
import { type GearDifference, gearDifferences } from "./gear-mileage.ts";

/** A record that differs in the log from its plan, or is missing. */
export interface Discrepancy {
  readonly line: Line;
  /** The differences. For a missing record this is its id only (see `isMissing`). */
  readonly differences: readonly Difference[];
}

/** Whether a record was not found at all. */
export function isMissing(differences: readonly Difference[]): boolean {
  return differences.some(isGone);
}

/** The result of a verification. */
export interface Verification {
  /** Records read back. */
  readonly checked: number;
  /** Of these, records recognised in the log that are not ours. Only their presence is checked. */
  readonly present: number;
  readonly discrepancies: readonly Discrepancy[];
  /** Records that are missing in the log. */
  readonly missing: number;
  /** Ids of log records that two lines of the run claim. Then one of two equal workouts is lost. */
  readonly claimedTwice: readonly string[];
  /** Records of the log that equal a record of the run, but are not ours. They may have been sent twice, or typed by the log's owner. */
  readonly equal: readonly EqualRecord[];
  /** Shoes and bikes with another mileage in the log than at the source. This is no fault: the log adds it up from its own workouts. */
  readonly gear: readonly GearDifference[];
  /** Sums over the checked workouts, as planned and as found. A workout that is missing in the log counts only as planned. */
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
}

/** The maximum number of discrepancies that are kept. The count includes all. */
const MOST_KEPT = 1000;

/** Verifies a run: all lines that it put into the log, and all lines that it found there. */
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
  let absent = 0;
  let checked = 0;
  let present = 0;

  await forEachConcurrently(
    journal.lines(run.id, { state: ["done", "unchanged"] }),
    context.concurrency,
    signal,
    async (line) => {
      if (line.kind === "set-aside" || line.remoteId === undefined) return;
      const differences = await differencesOf(line, run, context, sink, signal);
      checked++;
      context.onProgress(checked);
      if (line.kind === "workout") {
        add(line, sizeOf(differences.found ?? {}));
        if (differences.found !== undefined) equals.add(differences.found);
        const made = await journal.imported(line.remoteId);
        if (made !== undefined) equals.addImported(line.remoteId, made);
      }
      if (differences.isOthers) present++;
      if (differences.list === undefined || differences.list.length === 0) return;
      discrepancyCount++;
      if (isMissing(differences.list)) absent++;
      if (discrepancies.length < MOST_KEPT) discrepancies.push({ line, differences: differences.list });
    },
  );
  const missing = await missingLines(journal, run);
  if (missing.size > 0) {
    for await (const line of journal.lines(run.id, { kind: "workout" })) {
      if (!missing.has(line.seq)) continue;
      // The log took this workout and then refused to complete it. So it is there, but its values are not compared.
      const id = line.state === "refused" ? line.remoteId : undefined;
      add(line, sizeOf((id === undefined ? undefined : await readIfThere(sink, "workout", id, signal)) ?? {}));
    }
  }
  return {
    checked,
    present,
    discrepancies,
    missing: absent,
    discrepancyCount,
    claimedTwice: await journal.claimedTwice(run.id),
    equal: signal.aborted ? [] : await equalsOf(run, equals, context),
    gear: signal.aborted ? [] : await gearDifferences(run, context),
    metres,
    seconds,
  };

  function add({ value }: WorkoutLine, found: { metres: number; seconds: number }): void {
    metres.planned += value.distance === undefined ? 0 : inMetres(value.distance);
    metres.found += found.metres;
    seconds.planned += value.duration ?? 0;
    seconds.found += found.seconds;
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

/** The maximum number of differing records that are remembered with the run. */
const MOST_REMEMBERED = 100;

/** Stores the result of a verification for the run's status and report. Do not call it for a verification that was stopped. */
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

async function differencesOf(line: RecordLine, run: Run, context: VerifyContext, sink: Sink, signal: AbortSignal) {
  const { journal, encode } = context;
  const { kind } = line;
  const id = line.remoteId ?? "";
  const remoteRecord = await journal.remoteRecord(line.key);
  // A later run may have found the record under another id, because a restore made it again.
  const ids = new Set([id, remoteRecord?.remoteId ?? id]);
  const found = await readFirst(kind, [...ids], sink, signal);
  if (found === undefined)
    return { list: [{ field: "id", expected: id, found: undefined }], found: undefined, isOthers: false };
  // The log has this record merged with another one, and holds the values of that one. So only its presence is checked.
  if (remoteRecord === undefined || remoteRecord.key !== line.key) return { list: undefined, found, isOthers: true };
  const references = line.kind === "workout" ? await referencesOf(line.value, journal, run) : {};
  // In three cases the expected values are the ones sent last. An earlier run wrote an unchanged record, perhaps with values from other
  // sources. An undone record has its former values, which no source contains (its `content` is empty). A restore may have left some fields
  // of a record as they were.
  const isPutBack = run.options.restores !== undefined && line.action === "update";
  const isOurs = line.state !== "unchanged" && remoteRecord.content !== "" && !isPutBack;
  const expected =
    !isOurs && remoteRecord.sent !== undefined ? (remoteRecord.sent as SaveBody) : encode(line, references);
  return { list: compareBodies(expected, found), found, isOthers: false };
}

/** Reads the first of these ids that exists in the log. */
async function readFirst(kind: Kind, ids: readonly string[], sink: Sink, signal: AbortSignal) {
  for (const id of ids) {
    try {
      return await sink.read(kind, id, signal);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
    }
  }
  return undefined;
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
