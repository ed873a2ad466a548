/** Compares a record of two exports of one platform in one plan. The newer export counts, and the plan says what the older one has otherwise. */
import { describeOrigin, type Issue } from "../../../transforms/model/issue.ts";
import type { Item, Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Line } from "../../journal/line.ts";
import { changedFields } from "../pairs/changed-fields.ts";

/**
 * The values that a blank of the newer copy gets from the older one, each with its name: single fields, and those whose members are filled one by one. A
 * type is not among them: a workout without the mark of a race is none.
 */
const SINGLE = [
  ["equipment", "equipment"],
  ["notes", "notes"],
  ["distance", "distance"],
  ["duration", "duration"],
  ["intervals", "intervalSet"],
  ["race result", "raceStats"],
  ["course", "course"],
] as const satisfies readonly (readonly [string, keyof Workout])[];
const WITH_MEMBERS = [
  ["heart rate or weight", "health"],
  ["rating", "ratings"],
  ["weather", "weather"],
] as const satisfies readonly (readonly [string, keyof Workout])[];

/** A workout of a newer export with values that it has from the older one. */
export interface FilledWorkout {
  readonly value: Workout;
  /** The names of these values. */
  readonly fields: readonly string[];
}

/**
 * Fills what the workout of the newer export has blank, or unreadable, from the older one. A platform drops a shoe that was deleted there from its workouts,
 * and a later form of its export may lack a column.
 *
 * @returns undefined if nothing is filled
 */
export function fillFromOlder(older: Reading, newer: Line): FilledWorkout | undefined {
  if (older.kind !== "workout" || newer.kind !== "workout" || newer.state !== "planned") return undefined;
  const fields: string[] = [];
  let value: Workout = newer.value;
  for (const [name, field] of SINGLE) {
    if (!isBlank(value[field]) || isBlank(older.value[field])) continue;
    value = { ...value, [field]: older.value[field] };
    fields.push(name);
  }
  for (const [name, field] of WITH_MEMBERS) {
    const theirs = Object.entries(older.value[field] ?? {}).filter(([, one]) => !isBlank(one));
    const own: Readonly<Record<string, unknown>> = { ...value[field] };
    const missing = theirs.filter(([member]) => isBlank(own[member]));
    if (missing.length === 0) continue;
    value = { ...value, [field]: { ...own, ...Object.fromEntries(missing) } };
    fields.push(name);
  }
  if (value.track === undefined && older.value.track !== undefined) {
    const { track, lostFile } = older.value;
    value = { ...value, track, ...(lostFile !== undefined && { lostFile }) };
    fields.push("track");
  }
  return fields.length === 0 ? undefined : { value, fields };
}

function isBlank(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
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

/** What two copies of one record have in common, and what not. */
interface Compared {
  /** The names of the values in which the copies differ. */
  readonly fields: readonly string[];
  /** The names of the values that the copy that counts has from the other one. */
  readonly filled: readonly string[];
  /** Whether something shows that the copy that counts is of the newer export. */
  readonly isKnown: boolean;
}

/** Why a record is the same as one that was read before. */
export function whySame(counts: Line, { fields, filled, isKnown }: Compared): string {
  const which = isKnown ? "whose export is newer" : "which counts, because nothing shows whose export is newer";
  const others = fields.length === 0 ? "" : `, ${which}: it has another ${fields.join(", ")}`;
  const export_ = isKnown ? "The newer export" : "That one";
  const kept = filled.length === 0 ? "" : `. ${export_} has no ${filled.join(", ")} for it, so it keeps this one`;
  return `the same record as ${describeOrigin(counts.origin)}${others}${kept}`;
}

/** The remarks on a record that two exports have with different values. */
export function tellOlder({ origin }: Item, counts: Line, { fields, filled, isKnown }: Compared): readonly Issue[] {
  const other = isKnown ? "the newer export" : "another export of it";
  const issues: Issue[] = [];
  if (fields.length > 0)
    issues.push({
      severity: "warning",
      rule: "plan/older-reading",
      origin,
      found: `another ${fields.join(", ")} than in ${other}`,
      expected: isKnown
        ? `the values of the newer export, which are loaded: ${describeOrigin(counts.origin)}`
        : `the values of the export that is named first, because nothing shows which one is newer: ${describeOrigin(counts.origin)}`,
    });
  const [equipment, rest] = [filled.includes("equipment"), filled.filter((name) => name !== "equipment")];
  const lacks = isKnown ? "that the newer export has no longer" : "that the export that counts doesn't have";
  const keeps = isKnown ? "of the older export" : "of this one";
  if (equipment)
    issues.push({
      severity: "info",
      rule: "plan/older-equipment",
      origin,
      found: `equipment ${lacks}`,
      expected: `the same workout in both; it keeps the equipment ${keeps}`,
    });
  if (rest.length > 0)
    issues.push({
      severity: "info",
      rule: "plan/older-values",
      origin,
      found: `${rest.join(", ")} ${lacks}`,
      expected: `the same workout in both; it keeps the values ${keeps}`,
    });
  return issues;
}
