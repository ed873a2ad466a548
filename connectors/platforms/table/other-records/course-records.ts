/**
 * Reads courses from a platform's own records. A log takes the map of a course as GPX, so logferry makes a GPX file of the points in each record.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { contentHash } from "../../../../transforms/text/canonical.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { decodeDeviceFile } from "../../../formats/device-file.ts";
import type { ReadSession } from "../../session.ts";
import { conventionsOf } from "../conventions.ts";
import type { CourseRecords, RecordedCourse } from "../description.ts";
import { isJsonRow } from "../sources/json-source.ts";
import { courseGpx, madeMap, recordAt } from "./made-course-maps.ts";

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
  const told = new Set<string>();
  for (const entry of found?.entries ?? []) {
    let count = 0;
    for await (const { value, place } of described.from.records?.(session.archive, entry) ?? []) {
      const course = isJsonRow(value) ? described.course(value) : undefined;
      if (course !== undefined) told.add(entry.path);
      if (course !== undefined) yield readingOf(session, course, { entry, number: count, place }, prefix);
      count++;
    }
    // The records end before a fault of the file. Its rows tell the fault.
    for await (const row of found?.rows(session, entry, CONVENTIONS, session.report) ?? []) {
      if ("fields" in row) continue;
      told.add(entry.path);
      const place = row.known ?? row.origin.locator ?? "";
      yield session.reject("quarantined", `${prefix}:course:${row.error.rule}:${place}`, row.origin, row.error);
    }
  }
  // `reportOthers` names the files of 0 bytes.
  for (const { path, sizeBytes } of session.archive.entries())
    if (sizeBytes !== 0 && described.files.test(path) && !told.has(path))
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
  const value = await recordAt(described.from, archive, path, record);
  const course = isJsonRow(value) ? described.course(value) : undefined;
  return course && courseGpx(course.points, course.name);
}

function readingOf(
  session: ReadSession,
  course: RecordedCourse,
  { entry, number, place }: { readonly entry: Entry; readonly number: number; readonly place: string | undefined },
  prefix: string,
): Reading {
  const gpx = courseGpx(course.points, course.name);
  const route = gpx && decodeDeviceFile(gpx, "scan").routes[0];
  const map = gpx && madeMap(entry.path, number, gpx, prefix);
  const origin = session.origin(entry.path, place);
  const own = course.id ?? contentHash([course.name, map?.sha256 ?? course.metres ?? ""]).slice(0, 32);
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
      ...(map !== undefined && { map }),
    },
  };
}

/** The platform's length, unless it contradicts the line. Some platforms write centimetres where others write metres. */
function lengthOf(said: number | undefined, drawn: number | undefined): number | undefined {
  if (said === undefined || !(said > 0)) return drawn;
  if (drawn === undefined) return said;
  return said >= drawn * SHORTEST && said <= drawn * LONGEST ? said : drawn;
}
