/**
 * The courses of the account export: `anna_courses_1790751506315.json`. Their members are those of the service behind the website, and nobody has
 * published a file. So the list may stand anywhere near the top, and the line is any list of points with a latitude and a longitude.
 */
import type { Point } from "../../formats/recording.ts";
import type { CourseRecords, RecordedCourse } from "../table/description.ts";
import { positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow, json } from "../table/sources/json-source.ts";

const FILES = /_courses?_[^/]*\.json$/i;

/** The courses of the export of the account, with their lines. */
export const courses: CourseRecords = {
  files: FILES,
  from: json({
    files: FILES,
    knownBy: ["courseName"],
    lists: [["courses", "*"], ["courseList", "*"], ["*", "courses", "*"], ["*", "courseList", "*"], ["*"]],
  }),
  course: courseOf,
};

function courseOf(record: JsonRow): RecordedCourse | undefined {
  const { courseId: id, courseName: name, description: notes, distanceMeter, distanceInMeters } = record;
  if (typeof name !== "string") return undefined;
  const metres = [distanceMeter, distanceInMeters].find((value) => typeof value === "number");
  return {
    ...((typeof id === "string" || typeof id === "number") && { id: `${id}` }),
    name: name.trim(),
    ...(typeof notes === "string" && notes.trim() !== "" && { notes: notes.trim() }),
    ...(metres !== undefined && { metres }),
    points: lineOf(record),
  };
}

/** The longest list of points. The marks along a course (`coursePoints`) are points, too, and fewer than those of its line. */
function lineOf(record: JsonRow): readonly Point[] {
  const lists = Object.values(record).map(pointsIn);
  return lists.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
}

function pointsIn(value: unknown): readonly Point[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonRow).flatMap(({ latitude, lat, longitude, lon, lng, elevation }) => {
    const position = positionOf(latitude ?? lat, longitude ?? lon ?? lng);
    if (position === undefined) return [];
    return [{ position, ...(typeof elevation === "number" && { elevation }) }];
  });
}
