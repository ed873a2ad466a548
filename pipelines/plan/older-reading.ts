/** Compares a record of two exports of one platform in one plan. The newer export counts, and the plan says what the older one has otherwise. */
import { describeOrigin, type Issue } from "../../transforms/model/issue.ts";
import type { Item, Reading } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Line } from "../journal/line.ts";
import { changedFields } from "./changed-fields.ts";

/**
 * The workout of the newer export with the shoes or the bike of the older one, if the newer one has none: a platform drops a shoe that was deleted
 * there from its workouts, too.
 *
 * @returns undefined if it has some, or if the older export has none
 */
export function withOlderEquipment(older: Reading, newer: Line): Workout | undefined {
  if (older.kind !== "workout" || newer.kind !== "workout" || newer.state !== "planned") return undefined;
  const { equipment = [] } = older.value;
  if (equipment.length === 0 || (newer.value.equipment ?? []).length > 0) return undefined;
  return { ...newer.value, equipment };
}

/** The remark on a workout that keeps the equipment of the older export. */
export function olderEquipment({ origin }: Item): Issue {
  return {
    severity: "info",
    rule: "plan/older-equipment",
    origin,
    found: "equipment that the newer export has no longer",
    expected: "the same workout in both; it keeps the equipment of the older export",
  };
}

/**
 * The names of the values in which a reading of the older export differs from the line of the newer one.
 *
 * @param kept the workout of the newer export with values of the older one, if it keeps some
 */
export function differingFields(older: Reading, newer: Line, kept?: Workout): readonly string[] {
  if (older.kind === "set-aside" || newer.kind === "set-aside") return [];
  return changedFields(older, kept === undefined ? newer : { kind: "workout", value: kept });
}

/** The remark on a record that two exports have with different values. */
export function olderReading({ origin }: Item, newer: Line, fields: readonly string[]): Issue {
  return {
    severity: "warning",
    rule: "plan/older-reading",
    origin,
    found: `another ${fields.join(", ")} than in the newer export`,
    expected: `the values of the newer export, which are loaded: ${describeOrigin(newer.origin)}`,
  };
}
