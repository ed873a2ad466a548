/** Training plans, listed: the interface neither gets nor saves one. */
import type { Routes } from "../app.ts";
import { success } from "../http/envelope.ts";
import { TrainingPlan } from "../model/user.ts";
import { answers, listing } from "../openapi/operation.ts";

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
      const entries = [...(await store.trainingPlans(caller.userId, caller.application))];
      return success({ entries, numEntries: entries.length });
    },
  );
};
