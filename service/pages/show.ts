/** Sends pages. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { asRefusal } from "../http/refusals.ts";
import { html } from "./html.ts";
import { documentOf, type Page } from "./layout.ts";

declare module "fastify" {
  interface FastifyReply {
    /** Whether the page belongs to a rehearsal; undefined outside the browser side. */
    isRehearsal?: boolean;
    /** Whether the log has a page of decisions. */
    hasDecisions?: boolean;
  }
}

/** Answers with a page. */
export function show(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(documentOf(page, reply));
}

/** Answers with a page that explains the problem in a sentence, and links to a place to go on. */
export function showProblem(reply: FastifyReply, status: number, title: string, sentence: string): FastifyReply {
  const body = html`<h1>${title}</h1>
<p role="alert">${sentence}</p>
<p><a href="/">To the log</a></p>`;
  return show(reply, { title, body }, status);
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
  const { statusCode, message } = asRefusal(error);
  if (statusCode >= 500) request.log.error(error);
  showProblem(reply, statusCode, TITLES[statusCode] ?? "This can't be answered", `${message}.`);
}
