/** Compares two workouts by their values, and scores how likely they are one. */
import { matchDuplicates, secondsBetweenStarts, type WorkoutFacts } from "../duplicates.ts";
import { defined } from "../model/defined.ts";
import { type Differences, LEAST_SCORE, scoreOf, unsureByDay, verdictOf } from "./likeness.ts";
import { roundedStart } from "./rounded-start.ts";
import type { ValueSteps } from "./value-steps.ts";

/** How two workouts differ, and what that says. */
export interface Likeness {
  readonly differences: Differences;
  /** As in `likeness.ts`: higher is likelier one workout. */
  readonly score: number;
}

/** What is known about two workouts besides their values. */
export interface Circumstances {
  /** Between the starts once the clocks agree; undefined when one of the two knows its day alone. */
  readonly secondsApart: number | undefined;
  /** What speaks for or against the pair: the sum of `WEIGHTS`. */
  readonly bonus?: number;
  /** Whether the clocks were set, so that the rule for two records says nothing. */
  readonly isClockSet?: boolean;
  /** The steps to which the values of each are rounded. */
  readonly steps?: readonly [ours: ValueSteps | undefined, theirs: ValueSteps | undefined];
}

/** Compares two workouts of one activity. What counts as one by the rule for two records has the score of one workout at least. */
export function compareFacts(
  ours: WorkoutFacts,
  theirs: WorkoutFacts,
  { secondsApart, bonus = 0, isClockSet = false, steps = [undefined, undefined] }: Circumstances,
): Likeness {
  // A clock that was set says how far the starts really are apart.
  const roundedTo = isClockSet ? undefined : roundedStart(ours, theirs, secondsApart);
  const differences: Differences = {
    secondsApart,
    ...(ours.time === undefined && theirs.time === undefined && { isByDays: true }),
    ...(roundedTo !== undefined && { roundedTo }),
    distanceApart: apart(ours.metres, theirs.metres),
    durationApart:
      ours.seconds === undefined || theirs.seconds === undefined
        ? undefined
        : { seconds: Math.abs(ours.seconds - theirs.seconds), share: apart(ours.seconds, theirs.seconds) ?? 0 },
    ...roundingOf(ours, theirs, steps),
    measured: [ours, theirs].filter(({ metres }) => metres !== undefined).length,
    ...(ours.heartRate !== undefined &&
      theirs.heartRate !== undefined && { heartRateApart: Math.abs(ours.heartRate - theirs.heartRate) }),
  };
  const likely = bonus + scoreOf(differences);
  const score = unsureByDay(differences) !== undefined ? Math.min(likely, LEAST_SCORE.one - 1) : likely;
  const isOneByRule = !isClockSet && matchDuplicates(ours, theirs) !== undefined;
  return { differences, score: isOneByRule ? Math.max(score, LEAST_SCORE.one) : score };
}

/** How far rounding alone may bring the values of two workouts apart: half of each step, relative to the larger value. */
function roundingOf(
  ours: WorkoutFacts,
  theirs: WorkoutFacts,
  steps: NonNullable<Circumstances["steps"]>,
): Pick<Differences, "distanceRounding" | "durationRounding"> {
  const share = (of: "metres" | "seconds") => {
    const most = steps.reduce((sum, step) => sum + (step?.[of] ?? 0) / 2, 0);
    return most === 0 ? undefined : most / Math.max(ours[of] ?? 0, theirs[of] ?? 0);
  };
  return defined({ distanceRounding: share("metres"), durationRounding: share("seconds") });
}

/**
 * The same for two workouts whose clocks agree. Two that are of other days, or other activities, have a score of `-Infinity`.
 *
 * @param known what is known besides the values: what speaks for the pair, and the steps to which each of the two is rounded
 */
export function compareAsTheyAre(
  ours: WorkoutFacts,
  theirs: WorkoutFacts,
  known: Pick<Circumstances, "bonus" | "steps"> = {},
): Likeness {
  const isTimed = ours.time !== undefined && theirs.time !== undefined;
  const secondsApart = isTimed ? secondsBetweenStarts(ours, theirs) : undefined;
  const likeness = compareFacts(ours, theirs, { ...known, secondsApart });
  const areTwo = ours.activity !== theirs.activity || (!isTimed && ours.date !== theirs.date);
  return areTwo ? { ...likeness, score: Number.NEGATIVE_INFINITY } : likeness;
}

/** Whether two workouts are surely one. */
export function isSure({ score }: Likeness): boolean {
  return verdictOf(score) === "one";
}

/** Whether two workouts whose clocks agree are surely one. */
export function areOne(ours: WorkoutFacts, theirs: WorkoutFacts): boolean {
  return isSure(compareAsTheyAre(ours, theirs));
}

/** The relative difference, divided by the larger value. */
function apart(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.abs(a - b) / Math.max(a, b);
}
