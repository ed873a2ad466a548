/** The pages for the owner of a log: their addresses, and the people who may see them. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { AccountStore } from "../store/account-store.ts";
import type { LogStore } from "../store/log-store.ts";
import { assetRoutes } from "./assets.ts";
import { coursePage, coursesPage } from "./course-pages.ts";
import { equipmentListPage, equipmentPage } from "./equipment-pages.ts";
import type { Page } from "./layout.ts";
import { logPage } from "./log-page.ts";
import { isPeriod, monthPage, yearPage } from "./period-pages.ts";
import { plansPage } from "./plans-page.ts";
import { type PreferenceForm, preferenceOf, preferencePage } from "./preference-page.ts";
import { type ProfileForm, parseProfile } from "./profile-form.ts";
import { show } from "./show.ts";
import type { SignedIn } from "./signed-in.ts";
import { measuredOf } from "./sums.ts";
import { offsetOf, readView, showMissing } from "./view.ts";
import { workoutPage } from "./workout-page.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in user, on requests for pages; undefined when there is none. */
    signedIn: SignedIn | undefined;
  }
}

/** The stores that pages read and change. */
export interface PageStores {
  readonly store: LogStore;
  readonly accounts: AccountStore;
}

/** A page with an id in its address. */
interface OfId {
  Params: { id: string };
}

/**
 * Adds the pages to a part of the app where `signedIn` is set. You must be signed in to see a page, unless its route has `config: {
 * isPublic: true }`. Forms without `_csrf` never arrive.
 */
export function pageRoutes(app: FastifyInstance, { store }: PageStores): void {
  assetRoutes(app);
  app.get("/", async (request, reply) =>
    show(reply, await logPage(await readView(request, store), measuredOf(request.query))),
  );

  app.get<{ Params: { period: string } }>("/log/:period", async (request, reply) => {
    const { period } = request.params;
    if (!isPeriod(period)) return showMissing(reply, request.signedIn, "year or month");
    const view = await readView(request, store);
    const by = measuredOf(request.query);
    return show(
      reply,
      period.length === 4 ? await yearPage(view, period, by) : await monthPage(view, period, by, offsetOf(request)),
    );
  });

  app.get<OfId>("/workouts/:id", async (request, reply) =>
    showOr(reply, await workoutPage(await readView(request, store), request.params.id), "workout"),
  );
  app.get("/courses", async (request, reply) =>
    show(reply, await coursesPage(await readView(request, store), offsetOf(request))),
  );
  app.get<OfId>("/courses/:id", async (request, reply) =>
    showOr(reply, await coursePage(await readView(request, store), request.params.id, offsetOf(request)), "course"),
  );
  app.get("/equipment", async (request, reply) =>
    show(reply, await equipmentListPage(await readView(request, store), offsetOf(request))),
  );
  app.get<OfId>("/equipment/:id", async (request, reply) =>
    showOr(
      reply,
      await equipmentPage(await readView(request, store), request.params.id, offsetOf(request)),
      "piece of equipment",
    ),
  );
  app.get("/plans", async (request, reply) => show(reply, await plansPage(await readView(request, store))));

  app.get("/preference", async (request, reply) => {
    const { saved } = request.query as { saved?: unknown };
    const done = saved === "yes" ? "preference" : saved === "profile" ? "profile" : undefined;
    return show(reply, await preferencePage(await readView(request, store), { saved: done }));
  });
  app.post("/preference", async (request, reply) => {
    const view = await readView(request, store);
    const typed = (request.body ?? {}) as PreferenceForm;
    const preference = preferenceOf(typed);
    if (typeof preference === "string") {
      const failed = { form: "preference", problem: preference, typed } as const;
      return show(reply, await preferencePage(view, { failed }), 400);
    }
    await store.replacePreference(view.userId, preference);
    return reply.redirect("/preference?saved=yes", 303);
  });
  app.post("/preference/profile", async (request, reply) => {
    const view = await readView(request, store);
    const typed = (request.body ?? {}) as ProfileForm;
    const profile = parseProfile(typed);
    if (typeof profile === "string") {
      const failed = { form: "profile", problem: profile, typed } as const;
      return show(reply, await preferencePage(view, { failed }), 400);
    }
    await store.replaceProfile(view.userId, profile);
    return reply.redirect("/preference?saved=profile", 303);
  });
}

function showOr(reply: FastifyReply, page: Page | undefined, what: string): FastifyReply {
  return page === undefined ? showMissing(reply, reply.request.signedIn, what) : show(reply, page);
}
