/** Courses: get, save, their map, and the listing, which is known from clients. */
import Type from "typebox";
import { COURSE_ORDER } from "../gaps.ts";
import { takes, type Upload } from "../http/body.ts";
import { SUCCESS, success } from "../http/envelope.ts";
import { integer } from "../http/parameters.ts";
import { Refusal } from "../http/refusals.ts";
import { refuseUselessMap } from "../import/course-map.ts";
import { CourseBody, courseOf, ShownCourse, shownCourse } from "../model/course.ts";
import { listed } from "../model/texts.ts";
import {
  answers,
  BODY_REFUSALS,
  CODE_ONLY,
  envelope,
  listing,
  OF_ID,
  SAVED,
  SLICE,
  UNDOCUMENTED,
} from "../openapi/operation.ts";
import type { CourseOrder } from "../store/store.ts";
import { missing, sliceOf } from "./common.ts";
import type { Routes } from "./route.ts";

/** The order for each number of `sortBy`. */
const ORDERS: readonly CourseOrder[] = ["last used", "name", "distance"];

/** Get, save new, save existing, save map, list. */
export const courseRoutes: Routes = (app, store) => {
  app.get(
    "/rest/logs/me/courses/:id",
    {
      schema: {
        operationId: "getCourse",
        summary: "Get course",
        params: OF_ID,
        response: answers(envelope({ course: ShownCourse }), ["not-found"]),
      },
    },
    async ({ caller, params }) => {
      const found = await store.course(caller.userId, params.id);
      if (found === undefined) throw missing("course");
      return success({ course: shownCourse(found) });
    },
  );

  app.post(
    "/rest/logs/me/courses",
    {
      ...takes("packable json"),
      schema: {
        operationId: "saveNewCourse",
        summary: "Save new course",
        body: CourseBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field"]),
      },
    },
    async ({ caller, body }) => success({ id: await store.addCourse(caller.userId, courseOf(body)) }),
  );

  app.put(
    "/rest/logs/me/courses/:id",
    {
      ...takes("packable json"),
      schema: {
        operationId: "saveExistingCourse",
        summary: "Save existing course",
        description: "Replaces the course; its map stays.",
        params: OF_ID,
        body: CourseBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field", "not-found"]),
      },
    },
    async ({ caller, body, params: { id } }) => {
      if (!(await store.replaceCourse(caller.userId, id, courseOf(body)))) throw missing("course");
      return success({ id });
    },
  );

  app.post(
    "/rest/logs/me/courses/:id/:type",
    {
      ...takes("file"),
      schema: {
        operationId: "saveCourseMap",
        summary: "Save course map",
        description: "GPX 1.0 or 1.1 with a track or route of two positions at least; replaces the map the course has.",
        params: Type.Object({ id: OF_ID.properties.id, type: Type.Enum(["gpx"]) }),
        response: answers(CODE_ONLY, [...BODY_REFUSALS, "bad-file", "not-found"]),
      },
    },
    async ({ caller, body, params: { id, type: format } }) => {
      const upload = body as Upload | undefined;
      if ((await store.course(caller.userId, id)) === undefined) throw missing("course");
      if (upload === undefined || upload.bytes.length === 0) throw new Refusal("bad-file", "body: the file is empty");
      await refuseUselessMap(upload.bytes);
      await store.putCourseMap(caller.userId, id, { format, packed: await upload.packed() });
      return SUCCESS;
    },
  );

  app.get(
    "/rest/logs/me/courses",
    {
      schema: {
        operationId: "listCourses",
        summary: "List courses",
        description: UNDOCUMENTED,
        "x-undocumented": true,
        querystring: Type.Object({
          ...SLICE,
          sortBy: integer(
            { minimum: 0, maximum: ORDERS.length - 1 },
            {
              description: `${UNDOCUMENTED} ${ORDERS.map((order, number) => `${number} ${order}`).join(", ")}.`,
              default: COURSE_ORDER.default,
              "x-undocumented": true,
            },
          ),
        }),
        response: answers(listing(ShownCourse)),
      },
    },
    async ({ caller, query }) => {
      const order = ORDERS[query.sortBy ?? COURSE_ORDER.default] ?? "name";
      const { entries, total } = await store.courses(caller.userId, sliceOf(query), order);
      return success({ entries: entries.map((found) => listed(shownCourse(found))), numEntries: total });
    },
  );
};
