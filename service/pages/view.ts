/** The facts about the viewer that every page needs. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { FIRST_CUSTOM_ACTIVITY_ID } from "../gaps.ts";
import { type Activity, activitiesOf, namesOf } from "../model/activities.ts";
import type { LogStore } from "../store/log-store.ts";
import { type Html, html } from "./html.ts";
import { show } from "./show.ts";
import type { SignedIn } from "./signed-in.ts";
import { type Units, unitsOf } from "./wording.ts";

/** A user who looks at their own log. */
export interface View {
  readonly userId: string;
  readonly signedIn: SignedIn;
  readonly units: Units;
  readonly activities: readonly Activity[];
  readonly store: LogStore;
}

/** Reads the view of a request. Call it only where a user is signed in. */
export async function readView(request: FastifyRequest, store: LogStore): Promise<View> {
  const signedIn = request.signedIn as SignedIn;
  const { userId } = signedIn;
  const [preference, own] = await Promise.all([store.preference(userId), store.activities(userId)]);
  return { userId, signedIn, units: unitsOf(preference), activities: activitiesOf(own), store };
}

/** Answers that a record isn't there. The answer is the same for a record that doesn't exist and for another user's record. */
export function showMissing(reply: FastifyReply, signedIn: SignedIn | undefined, what: string): FastifyReply {
  const body = html`<h1>Not found</h1><p>There is no such ${what} in your log.</p><p><a href="/">Back to the log</a></p>`;
  return show(reply, { title: "Not found", body, signedIn }, 404);
}

/** `Run`, `Run · Race`. An activity without a name shows its number. */
export function activityText(view: View, activityID: number, workoutID?: number): string {
  const { activityName, workoutName } = namesOf(view.activities, activityID, workoutID);
  const name = activityName === undefined ? `Activity ${activityID}` : withCapital(activityName);
  return workoutName === undefined ? name : `${name} · ${workoutName}`;
}

/** `hike` as `Hike`, beside `Run`. A name with a capital letter anywhere keeps its spelling. */
function withCapital(name: string): string {
  return name === name.toLowerCase() ? name.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : name;
}

/**
 * The colour of an activity, as a class of the stylesheet. Each built-in activity has one, and so have the first of the user's own. After
 * those the colours repeat.
 */
export function kindOf(activityID: number): string {
  const builtIn = BUILT_IN_KINDS.get(activityID);
  if (builtIn !== undefined) return builtIn;
  const place = activityID - FIRST_CUSTOM_ACTIVITY_ID;
  return place >= 0 ? (OWN_KINDS[place % OWN_KINDS.length] as string) : OTHER_KIND;
}

const BUILT_IN_KINDS: ReadonlyMap<number, string> = new Map([
  [10, "a1"],
  [11, "a2"],
  [12, "a3"],
  [13, "a4"],
]);
const OWN_KINDS = ["a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13"] as const;
/** The colour for a number without an activity. */
const OTHER_KIND = "a5";

/** The page's place in the log: `Log › 2023 › July`. */
export function trail(steps: readonly (readonly [address: string, name: string])[]): Html {
  const items = steps.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`);
  return html`<nav class="trail" aria-label="Where you are"><ol>${items}</ol></nav>`;
}

/** The numbers that matter most, each with its name. Numbers without a value are left out. */
export function figures(pairs: readonly (readonly [name: string, value: string | undefined])[]): Html {
  const shown = pairs.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="figures">${shown}</dl>`;
}

/** Fields with their values. Fields without a value are left out. When no field has a value, there is no list. */
export function fields(
  pairs: readonly (readonly [name: string, value: string | Html | undefined])[],
): Html | undefined {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== "");
  if (shown.length === 0) return undefined;
  return html`<dl class="fields">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The longest text shown of one field, so that a page doesn't grow without limit. */
export const MAX_TEXT = 10_000;

/** Text that a person wrote, with its line breaks. */
export function prose(text: string): Html {
  const shown = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "") : text;
  const rest = text.length - shown.length;
  return html`<p class="prose">${shown}</p>${rest > 0 && html`<p class="muted">${String(rest)} more characters are not shown.</p>`}`;
}

/** Links to the earlier and later parts of a list; empty when the list fits on one page. */
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
