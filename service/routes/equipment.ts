/** Equipment: get, save, and the listing with its five parameters. */
import Type from "typebox";
import { takes } from "../http/body.ts";
import { success } from "../http/envelope.ts";
import { boolean, integer } from "../http/parameters.ts";
import { refuseUnknownActivity } from "../model/activities.ts";
import { EquipmentBody, ShownEquipment, shownEquipment, toEquipment } from "../model/equipment.ts";
import { listed } from "../model/texts.ts";
import { answers, BODY_REFUSALS, envelope, listing, OF_ID, SAVED, SLICE } from "../openapi/operation.ts";
import { activitiesFor, missing, sliceOf } from "./common.ts";
import type { Routes } from "./route.ts";

/** Get, save new, save existing, list. */
export const equipmentRoutes: Routes = (app, store) => {
  app.get(
    "/rest/logs/me/equipment/:id",
    {
      schema: {
        operationId: "getEquipment",
        summary: "Get equipment",
        params: OF_ID,
        response: answers(envelope({ equipment: ShownEquipment }), ["not-found"]),
      },
    },
    async ({ caller, params }) => {
      const found = await store.equipment(caller.userId, params.id);
      if (found === undefined) throw missing("equipment");
      return success({ equipment: shownEquipment(found) });
    },
  );

  app.post(
    "/rest/logs/me/equipment",
    {
      ...takes("json"),
      schema: {
        operationId: "saveNewEquipment",
        summary: "Save new equipment",
        body: EquipmentBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field", "unknown-reference"]),
      },
    },
    async ({ caller, body }) => {
      refuseUnknownActivity(await activitiesFor(store, caller.userId, [body]), body.activityID, undefined);
      return success({ id: await store.addEquipment(caller.userId, toEquipment(body)) });
    },
  );

  app.put(
    "/rest/logs/me/equipment/:id",
    {
      ...takes("json"),
      schema: {
        operationId: "saveExistingEquipment",
        summary: "Save existing equipment",
        description: "Replaces the piece; its accumulated distance and whether it is retired stay.",
        params: OF_ID,
        body: EquipmentBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field", "unknown-reference", "not-found"]),
      },
    },
    async ({ caller, body, params: { id } }) => {
      refuseUnknownActivity(await activitiesFor(store, caller.userId, [body]), body.activityID, undefined);
      if (!(await store.replaceEquipment(caller.userId, id, toEquipment(body)))) throw missing("equipment");
      return success({ id });
    },
  );

  app.get(
    "/rest/logs/me/equipment",
    {
      schema: {
        operationId: "listEquipment",
        summary: "List equipment",
        querystring: Type.Object({
          // The document gives it this name, though it takes an id.
          activityName: integer(
            { minimum: 0, maximum: 2 ** 31 - 1 },
            { description: "Returns only equipment whose activity id equals the value" },
          ),
          ...SLICE,
          showRetired: boolean({ description: "When true, retired equipment is included in the result" }),
        }),
        response: answers(listing(ShownEquipment)),
      },
    },
    async ({ caller, query }) => {
      const which = { activityID: query.activityName, showRetired: query.showRetired ?? false };
      const { entries, total } = await store.equipments(caller.userId, sliceOf(query), which);
      return success({ entries: entries.map((found) => listed(shownEquipment(found))), numEntries: total });
    },
  );
};
