/** The log as a whole: totals by year, a chart of them, and the latest workouts. */
import { shortDay } from "./dates.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./layout.ts";
import { activityRows, groupedBy, type Measured, sumChart, totalFigures, totalOf, totalTable } from "./sums.ts";
import { figures, type View } from "./view.ts";
import { countText } from "./wording.ts";
import { WORKOUT_HEAD, workoutRow } from "./workout-rows.ts";

/** How many of the latest workouts are shown. */
const LATEST = 10;

/** Every day a log can hold. */
const ALWAYS = { from: "0001-01-01", to: "9999-12-31" };

/** The page. */
export async function logPage(view: View, by: Measured): Promise<Page> {
  const { store, userId } = view;
  const [sums, latest, courses, equipment, profile] = await Promise.all([
    store.views.years(userId),
    store.views.entries(userId, ALWAYS, { limit: LATEST, offset: 0 }),
    store.views.count("courses", userId),
    store.views.count("equipment", userId),
    store.profile(userId),
  ]);
  const title = `The log of ${profile.screenName}`;
  const page = { title: "Log", signedIn: view.signedIn, within: "/" } as const;
  if (sums.length === 0) return { ...page, body: html`<h1>${title}</h1>${emptyLog()}` };
  const years = groupedBy(sums, (sum) => sum.year);
  // The last day with a workout before the end of the calendar, and the first after its beginning.
  const { before: lastDay, after: firstDay } = await store.views.daysAround(userId, { from: "9999-12-32", to: "" });
  const also = [
    courses > 0 && html`<a href="/courses">${countText(courses, "course")}</a>`,
    equipment > 0 && html`<a href="/equipment">${countText(equipment, "piece")} of equipment</a>`,
  ].filter((part) => part !== false);
  const body = html`<h1>${title}</h1>
<p class="lead">${firstDay !== undefined && lastDay !== undefined && `From ${shortDay(firstDay)} to ${shortDay(lastDay)}.`}${also.length > 0 && html` With ${also[0]}${also[1] !== undefined && html` and ${also[1]}`}.`}</p>
${figures(totalFigures(totalOf(sums), view))}
${yearChart(view, years, by)}
<div class="columns"><section>${totalTable(view, { caption: "Totals by year", head: "Year", rows: [...years].map(([year, ofYear]) => ({ name: String(Number(year)), address: `/log/${year}`, total: totalOf(ofYear) })) })}</section>
<section>${totalTable(view, { caption: "Totals by activity", head: "Activity", rows: activityRows(view, sums) })}</section></div>
<section><h2>Latest workouts</h2><table class="workouts"><caption class="hidden">Latest workouts</caption>${WORKOUT_HEAD}<tbody>${latest.entries.map((entry) => workoutRow(view, entry, { hasYear: true }))}</tbody></table></section>`;
  return { ...page, body };
}

function yearChart(
  view: View,
  years: ReadonlyMap<string, readonly import("../store/log-views.ts").YearSum[]>,
  by: Measured,
): Html {
  const known = [...years.keys()].map(Number);
  const last = Math.max(...known);
  // A log of a hundred years has a wrong date in it. The chart shows the last thirty years.
  const first = Math.max(Math.min(...known), last - 29);
  const columns = Array.from({ length: last - first + 1 }, (_, index) => {
    const year = String(first + index);
    return {
      name: year,
      label: year,
      isMinor: (last - first - index) % 3 !== 0,
      sums: years.get(year.padStart(4, "0")) ?? [],
    };
  });
  return sumChart(view, { id: "years", title: "By year", address: "/", by, columns });
}

function emptyLog(): Html {
  return html`<section class="card"><h2>There is nothing in this log yet</h2>
<p>It fills as soon as an application saves a workout here. With years of training on another platform, in a folder of watch files or
in a spreadsheet, <code>logferry</code> brings them in one go:</p>
<ol>
<li><code>logferry login</code> connects it to this log; you are asked here before it may do anything.</li>
<li><code>logferry plan YOUR-EXPORT.zip</code> says what would happen. Nothing is changed.</li>
<li><code>logferry apply</code> does it, and this page shows what you got.</li>
</ol>
<p>Before that, look at your <a href="/preference">preference</a>: the units you read distances in, and your distance from UTC.</p></section>`;
}
