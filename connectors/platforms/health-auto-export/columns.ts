/** The names of columns and members in Health Auto Export. Each has its unit behind it. */
import type { ColumnRow, ColumnWords } from "../table/description.ts";

const none = "none" as const;

/** Recognises the header, in any order. Its first four columns are English in every language of the phone. The fifth one is an energy with its unit. */
export function isOurs(header: readonly string[]): boolean {
  const names = header.map((name) => name.replace(/^\uFEFF/, "").trim());
  const isNamed = [/^(Workout )?Type$/, /^Start$/, /^End$/, /^Duration$/].every((name) =>
    names.some((each) => name.test(each)),
  );
  return isNamed && names.some((name) => /\((kJ|kcal)\)$/.test(name));
}

/** The spellings of a column in each of its units. */
export const inUnits = (units: readonly string[], ...names: readonly string[]) =>
  units.flatMap((unit) => names.map((name) => `${name} (${unit})`));

/** Columns without a field in a workout, one for each unit. */
export const lost = (names: readonly string[], units: readonly string[], label: string): readonly ColumnRow[] =>
  units.map((unit) => [inUnits([unit], ...names), "unsupported", { label, unit, zero: none }]);

/** The details of a quantity in the JSON form: the path to its unit, and others. */
export const quantity = (name: string, how: Omit<ColumnWords, "unit"> = {}): typeof how => ({
  unitColumn: `${name}/units`,
  ...how,
});
/** A quantity of the JSON form without a field in a workout, in each of its units. */
export const inJson = (name: string, units: readonly string[], label: string): readonly ColumnRow[] => [
  ...units.map((unit): ColumnRow => [`${name}[units=${unit}]/qty`, "unsupported", { label, unit, zero: none }]),
  [units.map((unit) => `${name}[units=${unit}]/units`), "ignore", { why: "read with its value" }],
];
