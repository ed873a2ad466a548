/**
 * Scores how likely several workouts of one source are the parts of a single one of another source: a café stop made two recordings, or one platform
 * has the legs of a triathlon and another one has the day. The score is a sum of weights on the scale of `likeness.ts`. Its base is high, because nobody
 * does one sport twice at once.
 */
import type { Activity } from "../activities.ts";
import { firstAtLeast } from "./in-order.ts";
import { MOST_SECONDS_APART, verdictOf } from "./likeness.ts";

/** A workout as a span of time. */
export interface Span {
  readonly activity: Activity | undefined;
  /** The start on the clock of both sources: milliseconds since 1970. */
  readonly at: number;
  readonly metres: number | undefined;
  readonly seconds: number;
}

/** How the parts differ from the whole. */
export interface PartsApart {
  /** Between the start of the whole and that of the first part; undefined when the whole knows its day alone. */
  readonly secondsApart: number | undefined;
  /** Of the sum of the parts, relative to the whole; undefined when a distance is missing. */
  readonly distanceApart: number | undefined;
  /** Of the parts with or without the stops between them, whichever is closer: relative. */
  readonly durationApart: number;
  /** Seconds of all stops between the parts. */
  readonly stops: number;
}

/** Parts of a whole, with the score of `likeness.ts`. */
export interface PartsFound<T extends Span> {
  readonly parts: readonly T[];
  readonly apart: PartsApart;
  readonly score: number;
}

/** The weight of the first row whose limit is not exceeded. No row: no parts of this workout. */
type Weights = readonly (readonly [most: number, weight: number])[];

/**
 * What a comparison of parts allows and how much it counts, each with its reason. Seconds, and shares: 0.01 = 1 %. Only sums that are equal to 1 % make
 * it sure.
 */
export const PARTS = {
  /** Nobody does a sport twice at one time. Whether the parts fill the whole is to be shown. */
  base: 3,
  /** Both devices are started together. A later start is another workout, or a part is missing. */
  start: [
    [120, 2],
    [MOST_SECONDS_APART, 0],
  ],
  /** Each part has the error of its device, and a phone has more than a watch. A part that is missing makes more than that. */
  distance: [
    [0.01, 4],
    [0.03, 1],
    [0.06, 0],
    [0.12, -1],
  ],
  /** Without distances the times have to tell. */
  noDistance: 0,
  /** With the stops or without them: a device stops by itself, and the other one counts on. */
  duration: [
    [0.01, 2],
    [0.05, 1],
    [0.15, -1],
  ],
  /** A café, a lunch. After three hours it is another workout. */
  stops: [
    [3_600, 0],
    [10_800, -2],
  ],
  /** Two devices cut an end differently, and tables keep minutes. Parts overlap by no more. */
  overlap: 61,
  /** Durations that are so many seconds apart agree: tables keep minutes. */
  minutes: 61,
  /** A ride of a day has so many recordings. */
  most: 12,
} as const satisfies Record<string, number | Weights>;

/** No stop is longer: seconds. */
const [, [MOST_STOP]] = PARTS.stops;

/**
 * Finds the parts of a workout among others of one source.
 *
 * @param others of one source, in the order of their starts
 * @returns undefined when there are no two that may be its parts
 */
export function findParts<T extends Span>(whole: Span, others: readonly T[]): PartsFound<T> | undefined {
  const from = firstAtLeast(others, whole.at - MOST_SECONDS_APART * 1_000);
  let best: PartsFound<T> | undefined;
  for (const [at, start] of others.slice(from, from + PARTS.most).entries()) {
    if (start.at - whole.at > MOST_SECONDS_APART * 1_000) break;
    for (const parts of beginningsOf(whole, others.slice(from + at, from + at + 3 * PARTS.most))) {
      const apart = compareParts(whole, parts);
      const score = scoreOfParts(apart);
      if (verdictOf(score) !== "two" && score > (best?.score ?? 0)) best = { parts, apart, score };
    }
  }
  return best;
}

/** The first two workouts that may be parts, the first three, and so on. */
function* beginningsOf<T extends Span>(whole: Span, others: readonly T[]): Generator<readonly T[]> {
  const parts: T[] = [];
  for (const part of others) {
    const stop = stopBefore(part, parts);
    if (stop > MOST_STOP || parts.length === PARTS.most) return;
    if (!mayBePart(part, whole) || stop < -PARTS.overlap) continue;
    parts.push(part);
    if (parts.length > 1 && haveItsSports(parts, whole)) yield [...parts];
  }
}

/** Seconds from the end of the parts so far to the start of a workout. Below 0 they overlap. */
function stopBefore(part: Span, parts: readonly Span[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : (part.at - endOf(last)) / 1_000;
}

/** A triathlon has no sport of its own in the log, so it may hold any. */
function mayBePart({ activity }: Span, whole: Span): boolean {
  return whole.activity === "other" || activity === whole.activity;
}

function haveItsSports(parts: readonly Span[], whole: Span): boolean {
  return whole.activity !== "other" || new Set(parts.map(({ activity }) => activity)).size > 1;
}

/** How some workouts, as the parts of another one, differ from it. */
export function compareParts(whole: Span, parts: readonly Span[]): PartsApart {
  const [first, last] = [parts[0] ?? whole, parts.at(-1) ?? whole];
  const moving = parts.reduce((sum, { seconds }) => sum + seconds, 0);
  const elapsed = (endOf(last) - first.at) / 1_000;
  const metres = parts.reduce((sum: number | undefined, part) => add(sum, part.metres), 0);
  const timeApart = Math.min(...[moving, elapsed].map((seconds) => Math.abs(seconds - whole.seconds)));
  return {
    secondsApart: Math.abs(first.at - whole.at) / 1_000,
    distanceApart: metres === undefined || whole.metres === undefined ? undefined : share(metres, whole.metres),
    durationApart: timeApart <= PARTS.minutes ? 0 : timeApart / Math.max(whole.seconds, 1),
    stops: Math.max(0, elapsed - moving),
  };
}

/** The score of `likeness.ts`. */
export function scoreOfParts({ secondsApart, distanceApart, durationApart, stops }: PartsApart): number {
  const distance = distanceApart === undefined ? PARTS.noDistance : weightOf(distanceApart, PARTS.distance);
  return (
    PARTS.base +
    (secondsApart === undefined ? 0 : weightOf(secondsApart, PARTS.start)) +
    distance +
    weightOf(durationApart, PARTS.duration) +
    weightOf(stops, PARTS.stops)
  );
}

function weightOf(difference: number, weights: Weights): number {
  return weights.find(([most]) => difference <= most)?.[1] ?? Number.NEGATIVE_INFINITY;
}

function endOf({ at, seconds }: Span): number {
  return at + seconds * 1_000;
}

function add(sum: number | undefined, metres: number | undefined): number | undefined {
  return sum === undefined || metres === undefined ? undefined : sum + metres;
}

function share(a: number, b: number): number {
  return Math.abs(a - b) / Math.max(a, b);
}
