/** How Health Auto Export names its columns and members: each has its unit behind it. */
import type { ColumnRow, ColumnWords } from "../table/description.ts";

const none = "none" as const;

/** The first four columns are English in every language of the phone, and an energy with its unit stands behind them. */
export function isOurs(header: readonly string[]): boolean {
  const [type = "", start, end, duration, energy = ""] = header.map((name) => name.replace(/^\uFEFF/, "").trim());
  const isNamed = /^(Workout )?Type$/.test(type) && start === "Start" && end === "End" && duration === "Duration";
  return isNamed && /\((kJ|kcal)\)$/.test(energy);
}

/** The spellings of a column in each of its units. */
export const inUnits = (units: readonly string[], ...names: readonly string[]) =>
  units.flatMap((unit) => names.map((name) => `${name} (${unit})`));

/** Columns without a place in a workout, one for each unit. */
export const lost = (names: readonly string[], units: readonly string[], label: string): readonly ColumnRow[] =>
  units.map((unit) => [inUnits([unit], ...names), "unsupported", { label, unit, zero: none }]);

/** The ways to a quantity of the JSON form, and to its unit. */
export const quantity = (name: string, how: Partial<ColumnWords> = {}): ColumnWords => ({
  unitColumn: `${name}/units`,
  ...how,
});
/** A quantity of the JSON form without a place in a workout, with each of its units. */
export const inJson = (name: string, units: readonly string[], label: string): readonly ColumnRow[] => [
  ...units.map((unit): ColumnRow => [`${name}[units=${unit}]/qty`, "unsupported", { label, unit, zero: none }]),
  [units.map((unit) => `${name}[units=${unit}]/units`), "ignore", { why: "read with its value" }],
];
