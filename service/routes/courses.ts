/** Courses: get, save, their map, and the listing as it is known from clients. */
import type { Routes } from "../app.ts";
import { takes, type Upload } from "../body.ts";
import { SUCCESS, success } from "../envelope.ts";
import { COURSE_ORDER } from "../gaps.ts";
import { refuseUselessMap } from "../import/course-map.ts";
import { CourseBody, courseOf, shownCourse } from "../model/course.ts";
import { integerParameter, type Query } from "../parameters.ts";
import { Refusal } from "../refusals.ts";
import type { CourseOrder } from "../store/store.ts";
import { missing, type OfId, sliceOf } from "./common.ts";

/** What the numbers of `sortBy` mean. */
const ORDERS: readonly CourseOrder[] = ["last used", "name", "distance"];

/** Get, save new, save existing, save map, list. */
export const courseRoutes: Routes = (app, store) => {
  app.get<OfId>("/rest/logs/me/courses/:id", async ({ caller, params }) => {
    const found = await store.course(caller.userId, params.id);
    if (found === undefined) throw missing("course");
    return success({ course: shownCourse(found) });
  });

  app.post("/rest/logs/me/courses", { ...takes("packable json"), schema: { body: CourseBody } }, async (request) =>
    success({ id: await store.addCourse(request.caller.userId, courseOf(request.body)) }),
  );

  app.put(
    "/rest/logs/me/courses/:id",
    { ...takes("packable json"), schema: { body: CourseBody } },
    async ({ caller, body, params }) => {
      const { id } = params as OfId["Params"];
      if (!(await store.replaceCourse(caller.userId, id, courseOf(body)))) throw missing("course");
      return success({ id });
    },
  );

  app.post<{ Params: { id: string; type: string }; Body: Upload | undefined }>(
    "/rest/logs/me/courses/:id/:type",
    takes("file"),
    async ({ caller, body, params }) => {
      if (params.type !== "gpx") throw new Refusal("not-found", "type: a course map is a gpx file");
      if ((await store.course(caller.userId, params.id)) === undefined) throw missing("course");
      if (body === undefined || body.bytes.length === 0) throw new Refusal("bad-file", "body: the file is empty");
      await refuseUselessMap(body.bytes);
      await store.putCourseMap(caller.userId, params.id, { format: "gpx", packed: await body.packed() });
      return SUCCESS;
    },
  );

  app.get("/rest/logs/me/courses", async ({ caller, query }) => {
    const sortBy = integerParameter(query as Query, "sortBy", {
      minimum: 0,
      maximum: ORDERS.length - 1,
      default: COURSE_ORDER.default,
    });
    const { entries, total } = await store.courses(caller.userId, sliceOf(query as Query), ORDERS[sortBy] ?? "name");
    return success({ entries: entries.map(shownCourse), numEntries: total });
  });
};
