/**
 * Hours a month, stacked by activity, which show the shape of the years. The table beside the drawing has the numbers, also for people who
 * can't see the drawing.
 */
import type { Report } from "../schema.ts";
import { type Html, html } from "./html.ts";
import { monthName, span } from "./wording.ts";

/** The number of activities with a colour of their own. All others share one. */
const COLOURS = 4;

const HEIGHT = 180;
const FOOT = 22;
const TOP = 8;

type Month = Report["byMonth"][number];

/** Gives the class that colours an activity. The four activities with the most time have their own. */
export function colourOf(report: Pick<Report, "byActivity">): (activity: string | undefined) => string {
  const ranks = new Map(report.byActivity.map(({ activity }, index) => [activity, index]));
  return (activity) => `a${Math.min(ranks.get(activity) ?? COLOURS, COLOURS) + 1}`;
}

/** The figure; undefined when no workout has a month and a duration. */
export function monthChart(report: Report): Html | undefined {
  const rows = report.byMonth.filter(
    ({ month, inLog, read }) => month !== undefined && shown(report, { inLog, read }) > 0,
  );
  const names = monthsBetween(rows.map(({ month }) => month as string));
  if (names.length === 0) return undefined;
  const colour = colourOf(report);
  const byMonth = Map.groupBy(rows, ({ month }) => month as string);
  const secondsOf = (ofMonth: readonly Month[]) => ofMonth.reduce((sum, row) => sum + shown(report, row), 0);
  const most = Math.max(...[...byMonth.values()].map(secondsOf));
  const step = hourStep(most / 3600);
  const top = Math.max(step * 3600, most);
  const y = (seconds: number) => round(TOP + (1 - seconds / top) * (HEIGHT - TOP));
  const slot = 100 / names.length;
  const gap = names.length > 60 ? 0.12 : 0.2;
  const bars = names.map((name, index) => {
    const ofMonth = (byMonth.get(name) ?? []).toSorted((a, b) => (colour(a.activity) < colour(b.activity) ? -1 : 1));
    let below = 0;
    const parts = [...Map.groupBy(ofMonth, (row) => colour(row.activity))].map(([kind, ofKind]) => {
      const from = below;
      below += secondsOf(ofKind);
      return html`<rect class="${kind}" x="${round((index + gap / 2) * slot)}%" width="${round((1 - gap) * slot)}%" y="${y(below)}" height="${Math.max(0.5, round(y(from) - y(below)))}"/>`;
    });
    return parts.length > 0 && html`<g><title>${monthName(name)}: ${span(secondsOf(ofMonth))}</title>${parts}</g>`;
  });
  const ticks = Array.from({ length: Math.floor(top / 3600 / step) + 1 }, (_, index) => index * step);
  const lines = ticks.map(
    (tick) => html`<line class="grid" x1="0" x2="100%" y1="${y(tick * 3600)}" y2="${y(tick * 3600)}"/>`,
  );
  const [first = "", last = ""] = [names[0], names.at(-1)];
  const best = [...byMonth].reduce((a, b) => (secondsOf(b[1]) > secondsOf(a[1]) ? b : a));
  return html`<figure class="chart">
<div class="plot"><svg class="scale" height="${HEIGHT + FOOT}" aria-hidden="true">${ticks.map((tick) => html`<text x="100%" y="${y(tick * 3600) + 4}" text-anchor="end">${tick} h</text>`)}</svg><svg class="area" width="100%" height="${HEIGHT + FOOT}" role="img" aria-labelledby="months-t months-d"><title id="months-t">Hours a month, by activity</title><desc id="months-d">From ${monthName(first)} to ${monthName(last)}; the most in ${monthName(best[0])}, ${span(secondsOf(best[1]))}. The numbers are in the tables below.</desc>${lines}${bars}${yearLabels(names, slot)}</svg></div>
${legendOf(report, colour)}
</figure>`;
}

/** A plan has nothing in the log yet, so the drawing shows the planned values. */
function shown(report: Report, { inLog, read }: Pick<Month, "inLog" | "read">): number {
  return (report.run.state === "planned" ? read : inLog).seconds;
}

/** A year's number under its January. With many years, only every second or fifth year has one. */
function yearLabels(names: readonly string[], slot: number): readonly Html[] {
  const starts = names.flatMap((name, index) => (name.endsWith("-01") || index === 0 ? [{ name, index }] : []));
  // A first year with hardly a month has no room for its number.
  const roomy = starts.filter(({ index }, at) => at + 1 === starts.length || (starts[at + 1]?.index ?? 0) - index > 2);
  const every = [1, 2, 5, 10].find((step) => roomy.length / step <= 14) ?? 20;
  return roomy.map(({ name, index }) => {
    const year = Number(name.slice(0, 4));
    const isMinor = roomy.length > 5 && (year / every) % 2 !== 0;
    return html`<line class="tick" x1="${round(index * slot)}%" x2="${round(index * slot)}%" y1="${HEIGHT}" y2="${HEIGHT + 5}"/>${year % every === 0 && html`<text${isMinor && html` class="minor"`} x="${round(index * slot)}%" dx="3" y="${HEIGHT + 17}">${year}</text>`}`;
  });
}

/** The meanings of the colours. */
function legendOf(report: Report, colour: (activity: string | undefined) => string): Html {
  const groups = Map.groupBy(
    report.byActivity.filter((row) => shown(report, row) > 0),
    ({ activity }) => colour(activity),
  );
  const items = [...groups].map(([kind, rows]) => {
    const name = kind === `a${COLOURS + 1}` && rows.length > 1 ? "all others" : activityName(rows[0]?.activity);
    return html`<li><span class="key ${kind}"></span> ${name}</li>`;
  });
  return html`<ul class="legend">${items}</ul>`;
}

/** The name of an activity in a table. */
export function activityName(activity: string | undefined): string {
  return activity ?? "not said";
}

/** Every month from the first to the last, including months without a workout, so that a year without training is visible. */
function monthsBetween(months: readonly string[]): readonly string[] {
  const sorted = months.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [from, to] = [indexOf(first), indexOf(last)];
  // If a watch recorded 1980 or 2099, empty months would squeeze the rest into a line.
  if (to - from > MOST_MONTHS) return [...new Set(sorted)];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const month = from + index;
    return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}

const MOST_MONTHS = 480;

function indexOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

/** A round number of hours, about a quarter of the height. */
function hourStep(most: number): number {
  return [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500].find((step) => most / step <= 5.5) ?? 1000;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
