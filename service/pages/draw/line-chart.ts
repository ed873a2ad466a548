/**
 * A line over distance or time, drawn on the server. The line is stretched to the figure's width. Its letters stand beside it and are not
 * stretched.
 */
import { type Html, html } from "../html.ts";
import { coordinate, percent, ticksBetween } from "./axis.ts";
import { scale } from "./bar-chart.ts";

/** A line with its title, axes and colours. */
export interface LineChart {
  readonly id: string;
  readonly title: string;
  /** Text for people who can't see the chart. */
  readonly description: string;
  /** Points from left to right. `y` is undefined where nothing was measured. */
  readonly points: readonly { readonly x: number; readonly y: number | undefined }[];
  /** Whether smaller values are drawn higher, as for a pace. */
  readonly isUpsideDown?: boolean;
  /** Whether the area under the line is filled. */
  readonly isFilled?: boolean;
  /** A class of the stylesheet that colours the line. */
  readonly kind: string;
  readonly roundY: (least: number) => number;
  readonly textOfY: (value: number) => string;
  readonly roundX: (least: number) => number;
  readonly textOfX: (value: number) => string;
}

const HEIGHT = 160;
const TOP = 10;
const FOOT = 22;

/** The line's width before it is stretched. */
const WIDTH = 1000;

/** How far from the middle half of the values an outlier may be drawn, in widths of that half. */
const FAR = 3;

/** The figure; undefined when fewer than two points were measured. */
export function lineChart(chart: LineChart): Html | undefined {
  const { id, title, description, points, isUpsideDown = false, isFilled = false, kind } = chart;
  const measured = points.map((point) => point.y).filter((y) => y !== undefined);
  if (measured.length < 2) return undefined;
  const [low, high] = rangeOf(measured);
  const y = (value: number) => {
    const share = (Math.min(high, Math.max(low, value)) - low) / (high - low);
    return coordinate(TOP + (isUpsideDown ? share : 1 - share) * (HEIGHT - TOP));
  };
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 1];
  const share = (value: number) => (value - first) / (last - first || 1);
  const path = pathOf(
    points.map((point) => ({
      x: coordinate(share(point.x) * WIDTH),
      y: point.y === undefined ? undefined : y(point.y),
    })),
  );
  const ticks = ticksBetween(low, high, 4, chart.roundY);
  const lines = ticks.map((tick) => html`<line x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}" class="grid"/>`);
  const labels = ticksBetween(first, last, 6, chart.roundX).map((tick) => {
    const at = share(tick);
    // At the very edge, half of the number would be cut off.
    const anchor = at < 0.03 ? "start" : at > 0.97 ? "end" : "middle";
    return html`<text x="${percent(at)}" y="${HEIGHT + 16}" text-anchor="${anchor}">${chart.textOfX(tick)}</text>`;
  });
  const fill = isFilled && html`<path class="fill ${kind}" d="${filled(path)}"/>`;
  return html`<figure class="chart">
<figcaption>${title} <span class="muted">${description}</span></figcaption>
<div class="plot">${scale(ticks, y, chart.textOfY)}<svg class="area" width="100%" height="${HEIGHT + FOOT}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${lines}<svg width="100%" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${fill}<path class="line ${kind}" d="${path.map(lineOf).join("")}"/></svg>${labels}</svg></div>
</figure>`;
}

/** Lowest and highest value, without outliers far from the rest: one bad second of a watch must not flatten an hour. */
function rangeOf(values: readonly number[]): readonly [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  const reach = FAR * Math.max(at(0.75) - at(0.25), Math.abs(at(0.5)) / 15);
  const low = Math.max(at(0), at(0.25) - reach);
  const high = Math.min(at(1), at(0.75) + reach);
  const margin = Math.max((high - low) * 0.06, Math.abs(high) / 100, 1e-6);
  return [low - margin, high + margin];
}

type Corner = readonly [x: number, y: number];

/** The parts of the line. A part ends where nothing was measured for a while. */
function pathOf(
  points: readonly { readonly x: number; readonly y: number | undefined }[],
): readonly (readonly Corner[])[] {
  const parts: Corner[][] = [];
  let missing = Number.POSITIVE_INFINITY;
  for (const { x, y } of points) {
    if (y === undefined) {
      missing++;
      continue;
    }
    if (missing > SHORT_GAP) parts.push([]);
    parts.at(-1)?.push([x, y]);
    missing = 0;
  }
  return parts;
}

/** A gap of up to this many samples is drawn as if the sensor had measured. */
const SHORT_GAP = 2;

function lineOf(part: readonly Corner[]): string {
  return `M${part.map(([x, y]) => `${x},${y}`).join(" ")}`;
}

function filled(parts: readonly (readonly Corner[])[]): string {
  return parts.map((part) => `${lineOf(part)}L${part.at(-1)?.[0]},${HEIGHT} ${part[0]?.[0]},${HEIGHT}z`).join("");
}
