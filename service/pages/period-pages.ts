/** A year of the log, week by week, and a month of it, day by day. */
import type { DaySum, Days, Entry } from "../store/log-views.ts";
import {
  daysIn,
  daysOf,
  daysText,
  monthName,
  periodText,
  plusDays,
  shortDay,
  splitDate,
  weekOf,
  wholeWeeks,
} from "./dates.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./layout.ts";
import {
  activityRows,
  type Column,
  groupedBy,
  type Measured,
  sumChart,
  totalFigures,
  totalOf,
  totalTable,
} from "./sums.ts";
import { figures, pager, trail, type View } from "./view.ts";
import { countText, durationText, totalDistance } from "./wording.ts";
import { WORKOUT_HEAD, workoutRow } from "./workout-rows.ts";

/** Workouts on one page of a month: room for two a day, and some more. */
const LIMIT = 100;

/** Whether a part of an address is a year, `YYYY`, or a month, `YYYY-MM`. */
export function isPeriod(text: string): boolean {
  return /^(?!0000)\d{4}(-(0[1-9]|1[0-2]))?$/.test(text);
}

/** The page of a year. */
export async function yearPage(view: View, year: string, by: Measured): Promise<Page> {
  const { store, userId } = view;
  const days = daysIn(year);
  const weeks = wholeWeeks(days);
  const [sums, around] = await Promise.all([store.views.days(userId, days), store.views.daysAround(userId, days)]);
  const months = groupedBy(sums, (sum) => sum.date.slice(0, 7));
  const byWeek = groupedBy(sums, (sum) => weekOf(sum.date));
  const mondays = daysOf(weeks).filter((_, index) => index % 7 === 0);
  const columns = mondays.map((monday, index): Column => {
    const previous = mondays[index - 1];
    const isNewMonth =
      previous === undefined || splitDate(plusDays(previous, 6)).month !== splitDate(plusDays(monday, 6)).month;
    const label = monthName(plusDays(monday, 6), 3);
    return {
      name: daysText(weekWithin(monday, days)),
      ...(isNewMonth &&
        plusDays(monday, 6) <= days.to && { label, isMinor: splitDate(plusDays(monday, 6)).month % 2 === 0 }),
      sums: byWeek.get(monday) ?? [],
    };
  });
  const monthRows = [...months].map(([month, ofMonth]) => ({
    name: monthName(`${month}-01`),
    address: `/log/${month}`,
    total: totalOf(ofMonth),
  }));
  const weekRows = mondays
    .filter((monday) => byWeek.has(monday))
    .map((monday) => ({
      name: daysText(weekWithin(monday, days)),
      address: `/log/${(monday < days.from ? days.from : monday).slice(0, 7)}`,
      total: totalOf(byWeek.get(monday) ?? []),
    }));
  const body = html`${trail([["/", "Log"]])}
<div class="head"><h1>${periodText(year)}</h1>${steps(around, 4)}</div>
${figures(totalFigures(totalOf(sums), view))}
${sums.length === 0 ? html`<p>No workout in this year.</p>` : sumChart(view, { id: "weeks", title: "By week", address: `/log/${year}`, by, columns })}
${
  sums.length > 0 &&
  html`<div class="columns"><section>${totalTable(view, { caption: "Totals by month", head: "Month", rows: monthRows })}</section>
<section>${totalTable(view, { caption: "Totals by activity", head: "Activity", rows: activityRows(view, sums) })}
<details><summary>Totals by week</summary>${totalTable(view, { caption: "Totals by week, Monday to Sunday", head: "Week", rows: weekRows })}</details></section></div>`
}`;
  return { title: periodText(year), body, signedIn: view.signedIn, within: "/" };
}

/** The page of a month. Every number on it counts the days of the month itself, the same days as in the list. */
export async function monthPage(view: View, month: string, by: Measured, offset: number): Promise<Page> {
  const { store, userId } = view;
  const days = daysIn(month);
  const [sums, around, found] = await Promise.all([
    store.views.days(userId, days),
    store.views.daysAround(userId, days),
    store.views.entries(userId, days, { limit: LIMIT, offset }),
  ]);
  const byDay = groupedBy(sums, (sum) => sum.date);
  const columns = daysOf(days).map(
    (day): Column => ({
      name: shortDay(day),
      label: String(splitDate(day).day),
      isMinor: splitDate(day).day % 5 !== 0 && splitDate(day).day !== 1,
      sums: byDay.get(day) ?? [],
    }),
  );
  const year = month.slice(0, 4);
  const body = html`${trail([
    ["/", "Log"],
    [`/log/${year}`, periodText(year)],
  ])}
<div class="head"><h1>${periodText(month)}</h1>${steps(around, 7)}</div>
${figures(totalFigures(totalOf(sums), view))}
${sums.length === 0 && html`<p>No workout in this month.</p>`}
${
  found.entries.length > 0 &&
  html`${sumChart(view, { id: "days", title: "By day", address: `/log/${month}`, by, columns })}
<section><h2>Workouts by week</h2><table class="workouts"><caption class="hidden">Workouts of ${periodText(month)} by week, the latest first</caption>${WORKOUT_HEAD}${weekBodies(view, found.entries, sums, days)}</table>
${pager(`/log/${month}`, { offset, limit: LIMIT, total: found.total })}</section>`
}`;
  return { title: periodText(month), body, signedIn: view.signedIn, within: "/" };
}

function weekBodies(view: View, entries: readonly Entry[], sums: readonly DaySum[], days: Days): readonly Html[] {
  const byWeek = groupedBy(sums, (sum) => weekOf(sum.date));
  return [...Map.groupBy(entries, (entry) => weekOf(entry.workout.date))].map(([monday, ofWeek]) => {
    const week = weekWithin(monday, days);
    const { workouts, metres, seconds } = totalOf(byWeek.get(monday) ?? []);
    const rows = ofWeek.map((entry) => workoutRow(view, entry));
    return html`<tbody><tr class="week"><th scope="rowgroup" colspan="2"><time datetime="${monday}">${daysText(week)}</time> <span class="muted">${countText(workouts, "workout")}</span></th>${metres > 0 ? html`<td>${totalDistance(metres, view.units)}</td>` : html`<td class="none"></td>`}<td>${durationText(seconds)}</td><td class="none"></td><td class="none"></td></tr>${rows}</tbody>`;
  });
}

/** The days of a week that lie within these days. The first and last week of a month or year are shorter. */
function weekWithin(monday: string, { from, to }: Days): Days {
  const sunday = plusDays(monday, 6);
  return { from: monday < from ? from : monday, to: sunday > to ? to : sunday };
}

/** Links to the periods before and after that have a workout. `length` 4 is a year, 7 a month. */
function steps({ before, after }: { readonly before?: string; readonly after?: string }, length: 4 | 7): Html {
  const to = (date: string | undefined, rel: "prev" | "next") => {
    if (date === undefined) return undefined;
    const period = date.slice(0, length);
    const name = periodText(period);
    return html`<a class="button" rel="${rel}" href="/log/${period}">${rel === "prev" ? `‹ ${name}` : `${name} ›`}</a>`;
  };
  return html`<nav class="steps" aria-label="Other times">${to(before, "prev")}${to(after, "next")}</nav>`;
}
