/**
 * The part of the service that browsers see: cookies, forms and headers, and who is signed in. Nobody who isn't signed in gets to see
 * a page unless its route says it is for everybody, and no form acts unless it came from a page of ours.
 */
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type PageStores, pageRoutes } from "../pages/routes.ts";
import { asRefusal } from "../refusals.ts";
import { destinationsOf } from "./destinations.ts";
import { headersOf } from "./headers.ts";
import { type BrowserOptions, Sessions } from "./sessions.ts";
import { showTrouble } from "./show.ts";
import { signInRoutes } from "./sign-in.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Shown to everybody, signed in or not. */
    isPublic?: boolean;
  }
}

/** The longest form: a change of the preference is a few hundred bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** Adds what browsers see to a part of the app of its own. */
export async function browserSide(app: FastifyInstance, stores: PageStores, options: BrowserOptions): Promise<void> {
  const sessions = new Sessions(stores.accounts, options);
  app.removeAllContentTypeParsers();
  // At once: what they add must be there before the hooks below run.
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.decorateRequest("signedIn");
  app.setErrorHandler(showError);
  app.addHook("onRequest", async (request, reply) => {
    await reply.helmet(headersOf({ https: sessions.isSecure(request) }));
  });
  const destination = destinationsOf(app);

  app.register(async (pages) => {
    pages.addHook("onRequest", (request) => sessions.read(request));
    pages.addHook("onRequest", signInFirst);
    pages.addHook("preHandler", async (request, reply) => ourFormsOnly(sessions, request, reply));
    signInRoutes(pages, { accounts: stores.accounts, sessions, destination, now: options.now });
    pageRoutes(pages, stores);
  });
}

/** Sends whoever isn't signed in to the sign-in page, and from there back here. */
async function signInFirst(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.signedIn !== undefined || request.routeOptions.config.isPublic === true) return undefined;
  const isReading = request.method === "GET" || request.method === "HEAD";
  return reply.redirect(isReading ? `/sign-in?next=${encodeURIComponent(request.url)}` : "/sign-in", 303);
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

async function ourFormsOnly(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (READING.has(request.method) || sessions.isOurForm(request)) return undefined;
  return showTrouble(
    reply,
    403,
    "This form is not from here",
    "Nothing was changed. The form was not sent from a page of this service, or the page was open for too long: go back, load it again and try once more.",
  );
}

/** A title for each status that a page can fail with. */
const TITLES: Readonly<Record<number, string>> = {
  404: "Nothing here",
  413: "Too large",
  415: "Not a form",
  500: "The service failed",
  503: "Not available just now",
};

/** Answers an error with a page. */
export function showError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error);
  if (refusal.statusCode >= 500) request.log.error(error);
  showTrouble(reply, refusal.statusCode, TITLES[refusal.statusCode] ?? "This can't be answered", `${refusal.message}.`);
}
