/**
 * Finds out whether a source rounds: a notebook of half kilometres and five minutes. The difference that rounding makes says nothing against a pair. All
 * values of the source together show its steps. One value doesn't, since every tenth distance is a whole number of some step.
 */

import { defined } from "../model/defined.ts";

/** The steps to which a source rounds. */
export interface ValueSteps {
  /** Undefined where its distances have no coarse step. */
  readonly metres?: number;
  /** Undefined where its durations have none. Whole minutes are no coarse step: every comparison allows for them. */
  readonly seconds?: number;
}

/** The values of a workout that may be rounded. */
export interface Measured {
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

/** Counts the values of a source, and tells its steps. It keeps only counts, so a source may have any number of workouts. */
export class StepCounter {
  readonly #metres = new ValueCounter(METRES);
  readonly #seconds = new ValueCounter(SECONDS);

  /** Counts the values of one workout. */
  see({ metres, seconds }: Measured): void {
    if (metres !== undefined) this.#metres.see(metres);
    if (seconds !== undefined) this.#seconds.see(seconds);
  }

  /** The steps to which the values so far are rounded. */
  steps(): ValueSteps {
    return defined({ metres: this.#metres.step(), seconds: this.#seconds.step() });
  }
}

/** The steps to which all values of a source are rounded. */
export function stepsOf(workouts: Iterable<Measured>): ValueSteps {
  const counter = new StepCounter();
  for (const workout of workouts) counter.see(workout);
  return counter.steps();
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

/** Counts how many values are whole numbers of each step. */
class ValueCounter {
  #values = 0;
  readonly #steps: readonly { readonly step: number; whole: number; readonly different: Set<number> }[];

  constructor(steps: readonly number[]) {
    this.#steps = steps.map((step) => ({ step, whole: 0, different: new Set() }));
  }

  see(value: number): void {
    this.#values++;
    for (const counted of this.#steps) {
      if (!isWhole(value, counted.step)) continue;
      counted.whole++;
      if (counted.different.size < FEWEST_DIFFERENT) counted.different.add(Math.round(value / counted.step));
    }
  }

  step(): number | undefined {
    if (this.#values < FEWEST) return undefined;
    return this.#steps.find(
      ({ whole, different }) => whole >= LEAST_SHARE * this.#values && different.size >= FEWEST_DIFFERENT,
    )?.step;
  }
}

function isWhole(value: number, step: number): boolean {
  return value >= step / 2 && Math.abs(value - Math.round(value / step) * step) <= OFF;
}
