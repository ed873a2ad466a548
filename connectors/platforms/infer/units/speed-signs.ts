/** Signs for metric or imperial distances in the speeds that they give, and in the rows that they make impossible. */
import type { Activity } from "../../../../transforms/activities.ts";
import type { Score } from "../columns/score.ts";
import type { Sign } from "./evidence.ts";

/** The usual speed of an activity in metres a second, and how far people's medians spread around it, both as logarithms. */
const SPEEDS: Readonly<Partial<Record<Activity, readonly [middle: number, spread: number]>>> = {
  run: [Math.log(2.9), 0.22],
  bike: [Math.log(6.7), 0.3],
  walk: [Math.log(1.4), 0.2],
  hike: [Math.log(1.1), 0.35],
};

/** Speeds alone never decide: some people are fast. */
const MOST_BY_SPEED = 4;

/** A yard is too near to a metre for speeds to tell them apart, and runs are measured in miles. */
const YARDS_ON_LAND = 3;

/** What the speeds of both units speak for. */
export function speedSigns(metric: Score, imperial: Score): readonly Sign[] {
  const [activity] = [...metric.speeds].toSorted((a, b) => b[1].length - a[1].length)[0] ?? [];
  const usual = activity === undefined ? undefined : SPEEDS[activity];
  const [m, i] = [medianOf(metric.speeds.get(activity ?? "run")), medianOf(imperial.speeds.get(activity ?? "run"))];
  if (usual === undefined || m === undefined || i === undefined) return [];
  if (imperial.reading.unit === "yd") return [{ weight: -YARDS_ON_LAND, says: "that yards are for pools" }];
  const [middle, spread] = usual;
  const far = (speed: number) => (Math.log(speed) - middle) ** 2 / (2 * spread ** 2);
  const weight = Math.max(-MOST_BY_SPEED, Math.min(MOST_BY_SPEED, far(m) - far(i)));
  const kmh = (speed: number) => `${(speed * 3.6).toFixed(1)} km/h`;
  return [
    {
      weight,
      says: `the median speed is ${kmh(weight > 0 ? i : m)} so, and ${kmh(weight > 0 ? m : i)} the other way`,
    },
  ];
}

/** Each row that only one of the units makes impossible. */
export function impossibleSigns(metric: Score, imperial: Score): readonly Sign[] {
  const more = imperial.impossible - metric.impossible;
  if (more === 0) return [];
  const [other, count] = more > 0 ? [imperial, imperial.impossible] : [metric, metric.impossible];
  return [
    {
      weight: -Math.sign(more) * Math.min(9, 3 * Math.abs(more)),
      says: `as ${other.reading.unit} ${count} of ${other.rows} rows can't be true (${other.example ?? ""})`,
    },
  ];
}

function medianOf(values: readonly number[] | undefined): number | undefined {
  if (values === undefined || values.length < 3) return undefined;
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
