/** Training plans, listed: the interface neither gets nor saves one. */
import type { Routes } from "../app.ts";
import { success } from "../envelope.ts";

/** List training plans: all but the commercial ones of other applications. */
export const trainingPlanRoutes: Routes = (app, store) => {
  app.get("/rest/logs/me/training_plans", async ({ caller }) => {
    const entries = await store.trainingPlans(caller.userId, caller.application);
    return success({ entries, numEntries: entries.length });
  });
};
