/**
 * Scores how likely it is that two records of two sources are one workout. The score is the sum of a weight for each field, as in the linkage of
 * records by Fellegi and Sunter ("A Theory for Record Linkage", 1969): the logarithm to base 2 of how much more often two records of one workout
 * differ so little than two records that chance brought together.
 */

/** How two records differ, at most. */
export interface Differences {
  /** Between the starts, once the clocks agree; undefined when a record knows its day alone. Both have the same day then. */
  readonly secondsApart: number | undefined;
  /** Whether both records know their day alone. */
  readonly isByDays?: true;
  /** Between the starts as the records have them, where a clock is off by seconds. */
  readonly asWritten?: number;
  /** The step in minutes that one of the starts may be rounded to, where that would make up for the difference. */
  readonly roundedTo?: number;
  /** Relative, 0.01 = 1 %; undefined when a record has no distance. */
  readonly distanceApart: number | undefined;
  /** In seconds and relative; undefined when a record has no duration. */
  readonly durationApart: { readonly seconds: number; readonly share: number } | undefined;
  /** What rounding alone may make of these, where a source keeps coarse steps: relative to the larger value. */
  readonly distanceRounding?: number;
  readonly durationRounding?: number;
  /** How many of the two have a distance. */
  readonly measured: number;
  /** Between the average heart rates, in beats a minute. Undefined when a record has none. */
  readonly heartRateApart?: number;
  /** How many other pairs of the day are as good, where nothing tells which of them it is. */
  readonly rivals?: number;
  /** Whether other pairs of the day are as good, and the order of the rows tells which of them it is. */
  readonly isByOrder?: true;
}

/** One workout, perhaps one, or two. */
export type Verdict = "one" | "doubtful" | "two";

/** The least score of the verdicts. Two to the power of it is how much likelier one workout is than two. */
export const LEAST_SCORE: Readonly<Record<Exclude<Verdict, "two">, number>> = { one: 9, doubtful: 5 };

/** No score makes up for this. */
const NEVER = Number.NEGATIVE_INFINITY;

/** The weight of the first row whose limit is not exceeded. */
type Weights = readonly (readonly [most: number, weight: number])[];

/** No score makes up for starts that are further apart, in seconds. */
export const MOST_SECONDS_APART = 200;

/** Nor for distances and durations that are further apart, 0.01 = 1 %. */
export const MOST_SHARE_APART = { distance: 0.16, duration: 0.35 } as const;

/**
 * Nobody begins two workouts of one sport within two minutes. Buttons that are pressed late and clocks that are corrected only now and then make up
 * the rest.
 */
const OF_START: Weights = [
  [10, 14],
  [120, 11],
  [MOST_SECONDS_APART, 8],
  [Number.POSITIVE_INFINITY, NEVER],
];
/** A start that a person typed as a round time. It tells less than any other, and makes no pair sure. */
const OF_ROUNDED_START = 2;
/** Somebody may do the same sport twice on a day. */
const OF_DAY = 3;

/** What speaks for or against a pair besides its own values. */
export const WEIGHTS = {
  /** Both sources have one workout of the sport on the day, and no other. */
  onlyOnesOfDay: 2,
  /** The clocks of the sources are so far apart in other weeks of the archives, and in these weeks too few workouts tell. */
  clockOfOtherWeeks: -4,
} as const;

/** Satellites, foot pods and treadmills differ by some percent, a phone in a pocket by more. */
const OF_DISTANCE: Weights = [
  [0.005, 7],
  [0.03, 5],
  [0.06, 2],
  [MOST_SHARE_APART.distance, -1],
  [Number.POSITIVE_INFINITY, NEVER],
];
const OF_NO_DISTANCES = 1;

/** One source counts the stops and another one doesn't. Tables keep minutes. A part of a workout is not the workout. */
const OF_DURATION: Weights = [
  [0.01, 6],
  [0.05, 4],
  [MOST_SHARE_APART.duration, -1],
  [Number.POSITIVE_INFINITY, NEVER],
];
const SECONDS_OF_MINUTES = 61;

/**
 * A notebook of half kilometres and five minutes agrees with many workouts, and the more the coarser it is. So agreement counts less, by how far rounding
 * may move a value. The weights are the logarithm, too: durations and distances of one sport lie within a factor of four, and a step of a quarter of
 * the value divides them into six.
 */
const OF_ROUNDED: Weights = [
  [0.04, 4],
  [0.075, 3],
  [0.15, 2],
  [0.25, 0],
  [Number.POSITIVE_INFINITY, NEVER],
];

/** A table copies what the watch showed, rounded. Another sensor measures otherwise, so a difference says little. */
const OF_HEART_RATE: Weights = [
  [1, 2],
  [10, 0],
  [Number.POSITIVE_INFINITY, -1],
];

/**
 * Scores two records.
 *
 * @param differences of two records of one sport
 * @returns bits of evidence: higher is likelier one workout; `-Infinity` when no more can be said than that they are two
 */
export function scoreOf(differences: Differences): number {
  const { start, distance, duration, heartRate } = weightsOfFields(differences);
  const score = start + distance + duration + heartRate;
  return isOfRoundedStart(differences) ? Math.min(score, LEAST_SCORE.one - 1) : score;
}

/** Whether only the rounding of a start by a person explains how far two starts are apart. Such a pair is doubtful at most. */
export function isOfRoundedStart({ secondsApart, roundedTo }: Differences): boolean {
  return roundedTo !== undefined && secondsApart !== undefined && secondsApart > MOST_SECONDS_APART;
}

/** What each field adds to the score of two records, in bits of evidence. `-Infinity`: no score makes up for it. */
export function weightsOfFields(differences: Differences) {
  const { secondsApart, distanceApart, distanceRounding, durationApart, durationRounding } = differences;
  const { measured, heartRateApart } = differences;
  const start = isOfRoundedStart(differences)
    ? OF_ROUNDED_START
    : secondsApart === undefined
      ? OF_DAY
      : weightOf(secondsApart, OF_START);
  const distance =
    distanceApart === undefined
      ? measured === 0
        ? OF_NO_DISTANCES
        : 0
      : beyondRounding(distanceApart, distanceRounding, ofDistance);
  const heartRate = heartRateApart === undefined ? 0 : weightOf(heartRateApart, OF_HEART_RATE);
  const duration = durationApart === undefined ? 0 : ofDuration(durationApart, durationRounding);
  return { start, distance, duration, heartRate };
}

/** Weighs a difference as it is, and as it is without what rounding may have made of it, with the weight of such rounding at most. */
function beyondRounding(share: number, rounding: number | undefined, weigh: (share: number) => number): number {
  const asItIs = weigh(share);
  if (rounding === undefined) return asItIs;
  return Math.max(asItIs, Math.min(weigh(Math.max(0, share - rounding)), weightOf(rounding, OF_ROUNDED)));
}

function ofDistance(share: number): number {
  return weightOf(share, OF_DISTANCE);
}

function ofDuration(
  { seconds, share }: NonNullable<Differences["durationApart"]>,
  rounding: number | undefined,
): number {
  const weight = beyondRounding(share, rounding, (value) => weightOf(value, OF_DURATION));
  return seconds <= SECONDS_OF_MINUTES ? Math.max(weight, 4) : weight;
}

/**
 * Without times of day, distances that are further apart make no pair sure: somebody who runs 8.5 km before work may run 8 km after it. 0.01 = 1 %, without
 * what rounding may have made of it.
 */
export const MOST_SURE_BY_DAY = 0.055;

/**
 * Nor do durations that are further apart, where neither record has a time of day: somebody who always runs 10 km runs them twice on a day, too. A minute is
 * less than such a difference, because tables keep minutes.
 */
export const MOST_SURE_BY_DAYS = 0.03;

/** Heart rates that a table copied from the watch, in beats a minute. They tell one run of a day from another. */
const SAME_HEART_RATE = 1;

/** Which values make two records doubtful at most: one of them knows its day alone and these are too far apart. Undefined where none do. */
export function unsureByDay(differences: Differences): "distances" | "durations" | undefined {
  const { secondsApart, distanceApart = 0, distanceRounding = 0, durationApart, durationRounding = 0 } = differences;
  const { heartRateApart = Number.POSITIVE_INFINITY, isByDays } = differences;
  if (secondsApart !== undefined || heartRateApart <= SAME_HEART_RATE) return undefined;
  if (distanceApart - distanceRounding > MOST_SURE_BY_DAY) return "distances";
  if (isByDays !== true || durationApart === undefined || durationApart.seconds <= SECONDS_OF_MINUTES) return undefined;
  return durationApart.share - durationRounding > MOST_SURE_BY_DAYS ? "durations" : undefined;
}

/** What a score says. */
export function verdictOf(score: number): Verdict {
  return score >= LEAST_SCORE.one ? "one" : score >= LEAST_SCORE.doubtful ? "doubtful" : "two";
}

function weightOf(difference: number, weights: Weights): number {
  return weights.find(([most]) => difference <= most)?.[1] ?? NEVER;
}
