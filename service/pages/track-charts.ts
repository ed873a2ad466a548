/** A track's charts and splits: speed or pace, heart rate and elevation along it. */
import { roundSeconds, roundStep } from "./draw/axis.ts";
import { lineChart } from "./draw/line-chart.ts";
import { type Html, html } from "./html.ts";
import type { Outline, Range, Sample } from "./track/outline.ts";
import type { View } from "./view.ts";
import {
  distanceText,
  durationText,
  heightIn,
  heightText,
  heightUnit,
  inUnit,
  lapMetres,
  numberText,
  speedStyle,
} from "./wording.ts";

/** Each speed is averaged with this many samples on either side, because a watch's seconds jump. */
const SMOOTHED = 2;

/** A slower speed counts as standing still (metres a second). A pace of an hour a kilometre tells nothing. */
const STANDING = 0.3;

/** The charts of the measures that the track has. */
export function trackCharts(view: View, outline: Outline, activityID: number): readonly Html[] {
  const { units } = view;
  const { samples } = outline;
  const isByDistance = outline.metres > 0;
  const across = isByDistance
    ? { roundX: roundStep, textOfX: (x: number) => `${numberText(x, 2)} ${units.distance}` }
    : { roundX: roundSeconds, textOfX: (x: number) => durationText(x) };
  const x = (sample: Sample) => (isByDistance ? inUnit(sample.metres, units) : sample.seconds);
  const style = speedStyle(activityID, units);
  const isPace = style.name === "Pace";
  const speeds = smoothed(samples);
  const charts = [
    lineChart({
      id: "speed",
      title: `${style.name}, ${style.unit}`,
      description: isPace ? "Faster is higher." : "",
      points: samples.map((sample, index) => {
        const speed = speeds[index];
        return { x: x(sample), y: speed === undefined || speed < STANDING ? undefined : style.numberOf(speed) };
      }),
      isUpsideDown: isPace,
      kind: "speed",
      roundY: isPace ? roundSeconds : roundStep,
      textOfY: isPace ? (y) => durationText(y) : (y) => numberText(y, 1),
      ...across,
    }),
    lineChart({
      id: "heart",
      title: "Heart rate, bpm",
      description: spanText(outline.heartRate, (value) => numberText(value)),
      points: samples.map((sample) => ({ x: x(sample), y: sample.heartRate })),
      kind: "heart",
      roundY: roundStep,
      textOfY: (y) => numberText(y),
      ...across,
    }),
    lineChart({
      id: "height",
      title: `Elevation, ${heightUnit(units)}`,
      description: spanText(outline.elevation, (value) => numberText(heightIn(value, units))),
      points: samples.map((sample) => ({
        x: x(sample),
        y: sample.elevation === undefined ? undefined : heightIn(sample.elevation, units),
      })),
      isFilled: true,
      kind: "height",
      roundY: roundStep,
      textOfY: (y) => numberText(y),
      ...across,
    }),
  ];
  return charts.filter((chart) => chart !== undefined);
}

function spanText(range: Range | undefined, textOf: (value: number) => string): string {
  return range === undefined ? "" : `From ${textOf(range.least)} to ${textOf(range.most)}.`;
}

/** Each speed as the mean of its neighbours. */
function smoothed(samples: readonly Sample[]): readonly (number | undefined)[] {
  return samples.map((_, index) => {
    const near = samples
      .slice(Math.max(0, index - SMOOTHED), index + SMOOTHED + 1)
      .map((sample) => sample.speed)
      .filter((speed) => speed !== undefined);
    return near.length === 0 ? undefined : near.reduce((sum, speed) => sum + speed, 0) / near.length;
  });
}

/** The splits; undefined for a track shorter than one. */
export function splitTable(view: View, outline: Outline, activityID: number): Html | undefined {
  const { units } = view;
  const { splits, splitMetres } = outline;
  if (splits.length === 0) return undefined;
  const style = speedStyle(activityID, units);
  const unit = units.distance === "mi" ? "mile" : "kilometre";
  const each = Math.round(splitMetres / lapMetres(units));
  const whole = splits.filter(({ metres }) => metres >= splitMetres * 0.99).map(({ seconds }) => seconds);
  // When all are the same to the second, none is marked as the fastest.
  const fastest = Math.max(...whole) - Math.min(...whole) < 1 ? undefined : Math.min(...whole);
  const has = {
    heartRate: splits.some((split) => split.heartRate !== undefined),
    climb: splits.some((split) => split.climb !== undefined),
  };
  const rows = splits.map(({ metres, seconds, heartRate, climb }, index) => {
    const isWhole = metres >= splitMetres * 0.99;
    const pace = seconds > 0 && style.textOf(style.numberOf(metres / seconds));
    return html`<tr><th scope="row">${isWhole ? (index + 1) * each : distanceText({ unit: "m", value: metres }, units)}</th><td>${durationText(seconds)}${isWhole && seconds === fastest && html` <span class="badge">fastest</span>`}</td><td>${pace}</td>${has.heartRate && html`<td>${heartRate === undefined ? undefined : numberText(heartRate)}</td>`}${has.climb && html`<td>${climb === undefined ? undefined : climbText(climb, view)}</td>`}</tr>`;
  });
  return html`<section class="card"><h2>Splits by ${each === 1 ? unit : `${each} ${unit}s`}</h2><div class="scroll" tabindex="0" role="region" aria-label="Splits"><table class="numbers"><caption class="hidden">Splits, by the time spent moving</caption><thead><tr><th scope="col">${unit === "mile" ? "Mile" : "Km"}</th><th scope="col">Time</th><th scope="col">${style.name} ${style.unit}</th>${has.heartRate && html`<th scope="col">HR</th>`}${has.climb && html`<th scope="col">Up or down</th>`}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function climbText(climb: number, { units }: View): string {
  const text = heightText(climb, units);
  return heightIn(climb, units) >= 0.5 ? `+${text}` : text;
}
