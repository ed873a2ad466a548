/** The activities of a user with the workout types of each. One service is known to list them like this. */
import Type from "typebox";
import { ACTIVITY_TYPES_PATH } from "../gaps.ts";
import { success } from "../http/envelope.ts";
import { activitiesOf } from "../model/activities.ts";
import { answers, listing, UNDOCUMENTED } from "../openapi/operation.ts";
import type { Routes } from "./route.ts";

const ActivityType = Type.Object({
  activityID: Type.Integer(),
  activityName: Type.String(),
  workoutTypes: Type.Array(Type.Object({ workoutID: Type.Integer(), workoutName: Type.String() })),
});

/** List activity types. */
export const activityTypeRoutes: Routes = (app, store) => {
  app.get(
    ACTIVITY_TYPES_PATH,
    {
      schema: {
        operationId: "listActivityTypes",
        summary: "List activity types",
        description: `${UNDOCUMENTED} The numbers that \`activityID\` and \`workoutID\` take.`,
        "x-undocumented": true,
        response: answers(listing(ActivityType)),
      },
    },
    async ({ caller }) => {
      const entries = activitiesOf(await store.activities(caller.userId)).map(({ id, name, types }) => ({
        activityID: id,
        activityName: name,
        workoutTypes: types.map((workoutName, index) => ({ workoutID: index + 1, workoutName })),
      }));
      return success({ entries, numEntries: entries.length });
    },
  );
};
