/** Answers an application through the user's browser. */
import type { FastifyReply } from "fastify";
import { OOB_ERROR_STATUS } from "../gaps.ts";
import type { ReturnAddress } from "./authorization-request.ts";
import { CONDITIONS, type Condition } from "./errors.ts";
import { OOB } from "./redirect-uris.ts";

/** Tells an application why it gets no code. */
export function refuse(reply: FastifyReply, to: ReturnAddress, condition: Condition): FastifyReply {
  const [error, description] = CONDITIONS[condition];
  const parameters = formOf(to, { error, error_description: description });
  if (to.redirectURI !== OOB) return sendBack(reply, to, parameters);
  // "The same parameters, form-encoded, are the only content of the page body."
  return reply.code(OOB_ERROR_STATUS).type("text/plain; charset=utf-8").send(parameters);
}

/** Sends the browser to the application with a code. It doesn't handle `OOB`, where a page shows the code. */
export function sendCode(reply: FastifyReply, to: ReturnAddress, code: string): FastifyReply {
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
