/**
 * The part of the service that browsers see: cookies, forms, headers, and who is signed in. You must be signed in to see a page, unless
 * its route says that it is for everybody. A form acts only if it came from one of our own pages.
 */
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { authorizeRoutes } from "./oauth/authorize.ts";
import { connectedRoutes } from "./oauth/connected.ts";
import { descriptionPage } from "./openapi/page.ts";
import { type Decisions, decisionRoutes } from "./pages/decisions.ts";
import { type PageStores, pageRoutes } from "./pages/routes.ts";
import { showError } from "./pages/show.ts";
import { accountRoutes } from "./sign-in/account.ts";
import { destinationsOf } from "./sign-in/destinations.ts";
import { PasswordGuard } from "./sign-in/guard.ts";
import { headersOf } from "./sign-in/headers.ts";
import { ourFormsOnly, signInFirst } from "./sign-in/hooks.ts";
import { type OnceKeys, onceRoutes } from "./sign-in/once.ts";
import { type BrowserOptions, Sessions } from "./sign-in/sessions.ts";
import { signInRoutes } from "./sign-in/sign-in.ts";

/** The longest form. A change of the preference is a few hundred bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** Options of the browser side. */
export interface BrowserSideOptions extends BrowserOptions {
  /** Every page says that this log is a rehearsal. */
  readonly isRehearsal: boolean;
  /** Keys that sign a browser in once; undefined when there are none. */
  readonly onceKeys: OnceKeys | undefined;
  /** The page of decisions; undefined without one. */
  readonly decisions: Decisions | undefined;
}

/** Adds the browser side to its own part of the app. */
export async function browserSide(
  app: FastifyInstance,
  stores: PageStores,
  options: BrowserSideOptions,
): Promise<void> {
  const sessions = new Sessions(stores.accounts, options);
  app.removeAllContentTypeParsers();
  // Awaited, because the hooks below need the members that these plugins add.
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.decorateRequest("signedIn");
  app.decorateReply("isRehearsal", options.isRehearsal);
  app.decorateReply("hasDecisions", options.decisions !== undefined);
  app.setErrorHandler(showError);
  app.addHook("onRequest", async (request, reply) => {
    await reply.helmet(headersOf({ https: sessions.isSecure(request) }));
  });
  app.addHook("preHandler", async (request, reply) => ourFormsOnly(sessions, request, reply));
  const destination = destinationsOf(app);

  const { accounts } = stores;
  const guard = new PasswordGuard(accounts, options.now);
  const parts = { accounts, sessions, guard, destination, now: options.now };
  app.register(async (authorize) => authorizeRoutes(authorize, parts));
  app.register(async (pages) => {
    pages.addHook("onRequest", (request) => sessions.read(request));
    pages.addHook("onRequest", signInFirst);
    signInRoutes(pages, parts);
    if (options.onceKeys !== undefined) onceRoutes(pages, sessions, options.onceKeys);
    accountRoutes(pages, parts);
    connectedRoutes(pages, accounts);
    pageRoutes(pages, stores);
    if (options.decisions !== undefined) decisionRoutes(pages, options.decisions);
    descriptionPage(pages);
  });
}
