/**
 * A page of decisions about what a log holds. Whoever starts the service brings it along: what is doubtful, and a button for each decision. The service
 * draws the page and says which button was pressed. It knows neither what the decisions mean nor where they are kept.
 */
import type { FastifyInstance } from "fastify";
import { type Html, html, verbatim } from "./html.ts";
import type { Page } from "./layout.ts";
import { show } from "./show.ts";
import type { SignedIn } from "./signed-in.ts";

/** A button for a decision. */
export interface DecisionButton {
  readonly label: string;
  /** The command that it stands for. The form sends it back. */
  readonly command: string;
}

/** Two records side by side. */
export interface Sides {
  readonly left: string;
  readonly right: string;
  readonly rows: readonly {
    readonly name: string;
    readonly left: string;
    readonly right: string;
    readonly differs: boolean;
  }[];
}

/** A record or a pair to decide about. */
export interface Doubt {
  /** Identifies it on the page: letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly sides?: Sides | undefined;
  /** The workout of the log that has it. */
  readonly workoutId?: string | undefined;
  /** What was decided; undefined while nothing was. */
  readonly decided?: string | undefined;
  readonly buttons: readonly DecisionButton[];
}

/** Doubts with one cause. */
export interface DoubtGroup {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly DecisionButton[];
  readonly doubts: readonly Doubt[];
  /** A sentence about doubts that are not shown. */
  readonly more?: string | undefined;
}

/** All that is doubtful. */
export interface Doubts {
  /** Undefined while nothing was decided since the log was filled. */
  readonly next?: { readonly text: string; readonly command: string } | undefined;
  readonly text: string;
  readonly groups: readonly DoubtGroup[];
}

/** Reads the doubts, and keeps decisions. */
export interface Decisions {
  read(): Promise<Doubts>;
  /** Keeps the decision of a button. @returns a sentence about a problem; undefined when it is kept */
  decide(command: string): Promise<string | undefined>;
}

/** The address of the page. */
export const DECISIONS_ADDRESS = "/rehearsal";

/** What the form of a button sends. */
interface DecisionForm {
  readonly command?: unknown;
  readonly at?: unknown;
}

/** Adds the page. */
export function decisionRoutes(app: FastifyInstance, decisions: Decisions): void {
  app.get(DECISIONS_ADDRESS, async (request, reply) =>
    show(reply, pageOf(await decisions.read(), request.signedIn as SignedIn)),
  );
  app.post(DECISIONS_ADDRESS, async (request, reply) => {
    const { command, at } = (request.body ?? {}) as DecisionForm;
    const problem = typeof command === "string" ? await decisions.decide(command) : "No decision was sent.";
    if (problem !== undefined)
      return show(reply, pageOf(await decisions.read(), request.signedIn as SignedIn, problem), 400);
    const place = typeof at === "string" && /^[\w-]{1,80}$/.test(at) ? `#${at}` : "";
    return reply.redirect(`${DECISIONS_ADDRESS}${place}`, 303);
  });
}

function pageOf({ next, text, groups }: Doubts, signedIn: SignedIn, problem?: string): Page {
  const body = html`<h1>To decide</h1>
${problem !== undefined && html`<p role="alert">Nothing was changed. ${problem}</p>`}
${next !== undefined && html`<p role="status">${next.text} <code>${next.command}</code></p>`}
<p>${text}</p>
${groups.length > 1 && html`<nav aria-label="On this page"><ul>${groups.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`}
${groups.map((group) => groupOf(group, signedIn))}`;
  return { title: "To decide", body, signedIn, within: DECISIONS_ADDRESS };
}

function groupOf({ id, title, text, buttons, doubts, more }: DoubtGroup, signedIn: SignedIn): Html {
  return html`<section class="doubts" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${text}</p>
${formOf(id, `About all of them: ${title}`, buttons, signedIn)}
${doubts.map((doubt) => doubtOf(doubt, signedIn))}
${more !== undefined && html`<p class="muted">${more}</p>`}
</section>`;
}

function doubtOf({ id, title, text, sides, workoutId, decided, buttons }: Doubt, signedIn: SignedIn): Html {
  return html`<article class="card" aria-labelledby="${id}">
<h3 id="${id}">${title}${decided !== undefined && html` <span class="badge">decided</span>`}</h3>
${text !== "" && html`<p>${text}</p>`}
${sides !== undefined && tableOf(sides)}
${workoutId !== undefined && html`<p><a href="/workouts/${workoutId}">The workout in this log<span class="hidden">: ${title}</span></a></p>`}
${decided !== undefined && html`<p class="good">${decided}</p>`}
${formOf(id, title, buttons, signedIn)}
</article>`;
}

function tableOf({ left, right, rows }: Sides): Html {
  const body = rows.map(
    (row) =>
      html`<tr${row.differs && html` class="differs"`}><th scope="row">${row.name}${row.differs && html` <span class="badge">differs</span>`}</th><td>${row.left}</td><td>${row.right}</td></tr>`,
  );
  return html`<table class="sides"><thead><tr><td></td><th scope="col">${left}</th><th scope="col">${right}</th></tr></thead><tbody>${body}</tbody></table>`;
}

function formOf(at: string, about: string, buttons: readonly DecisionButton[], { csrfToken }: SignedIn): Html {
  if (buttons.length === 0) return html``;
  const all = buttons.map(
    ({ label, command }) =>
      html`<button name="command" value="${verbatim(command)}">${label}<span class="hidden">, ${about}: </span><code>${command}</code></button>`,
  );
  return html`<form method="post" action="${DECISIONS_ADDRESS}"><input type="hidden" name="_csrf" value="${csrfToken}"><input type="hidden" name="at" value="${at}">${all}</form>`;
}
