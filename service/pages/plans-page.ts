/** Training plans: their owner, their length, and the people who can see them. */
import type { MadePlan } from "../store/log-views.ts";
import { shortDay } from "./dates.ts";
import { html, shortened } from "./html.ts";
import type { Page } from "./layout.ts";
import type { View } from "./view.ts";

/** The most plans on the page. */
const LIMIT = 200;

/** The page. */
export async function plansPage(view: View): Promise<Page> {
  const plans = await view.store.views.trainingPlans(view.userId);
  const rows = plans
    .slice(0, LIMIT)
    .map(
      ({ plan, madeBy }) =>
        html`<tr><th scope="row">${shortened(plan.name, 200)}</th><td class="text" data-name="Begins">${plan.beginDate && shortDay(plan.beginDate)}</td><td class="text" data-name="Ends">${plan.endDate && shortDay(plan.endDate)}</td><td data-name="Weeks">${plan.numWeeks}</td><td class="text" data-name="Made by">${madeBy === undefined ? "you" : shortened(madeBy, 120)}</td><td class="text" data-name="Seen by">${seenBy(plan)}</td></tr>`,
    );
  const none = html`<section class="card"><p>There is no training plan in this log yet. Plans are made by the applications you connect, or by whoever runs this service for you.</p></section>`;
  const body = html`<h1>Training plans</h1>
${rows.length === 0 ? none : html`<table class="plans"><caption class="hidden">Training plans</caption><thead><tr><th scope="col" class="text">Plan</th><th scope="col" class="text">Begins</th><th scope="col" class="text">Ends</th><th scope="col">Weeks</th><th scope="col" class="text">Made by</th><th scope="col" class="text">Seen by</th></tr></thead><tbody>${rows}</tbody></table>`}
${plans.length > LIMIT && html`<p class="muted">${plans.length - LIMIT} more are not shown.</p>`}`;
  return { title: "Training plans", body, signedIn: view.signedIn, within: "/plans" };
}

/** "A commercial plan is viewable only by its user", "a private plan is also invisible to other users". */
function seenBy({ attributes }: MadePlan["plan"]): string {
  if (attributes?.commercial === true) return "you alone, always (commercial)";
  return attributes?.private === true ? "you alone (private)" : "everybody";
}
