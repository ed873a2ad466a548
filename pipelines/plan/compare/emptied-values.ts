/**
 * Names the values that a source has no longer for a workout of the log. The log keeps them: an empty cell may be an answer, or a column that an
 * export lost. So nothing is sent for them alone.
 */
import { defined } from "../../../transforms/model/defined.ts";
import { describeOrigin, type Issue, type Origin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, WorkoutLine } from "../../journal/line.ts";
import { changedFields } from "../pairs/changed-fields.ts";
import { fillFromOlder } from "../records/older-reading.ts";

/** Most workouts that the remark names. */
const MOST_NAMED = 5;

/** A workout with the values that its source has no longer. */
export interface KeptValues {
  /** The workout as the log has it, or gets it. */
  readonly value: Workout;
  /** The names of the fields in which it differs from the workout that was loaded. */
  readonly changed: readonly string[];
}

/** The emptied values of a plan. */
export class EmptiedValues {
  readonly #journal: Journal;
  readonly #named: string[] = [];
  #first: Origin | undefined;
  #count = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Notes what a source has no longer.
   *
   * @param loaded the line that the workout was loaded for
   * @returns undefined if it has every value that was loaded, or if the loaded workout was merged with others: then nobody knows whose values these were
   */
  async keep(line: Line, loaded: Line | undefined): Promise<KeptValues | undefined> {
    if (line.kind !== "workout" || loaded?.kind !== "workout" || loaded.run === line.run) return undefined;
    const { track: _track, ...older } = loaded.value;
    const filled = fillFromOlder({ ...loaded, value: older }, { ...line, state: "planned" });
    if (filled === undefined || (await this.#isMerged(loaded))) return undefined;
    this.#first ??= line.origin;
    this.#count++;
    if (this.#named.length < MOST_NAMED)
      this.#named.push(`${filled.fields.join(", ")} (${describeOrigin(line.origin)})`);
    // A shoe or a course that no row names is no record of this plan.
    const { equipment, course } = line.value;
    const { equipment: _equipment, course: _course, ...rest } = filled.value;
    const changed = changedFields({ kind: "workout", value: filled.value }, loaded);
    return { value: { ...rest, ...defined({ equipment, course }) }, changed };
  }

  async #isMerged({ run, key }: WorkoutLine): Promise<boolean> {
    return (await this.#journal.mergedInto(run, key)).length > 0;
  }

  /** Names them in the plan. */
  async remark(report: (issue: Issue) => Promise<void>): Promise<void> {
    if (this.#first === undefined) return;
    const [workouts, keep] = this.#count === 1 ? ["1 workout", "keeps"] : [`${this.#count} workouts`, "keep"];
    await report({
      severity: "warning",
      rule: "plan/emptied-values",
      origin: this.#first,
      found: `${workouts} of your log ${keep} values that this source has no longer: ${this.#named.join("; ")}${this.#count > this.#named.length ? " ..." : ""}`,
      expected: "the values as they were loaded. If they are to go, empty them in your log",
    });
  }
}
