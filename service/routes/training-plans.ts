/** Lists training plans. The interface has no get and no save for a plan. */

import { success } from "../http/envelope.ts";
import { listed } from "../model/texts.ts";
import { TrainingPlan } from "../model/user.ts";
import { answers, listing } from "../openapi/operation.ts";
import type { Routes } from "./route.ts";

/** Lists all training plans except the commercial ones of other applications. */
export const trainingPlanRoutes: Routes = (app, store) => {
  app.get(
    "/rest/logs/me/training_plans",
    {
      schema: {
        operationId: "listTrainingPlans",
        summary: "List training plans",
        description: "Commercial plans that another application created are left out.",
        response: answers(listing(TrainingPlan)),
      },
    },
    async ({ caller }) => {
      const entries = (await store.trainingPlans(caller.userId, caller.application)).map(listed);
      return success({ entries, numEntries: entries.length });
    },
  );
};
