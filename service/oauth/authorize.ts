/**
 * The authorization endpoint. The service checks the application first, then the user signs in, then the page asks the user. A GET
 * decides nothing. Every answer goes to a registered address, or to the user alone.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OOB_ERROR_STATUS } from "../gaps.ts";
import { hashOf, newToken } from "../http/ids.ts";
import type { Query } from "../http/parameters.ts";
import { asRefusal } from "../http/refusals.ts";
import { show, showError, showProblem } from "../pages/show.ts";
import type { SignedIn } from "../pages/signed-in.ts";
import { headersOf } from "../sign-in/headers.ts";
import { sendToSignIn } from "../sign-in/hooks.ts";
import type { Sessions } from "../sign-in/sessions.ts";
import type { AccountStore } from "../store/account-store.ts";
import { AUTHORIZE, type AuthorizationRequest, type ReturnAddress, readRequest } from "./authorization-request.ts";
import { CONSENT, codePage, consentPage } from "./consent-page.ts";
import { CONDITIONS, type Condition } from "./errors.ts";
import { OOB, parseOrigin } from "./redirect-uris.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The application's request. The authorization endpoint sets it once the request is found to be sound. */
    authorization: AuthorizationRequest | undefined;
  }
}

/** The parts that the endpoint works with. */
export interface AuthorizeParts {
  readonly accounts: AccountStore;
  readonly sessions: Sessions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** "Expires 10 minutes after it is granted." */
const CODE_LIFETIME_MS = 10 * 60_000;

/** Adds the endpoint to its own part of the app, where forms are read and pages have their headers. */
export function authorizeRoutes(app: FastifyInstance, { accounts, sessions, now }: AuthorizeParts): void {
  app.decorateRequest("authorization");
  app.setErrorHandler(answerError);
  app.addHook("onRequest", async (request, reply) => lookAt(accounts, request, reply));
  app.addHook("onRequest", (request) => sessions.read(request));
  app.addHook("onRequest", async (request, reply) => {
    const isKnown = request.signedIn !== undefined;
    return isKnown ? undefined : sendToSignIn(request, reply, request.authorization?.address);
  });

  app.get(AUTHORIZE, async (request, reply) => {
    const { asked, user } = partiesOf(request);
    const { login = "you" } = (await accounts.accountOf(user.userId)) ?? {};
    const origin = parseOrigin(asked.redirectURI);
    await reply.helmet(
      headersOf({ https: sessions.isSecure(request), formsLeadTo: origin === undefined ? [] : [origin] }),
    );
    return show(reply, { title: "Access to your log", body: consentPage(asked, login, user.csrfToken) });
  });

  app.post(AUTHORIZE, async (request, reply) => {
    const { asked, user } = partiesOf(request);
    const form = request.body as Query;
    const decision = form[CONSENT.decision];
    if (decision === CONSENT.refuse) return refuse(reply, asked, "refused by the user");
    if (decision !== CONSENT.allow) {
      return showProblem(reply, 400, "Neither yes nor no", "Nothing was granted. Go back and choose one.");
    }
    const code = newToken();
    await accounts.addCode({
      hash: hashOf(code),
      applicationId: asked.application.id,
      userId: user.userId,
      redirectURI: asked.redirectURI,
      readsProfile: form[CONSENT.profile] === "on",
      challenge: asked.challenge,
      expiresAt: now() + CODE_LIFETIME_MS,
    });
    if (asked.redirectURI !== OOB) return sendCode(reply, asked, code);
    return show(reply, { title: code, isBareTitle: true, body: codePage(asked.application.name, code) });
  });
}

async function lookAt(
  accounts: AccountStore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const reading = await readRequest(request.url, accounts);
  if (reading.kind === "refused") return refuse(reply, reading.to, reading.condition);
  if (reading.kind === "sound") {
    request.authorization = reading.request;
    return undefined;
  }
  const sentence = `An application sent you here, and its request can't be answered. ${reading.sentence}. Nothing was granted.`;
  return showProblem(reply, 400, "Not a request for access", sentence);
}

/** The application's request and the user. Both are known once the hooks have let a request through. */
function partiesOf({ authorization, signedIn }: FastifyRequest): { asked: AuthorizationRequest; user: SignedIn } {
  if (authorization === undefined || signedIn === undefined) throw new TypeError("A hook let a request through");
  return { asked: authorization, user: signedIn };
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { refusal, statusCode } = asRefusal(error);
  if (request.authorization === undefined || statusCode < 500) {
    showError(error, request, reply);
    return;
  }
  request.log.error(error);
  refuse(reply, request.authorization, refusal === "unavailable" ? "store unavailable" : "bug");
}

/** Tells an application why it gets no code. */
function refuse(reply: FastifyReply, to: ReturnAddress, condition: Condition): FastifyReply {
  const [error, description] = CONDITIONS[condition];
  const parameters = formOf(to, { error, error_description: description });
  if (to.redirectURI !== OOB) return sendBack(reply, to, parameters);
  // "The same parameters, form-encoded, are the only content of the page body."
  return reply.code(OOB_ERROR_STATUS).type("text/plain; charset=utf-8").send(parameters);
}

/** Sends the browser to the application with a code. It doesn't handle `OOB`, where a page shows the code. */
function sendCode(reply: FastifyReply, to: ReturnAddress, code: string): FastifyReply {
  return sendBack(reply, to, formOf(to, { code }));
}

function formOf({ state }: ReturnAddress, values: Readonly<Record<string, string>>): string {
  const form = new URLSearchParams(values).toString();
  return state === undefined ? form : `${form}&state=${state}`;
}

/** "Added to the redirect_uri query string": the address stays exactly as it is registered. */
function sendBack(reply: FastifyReply, { redirectURI }: ReturnAddress, parameters: string): FastifyReply {
  const joint = !redirectURI.includes("?") ? "?" : /[?&]$/.test(redirectURI) ? "" : "&";
  // Never 307 or 308: those would post the form with all its fields to the application (RFC 9700 section 4.12).
  return reply.redirect(redirectURI + joint + parameters, reply.request.method === "POST" ? 303 : 302);
}
