/** Imports: a device file in, the ids of its workouts out. */
import Type from "typebox";
import { DEFAULT_UTC_OFFSET_HOURS } from "../gaps.ts";
import { takes, type Upload } from "../http/body.ts";
import { success } from "../http/envelope.ts";
import { Refusal } from "../http/refusals.ts";
import { decodeUpload } from "../import/decode.ts";
import { toWorkouts } from "../import/workouts-of-file.ts";
import { activitiesOf } from "../model/activities.ts";
import { answers, BODY_REFUSALS, envelope } from "../openapi/operation.ts";
import type { Routes } from "./route.ts";

/** Imports a file: one workout for each recording, all or none. */
export const importRoutes: Routes = (app, store) => {
  app.post(
    "/rest/logs/me/workouts/:type",
    {
      ...takes("file"),
      schema: {
        operationId: "importWorkouts",
        summary: "Import workouts",
        description: "One workout for each recording of the file, in its order; a sound file without any gives no ids.",
        params: Type.Object({ type: Type.Enum(["fit", "gpx", "tcx"]) }),
        response: answers(envelope({ ids: Type.Array(Type.String()) }), [...BODY_REFUSALS, "bad-file", "not-found"]),
      },
    },
    async ({ caller, body, params: { type: format } }) => {
      const upload = body as Upload | undefined;
      if (upload === undefined || upload.bytes.length === 0) throw new Refusal("bad-file", "body: the file is empty");
      const recordings = await decodeUpload(upload.bytes, format);
      if (recordings.length === 0) return success({ ids: [] });
      const { utcOffset = DEFAULT_UTC_OFFSET_HOURS } = await store.preference(caller.userId);
      const activities = activitiesOf(await store.activities(caller.userId));
      const workouts = toWorkouts(recordings, utcOffset, activities);
      const ids = await store.addImport(caller.userId, { format, packed: await upload.packed() }, workouts);
      return success({ ids: [...ids] });
    },
  );
};
