/** Rows with the same id and the same start: one workout, which a table lists in several versions. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Rejected } from "../../../../transforms/model/item.ts";
import type { Workout } from "../../../../transforms/model/workout.ts";
import { measureText } from "../../../../transforms/units.ts";
import { KeyTable } from "../../key-table.ts";
import { leftBeside } from "./left-of-row.ts";

/** The most workouts of a table whose versions are remembered. Of any further one the first row counts. */
const MOST_WORKOUTS = 10_000;

/** A row that has an id, or none. */
export interface VersionedRow {
  readonly id: string | undefined;
  readonly workout: Workout;
}

/**
 * The versions of the workouts of one table. Nobody starts two workouts at once, so two rows with one id and one start are one workout. The version
 * that the device file fits counts, or else the last one: a table lists what was changed behind what it was before.
 */
export class RowVersions {
  readonly #isShared: boolean;
  /** The values of the first row of each id and start. */
  #first: KeyTable | undefined = new KeyTable();
  /** The last row of each id and start that has several versions. */
  readonly #last = new Map<string, Workout>();

  /** @param isShared whether two workouts of the table may have one id: then each row is a workout */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** Adds a row. */
  add(row: VersionedRow): void {
    const key = this.#keyOf(row);
    if (key === undefined || this.#first === undefined) return;
    const isFirst = this.#first.isAsFirst(key, valuesOf(row.workout));
    const isKnown = this.#last.has(key);
    if (isKnown || (!isFirst && this.#last.size < MOST_WORKOUTS)) this.#last.set(key, row.workout);
  }

  /** Ends the adding, and frees what it needed. */
  settle(): this {
    this.#first = undefined;
    return this;
  }

  /**
   * The version that counts in place of a row.
   *
   * @param ofFile the row that the device file of this one fits best; undefined if no other row names the file
   * @returns undefined if the row itself counts
   */
  lostTo(row: VersionedRow, ofFile: VersionedRow | undefined): Workout | undefined {
    const key = this.#keyOf(row);
    const last = this.#last.get(key ?? "");
    if (last === undefined) return undefined;
    const counts = ofFile !== undefined && this.#keyOf(ofFile) === key ? ofFile.workout : last;
    return valuesOf(counts) === valuesOf(row.workout) ? undefined : counts;
  }

  #keyOf({ id, workout: { start } }: VersionedRow): string | undefined {
    const hasTime = start.time !== undefined || start.instant !== undefined;
    if (this.#isShared || id === undefined || !hasTime) return undefined;
    return JSON.stringify([id, start.date, start.time, start.instant]);
  }
}

/** The values by which versions differ. Units are left out: in the first pass over a table they may be unknown. */
function valuesOf({ sport, distance, duration }: Workout): string {
  return JSON.stringify([sport, distance?.value, duration]);
}

/** What rejects a version that doesn't count: the remark, and the values that only it has. */
export function otherVersion(
  id: string,
  workout: Workout,
  winner: Workout,
): { readonly issue: Issue; readonly left: Pick<Rejected, "left"> } {
  const unit = workout.distance?.unit;
  const counts =
    unit === undefined || winner.distance === undefined
      ? winner
      : { ...winner, distance: { ...winner.distance, unit } };
  const expected = `each activity once: another row has this id and this start, with ${lengthInWords(counts)}. That row counts`;
  const found = `${id}: ${lengthInWords(workout)}`;
  const left = leftBeside(workout, counts);
  return {
    issue: { severity: "warning", rule: "table/other-version", field: "id", found, expected },
    left: left.length === 0 ? {} : { left },
  };
}

/** The sport, the distance and the duration of a row in words. */
export function lengthInWords({ sport, distance, duration }: Workout): string {
  const parts = [
    ...(sport === undefined ? [] : [sport]),
    ...(distance === undefined ? [] : [measureText(distance)]),
    ...(duration === undefined ? [] : [measureText({ unit: "s", value: duration })]),
  ];
  return parts.length === 0 ? "neither a distance nor a duration" : parts.join(", ");
}
