/**
 * Workouts of a plan that your log has as one: an earlier plan merged them, by their values, by `--doubtful one` or by a person's answer. A log can
 * delete nothing and take nothing apart, so they stay one until a person says that they are two.
 */
import { ONE_IN_LOG } from "../../journal/summary.ts";
import { areOfOneApp, type LinkedWorkout } from "../pairs/linked-workout.ts";
import { type GroupsContext, mergeGroups } from "./merge-groups.ts";

/** The workouts of a plan that share a record of the log. */
export class OnesOfLog {
  readonly #together: readonly (readonly string[])[];
  readonly #othersOf = new Map<string, ReadonlySet<string>>();
  readonly #workoutOf: (key: string) => LinkedWorkout | undefined;

  /**
   * @param together the keys of the workouts that share a record, record by record
   * @param workoutOf the workout with a key
   */
  constructor(together: readonly (readonly string[])[], workoutOf: (key: string) => LinkedWorkout | undefined) {
    this.#together = together;
    this.#workoutOf = workoutOf;
    for (const keys of together) for (const key of keys) this.#othersOf.set(key, new Set(keys));
  }

  /** Whether two workouts may be one: each may be one with another workout of that source and app in the log already. */
  mayBeOne(one: LinkedWorkout, other: LinkedWorkout): boolean {
    return this.#fits(one.key, other) && this.#fits(other.key, one);
  }

  /** Merges those that the plan hasn't merged by their values. Each of the two must be wanted. */
  async merge(run: number, context: GroupsContext, isWanted: (key: string) => boolean): Promise<void> {
    for (const keys of this.#together) {
      const [one, ...others] = keys.filter(isWanted);
      for (const other of others) {
        if (one === undefined || context.groups.rootOf(one) === context.groups.rootOf(other)) continue;
        if (await this.#areVersions(one, other, context)) continue;
        // Only a person makes two workouts of one source one.
        const isSaid = this.#workoutOf(one)?.source === this.#workoutOf(other)?.source;
        await mergeGroups(run, { one, other, ms: 0, reason: ONE_IN_LOG, isSaid }, context);
      }
    }
  }

  /**
   * Whether one is an earlier version of the other one, a row without an id that was edited. Each was loaded into the record in its turn. Where both stand in
   * the table now, they are two workouts.
   */
  async #areVersions(one: string, other: string, { journal }: GroupsContext): Promise<boolean> {
    const [first, second] = [this.#workoutOf(one), this.#workoutOf(other)];
    if (first === undefined || second === undefined || !areOfOneApp(first, second)) return false;
    const isLoaded = async (key: string) => (await journal.remoteRecord(key))?.key === key;
    return (await isLoaded(one)) && isLoaded(other);
  }

  #fits(key: string, workout: LinkedWorkout): boolean {
    const others = this.#othersOf.get(key);
    if (others === undefined || others.has(workout.key)) return true;
    return ![...others].some((known) => {
      const there = known === key ? undefined : this.#workoutOf(known);
      return there !== undefined && areOfOneApp(there, workout);
    });
  }
}
