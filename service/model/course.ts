/** A course, as saved and as shown. */
import Type from "typebox";
import { LONGEST, REQUIRED } from "../gaps.ts";
import { withoutEmpty } from "../http/envelope.ts";
import { Distance } from "./measure.ts";
import { type Body, Flags, ForDisplay, saveBody } from "./save-body.ts";
import { Notes } from "./texts.ts";

/** The members with the same form in a save and a get. */
const SAME_BOTH_WAYS = {
  name: Type.String({ minLength: 1 }),
  notes: Type.String(),
  distance: Distance,
  surfaces: Flags,
};

/** The Course of the document, as a save takes it. `id` is "returned by get" and ignored. */
export const CourseBody = saveBody(
  {
    id: ForDisplay,
    ...SAME_BOTH_WAYS,
    name: Type.String({ minLength: 1, maxLength: LONGEST.text }),
    notes: Notes,
  },
  REQUIRED.course,
);
export type CourseBody = Body<typeof CourseBody>;

/** The Course of the document, as a get and the listing return it. */
export const ShownCourse = saveBody({ id: Type.String(), ...SAME_BOTH_WAYS }, ["id", "name"]);
export type ShownCourse = Body<typeof ShownCourse>;

/** The stored course. */
export type Course = Omit<CourseBody, "id">;

/** A stored course with its id. */
export interface FoundCourse {
  readonly id: string;
  readonly course: Course;
}

/** Turns a checked save body into the stored course. */
export function courseOf({ id: _id, ...own }: CourseBody): Course {
  return withoutEmpty(own);
}

/** The document's Course, as a get and the listing return it. */
export function shownCourse({ id, course }: FoundCourse): ShownCourse {
  return { id, ...course };
}
