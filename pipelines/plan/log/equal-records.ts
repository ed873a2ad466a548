/** Finds equal records on a day with more workouts than anybody does. All pairs of such a day would be the square of their number. */
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";

/** Nobody trains so often on a day. Beyond it only equal workouts are paired. */
export const MOST_OF_DAY = 100;

/** A log rounds distances to 0.001 km or mi, and durations to the second. */
const STEP_METRES = 2;
const NEXT = [0, -1, 1] as const;

interface WithFacts {
  readonly facts: WorkoutFacts;
}

/**
 * Gives for a workout one record with its day, time, distance and duration. Each record is given once.
 *
 * @param records of the log
 */
export function equalRecords<T extends WithFacts>(records: readonly T[]): (workout: WithFacts) => readonly T[] {
  const byValues = Map.groupBy(records.toReversed(), ({ facts }) => keysOf(facts, [0], [0])[0]);
  return ({ facts }) => {
    for (const key of keysOf(facts, NEXT, NEXT)) {
      const found = byValues.get(key)?.pop();
      if (found !== undefined) return [found];
    }
    return [];
  };
}

/** The values in one text, and those of the next steps. */
function keysOf(facts: WorkoutFacts, steps: readonly number[], seconds: readonly number[]): string[] {
  const own = (value: number | undefined, by: number) => (value === undefined ? "" : Math.round(value) + by);
  const step = facts.metres === undefined ? undefined : facts.metres / STEP_METRES;
  return steps.flatMap((one) =>
    seconds.map((other) => [facts.date, facts.time, own(step, one), own(facts.seconds, other)].join(" ")),
  );
}
