/** Equipment: get, save, and the listing with its five parameters. */
import type { Routes } from "../app.ts";
import { takes } from "../body.ts";
import { success } from "../envelope.ts";
import { activitiesOf, refuseUnknownActivity } from "../model/activities.ts";
import { EquipmentBody, equipmentOf, shownEquipment } from "../model/equipment.ts";
import { booleanParameter, integerParameter, type Query } from "../parameters.ts";
import { missing, type OfId, sliceOf } from "./common.ts";

/** Get, save new, save existing, list. */
export const equipmentRoutes: Routes = (app, store) => {
  app.get<OfId>("/rest/logs/me/equipment/:id", async ({ caller, params }) => {
    const found = await store.equipment(caller.userId, params.id);
    if (found === undefined) throw missing("equipment");
    return success({ equipment: shownEquipment(found) });
  });

  app.post(
    "/rest/logs/me/equipment",
    { ...takes("json"), schema: { body: EquipmentBody } },
    async ({ caller, body }) => {
      refuseUnknownActivity(activitiesOf(await store.activities(caller.userId)), body.activityID, undefined);
      return success({ id: await store.addEquipment(caller.userId, equipmentOf(body)) });
    },
  );

  app.put(
    "/rest/logs/me/equipment/:id",
    { ...takes("json"), schema: { body: EquipmentBody } },
    async ({ caller, body, params }) => {
      const { id } = params as OfId["Params"];
      refuseUnknownActivity(activitiesOf(await store.activities(caller.userId)), body.activityID, undefined);
      if (!(await store.replaceEquipment(caller.userId, id, equipmentOf(body)))) throw missing("equipment");
      return success({ id });
    },
  );

  app.get("/rest/logs/me/equipment", async ({ caller, query }) => {
    const which = {
      // Named so by the document: "Returns only equipment whose activity id equals the value".
      activityID: integerParameter(query as Query, "activityName", {
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: undefined,
      }),
      showRetired: booleanParameter(query as Query, "showRetired"),
    };
    const { entries, total } = await store.equipments(caller.userId, sliceOf(query as Query), which);
    return success({ entries: entries.map(shownEquipment), numEntries: total });
  });
};
