/** Imports: a device file in, the ids of its workouts out. */
import type { Routes } from "../app.ts";
import { takes, type Upload } from "../body.ts";
import { success } from "../envelope.ts";
import { DEFAULT_UTC_OFFSET_HOURS } from "../gaps.ts";
import { decodeUpload } from "../import/decode.ts";
import { workoutsOf } from "../import/workouts-of-file.ts";
import { activitiesOf } from "../model/activities.ts";
import { Refusal } from "../refusals.ts";
import type { PackedFile } from "../store/store.ts";

const TYPES: readonly PackedFile["format"][] = ["fit", "gpx", "tcx"];

/** Import workouts: one of each recording of the file, all or none. */
export const importRoutes: Routes = (app, store) => {
  app.post<{ Params: { type: string }; Body: Upload | undefined }>(
    "/rest/logs/me/workouts/:type",
    takes("file"),
    async ({ caller, body, params }) => {
      const format = TYPES.find((type) => type === params.type);
      if (format === undefined) throw new Refusal("not-found", `type: must be one of ${TYPES.join(", ")}`);
      if (body === undefined || body.bytes.length === 0) throw new Refusal("bad-file", "body: the file is empty");
      const recordings = await decodeUpload(body.bytes, format);
      if (recordings.length === 0) return success({ ids: [] });
      const { utcOffset = DEFAULT_UTC_OFFSET_HOURS } = await store.preference(caller.userId);
      const activities = activitiesOf(await store.activities(caller.userId));
      const workouts = workoutsOf(recordings, utcOffset, activities);
      return success({
        ids: await store.addImport(caller.userId, { format, packed: await body.packed() }, workouts),
      });
    },
  );
};
