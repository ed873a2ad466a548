/**
 * Makes device files from the points in a platform's own records. A log takes tracks only as FIT, GPX or TCX, so these points would be lost
 * otherwise.
 */
import { hash } from "node:crypto";
import { Way } from "../../../../transforms/geo.ts";
import { defined } from "../../../../transforms/model/defined.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { LostBecause } from "../../../../transforms/model/lost-file.ts";
import type { TimeSpan, Workout } from "../../../../transforms/model/workout.ts";
import type { Measure } from "../../../../transforms/units.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { readUnpacked } from "../../../containers/gzip.ts";
import { decodeDeviceFile } from "../../../formats/device-file.ts";
import { jsonEach } from "../../../formats/json/each.ts";
import { JsonError, parsedJson } from "../../../formats/json/parts.ts";
import type { Point } from "../../../formats/recording.ts";
import { writeTcx } from "../../../formats/tcx/write.ts";
import { decodeText } from "../../../formats/text.ts";
import { attachFile } from "../../attach-file.ts";
import { jsonTexts } from "../../json-texts.ts";
import type { ReadSession } from "../../session.ts";
import type { RecordedTrack, RecordFound, TrackDays, TrackFiles, TrackList, WorkoutTable } from "../description.ts";
import type { CellOf } from "../mapping/shown-units.ts";
import { isJsonRow } from "../sources/json-source.ts";
import { type ListedTracks, listedTracksOf } from "./listed-tracks.ts";

/** The file that is being read. */
interface OpenFile {
  readonly path: string;
  readonly records: AsyncIterator<RecordFound>;
  /** The number of the next record. */
  next: number;
}

/** The points of a row, and their place. */
interface FoundTrack {
  readonly entries: readonly [string, ...string[]];
  readonly recording: number;
  readonly between?: TimeSpan;
  readonly track: RecordedTrack;
  /** The file ends inside the track, or before it. */
  readonly isCut?: boolean;
  /** The path of a file that can't be read, so that its part of the track is missing. */
  readonly damaged?: string | undefined;
}

/** Whether the rows of a table have points in the platform's own form. */
export function hasTracks(table: WorkoutTable): boolean {
  return table.track !== undefined || liesApart(table);
}

/** Whether the points of a row lie outside its record. */
function liesApart({ trackFiles, trackDays, trackList }: WorkoutTable): boolean {
  return trackFiles !== undefined || trackDays !== undefined || trackList !== undefined;
}

/** Makes tracks for the rows of a table. It holds one record with its points at a time, or the files of one row. */
export class MadeTracks {
  readonly #session: ReadSession;
  readonly #table: WorkoutTable;
  #open: OpenFile | undefined;
  /** Files with points, by the names that rows give them. */
  #files: ReadonlyMap<string, readonly Entry[]> | undefined;

  readonly #used = new Set<string>();
  /** The list of points that is being read. */
  #list: ListedTracks | undefined;

  constructor(session: ReadSession, table: WorkoutTable) {
    this.#session = session;
    this.#table = table;
  }

  /** Adds the track to a row. If its record has no point with a time, the row stays unchanged, and its series stay counted. */
  async addTo(workout: Workout, origin: Origin, cellOf: CellOf): Promise<Workout> {
    const labels = seriesOf(this.#table);
    const counted = workout.unsupported?.find(({ field }) => labels.has(field));
    const { trackFiles } = this.#table;
    if (counted === undefined && !liesApart(this.#table)) return workout;
    const lost = this.#missing(trackFiles, cellOf);
    for (const issue of lost) this.#session.report(issue, origin);
    const [first] = lost;
    const lostTo = (because: LostBecause, name = origin.entry) => ({ ...workout, lostFile: { because, name } });
    const without = (hasPositions: boolean) =>
      first?.found === undefined || hasPositions
        ? workout
        : { ...workout, lostFile: { because: "missing" as const, name: first.found } };
    const found = await this.#find(workout, origin, cellOf);
    const lacksPositions = found?.track.lacksPositions === true;
    if (lacksPositions) this.#session.report(NO_POSITIONS, origin);
    const tcx = found && writtenOf(found.track.points);
    if (found === undefined || tcx === undefined) {
      if (lacksPositions) return withSeries(lostTo("missing", POSITIONS), labels, counted?.field, found?.track.left);
      if (found?.damaged === undefined && found?.isCut !== true) return without(false);
      return lostTo("damaged", found.damaged);
    }
    const { isCut = false } = found;
    const hasPositions = found.track.points.some(({ position }) => position !== undefined);
    // Of several files, the points of the others are a part of the track.
    const cutIn = found.damaged ?? (isCut ? origin.entry : undefined);
    const others = lacksPositions ? lostTo("missing", POSITIONS) : without(hasPositions);
    const whole = cutIn === undefined ? others : lostTo("cut", cutIn);
    const [entry, ...also] = found.entries;
    const { context } = this.#session;
    const scanned = { file: decodeDeviceFile(tcx, "scan"), sha256: hash("sha256", tcx) };
    const { parts, issues } = attachFile(whole, entry, scanned, context.sports, { rules: "table", fills: true });
    for (const issue of [...scanned.file.issues, ...issues])
      this.#session.report(issue.severity === "error" ? { ...issue, severity: "warning" } : issue, origin);
    const [part] = parts;
    if (part?.part !== "workout" || part.workout.track === undefined) return whole;
    const { recording, between } = found;
    const made = {
      recording,
      alone: true,
      made: origin.connector,
      ...(also.length > 0 && { also }),
      ...(between !== undefined && { between }),
    } as const;
    const distance = part.workout.distance ?? distanceAlong(found.track.points);
    const tracked = { ...part.workout, ...defined({ distance }), track: { ...part.workout.track, ...made } };
    return withSeries(tracked, labels, counted?.field, found.track.left);
  }

  /** The paths of the files that rows name and tracks were made of. */
  get used(): Iterable<string> {
    return this.#used;
  }

  /** Closes the file that is being read. */
  async close(): Promise<void> {
    const records = this.#open?.records;
    this.#open = undefined;
    await records?.return?.();
    await this.#list?.close();
  }

  #find(workout: Workout, origin: Origin, cellOf: CellOf): Promise<FoundTrack | undefined> {
    const { trackFiles, trackDays, trackList } = this.#table;
    if (trackDays) return inDays(trackDays, this.#session.archive, workout);
    if (trackFiles) return this.#inFiles(trackFiles, cellOf);
    return trackList ? this.#inList(trackList, origin) : this.#inRecord(origin);
  }

  /** The points of the row in the list of its file. Points of no row are reported with the first row. */
  async #inList(trackList: TrackList, origin: Origin): Promise<FoundTrack | undefined> {
    const { entry, locator } = origin;
    const { archive, report } = this.#session;
    const list = listedTracksOf(trackList, archive, entry);
    if (list === undefined) return undefined;
    const recording = recordNumber(locator);
    try {
      if (this.#list !== list) {
        this.#list = list;
        for (const issue of await list.strangers()) report(issue, this.#session.origin(entry));
      }
      const found = await list.track(recording);
      for (const issue of found?.issues ?? []) report(issue, origin);
      return found && { entries: [entry], recording, track: found, isCut: found.isCut };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      report({ severity: "warning", rule: error.rule, found: error.message }, origin);
      return undefined;
    }
  }

  /** The points in the row's own record. */
  async #inRecord({ entry, locator }: Origin): Promise<FoundTrack | undefined> {
    const recording = recordNumber(locator);
    const isBehind = this.#open?.path === entry && this.#open.next <= recording;
    if (!isBehind) {
      await this.close();
      this.#open = openFile(this.#table, this.#session.archive, entry);
    }
    const track = this.#open && (await trackFrom(this.#open, recording, this.#table));
    return track && { entries: [entry], recording, track };
  }

  /** The remarks about files that the row names and the archive doesn't hold. */
  #missing(trackFiles: TrackFiles | undefined, cellOf: CellOf): readonly Issue[] {
    if (trackFiles?.areNamed !== true) return [];
    const files = this.#filesOf(trackFiles);
    return [...new Set(trackFiles.columns)].flatMap((field) => {
      const found = cellOf(field);
      if (!trackFiles.files.test(found) || files.has(found)) return [];
      return [{ severity: "warning", rule: "table/missing-file", field, found, expected: "the file in the archive" }];
    });
  }

  #filesOf({ files, byPath }: TrackFiles): ReadonlyMap<string, readonly Entry[]> {
    this.#files ??= Map.groupBy(
      [...this.#session.archive.entries()].filter(({ path }) => files.test(path)),
      ({ path }) => (byPath ? path : path.slice(path.lastIndexOf("/") + 1)),
    );
    return this.#files;
  }

  /** The points in the files that the row names. A missing file leaves the points of the others. */
  async #inFiles(trackFiles: TrackFiles, cellOf: CellOf): Promise<FoundTrack | undefined> {
    const { archive } = this.#session;
    const files = this.#filesOf(trackFiles);
    const named = trackFiles.columns.flatMap((column) => files.get(cellOf(column)) ?? []);
    const [first, ...others] = named.map(({ path }) => path);
    if (first === undefined) return undefined;
    for (const { path } of named) this.#used.add(path);
    const faults: FileFault[] = [];
    const track = trackFiles.track(await documentsIn(trackFiles, archive, [first, ...others], faults));
    for (const { path, issue } of faults)
      this.#session.report({ ...issue, severity: "warning" }, this.#session.origin(path));
    return { entries: [first, ...others], recording: 0, track, damaged: faults[0]?.path };
  }
}

/** What a row lost whose record says that positions were recorded. */
const POSITIONS = "the list of positions";

const NO_POSITIONS: Issue = {
  severity: "warning",
  rule: "table/no-positions",
  found: "recorded with positions that are not in this file",
};

/** Counts the series that a track can't hold, in the place of all that were counted. */
function withSeries(
  { unsupported = [], ...rest }: Workout,
  labels: ReadonlySet<string>,
  field = "recorded series",
  names: readonly string[] = [],
): Workout {
  const others = unsupported.filter((each) => !labels.has(each.field));
  const left = names.length > 0 ? [...others, { field, value: names.join(", ") }] : others;
  return { ...rest, ...(left.length > 0 && { unsupported: left }) };
}

/** Milliseconds of a day. */
const DAY = 86_400_000;

/** The points of a workout among those of its days. A workout may end on the day after its start. */
async function inDays(
  { files, track }: TrackDays,
  archive: Archive,
  { start, duration = 0 }: Workout,
): Promise<FoundTrack | undefined> {
  const { instant: from } = start;
  if (from === undefined || !(duration > 0)) return undefined;
  const between = { from, until: from + duration * 1000 };
  const days = [between.from, Math.min(between.until, from + DAY)].map((at) => new Date(at).toISOString().slice(0, 10));
  const entries = [...archive.entries()].filter(
    ({ path }) => files.test(path) && days.some((day) => path.slice(path.lastIndexOf("/")).includes(day)),
  );
  const [first, ...others] = entries.map(({ path }) => path);
  if (first === undefined) return undefined;
  return { entries: [first, ...others], recording: 0, between, track: await track(archive, entries, between) };
}

/**
 * Makes the TCX file of one record.
 *
 * @param entries paths: the file with the record, or the files with its points
 * @param recording the number of the record in the file, from 0
 * @param between the time of the workout, if the files hold the points of whole days
 * @returns undefined if no table has the record, or it has no point with a time
 */
export async function trackIn(
  tables: readonly WorkoutTable[],
  archive: Archive,
  entries: readonly string[],
  recording: number,
  between?: TimeSpan,
): Promise<Uint8Array | undefined> {
  const [first] = entries;
  for (const table of tables) {
    if (between !== undefined) {
      const days = entries.flatMap((path) => archive.entry(path) ?? []);
      const found = await table.trackDays?.track(archive, days, between);
      const made = found && writtenOf(found.points);
      if (made !== undefined) return made;
      continue;
    }
    const file = first === undefined ? undefined : openFile(table, archive, first);
    const list = table.trackList && listedTracksOf(table.trackList, archive, first);
    const found =
      table.trackFiles?.track(await documentsIn(table.trackFiles, archive, entries)) ??
      (await list?.single(recording)) ??
      (file && (await trackFrom(file, recording, table)));
    await file?.records.return?.();
    const made = found && writtenOf(found.points);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** The fault of a file that can't be read. */
interface FileFault {
  readonly path: string;
  readonly issue: Issue;
}

/**
 * The contents of files. A file that is missing, damaged or not JSON is left out, but for the elements of its list before the damage.
 *
 * @param faults gets the faults of the damaged ones
 */
async function documentsIn(
  { list }: TrackFiles,
  archive: Archive,
  paths: readonly string[],
  faults: FileFault[] = [],
): Promise<readonly unknown[]> {
  const documents: unknown[] = [];
  for (const path of paths) {
    const entry = archive.entry(path);
    try {
      if (entry !== undefined && list !== undefined)
        for await (const { text, line } of jsonEach(
          jsonTexts(archive, entry, () => {}),
          [...list.at, "*"],
        )) {
          const kept = list.keep(parsedJson(text, line));
          if (kept !== undefined) documents.push(kept);
        }
      else if (entry !== undefined)
        documents.push(parsedJson(decodeText((await readUnpacked(archive, entry)).bytes).text, 1));
    } catch (error) {
      if (error instanceof JsonError) faults.push({ path, issue: error.issue });
      else if (error instanceof ArchiveError)
        faults.push({ path, issue: { severity: "warning", rule: error.rule, found: error.message } });
      else throw error;
    }
  }
  return documents;
}

function openFile({ from, track }: WorkoutTable, archive: Archive, path: string): OpenFile | undefined {
  const entry = track === undefined ? undefined : archive.entry(path);
  const records = entry && from.records?.(archive, entry)[Symbol.asyncIterator]();
  return records && { path, records, next: 0 };
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
    return isJsonRow(value.value) ? track?.(value.value) : undefined;
  }
}

/** Writes points as TCX. The totals come from the last point. They don't matter, because the row's own values count. */
function writtenOf(found: readonly Point[]): Uint8Array | undefined {
  const points = found.filter(({ instant }) => instant !== undefined);
  const [first] = points;
  const last = points.at(-1);
  // A single point gives only the time and place of the start, which the row has too.
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

/** The distance along the positions, where no point has one; undefined without two positions in a row. A break is no way. */
function distanceAlong(points: readonly Point[]): Measure<"distance"> | undefined {
  const way = new Way();
  for (const { position, breakBefore } of points) if (position !== undefined) way.to(position, breakBefore);
  return way.metres > 0 ? { unit: "m", value: way.metres } : undefined;
}

/** The labels under which a table counts recorded series. */
function seriesOf({ columns }: WorkoutTable): ReadonlySet<string> {
  return new Set(
    columns.flatMap(([, field, how]) => (field === "series" && how?.label !== undefined ? how.label : [])),
  );
}

/** The number of a record in its file: 11 for `record 12`, 0 for a file that is one record. */
function recordNumber(locator: string | undefined): number {
  return Number(/^record (\d+)$/.exec(locator ?? "")?.[1] ?? 1) - 1;
}
