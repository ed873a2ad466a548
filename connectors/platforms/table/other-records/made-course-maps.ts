/** Makes GPX files of courses that a platform keeps as records of its own. A log takes the map of a course only as a file. */
import { hash } from "node:crypto";
import type { Course } from "../../../../transforms/model/course.ts";
import type { Archive } from "../../../containers/archive.ts";
import { writeGpx } from "../../../formats/gpx/write.ts";
import type { Point } from "../../../formats/recording.ts";
import type { RowSource } from "../description.ts";

/** The line of a course as GPX; undefined for less than two places. */
export function courseGpx(points: readonly Point[], name?: string): Uint8Array | undefined {
  const placed = points.filter(({ position }) => position !== undefined);
  if (placed.length < 2) return undefined;
  return new TextEncoder().encode(writeGpx(name === undefined ? {} : { name }, placed));
}

/**
 * The map of a course whose file is made of a record.
 *
 * @param line the number of the record in its file, from 0
 * @param made the connector that makes the file
 */
export function madeMap(entry: string, line: number, gpx: Uint8Array, made: string): NonNullable<Course["map"]> {
  return { entry, format: "gpx", line, sha256: hash("sha256", gpx), made };
}

/** One record of a file; undefined if there is none. `record` is its number, from 0. */
export async function recordAt(from: RowSource, archive: Archive, path: string, record: number): Promise<unknown> {
  const entry = archive.entry(path);
  let next = 0;
  for await (const { value } of (entry && from.records?.(archive, entry)) ?? []) if (next++ === record) return value;
  return undefined;
}
