/**
 * Finds out whether a source rounds: a notebook of half kilometres and five minutes. The difference that rounding makes says nothing against a pair. All
 * values of the source together show its steps. One value doesn't, since every tenth distance is a whole number of some step.
 */

/** The steps to which a source rounds. */
export interface ValueSteps {
  /** Undefined where its distances have no coarse step. */
  readonly metres?: number;
  /** Undefined where its durations have none. Whole minutes are no coarse step: every comparison allows for them. */
  readonly seconds?: number;
}

/** The values of a workout that may be rounded. */
interface Measured {
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
}

/** The steps that people and tables use, coarsest first: metres in 1 mi, 1 km, 0.5 mi, 500 m, 0.25 mi, 250 m, 0.1 mi and 100 m. */
const METRES = [1_609.344, 1_000, 804.672, 500, 402.336, 250, 160.9344, 100] as const;

/** Seconds in half an hour, a quarter of one, and ten and five minutes. */
const SECONDS = [1_800, 900, 600, 300] as const;

/** The fewest values that show a step, and the fewest different ones. Somebody who always runs 10 km rounds nothing. */
const FEWEST = 20;
const FEWEST_DIFFERENT = 5;

/** So many of the values are whole numbers of the step. A person types an exact value now and then. */
const LEAST_SHARE = 0.95;

/** Metres and seconds that a value may be off its step: a unit was converted. */
const OFF = 1;

/** The steps to which all values of a source are rounded. */
export function stepsOf(workouts: readonly Measured[]): ValueSteps {
  const metres = stepAmong(
    METRES,
    workouts.flatMap((workout) => workout.metres ?? []),
  );
  const seconds = stepAmong(
    SECONDS,
    workouts.flatMap((workout) => workout.seconds ?? []),
  );
  return { ...(metres !== undefined && { metres }), ...(seconds !== undefined && { seconds }) };
}

/** The steps of one workout: a value that is no whole number of its source's step was not rounded. */
export function stepsOfWorkout({ metres, seconds }: Measured, steps: ValueSteps): ValueSteps {
  const isRounded = (value: number | undefined, step: number | undefined) =>
    value !== undefined && step !== undefined && isWhole(value, step);
  return {
    ...(isRounded(metres, steps.metres) && { metres: steps.metres }),
    ...(isRounded(seconds, steps.seconds) && { seconds: steps.seconds }),
  };
}

function stepAmong(steps: readonly number[], values: readonly number[]): number | undefined {
  if (values.length < FEWEST) return undefined;
  return steps.find((step) => {
    const whole = values.filter((value) => isWhole(value, step));
    if (whole.length < LEAST_SHARE * values.length) return false;
    return new Set(whole.map((value) => Math.round(value / step))).size >= FEWEST_DIFFERENT;
  });
}

function isWhole(value: number, step: number): boolean {
  return value >= step / 2 && Math.abs(value - Math.round(value / step) * step) <= OFF;
}
