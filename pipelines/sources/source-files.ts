/**
 * Reads the bytes of device files and course maps when they are loaded. The files come from the archive of the plan, and this code checks
 * that they have not changed.
 */
import { createHash } from "node:crypto";
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { readUnpacked } from "../../connectors/containers/gzip.ts";
import { readKmz } from "../../connectors/containers/kmz.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import { ItemError } from "../../connectors/errors.ts";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import { writeGpx } from "../../connectors/formats/gpx/write.ts";
import { writeTcx } from "../../connectors/formats/tcx/write.ts";
import { connectorNamed } from "../../connectors/registry.ts";
import type { CourseMapRef } from "../../transforms/model/course.ts";
import type { TrackRef } from "../../transforms/model/workout.ts";
import type { Run } from "../journal/run.ts";
import { openParts } from "./places.ts";

/** Reads files of a run's sources. */
export interface SourceFiles {
  /** A device file, unpacked. @throws ItemError `source/changed` or `source/unreadable` */
  track(source: number, track: TrackRef): Promise<Uint8Array>;
  /**
   * One recording of a device file, or one record of a platform's own, as a TCX file of its own, with every point that has a time; undefined
   * if no point has one.
   *
   * @throws ItemError likewise
   */
  leg(source: number, track: TrackRef): Promise<Uint8Array | undefined>;
  /** A course's line as GPX 1.1. @throws ItemError likewise */
  courseMap(source: number, map: CourseMapRef, name: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens each archive of a run at the first request for one of its files.
 *
 * @param options as for `openArchive`
 * @param version the version of logferry that loads: another one may make other tracks of the same records
 */
export function openSourceFiles(run: Run, options: OpenOptions = {}, version = run.options.version): SourceFiles {
  const planned = run.options.version === undefined ? "an earlier version" : `version ${run.options.version}`;
  const madeOtherwise =
    version === run.options.version
      ? CHANGED
      : `${planned} of logferry planned it, and version ${version} makes another file of it, or its source changed`;
  const opened = new Map<number, Promise<Archive>>();

  const archiveOf = (source: number): Promise<Archive> => {
    let archive = opened.get(source);
    if (archive === undefined) {
      const { path, parts = [] } = run.sources[source] ?? {};
      if (path === undefined) throw new Error(`Cannot open source ${source} of run ${run.id}: there is none`);
      archive = openParts({ path, parts, without: [] }, options);
      opened.set(source, archive);
    }
    return archive;
  };

  return {
    async track(source, { entry, sha256 }) {
      return readSame(await archiveOf(source), entry, sha256);
    },
    async leg(source, track) {
      const archive = await archiveOf(source);
      if (track.made !== undefined) return makeSame(archive, track, madeOtherwise);
      const bytes = await readSame(archive, track.entry, track.sha256);
      const recorded = decodeDeviceFile(bytes, "decode").recordings[track.recording];
      return recorded && writeTcx(recorded);
    },
    async courseMap(source, map, name) {
      const archive = await archiveOf(source);
      if (map.made === undefined) return asGpx(await readSame(archive, map.entry, map.sha256), map, name);
      const make = async () => connectorNamed(map.made ?? "")?.lineIn?.(archive, map.entry, map.line);
      return asGpx(
        await readAsPlanned(archive, [map.entry], map.sha256, make, madeOtherwise),
        { ...map, line: 0 },
        name,
      );
    },
    async close() {
      for (const archive of opened.values()) await (await archive.catch(() => undefined))?.close();
    },
  };
}

/** Why a file of the archive itself is another one. */
const CHANGED = "it changed since it was planned";

async function readSame(archive: Archive, path: string, sha256: string): Promise<Uint8Array> {
  const read = async ([entry]: readonly [Entry, ...Entry[]]) => (await readUnpacked(archive, entry)).bytes;
  return readAsPlanned(archive, [path], sha256, read, CHANGED);
}

/** Makes the file of a record of the platform's own. */
async function makeSame(
  archive: Archive,
  { entry, also = [], made, recording, between, sha256 }: TrackRef,
  changed: string,
): Promise<Uint8Array> {
  const paths = [entry, ...also];
  const connector = connectorNamed(made ?? "");
  const make = async () => connector?.trackIn?.(archive, paths, recording, between);
  return readAsPlanned(archive, paths, sha256, make, changed);
}

/** Reads or makes a file, and checks that it is the one of the plan. @param changed why it may be another one */
async function readAsPlanned(
  archive: Archive,
  paths: readonly string[],
  sha256: string,
  read: (entries: readonly [Entry, ...Entry[]]) => Promise<Uint8Array | undefined>,
  changed: string,
): Promise<Uint8Array> {
  const [first = "the file"] = paths;
  const entries = paths.map((path) => {
    const entry = archive.entry(path);
    if (entry === undefined)
      throw new ItemError("source/changed", `Cannot load ${path}: it is no longer in ${archive.name}`);
    return entry;
  });
  try {
    const bytes = await read(entries as [Entry, ...Entry[]]);
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw new ItemError("source/changed", `Cannot load ${first}: ${changed}. Plan again`);
    return bytes;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ItemError("source/unreadable", `Cannot load ${first}: ${error.message}`, { cause: error });
  }
}

/** Writes the requested line of a file as GPX. For any format of the file, the log gets only this one line. */
async function asGpx(bytes: Uint8Array, map: CourseMapRef, name: string): Promise<Uint8Array> {
  const document = map.format === "kmz" ? ((await readKmz(bytes, map.entry)) ?? new Uint8Array()) : bytes;
  const file =
    map.format === "kml" || map.format === "kmz"
      ? (await import("../../connectors/formats/kml/decode.ts")).decodeKml(document, "decode")
      : decodeDeviceFile(document, "decode");
  const points = file.routes[map.line]?.points;
  if (points === undefined || points.length < 2) {
    throw new ItemError("source/unreadable", `Cannot load the map of ${name}: ${map.entry} has no such line`);
  }
  return new TextEncoder().encode(writeGpx({ name }, points));
}
