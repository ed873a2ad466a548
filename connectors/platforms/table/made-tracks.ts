/**
 * Makes device files of the points that platforms keep in records of their own. A log takes tracks only as FIT, GPX or TCX, so these points
 * would be lost otherwise.
 */
import { createHash, hash } from "node:crypto";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { readUnpacked } from "../../containers/gzip.ts";
import { memoryArchive } from "../../containers/memory.ts";
import type { TrackFile } from "../../contract.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";
import { JsonError, parsedJson } from "../../formats/json/parts.ts";
import type { Point } from "../../formats/recording.ts";
import { writeTcx } from "../../formats/tcx/write.ts";
import { decodeText } from "../../formats/text.ts";
import { attachFile } from "../attach-file.ts";
import type { ReadSession } from "../session.ts";
import type { RecordedTrack, RecordFound, TrackFiles, WorkoutTable } from "./description.ts";
import type { CellOf } from "./shown-units.ts";

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

/** What a row's points are in, and the points. */
interface FoundTrack {
  readonly entry: string;
  readonly also: readonly string[];
  readonly sha256: string;
  readonly recording: number;
  readonly track: RecordedTrack;
}

/** Whether the rows of a table have tracks of the platform's own. */
export function hasTracks({ track, trackFiles }: WorkoutTable): boolean {
  return track !== undefined || trackFiles !== undefined;
}

/** The made tracks of a table's rows. It holds the bytes of one row's files and the points of one record at a time. */
export class MadeTracks {
  readonly #session: ReadSession;
  readonly #table: WorkoutTable;
  #open: OpenFile | undefined;
  /** Files with points, by their names without folders. */
  #files: ReadonlyMap<string, Entry> | undefined;

  constructor(session: ReadSession, table: WorkoutTable) {
    this.#session = session;
    this.#table = table;
  }

  /** Gives a row its track. If its record has no point with a time, the row stays as it is, with its series counted. */
  async addTo(workout: Workout, origin: Origin, cellOf: CellOf): Promise<Workout> {
    const labels = seriesOf(this.#table);
    const counted = workout.unsupported?.find(({ field }) => labels.has(field));
    if (counted === undefined) return workout;
    const { trackFiles } = this.#table;
    const found = trackFiles ? await this.#inFiles(trackFiles, cellOf) : await this.#inRecord(origin);
    const tcx = found && writtenOf(found.track.points);
    if (found === undefined || tcx === undefined) return workout;
    const { entry, also, sha256, recording } = found;
    const { context } = this.#session;
    const scanned = { file: decodeDeviceFile(tcx, "scan"), sha256 };
    const { parts, issues } = attachFile(workout, entry, scanned, context.sports, { rules: "table", fills: true });
    for (const issue of [...scanned.file.issues, ...issues])
      this.#session.report(issue.severity === "error" ? { ...issue, severity: "warning" } : issue, origin);
    const [part] = parts;
    if (part?.part !== "workout" || part.workout.track === undefined) return workout;
    const made = { recording, alone: true, made: origin.connector, ...(also.length > 0 && { also }) } as const;
    const { unsupported = [], ...rest } = part.workout;
    const others = unsupported.filter(({ field }) => !labels.has(field));
    const { left: names = [] } = found.track;
    const left = names.length > 0 ? [...others, { ...counted, value: names.join(", ") }] : others;
    return { ...rest, track: { ...part.workout.track, ...made }, ...(left.length > 0 && { unsupported: left }) };
  }

  /** The points in the row's own record. */
  async #inRecord({ entry: path, locator }: Origin): Promise<FoundTrack | undefined> {
    const recording = recordNumber(locator);
    const isBehind = this.#open?.path === path && this.#open.next <= recording;
    if (!isBehind) {
      await this.#open?.records.return?.();
      const entry = this.#session.archive.entry(path);
      const bytes = entry && (await this.#read(entry));
      this.#open = bytes && openFile(this.#table, bytes, path);
    }
    const open = this.#open;
    const track = open && (await trackFrom(open, recording, this.#table));
    return track && { entry: path, also: [], sha256: open.sha256, recording, track };
  }

  /** The points in files that the row names. A file that is missing leaves the others. */
  async #inFiles({ columns, files, track }: TrackFiles, cellOf: CellOf): Promise<FoundTrack | undefined> {
    this.#files ??= new Map(
      [...this.#session.archive.entries()]
        .filter(({ path }) => files.test(path))
        .map((entry) => [entry.path.slice(entry.path.lastIndexOf("/") + 1), entry]),
    );
    const read: TrackFile[] = [];
    for (const column of columns) {
      const entry = this.#files.get(cellOf(column));
      const bytes = entry && (await this.#read(entry));
      if (entry !== undefined && bytes !== undefined) read.push({ path: entry.path, bytes });
    }
    const [first, ...others] = read;
    if (first === undefined) return undefined;
    const all = createHash("sha256");
    for (const { bytes } of read) all.update(bytes);
    const also = others.map(({ path }) => path);
    return { entry: first.path, also, sha256: all.digest("hex"), recording: 0, track: track(documentsIn(read)) };
  }

  /** The bytes of a file; undefined if it is too large, or can't be unpacked. */
  async #read(entry: Entry): Promise<Uint8Array | undefined> {
    try {
      return (await readUnpacked(this.#session.archive, entry, { maxBytes: LARGEST_FILE })).bytes;
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return undefined;
    }
  }
}

/**
 * Makes the TCX file of one record.
 *
 * @param files the file with the record, or those with its points
 * @param recording the number of the record in the file, from 0
 * @returns undefined if no table has the record, or it has no point with a time
 */
export async function trackIn(
  tables: readonly WorkoutTable[],
  files: readonly TrackFile[],
  recording: number,
): Promise<Uint8Array | undefined> {
  const [first] = files;
  for (const table of tables) {
    const found = table.trackFiles?.track(documentsIn(files)) ?? (first && (await ofRecord(table, first, recording)));
    const made = found && writtenOf(found.points);
    if (made !== undefined) return made;
  }
  return undefined;
}

async function ofRecord(
  table: WorkoutTable,
  { bytes, path }: TrackFile,
  recording: number,
): Promise<RecordedTrack | undefined> {
  const file = openFile(table, bytes, path);
  const found = file && (await trackFrom(file, recording, table));
  await file?.records.return?.();
  return found;
}

/** What files hold; nothing of one that is no JSON. */
function documentsIn(files: readonly TrackFile[]): readonly unknown[] {
  return files.flatMap(({ bytes }) => {
    try {
      return [parsedJson(decodeText(bytes).text, 1)];
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return [];
    }
  });
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
