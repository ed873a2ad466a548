/** What every page needs to know of who looks at it. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Activity, activitiesOf, namesOf } from "../model/activities.ts";
import type { Store } from "../store/store.ts";
import { type Html, html } from "./html.ts";
import type { SignedIn } from "./routes.ts";
import { show } from "./show.ts";
import { type Units, unitsOf } from "./wording.ts";

/** Somebody who looks at their log. */
export interface View {
  readonly userId: string;
  readonly signedIn: SignedIn;
  readonly units: Units;
  readonly activities: readonly Activity[];
  readonly store: Store;
}

/** Who looks. Only called where somebody is signed in. */
export async function viewOf(request: FastifyRequest, store: Store): Promise<View> {
  const signedIn = request.signedIn as SignedIn;
  const { userId } = signedIn;
  const [preference, own] = await Promise.all([store.preference(userId), store.activities(userId)]);
  return { userId, signedIn, units: unitsOf(preference), activities: activitiesOf(own), store };
}

/** Answers that something isn't there: the same for what doesn't exist and for what is somebody else's. */
export function showMissing(reply: FastifyReply, signedIn: SignedIn | undefined, what: string): FastifyReply {
  const body = html`<h1>Not found</h1><p>There is no such ${what} in your log.</p><p><a href="/">Back to the log</a></p>`;
  return show(reply, { title: "Not found", body, signedIn }, 404);
}

/** `Run`, `Run · Race`; an activity without a name by its number. */
export function activityText(view: View, activityID: number, workoutID?: number): string {
  const { activityName, workoutName } = namesOf(view.activities, activityID, workoutID);
  const name = activityName ?? `Activity ${activityID}`;
  return workoutName === undefined ? name : `${name} · ${workoutName}`;
}

/** The colour of an activity, a class of the stylesheet: one each for the built-in ones, one for all others. */
export function kindOf(activityID: number): string {
  return KINDS[activityID] ?? OTHER_KIND;
}

const KINDS: Readonly<Record<number, string>> = { 10: "a1", 11: "a2", 12: "a3", 13: "a4" };
const OTHER_KIND = "a5";

/** Where a page is in the log: `Log › 2023 › July`. */
export function trail(steps: readonly (readonly [address: string, name: string])[]): Html {
  const items = steps.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`);
  return html`<nav class="trail" aria-label="Where you are"><ol>${items}</ol></nav>`;
}

/** Numbers that matter most, each with its name. Those without a value are left out. */
export function figures(pairs: readonly (readonly [name: string, value: string | undefined])[]): Html {
  const shown = pairs.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="figures">${shown}</dl>`;
}

/** Fields with their values. Those without a value are left out; nothing at all when none has one. */
export function fields(
  pairs: readonly (readonly [name: string, value: string | Html | undefined])[],
): Html | undefined {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== "");
  if (shown.length === 0) return undefined;
  return html`<dl class="fields">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Longest text shown of one field: a page stays a page. */
export const MAX_TEXT = 10_000;

/** Somebody's own words, with their lines. */
export function prose(text: string): Html {
  const shown = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "") : text;
  const rest = text.length - shown.length;
  return html`<p class="prose">${shown}</p>${rest > 0 && html`<p class="muted">${String(rest)} more characters are not shown.</p>`}`;
}

/** Earlier and later parts of a list that doesn't fit on a page; nothing when it does. */
export function pager(
  address: string,
  { offset, limit, total }: { offset: number; limit: number; total: number },
): Html | undefined {
  if (total <= limit && offset === 0) return undefined;
  const to = (at: number) => `${address}${address.includes("?") ? "&" : "?"}offset=${at}`;
  const last = Math.min(offset + limit, total);
  return html`<nav class="pager" aria-label="More of this list">
${offset > 0 && html`<a href="${to(Math.max(0, offset - limit))}" rel="prev">Previous</a>`}
<span>${last > offset ? `${offset + 1} to ${last}` : "None"} of ${total}</span>
${last < total && html`<a href="${to(last)}" rel="next">Next</a>`}
</nav>`;
}

/** `offset` of an address; 0 when it is missing or no number. */
export function offsetOf(request: FastifyRequest): number {
  const { offset } = request.query as { offset?: unknown };
  return typeof offset === "string" && /^\d{1,9}$/.test(offset) ? Number(offset) : 0;
}
