/** What the laps of a row have besides their distances and times. Intervals have no place for it, so it is counted by its names. */
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";

/** Names of measurements that no interval holds. */
const MEASURED =
  /heart|hr$|bpm|pulse|cadence|power|watt|ascen|descen|climb|elevation|altitude|calor|energy|temperature|speed|stride|swolf|stroke/i;

/** The deepest list or object that is looked into. */
const DEEPEST = 6;

/** The names of such measurements, at any depth of the value of a column with laps. A value that is empty or 0 doesn't count. */
export function leftOfLaps(value: unknown): readonly UnsupportedValue[] {
  const names = new Set<string>();
  addNames(value, names, DEEPEST);
  return names.size === 0 ? [] : [{ field: "more of the laps", value: [...names].sort().join(", ") }];
}

function addNames(value: unknown, names: Set<string>, left: number): void {
  if (typeof value !== "object" || value === null || left === 0) return;
  if (Array.isArray(value)) {
    for (const each of value) addNames(each, names, left - 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (MEASURED.test(name) && holdsSome(inner, left - 1)) names.add(name);
    else addNames(inner, names, left - 1);
  }
}

function holdsSome(value: unknown, left: number): boolean {
  if (typeof value === "object" && value !== null)
    return left > 0 && Object.values(value).some((each) => holdsSome(each, left - 1));
  return value !== null && value !== undefined && value !== false && !/^[0.]*$/.test(String(value));
}
