/** A course on its way in and out. */
import Type from "typebox";
import { withoutEmpty } from "../envelope.ts";
import { REQUIRED } from "../gaps.ts";
import { Distance } from "./measure.ts";
import { type Body, Flags, saveBody } from "./save-body.ts";

/** The Course of the document, as a save takes it; `id` is "returned by get" and ignored. */
export const CourseBody = saveBody(
  {
    id: Type.Unknown(),
    name: Type.String({ minLength: 1 }),
    notes: Type.String(),
    distance: Distance,
    surfaces: Flags,
  },
  REQUIRED.course,
);
export type CourseBody = Body<typeof CourseBody>;

/** What is stored. */
export type Course = Omit<CourseBody, "id">;

/** A stored course with its id. */
export interface FoundCourse {
  readonly id: string;
  readonly course: Course;
}

/** From a checked save body to what is stored. */
export function courseOf({ id: _id, ...own }: CourseBody): Course {
  return withoutEmpty(own);
}

/** The document's Course, as a get and the listing return it. */
export function shownCourse({ id, course }: FoundCourse): object {
  return { id, ...course };
}
