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

/** A field of a form. */
export interface DecisionField {
  /** The form sends the value by this name: small letters. */
  readonly name: string;
  readonly label: string;
  /** An example, or what the field takes. */
  readonly hint?: string | undefined;
  /** The values to choose from; undefined for a text that is typed. */
  readonly choices?: readonly string[] | undefined;
  readonly isRequired: boolean;
  readonly value?: string | undefined;
}

/** A form for a decision that needs values. */
export interface DecisionForm {
  readonly label: string;
  /** The command that it stands for, without the values. The form sends it back with them. */
  readonly command: string;
  readonly fields: readonly DecisionField[];
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
  readonly form?: DecisionForm | undefined;
}

/** Doubts with one cause. */
export interface DoubtGroup {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly DecisionButton[];
  /** A form about all of them. */
  readonly form?: DecisionForm | undefined;
  readonly doubts: readonly Doubt[];
  /** A sentence about doubts that are not shown. */
  readonly more?: string | undefined;
  /** The doubts before and after those that are shown: a link's words, and the place of its first doubt. */
  readonly pages?: readonly { readonly label: string; readonly from: number }[];
}

/** Which doubts of a group to show: from this place on. The other groups show their first ones. */
export interface GroupView {
  readonly group: string;
  readonly from: number;
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
  read(view?: GroupView): Promise<Doubts>;
  /**
   * Keeps the decision of a button or a form.
   *
   * @param values the values of a form that are not empty, by the names of its fields
   * @param view what the page with the button or the form showed
   * @returns a sentence about a problem; undefined when it is kept
   */
  decide(command: string, values: ReadonlyMap<string, string>, view?: GroupView): Promise<string | undefined>;
}

/** The address of the page. */
export const DECISIONS_ADDRESS = "/rehearsal";

/** What a form sends. Fields of a form with values have this before their names. */
type Sent = Readonly<Record<string, unknown>>;
const FIELD = "field-";

/** Adds the page. */
export function decisionRoutes(app: FastifyInstance, decisions: Decisions): void {
  app.get(DECISIONS_ADDRESS, async (request, reply) => {
    const asked = request.query as Sent;
    const view = viewOf(asked);
    return show(
      reply,
      pageOf(await decisions.read(view), { signedIn: request.signedIn as SignedIn, view, after: nameOf(asked.after) }),
    );
  });
  app.post(DECISIONS_ADDRESS, async (request, reply) => {
    const sent = (request.body ?? {}) as Sent;
    const { command, at } = sent;
    const values = valuesOf(sent);
    const view = viewOf(sent);
    const before = await decisions.read(view);
    const problem =
      typeof command === "string" ? await decisions.decide(command, values, view) : "No decision was sent.";
    if (problem !== undefined) {
      const refused = { text: problem, at, values };
      return show(
        reply,
        pageOf(await decisions.read(view), { signedIn: request.signedIn as SignedIn, view, refused }),
        400,
      );
    }
    const place = nameOf(at);
    const next = place === undefined ? undefined : nextOpen(place, before, await decisions.read(view));
    const shown = {
      ...(view && { group: view.group, from: String(view.from) }),
      ...(next !== undefined && place !== undefined && { after: place }),
    };
    const query = new URLSearchParams(shown).toString();
    return reply.redirect(
      `${DECISIONS_ADDRESS}${query === "" ? "" : `?${query}`}${place === undefined ? "" : `#${next ?? place}`}`,
      303,
    );
  });
}

/**
 * The doubt to go on with, after one was decided. What is decided moves to the end of the page, and whoever has a keyboard alone would have to come
 * back from there.
 *
 * @returns undefined where the doubt was decided before, or its group has nothing else to decide
 */
function nextOpen(at: string, before: Doubts, now: Doubts): string | undefined {
  const group = before.groups.find(({ doubts }) => doubts.some(({ id }) => id === at));
  const place = group?.doubts.findIndex(({ id }) => id === at) ?? -1;
  if (group === undefined || group.doubts[place]?.decided !== undefined) return undefined;
  const open = new Set(
    now.groups.flatMap(({ doubts }) => doubts.filter(({ decided }) => decided === undefined).map(({ id }) => id)),
  );
  if (open.has(at)) return undefined;
  const others = [...group.doubts.slice(place + 1), ...group.doubts.slice(0, place)];
  return (
    others.find(({ id }) => open.has(id))?.id ??
    now.groups.find(({ id }) => id === group.id)?.doubts.find(({ id }) => open.has(id))?.id
  );
}

/** The name of a doubt or a group; undefined for anything else. */
function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,80}$/.test(value) ? value : undefined;
}

/** What a page shows of a long group; undefined for the first doubts of each. */
function viewOf({ group, from }: Sent): GroupView | undefined {
  const name = nameOf(group);
  return name !== undefined && typeof from === "string" && /^\d{1,7}$/.test(from)
    ? { group: name, from: Number(from) }
    : undefined;
}

/** The typed values of a form. An empty field says nothing. */
function valuesOf(sent: Sent): ReadonlyMap<string, string> {
  const typed = Object.entries(sent).flatMap(([name, value]) =>
    name.startsWith(FIELD) && typeof value === "string" && value.trim() !== ""
      ? [[name.slice(FIELD.length), value.trim()] as const]
      : [],
  );
  return new Map(typed);
}

/** A decision that the page refused. It has the reason, the record, and the values that the person typed. */
interface RefusedDecision {
  readonly text: string;
  readonly at: unknown;
  readonly values: ReadonlyMap<string, string>;
}

/** How a page is drawn: for whom, which doubts it shows, after which decision, or after which refusal. */
interface Drawing {
  readonly signedIn: SignedIn;
  readonly view: GroupView | undefined;
  readonly after?: string | undefined;
  readonly refused?: RefusedDecision;
}

function pageOf({ next, text, groups }: Doubts, drawing: Drawing): Page {
  const { signedIn, refused, after } = drawing;
  const isThere = groups.some(({ doubts }) => doubts.some(({ id }) => id === after));
  const body = html`<h1>To decide</h1>
${refused !== undefined && html`<p role="alert" id="problem">Nothing was changed. ${refused.text}</p>`}
${next !== undefined && html`<p role="status">${next.text} <code>${next.command}</code></p>`}
${after !== undefined && html`<p>Decided.${isThere && html` <a href="#${after}">Look at it, or take it back</a>`}</p>`}
<p>${text}</p>
${groups.length > 1 && html`<nav aria-label="On this page"><ul>${groups.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`}
${groups.map((group) => groupOf(group, drawing))}`;
  return { title: "To decide", body, signedIn, within: DECISIONS_ADDRESS };
}

function groupOf({ id, title, text, buttons, form, doubts, more, pages = [] }: DoubtGroup, drawing: Drawing): Html {
  const { refused } = drawing;
  return html`<section class="doubts" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${text}</p>
${formOf(id, `About all of them: ${title}`, buttons, drawing)}
${valuesForm({ id, title, form }, drawing, refused?.at === id ? refused : undefined)}
${doubts.map((doubt) => doubtOf(doubt, drawing))}
${more !== undefined && html`<p class="muted">${more}</p>`}
${pages.length > 0 && html`<nav aria-label="More of: ${title}"><ul>${pages.map(({ label, from }) => html`<li><a href="${DECISIONS_ADDRESS}?group=${id}&from=${String(from)}#${id}">${label}</a></li>`)}</ul></nav>`}
</section>`;
}

function doubtOf(doubt: Doubt, drawing: Drawing): Html {
  const { refused } = drawing;
  const { id, title, text, sides, workoutId, decided, buttons } = doubt;
  return html`<article class="card" aria-labelledby="${id}">
<h3 id="${id}">${title}${decided !== undefined && html` <span class="badge">decided</span>`}</h3>
${text !== "" && html`<p>${text}</p>`}
${sides !== undefined && tableOf(sides)}
${workoutId !== undefined && html`<p><a href="/workouts/${workoutId}">The workout in this log<span class="hidden">: ${title}</span></a></p>`}
${decided !== undefined && html`<p class="good">${decided}</p>`}
${formOf(id, title, buttons, drawing)}
${valuesForm(doubt, drawing, refused?.at === id ? refused : undefined)}
</article>`;
}

function tableOf({ left, right, rows }: Sides): Html {
  const body = rows.map(
    (row) =>
      html`<tr${row.differs && html` class="differs"`}><th scope="row">${row.name}${row.differs && html` <span class="badge">differs</span>`}</th><td>${row.left}</td><td>${row.right}</td></tr>`,
  );
  return html`<table class="sides"><thead><tr><td></td><th scope="col">${left}</th><th scope="col">${right}</th></tr></thead><tbody>${body}</tbody></table>`;
}

/** The parts of a form that nobody sees: the protection of the service, the doubt, and what the page shows. */
function hiddenParts(at: string, { signedIn: { csrfToken }, view }: Drawing): Html {
  const shown =
    view &&
    html`<input type="hidden" name="group" value="${view.group}"><input type="hidden" name="from" value="${String(view.from)}">`;
  return html`<input type="hidden" name="_csrf" value="${csrfToken}"><input type="hidden" name="at" value="${at}">${shown ?? false}`;
}

function formOf(at: string, about: string, buttons: readonly DecisionButton[], drawing: Drawing): Html {
  if (buttons.length === 0) return html``;
  const all = buttons.map(
    ({ label, command }) =>
      html`<button name="command" value="${verbatim(command)}">${label}<span class="hidden">, ${about}: </span><code>${command}</code></button>`,
  );
  return html`<form method="post" action="${DECISIONS_ADDRESS}">${hiddenParts(at, drawing)}${all}</form>`;
}

/** The form for typed values. After a refusal it has what was typed, and says that the problem is about it. */
function valuesForm(
  { id, title, form }: Pick<Doubt, "id" | "title" | "form">,
  drawing: Drawing,
  refused?: RefusedDecision,
): Html | false {
  if (form === undefined) return false;
  const fields = form.fields.map((field) => fieldOf(`${id}-${field.name}`, field, refused));
  return html`<form class="values" method="post" action="${DECISIONS_ADDRESS}" aria-label="${form.label}: ${title}">${hiddenParts(id, drawing)}<input type="hidden" name="command" value="${verbatim(form.command)}">${fields}
<p><button>${form.label}<span class="hidden">, ${title}: </span><code>${form.command}</code></button></p></form>`;
}

function fieldOf(
  id: string,
  { name, label, hint, choices, isRequired, value }: DecisionField,
  refused?: RefusedDecision,
) {
  const now = refused === undefined ? value : refused.values.get(name);
  const common = html`id="${id}" name="${FIELD}${name}"${isRequired && html` required`}${refused !== undefined && html` aria-describedby="problem"`}${hint !== undefined && refused === undefined && html` aria-describedby="${id}-hint"`}`;
  const options = choices?.map((one) => html`<option${one === now && html` selected`}>${one}</option>`);
  const control =
    options === undefined
      ? html`<input type="text" ${common} maxlength="200" autocomplete="off" value="${verbatim(now ?? "")}">`
      : html`<select ${common}><option value="">Choose</option>${options}</select>`;
  return html`<p><label for="${id}">${label}</label>${control}${hint !== undefined && html`<span class="muted" id="${id}-hint">${hint}</span>`}</p>`;
}
