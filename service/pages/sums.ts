/** Adds up the store's sums by day and activity, and shows them as bars and tables. */
import type { Sum } from "../store/log-views.ts";
import { roundSeconds, roundStep } from "./draw/axis.ts";
import { type Bar, type BarChart, barChart } from "./draw/bar-chart.ts";
import { type Html, html } from "./html.ts";
import { activityText, kindOf, type View } from "./view.ts";
import { countText, hoursText, inUnit, numberText, totalDistance, totalDuration } from "./wording.ts";

/** The total of workouts of all activities. */
export interface Total {
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}

/** Adds up sums. */
export function totalOf(sums: readonly Total[]): Total {
  let [workouts, metres, seconds] = [0, 0, 0];
  for (const sum of sums) {
    workouts += sum.workouts;
    metres += sum.metres;
    seconds += sum.seconds;
  }
  return { workouts, metres, seconds };
}

/** Sums by a key, in the order in which the keys appear. */
export function groupedBy<T extends Sum>(
  sums: readonly T[],
  keyOf: (sum: T) => string,
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(sums, keyOf);
}

/** The three numbers of a total. */
export function totalFigures(
  { workouts, metres, seconds }: Total,
  { units }: View,
): readonly (readonly [string, string])[] {
  return [
    ["Workouts", numberText(workouts)],
    ["Distance", totalDistance(metres, units)],
    ["Time", totalDuration(seconds)],
  ];
}

/** The measure of a chart's bars. */
export type Measured = "distance" | "time";

/** Reads `by` from an address: distance, unless the value is time. */
export function measuredOf(query: unknown): Measured {
  return (query as { by?: unknown }).by === "time" ? "time" : "distance";
}

/** A column of a chart: its sums, its name, and the label below it. */
export interface Column {
  readonly name: string;
  readonly label?: string;
  readonly isMinor?: boolean;
  readonly sums: readonly Sum[];
}

/** A chart of sums by activity, with a link to the other measure and a legend of the colours. */
export function sumChart(
  view: View,
  {
    id,
    title,
    address,
    by,
    columns,
  }: { id: string; title: string; address: string; by: Measured; columns: readonly Column[] },
): Html {
  const { units } = view;
  const measureOf = (sum: Total) => (by === "distance" ? inUnit(sum.metres, units) : sum.seconds);
  const textOf = (sum: Total) => (by === "distance" ? totalDistance(sum.metres, units) : totalDuration(sum.seconds));
  const all = columns.flatMap((column) => column.sums);
  const bars = columns.map(({ name, label, isMinor, sums }): Bar => {
    const kinds = [...groupedBy(sums, (sum) => kindOf(sum.activityID))].sort(([a], [b]) => inKindOrder(a, b));
    return {
      ...(label !== undefined && { label }),
      ...(isMinor !== undefined && { isMinor }),
      tip: `${name}: ${textOf(totalOf(sums))}, ${countText(totalOf(sums).workouts, "workout")}`,
      parts: kinds.map(([kind, ofKind]) => ({ kind, value: measureOf(totalOf(ofKind)) })),
    };
  });
  const best = columns.reduce<Column | undefined>(
    (most, column) =>
      most === undefined || measureOf(totalOf(column.sums)) > measureOf(totalOf(most.sums)) ? column : most,
    undefined,
  );
  const chart: BarChart = {
    id,
    title: `${title}, ${by}`,
    description:
      best === undefined
        ? "Nothing yet."
        : `${textOf(totalOf(all))} in all; the most in ${best.name}, ${textOf(totalOf(best.sums))}. The numbers are in the table.`,
    bars,
    roundUp: by === "distance" ? roundStep : roundSeconds,
    textOf:
      by === "distance"
        ? (value) => numberText(value, 1)
        : (value) => (value % 3600 === 0 ? `${value / 3600} h` : `${Math.round(value / 60)} min`),
  };
  return html`<section class="card"><div class="chart-head"><h2>${title}</h2>${switchOf(address, by, units.distance)}</div>
${barChart(chart)}${legendOf(view, all)}</section>`;
}

function switchOf(address: string, by: Measured, unit: string): Html {
  const way = (to: Measured, text: string) =>
    html`<a href="${to === "distance" ? address : `${address}?by=time`}"${to === by && html` aria-current="true"`}>${text}</a>`;
  return html`<nav class="switch" aria-label="What the chart measures">${way("distance", `Distance, ${unit}`)}${way("time", "Time")}</nav>`;
}

/** Orders `a2` before `a10`, so that bars and legends have the same order. */
function inKindOrder(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}

/** The legend of the colours that appear in the chart. */
function legendOf(view: View, sums: readonly Sum[]): Html | undefined {
  const kinds = groupedBy(sums, (sum) => kindOf(sum.activityID));
  const names = [...kinds]
    .sort(([a], [b]) => inKindOrder(a, b))
    .map(([kind, ofKind]) => {
      const names = new Set(ofKind.map((sum) => activityText(view, sum.activityID)));
      return html`<li><span class="key ${kind}"></span> ${[...names].join(", ")}</li>`;
    });
  return names.length > 0 ? html`<ul class="legend">${names}</ul>` : undefined;
}

/** A table of totals with one row each. A row's name is a link when the row has an address. */
export function totalTable(
  view: View,
  {
    caption,
    head,
    rows,
  }: {
    caption: string;
    head: string;
    rows: readonly { name: string; address?: string; kind?: string; total: Total }[];
  },
): Html {
  const body = rows.map(({ name, address, kind, total }) => {
    const shown = address === undefined ? name : html`<a href="${address}">${name}</a>`;
    return html`<tr><th scope="row">${kind !== undefined && html`<span class="key ${kind}"></span> `}${shown}</th><td>${numberText(total.workouts)}</td><td>${total.metres > 0 ? totalDistance(total.metres, view.units) : "–"}</td><td>${total.seconds > 0 ? hoursText(total.seconds) : "–"}</td></tr>`;
  });
  return html`<table class="totals"><caption>${caption}</caption><thead><tr><th scope="col">${head}</th><th scope="col">Workouts</th><th scope="col">Distance</th><th scope="col">Hours</th></tr></thead><tbody>${body}</tbody></table>`;
}

/** Totals by activity, the most time first. */
export function activityRows(
  view: View,
  sums: readonly Sum[],
): readonly { name: string; kind: string; total: Total }[] {
  return [...Map.groupBy(sums, (sum) => sum.activityID)]
    .map(([activityID, ofIt]) => ({
      name: activityText(view, activityID),
      kind: kindOf(activityID),
      total: totalOf(ofIt),
    }))
    .sort((a, b) => b.total.seconds - a.total.seconds || b.total.workouts - a.total.workouts);
}
