/** Training plans, listed: the interface neither gets nor saves one. */

import { success } from "../http/envelope.ts";
import { listed } from "../model/texts.ts";
import { TrainingPlan } from "../model/user.ts";
import { answers, listing } from "../openapi/operation.ts";
import type { Routes } from "./route.ts";

/** List training plans: all but the commercial ones of other applications. */
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
