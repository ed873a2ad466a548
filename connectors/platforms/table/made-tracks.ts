/**
 * Makes device files of the points that platforms keep in records of their own. A log takes tracks only as FIT, GPX or TCX, so these points
 * would be lost otherwise.
 */
import { hash } from "node:crypto";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { readUnpacked } from "../../containers/gzip.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";
import type { Point } from "../../formats/recording.ts";
import { writeTcx } from "../../formats/tcx/write.ts";
import { attachFile } from "../attach-file.ts";
import type { ReadSession } from "../session.ts";
import type { RecordedTrack, RecordFound, WorkoutTable } from "./description.ts";

/** Bytes of a file whose records are read whole. From a larger one no tracks are made: their series stay counted. */
const LARGEST_FILE = 32 * 2 ** 20;

/** The file whose records are being gone through. */
interface OpenFile {
  readonly path: string;
  readonly sha256: string;
  readonly records: AsyncIterator<RecordFound>;
  /** The number of the record that comes next. */
  next: number;
}

/** The made tracks of a table's rows. It holds the bytes of one file and the points of one record at a time. */
export class MadeTracks {
  readonly #session: ReadSession;
  readonly #table: WorkoutTable;
  #open: OpenFile | undefined;

  constructor(session: ReadSession, table: WorkoutTable) {
    this.#session = session;
    this.#table = table;
  }

  /** Gives a row its track. If its record has no point with a time, the row stays as it is, with its series counted. */
  async addTo(workout: Workout, origin: Origin): Promise<Workout> {
    const labels = seriesOf(this.#table);
    const counted = workout.unsupported?.find(({ field }) => labels.has(field));
    if (counted === undefined) return workout;
    const recording = recordNumber(origin.locator);
    const found = await this.#trackOf(origin.entry, recording);
    const tcx = found && writtenOf(found.points);
    if (tcx === undefined || this.#open === undefined) return workout;
    const { context } = this.#session;
    const scanned = { file: decodeDeviceFile(tcx, "scan"), sha256: this.#open.sha256 };
    const { parts, issues } = attachFile(workout, origin.entry, scanned, context.sports, {
      rules: "table",
      fills: true,
    });
    for (const issue of [...scanned.file.issues, ...issues])
      this.#session.report(issue.severity === "error" ? { ...issue, severity: "warning" } : issue, origin);
    const [part] = parts;
    if (part?.part !== "workout" || part.workout.track === undefined) return workout;
    const track = { ...part.workout.track, recording, alone: true, made: origin.connector } as const;
    const { unsupported = [], ...rest } = part.workout;
    const others = unsupported.filter(({ field }) => !labels.has(field));
    const left = found?.left?.length ? [...others, { ...counted, value: found.left.join(", ") }] : others;
    return { ...rest, track, ...(left.length > 0 && { unsupported: left }) };
  }

  async #trackOf(path: string, recording: number): Promise<RecordedTrack | undefined> {
    const entry = this.#session.archive.entry(path);
    if (entry === undefined) return undefined;
    const isBehind = this.#open?.path === path && this.#open.next <= recording;
    if (!isBehind && !(await this.#openFile(entry))) return undefined;
    return this.#open && trackFrom(this.#open, recording, this.#table);
  }

  /** Begins a file. False if it is too large, or can't be unpacked. */
  async #openFile(entry: Entry): Promise<boolean> {
    await this.#open?.records.return?.();
    this.#open = undefined;
    try {
      const { bytes } = await readUnpacked(this.#session.archive, entry, { maxBytes: LARGEST_FILE });
      this.#open = openFile(this.#table, bytes, entry.path);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
    }
    return this.#open !== undefined;
  }
}

/**
 * Makes the TCX file of one record.
 *
 * @param recording the number of the record in the file, from 0
 * @returns undefined if no table has the record, or it has no point with a time
 */
export async function trackIn(
  tables: readonly WorkoutTable[],
  bytes: Uint8Array,
  path: string,
  recording: number,
): Promise<Uint8Array | undefined> {
  for (const table of tables) {
    const file = openFile(table, bytes, path);
    const found = file && (await trackFrom(file, recording, table));
    await file?.records.return?.();
    const made = found && writtenOf(found.points);
    if (made !== undefined) return made;
  }
  return undefined;
}

function openFile({ from, track }: WorkoutTable, bytes: Uint8Array, path: string): OpenFile | undefined {
  if (track === undefined) return undefined;
  const archive: Archive = memoryArchive(path, { [path]: bytes });
  const entry = archive.entry(path);
  const records = entry && from.records?.(archive, entry)[Symbol.asyncIterator]();
  return records && { path, sha256: hash("sha256", bytes), records, next: 0 };
}

async function trackFrom(
  file: OpenFile,
  recording: number,
  { track }: WorkoutTable,
): Promise<RecordedTrack | undefined> {
  for (;;) {
    const { done, value } = await file.records.next();
    if (done) {
      file.next = Number.POSITIVE_INFINITY;
      return undefined;
    }
    if (file.next++ < recording) continue;
    return isRecord(value.value) ? track?.(value.value) : undefined;
  }
}

/** Writes points as TCX. Their totals are those of the last point: the row's own values count in any case. */
function writtenOf(found: readonly Point[]): Uint8Array | undefined {
  const points = found.filter(({ instant }) => instant !== undefined);
  const [first] = points;
  const last = points.at(-1);
  // One point says when and where a workout began, and the row says so too.
  if (first?.instant === undefined || last?.instant === undefined || points.length < 2) return undefined;
  const distance = points.findLast((point) => point.distance !== undefined)?.distance;
  return writeTcx({
    start: first.instant,
    elapsed: (last.instant - first.instant) / 1000,
    ...(distance !== undefined && { distance }),
    laps: [],
    pointCount: points.length,
    positionCount: points.filter(({ position }) => position !== undefined).length,
    points,
  });
}

/** The labels under which a table counts recorded series. */
function seriesOf({ columns }: WorkoutTable): ReadonlySet<string> {
  return new Set(
    columns.flatMap(([, field, how]) => (field === "series" && how?.label !== undefined ? how.label : [])),
  );
}

/** The number of a record in its file: 11 of `record 12`, 0 for a file that is one record. */
function recordNumber(locator: string | undefined): number {
  return Number(/^record (\d+)$/.exec(locator ?? "")?.[1] ?? 1) - 1;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
