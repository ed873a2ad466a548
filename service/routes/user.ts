/** The profile, which applications read, and the preference, which they read and save. */

import { takes } from "../http/body.ts";
import { SUCCESS, success, withoutEmpty } from "../http/envelope.ts";
import { Refusal } from "../http/refusals.ts";
import { Preference } from "../model/preference.ts";
import { User } from "../model/user.ts";
import { answers, BODY_REFUSALS, CODE_ONLY, envelope } from "../openapi/operation.ts";
import type { Routes } from "./route.ts";

/** Get user, get preference, save preference. */
export const userRoutes: Routes = (app, store) => {
  app.get(
    "/rest/users/me",
    {
      schema: {
        operationId: "getUser",
        summary: "Get user",
        description: "The user must have granted access to private information.",
        response: answers(envelope(User.properties), ["forbidden"]),
      },
    },
    async ({ caller }) => {
      if (!caller.readsProfile) {
        throw new Refusal("forbidden", "access_token: the user has not granted access to private information");
      }
      const [profile, preference] = [await store.profile(caller.userId), await store.preference(caller.userId)];
      return success(withoutEmpty<User>({ ...profile, preference }));
    },
  );

  app.get(
    "/rest/users/me/preference",
    {
      schema: {
        operationId: "getPreference",
        summary: "Get preference",
        response: answers(envelope({ preference: Preference })),
      },
    },
    async ({ caller }) => success({ preference: await store.preference(caller.userId) }),
  );

  app.put(
    "/rest/users/me/preference",
    {
      ...takes("json"),
      schema: {
        operationId: "savePreference",
        summary: "Save preference",
        body: Preference,
        response: answers(CODE_ONLY, [...BODY_REFUSALS, "bad-field"]),
      },
    },
    async ({ caller, body }) => {
      await store.replacePreference(caller.userId, body);
      return SUCCESS;
    },
  );
};
