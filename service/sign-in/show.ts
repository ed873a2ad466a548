/** Sending a page. */
import type { FastifyReply } from "fastify";
import { html } from "../pages/html.ts";
import { documentOf, type Page } from "../pages/layout.ts";

/** Answers with a page. */
export function show(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(documentOf(page));
}

/** Answers with a page that says what went wrong, in a sentence, and where to go on. */
export function showTrouble(reply: FastifyReply, status: number, title: string, sentence: string): FastifyReply {
  const body = html`<h1>${title}</h1>
<p role="alert">${sentence}</p>
<p><a href="/">To the log</a></p>`;
  return show(reply, { title, body }, status);
}
