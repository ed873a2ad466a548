/** A workout of a source, as it is compared with those of another source. */
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { stepsOf, stepsOfWorkout, type ValueSteps } from "../../../transforms/matching/value-steps.ts";
import type { Origin } from "../../../transforms/model/issue.ts";

/** A workout of a source. */
export interface LinkedWorkout {
  readonly key: string;
  readonly source: number;
  /** The app that recorded it, in a source that collects from several. */
  readonly recorder?: string | undefined;
  readonly origin: Origin;
  readonly facts: WorkoutFacts;
  /** Whether a person gave its time of day for this record. Then it is right, whatever the clock of its source is. */
  readonly isTyped?: true;
  /** Whether its start surely is right: it has an instant, and a place or an offset from UTC beside it, or a table says that it is in UTC. */
  readonly isSure?: true;
  /** Whether it has its local time by the fixed offset of the log alone. Its instant may be sure all the same. */
  readonly isAssumed?: true;
  /** Its place in the order of time among the rows of its file. Undefined where the dates of the file don't tell which end is the older one. */
  readonly inFile?: number;
  /** The steps to which its source rounded its values. */
  readonly steps?: ValueSteps;
}

/**
 * The clock that shows the local time of a workout, as a number. The assumed local times of a source are a clock of their own: that they are an hour off
 * says nothing about those that the source knows.
 */
export function clockOf({ source, isAssumed }: Pick<LinkedWorkout, "source" | "isAssumed">): number {
  return isAssumed === true ? -1 - source : source;
}

/** Whether two workouts are of one source, and of one app in it. Where one of them names no app, they may be of the same. */
export function areOfOneApp(one: Recorded, other: Recorded): boolean {
  if (one.source !== other.source) return false;
  return one.recorder === undefined || other.recorder === undefined || one.recorder === other.recorder;
}

/** Where a workout comes from. */
export type Recorded = Pick<LinkedWorkout, "source" | "recorder">;

/** A workout with the clock that both sources have; undefined when it knows its day alone. */
export interface Clocked {
  /** Its place in its list. */
  readonly at: number;
  readonly workout: LinkedWorkout;
  readonly wall: number | undefined;
  /** How much later `wall` is than the source has it, in milliseconds. Undefined where its clock isn't set. */
  readonly setLater?: number;
}

/** Gives each workout of a source the steps to which the source rounds. */
export function withSteps(workouts: readonly LinkedWorkout[]): LinkedWorkout[] {
  const steps = stepsOf(workouts.map(({ facts }) => facts));
  return workouts.map((workout) => ({ ...workout, steps: stepsOfWorkout(workout.facts, steps) }));
}
