/** The checks before every page: you must be signed in, and only our own forms act. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { showProblem } from "../pages/show.ts";
import type { Sessions } from "./sessions.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Shown to everybody, signed in or not. */
    isPublic?: boolean;
  }
}

/** A hook: an answer ends the request. */
type Passed = Promise<FastifyReply | undefined>;

/** Sends the browser to the sign-in page, and from there to an address of ours. After a form, that is the page of the form. */
export function sendToSignIn(request: FastifyRequest, reply: FastifyReply, next: string | undefined): FastifyReply {
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`;
  return reply.redirect(`/sign-in${query}`, request.method === "POST" ? 303 : 302);
}

/** Lets signed-in users through, and lets everybody through to public pages. */
export async function signInFirst(request: FastifyRequest, reply: FastifyReply): Passed {
  if (request.signedIn !== undefined || request.routeOptions.config.isPublic === true) return undefined;
  return sendToSignIn(request, reply, isReading(request) ? request.url : undefined);
}

/** Lets through requests that only read, and our own forms. */
export async function ourFormsOnly(sessions: Sessions, request: FastifyRequest, reply: FastifyReply): Passed {
  if (isReading(request) || sessions.isOurForm(request)) return undefined;
  const sentence =
    "Nothing was changed. The form was not sent from a page of this service, or its page was open for too long: go back, load the page again and try once more.";
  return showProblem(reply, 403, "This form is not from here", sentence);
}

function isReading({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}
