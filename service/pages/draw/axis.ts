/** Round numbers for the axis of a chart. */

/** A round step for plain numbers: 1, 2 or 5 times a power of ten. */
export function roundStep(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((step) => step * ten >= least) as number) * ten;
}

/** A round step for seconds: 5 s to 10 h, and whole tens of hours. */
export function roundSeconds(least: number): number {
  return SECONDS.find((step) => step >= least) ?? roundStep(least / 36_000) * 36_000;
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18_000, 36_000];

/** The round numbers between two, about `count` of them. */
export function ticksBetween(
  from: number,
  to: number,
  count: number,
  roundUp: (least: number) => number,
): readonly number[] {
  if (!(to > from)) return [from];
  const step = roundUp((to - from) / count);
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step); tick * step <= to && ticks.length < 100; tick++) ticks.push(tick * step);
  return ticks;
}

/** A share as a percentage for an attribute: `12.34%`. */
export function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** A coordinate for an attribute. One digit after the point is a tenth of a pixel. */
export function coordinate(value: number): number {
  return Math.round(value * 10) / 10;
}
