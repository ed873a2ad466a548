/**
 * Reads courses from a platform's own records. A log takes the map of a course as GPX, so logferry makes a GPX file of the points in each record.
 */
import { hash } from "node:crypto";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";
import { writeGpx } from "../../formats/gpx/write.ts";
import type { ReadSession } from "../session.ts";
import { conventionsOf } from "./conventions.ts";
import type { CourseRecords, RecordedCourse, RecordFound } from "./description.ts";

/** A course without a name of its own. */
const UNNAMED = "Unnamed course";

/** The shares of the line's length between which the platform's length is taken to be in metres, and of the same line. */
const [SHORTEST, LONGEST] = [0.8, 1.25];

/**
 * Reads the courses of all such files. A course that another file has, too, is skipped.
 *
 * @param prefix begins every key: the connector's name
 */
export async function* readCourseRecords(
  session: ReadSession,
  described: CourseRecords,
  prefix: string,
): AsyncGenerator<Reading> {
  const found = await described.from.find(session.archive, []);
  const withCourses = new Set<string>();
  for (const entry of found?.entries ?? []) {
    let count = 0;
    for await (const { value, place } of recordsIn(session.archive, entry, described)) {
      const course = isRecord(value) ? described.course(value) : undefined;
      if (course !== undefined) withCourses.add(entry.path);
      if (course !== undefined) yield readingOf(session, course, { entry, number: count, place }, prefix);
      count++;
    }
    // The records end before a fault of the file. Its rows tell the fault.
    for await (const row of found?.rows(session, entry, CONVENTIONS, session.report) ?? []) {
      if ("fields" in row) continue;
      const place = row.known ?? row.origin.locator ?? "";
      yield session.reject("quarantined", `${prefix}:course:${row.error.rule}:${place}`, row.origin, row.error);
    }
  }
  for (const { path } of session.archive.entries())
    if (described.files.test(path) && !withCourses.has(path))
      session.context.leftFile?.(path, "no course in a known form");
}

/** JSON has one way to write a number, so nothing of this matters. */
const CONVENTIONS = conventionsOf({ dates: { order: "iso", zone: "local" } });

/** Makes the GPX file of one record; undefined if it has no line. `record` is its number in the file, from 0. */
export async function lineOfRecord(
  described: CourseRecords,
  archive: Archive,
  path: string,
  record: number,
): Promise<Uint8Array | undefined> {
  const entry = archive.entry(path);
  let count = 0;
  for await (const { value } of entry === undefined ? [] : recordsIn(archive, entry, described)) {
    if (count++ !== record) continue;
    const course = isRecord(value) ? described.course(value) : undefined;
    return course && gpxOf(course);
  }
  return undefined;
}

function recordsIn(archive: Archive, entry: Entry, described: CourseRecords): AsyncIterable<RecordFound> {
  return described.from.records?.(archive, entry) ?? noRecords();
}

async function* noRecords(): AsyncGenerator<RecordFound> {}

function readingOf(
  session: ReadSession,
  course: RecordedCourse,
  { entry, number, place }: { readonly entry: Entry; readonly number: number; readonly place: string | undefined },
  prefix: string,
): Reading {
  const gpx = gpxOf(course);
  const route = gpx && decodeDeviceFile(gpx, "scan").routes[0];
  const sha256 = gpx && hash("sha256", gpx);
  const origin = session.origin(entry.path, place);
  const own = course.id ?? contentHash([course.name, sha256 ?? course.metres ?? ""]).slice(0, 32);
  const key = session.unique(`${prefix}:course:${own}`);
  if (key !== `${prefix}:course:${own}`) {
    const issue: Issue = {
      severity: "info",
      rule: "table/same-id",
      found: course.name,
      expected: "each course once",
    };
    return session.reject("skipped", key, origin, issue);
  }
  const metres = lengthOf(course.metres, route?.distance?.value);
  return {
    kind: "course",
    key,
    origin,
    value: {
      name: course.name === "" ? UNNAMED : course.name,
      ...(course.notes !== undefined && { notes: course.notes }),
      ...(metres !== undefined && { distance: { unit: "m", value: metres } }),
      ...(sha256 !== undefined && {
        map: { entry: entry.path, format: "gpx", line: number, sha256, made: prefix },
      }),
    },
  };
}

function gpxOf({ name, points }: RecordedCourse): Uint8Array | undefined {
  const placed = points.filter(({ position }) => position !== undefined);
  return placed.length < 2 ? undefined : new TextEncoder().encode(writeGpx({ name }, placed));
}

/** The platform's length, unless it contradicts the line. Some platforms write centimetres where others write metres. */
function lengthOf(said: number | undefined, drawn: number | undefined): number | undefined {
  if (said === undefined || !(said > 0)) return drawn;
  if (drawn === undefined) return said;
  return said >= drawn * SHORTEST && said <= drawn * LONGEST ? said : drawn;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
