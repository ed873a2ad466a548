/**
 * Reads the bytes of device files and course maps when they are loaded. The files come from the archive of the plan, and this code checks
 * that they have not changed.
 */
import { createHash } from "node:crypto";
import type { Archive } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { readUnpacked } from "../../connectors/containers/gzip.ts";
import { readKmz } from "../../connectors/containers/kmz.ts";
import type { Limits } from "../../connectors/containers/options.ts";
import type { TrackFile } from "../../connectors/contract.ts";
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

/** Opens each archive of a run at the first request for one of its files. `limits`: caps that differ from the usual ones. */
export function openSourceFiles(run: Run, limits: Partial<Limits> = {}): SourceFiles {
  const opened = new Map<number, Promise<Archive>>();

  const archiveOf = (source: number): Promise<Archive> => {
    let archive = opened.get(source);
    if (archive === undefined) {
      const { path, parts = [] } = run.sources[source] ?? {};
      if (path === undefined) throw new Error(`Cannot open source ${source} of run ${run.id}: there is none`);
      archive = openParts({ path, parts, without: [] }, limits);
      opened.set(source, archive);
    }
    return archive;
  };

  return {
    async track(source, { entry, sha256 }) {
      return readSame(await archiveOf(source), entry, sha256);
    },
    async leg(source, { entry, sha256, recording, made, also = [] }) {
      const archive = await archiveOf(source);
      if (made !== undefined) {
        const files = await readAllSame(archive, [entry, ...also], sha256);
        return connectorNamed(made)?.trackIn?.(files, recording);
      }
      const bytes = await readSame(archive, entry, sha256);
      const recorded = decodeDeviceFile(bytes, "decode").recordings[recording];
      return recorded && writeTcx(recorded);
    },
    async courseMap(source, map, name) {
      const bytes = await readSame(await archiveOf(source), map.entry, map.sha256);
      return asGpx(bytes, map, name);
    },
    async close() {
      for (const archive of opened.values()) await (await archive.catch(() => undefined))?.close();
    },
  };
}

async function readSame(archive: Archive, path: string, sha256: string): Promise<Uint8Array> {
  const [file] = await readAllSame(archive, [path], sha256);
  return file?.bytes ?? new Uint8Array();
}

/** Reads files that have one hash together. */
async function readAllSame(archive: Archive, paths: readonly string[], sha256: string): Promise<readonly TrackFile[]> {
  const hash = createHash("sha256");
  const files: TrackFile[] = [];
  for (const path of paths) {
    const bytes = await readThere(archive, path);
    hash.update(bytes);
    files.push({ path, bytes });
  }
  if (hash.digest("hex") !== sha256)
    throw new ItemError("source/changed", `Cannot load ${paths[0]}: it changed since it was planned. Plan again`);
  return files;
}

async function readThere(archive: Archive, path: string): Promise<Uint8Array> {
  const entry = archive.entry(path);
  if (entry === undefined)
    throw new ItemError("source/changed", `Cannot load ${path}: it is no longer in ${archive.name}`);
  try {
    return (await readUnpacked(archive, entry)).bytes;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ItemError("source/unreadable", `Cannot load ${path}: ${error.message}`, { cause: error });
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
