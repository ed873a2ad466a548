/**
 * Links workouts with the courses that they follow (`--link-courses`). The log gives no maps back, so the known courses are those of the sources of one
 * plan. Call `findFollowed` after the sources were read and before they are linked with each other, and `takeFollowed` after that: a course that a
 * source names itself counts first.
 */

import { type Candidate, type Chosen, chooseCourse } from "../../../transforms/courses/choose.ts";
import { compareTrack } from "../../../transforms/courses/follow.ts";
import { type Box, boxOf, isInReach } from "../../../transforms/courses/reach.ts";
import type { ThinLine } from "../../../transforms/courses/thin-line.ts";
import { toFacts } from "../../../transforms/duplicates.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { FollowedCourse, Workout } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LineOf, WorkoutLine } from "../../journal/line.ts";
import type { SourceLines } from "../../sources/source-lines.ts";
import { CourseLinks } from "./tell-courses.ts";

/** Metres of the shortest course that is looked for. The ends of a shorter one are too near each other. */
const SHORTEST = 400;

/** A course of the sources, and its line. */
interface KnownCourse {
  readonly key: string;
  readonly name: string;
  readonly line: ThinLine;
  readonly box: Box;
  readonly metres: number;
}

/** The plan, and what it needs to look at lines. */
export interface FollowingContext {
  readonly journal: Journal;
  readonly lines: SourceLines;
  /** Whether the records of a source come from a log: they have the courses that they had there. */
  readonly isOfLog: (source: number) => boolean;
  readonly report: (issue: Issue) => Promise<void>;
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Finds the course that each workout follows, and notes it in its line. It reads one track at a time. */
export async function findFollowed(run: number, context: FollowingContext): Promise<void> {
  const { journal, lines, isOfLog, signal } = context;
  const links = new CourseLinks();
  const courses = await readCourses(run, context, links);
  let done = 0;
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const { track } = line.value;
    if (signal.aborted) return;
    if (track === undefined || line.value.course !== undefined || isOfLog(line.source)) continue;
    const near = courses.filter((course) => isInReach(course, reachOf(line.value)));
    if (near.length === 0) continue;
    context.onProgress(++done);
    const read = await lines.track(track.source ?? line.source, track);
    if (read === undefined) {
      links.unread(line);
      continue;
    }
    const chosen = chooseAmong(read, near);
    links.add(line, chosen);
    await noteFollowed(line, chosen, journal);
  }
  for (const issue of links.issues(courses.length)) await context.report(issue);
}

/** The courses of a plan with a line. */
async function readCourses(
  run: number,
  { journal, lines, signal }: FollowingContext,
  links: CourseLinks,
): Promise<readonly KnownCourse[]> {
  const courses: KnownCourse[] = [];
  for await (const course of journal.lines(run, { state: ["planned"], kind: "course" })) {
    if (signal.aborted) return [];
    if (course.value.map === undefined) continue;
    const line = await lines.course(course.source, course.value);
    if (line === undefined) links.withoutLine(course as LineOf<"course">);
    else if (line.metres >= SHORTEST)
      courses.push({ key: course.key, name: course.value.name, line, box: boxOf(line), metres: line.metres });
  }
  return courses;
}

function reachOf(workout: Workout) {
  return { from: workout.start.position, metres: toFacts(workout)?.metres };
}

function chooseAmong(track: ThinLine, courses: readonly KnownCourse[]): Chosen<KnownCourse> {
  const compare = compareTrack(track);
  return chooseCourse(
    courses.flatMap((course) => {
      const following = compare(course.line);
      return following === undefined ? [] : [{ course, following }];
    }),
  );
}

/** Courses that a line keeps as those that its workout may follow. */
const MOST_KEPT = 5;

async function noteFollowed(
  line: WorkoutLine,
  { course, following, doubtful }: Chosen<KnownCourse>,
  journal: Journal,
): Promise<void> {
  const follows = course && following && followed({ course, following });
  const mayFollow = doubtful.slice(0, MOST_KEPT).map(followed);
  if (follows === undefined && mayFollow.length === 0) return;
  await journal.patchLine(line.run, line.seq, {
    value: { ...line.value, ...(follows === undefined ? { mayFollow } : { follows }) },
    facts: toFacts(line.value),
  });
}

function followed({ course: { key, name }, following }: Candidate<KnownCourse>): FollowedCourse {
  return { course: key, name, by: following };
}

/** Gives workouts the course that they follow, unless a source names one. */
export async function takeFollowed(run: number, { journal }: Pick<FollowingContext, "journal">): Promise<void> {
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const { follows, course } = line.value;
    if (follows === undefined || course !== undefined) continue;
    const value = { ...line.value, course: follows.course };
    await journal.patchLine(run, line.seq, { value, facts: toFacts(value) });
  }
}
