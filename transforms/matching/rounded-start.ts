/**
 * Tells whether a start that a person typed may be the start of a device, rounded: "half past six" for 18:24:30. Only one of the two is round then, and
 * the two workouts are at one time. Nobody does a sport twice at once, so one start must be wrong.
 */
import type { WorkoutFacts } from "../duplicates.ts";

/** Steps that people round to, in minutes, and how many seconds the other start may be away: half of a step, and the time until a button is pressed. */
const STEPS = [
  [30, 900],
  [15, 650],
  [5, 350],
] as const;

/** The step in minutes that one of two starts may be rounded to; undefined when their times say that they are two. */
export function roundedStart(a: WorkoutFacts, b: WorkoutFacts, secondsApart: number | undefined): number | undefined {
  if (secondsApart === undefined || a.time === undefined || b.time === undefined) return undefined;
  if (secondsApart >= Math.min(a.seconds ?? 0, b.seconds ?? 0) / 2) return undefined;
  const [ours, theirs] = [secondsOfHour(a.time), secondsOfHour(b.time)];
  return STEPS.find(
    ([minutes, most]) => secondsApart <= most && (ours % (minutes * 60) === 0) !== (theirs % (minutes * 60) === 0),
  )?.[0];
}

/** `18:24:30` is 1470. */
function secondsOfHour(time: string): number {
  const [, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return minutes * 60 + seconds;
}
