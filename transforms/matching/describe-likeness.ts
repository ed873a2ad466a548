/** Says in words how two workouts differ, with their score. */
import type { WorkoutFacts } from "../duplicates.ts";
import { measureText, roundTo } from "../units.ts";
import type { Likeness } from "./compare-facts.ts";
import { LEAST_SCORE, MOST_SECONDS_APART, MOST_SHARE_APART } from "./likeness.ts";
import type { ValueSteps } from "./value-steps.ts";

/**
 * How two workouts differ, and their score: `starts 12 s apart, distances 3.8 % apart, durations 0.1 % apart, score 19; 9 is enough`. Where no score can
 * make up for a difference, the limit stands beside it: `starts 5400 s apart (200 s at most)`.
 */
export function describeLikeness({ differences, score }: Likeness): string {
  const { secondsApart, asWritten, roundedTo, distanceApart, durationApart, heartRateApart, rivals, isByOrder } =
    differences;
  const { distanceRounding, durationRounding } = differences;
  const { distance, duration } = MOST_SHARE_APART;
  const start =
    secondsApart === undefined
      ? "the same day"
      : `starts ${asWritten === undefined || Math.round(asWritten) === Math.round(secondsApart) ? "" : `${Math.round(asWritten)} s apart, and with clocks that agree `}${Math.round(secondsApart)} s apart${secondsApart > MOST_SECONDS_APART ? ` (${limitOf(roundedTo)})` : ""}`;
  return [
    start,
    ...share("distances", distanceApart, { most: distance, rounding: distanceRounding }),
    ...share("durations", durationApart?.share, { most: duration, rounding: durationRounding }),
    ...(heartRateApart === undefined ? [] : [`heart rates ${Math.round(heartRateApart)} apart`]),
    ...(isByOrder === true ? ["in the order of the rows"] : []),
    ...(rivals === undefined ? [] : [`${rivals === 1 ? "1 other pair fits" : `${rivals} other pairs fit`} as well`]),
    ...(Number.isFinite(score) ? [`score ${score}; ${LEAST_SCORE.one} is enough`] : []),
  ].join(", ");
}

const METRES_IN_MILE = 1_609.344;

/** The steps to which values are rounded: `distances to 0.5 km, durations to 5 min`. Undefined where there are none. */
export function describeSteps({ metres, seconds }: ValueSteps): string | undefined {
  const miles = metres === undefined ? 0 : roundTo(metres / METRES_IN_MILE, 6);
  // A step of 0.25 mi is no round number of metres.
  const distance =
    metres === undefined || Number.isInteger(metres)
      ? metres && measureText({ unit: "km", value: metres / 1_000 })
      : measureText({ unit: "mi", value: miles });
  const parts = [
    ...(distance === undefined ? [] : [`distances to ${distance}`]),
    ...(seconds === undefined ? [] : [`durations to ${seconds / 60} min`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

function limitOf(roundedTo: number | undefined): string {
  return roundedTo === undefined ? `${MOST_SECONDS_APART} s at most` : `one may be rounded to ${roundedTo} min`;
}

interface Limits {
  readonly most: number;
  readonly rounding: number | undefined;
}

function share(name: string, apart: number | undefined, { most, rounding = 0 }: Limits): readonly string[] {
  if (apart === undefined) return [];
  const remark =
    apart > most + rounding
      ? ` (${percent(most, 0)} at most)`
      : rounding > 0
        ? ` (rounding makes up to ${percent(rounding, 1)})`
        : "";
  return [`${name} ${percent(apart, 1)} apart${remark}`];
}

function percent(value: number, digits: number): string {
  return `${(value * 100).toFixed(digits)} %`;
}

/** The day, the time and the distance of a workout: `2024-05-01 07:00 10 km` */
export function factsInWords({ date, time, metres }: WorkoutFacts): string {
  const distance = metres === undefined ? undefined : measureText({ unit: "km", value: Math.round(metres) / 1_000 });
  return [date, time?.slice(0, 5), distance].filter((part) => part !== undefined).join(" ");
}
