/**
 * Bar charts, drawn on the server. Widths are shares of the figure and heights are pixels. So the same drawing fits a phone and a desk,
 * and its letters keep their size. Colours come from the stylesheet.
 */
import { type Html, html } from "../html.ts";
import { coordinate, percent, ticksBetween } from "./axis.ts";

/** A part of a bar. `kind` is a class of the stylesheet: `a1` to `a13`. */
export interface BarPart {
  readonly kind: string;
  readonly value: number;
}

/** One bar, its parts stacked. */
export interface Bar {
  /** Text below the bar. Some bars go without when there is no room for all labels. */
  readonly label?: string;
  /** Whether a narrow screen leaves the label out. */
  readonly isMinor?: boolean;
  /** Text shown while the pointer rests on the bar. */
  readonly tip: string;
  readonly parts: readonly BarPart[];
}

/** A chart of bars. */
export interface BarChart {
  readonly id: string;
  readonly title: string;
  /** Text for people who can't see the chart. A table of the page has the numbers themselves. */
  readonly description: string;
  readonly bars: readonly Bar[];
  readonly roundUp: (least: number) => number;
  readonly textOf: (value: number) => string;
}

const HEIGHT = 160;
const TOP = 10;
const FOOT = 22;

/** The figure. */
export function barChart({ id, title, description, bars, roundUp, textOf }: BarChart): Html {
  const most = Math.max(...bars.map(heightOf), 0);
  const ticks = most > 0 ? ticksBetween(0, most, 4, roundUp) : [0];
  const top = Math.max(most, 1e-9);
  const y = (value: number) => coordinate(TOP + (1 - value / top) * (HEIGHT - TOP));
  const slot = 1 / Math.max(1, bars.length);
  const lines = ticks.map((tick) => html`<line x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}" class="grid"/>`);
  const drawn = bars.map((bar, index) => {
    let below = 0;
    const parts = bar.parts
      .filter((part) => part.value > 0)
      .map((part) => {
        const [from, to] = [below, below + part.value];
        below = to;
        const height = Math.max(0.5, coordinate(y(from) - y(to)));
        return html`<rect class="${part.kind}" x="${percent((index + 0.12) * slot)}" width="${percent(slot * 0.76)}" y="${y(to)}" height="${height}"/>`;
      });
    return parts.length > 0 && html`<g><title>${bar.tip}</title>${parts}</g>`;
  });
  const labels = bars.map(
    (bar, index) =>
      bar.label !== undefined &&
      html`<text x="${percent((index + 0.5) * slot)}" y="${HEIGHT + 16}" text-anchor="middle"${bar.isMinor === true && html` class="minor"`}>${bar.label}</text>`,
  );
  return html`<figure class="chart">
<div class="plot">${scale(ticks, y, textOf)}<svg class="area" width="100%" height="${HEIGHT + FOOT}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${lines}${drawn}${labels}</svg></div>
</figure>`;
}

/** The numbers at the left of a chart. They stand beside the drawing, so that they keep their width. */
export function scale(ticks: readonly number[], y: (value: number) => number, textOf: (value: number) => string): Html {
  const texts = ticks.map((tick) => html`<text x="100%" y="${y(tick) + 4}" text-anchor="end">${textOf(tick)}</text>`);
  return html`<svg class="scale" height="${HEIGHT + FOOT}" aria-hidden="true">${texts}</svg>`;
}

function heightOf(bar: Bar): number {
  return bar.parts.reduce((sum, part) => sum + part.value, 0);
}
