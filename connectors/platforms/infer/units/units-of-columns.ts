/** Finds the unit of weights and temperatures: by the header, by the range of the values, and by the table's other units. */
import type { UnitOf } from "../../../../transforms/units.ts";
import { unitSpelt } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import { describeSigns, ENOUGH, type Sign, weigh } from "./evidence.ts";
import { jumpBy } from "./jumps.ts";
import { bareTemperatures, mixedTemperatures } from "./mixed-temperatures.ts";

const NAMES: Readonly<Record<string, string>> = {
  kg: "kilograms",
  lb: "pounds",
  C: "degrees Celsius",
  F: "degrees Fahrenheit",
};

/**
 * The unit of a column with weights.
 *
 * @param distance the unit that the header of the distances says; undefined if it says none
 */
export function weightUnit(column: AssignedColumn, signs: readonly Sign[], distance?: UnitOf<"distance">): Choice {
  const values = valuesOf(column);
  const middle = values[Math.floor(values.length / 2)] ?? 0;
  const range = RANGES.find(({ below }) => middle < below);
  const says = `the median is ${middle}: ${range?.says}`;
  // Where few weigh so much in either unit, the unit of the distances counts as well.
  const length = range?.isDoubtful && distance !== undefined ? LENGTHS[distance] : undefined;
  const own: Sign[] = [
    ...(range === undefined || range.weight === 0 ? [] : [{ weight: range.weight, says }]),
    ...(length === undefined ? [] : [length]),
  ];
  const choice = choose(column, "weight", ["kg", "lb"], [...own, ...signs]);
  const change = weightJump(column);
  if (change === undefined) return choice;
  return { ...choice, ...asking(column, ["kg", "lb"]), isUnproven: true, why: `${choice.why}; ${change}` };
}

/**
 * What the median of weights says of the unit. Half of all grown-ups weigh between 60 and 90 kg. Hardly any weighs less than 40 kg, which is 88 lb,
 * or more than 155. Next to these bounds a light runner in pounds, or a heavy one in kilograms, is rare and no mistake: other signs may outweigh it.
 */
const RANGES: readonly { below: number; weight: number; says: string; isDoubtful?: true }[] = [
  { below: 88, weight: -8, says: "in pounds, that is a child" },
  { below: 100, weight: -5.5, says: "in pounds, that is a light runner", isDoubtful: true },
  { below: 140, weight: 0, says: "" },
  { below: 155, weight: 5.5, says: "in kilograms, that is rare", isDoubtful: true },
  { below: Number.POSITIVE_INFINITY, weight: 8, says: "in kilograms, that is rare" },
];

/** What the unit of the distances says of the unit of weights. British runners have miles and kilograms. */
const LENGTHS: Partial<Record<UnitOf<"distance">, Sign>> = {
  mi: { weight: 2, says: "the distances are in miles" },
  km: { weight: -2, says: "the distances are in kilometres" },
};

/** A kilogram in pounds. */
const KILOGRAM = 2.20462;

/** Where the weights jump from kilograms to pounds or back, once; undefined if they don't. A cell with a unit of its own says it. */
function weightJump({ cells }: AssignedColumn): string | undefined {
  const weights = cells.flatMap((cell) => {
    const { number, unit } = splitAmount(cell);
    const value = roughNumber(number);
    return unit === "" && value > 0 ? [{ cell, value }] : [];
  });
  const jump = jumpBy(KILOGRAM, weights);
  if (jump === undefined) return undefined;
  const { first, factor, isDown } = jump;
  return `from the row with ${first.cell} on the numbers are ${isDown ? "smaller" : "larger"} by a factor of ${factor.toFixed(2)}, and a kilogram is 2.20 lb. One unit can't be true of all rows then: write the other unit into each of its cells, as in 166 lb, and propose again`;
}

/** The unit of a column with temperatures. */
export function temperatureUnit(column: AssignedColumn, signs: readonly Sign[]): Choice {
  // A cell with its unit says nothing of the others.
  const bare = bareTemperatures(column).map(({ cell }) => cell);
  const values = valuesOf(bare.length > 0 ? { ...column, filled: bare } : column);
  const [least = 0, most = 0] = [values[0], values.at(-1)];
  const middle = values[Math.floor(values.length / 2)] ?? 0;
  const range: Sign[] =
    most > 48
      ? [{ weight: 9, says: `it is up to ${most}, too hot in degrees Celsius` }]
      : least < -2 && most < 45
        ? [{ weight: -5, says: `it is from ${least} to ${most}` }]
        : values.length >= 15 && middle < 32
          ? [{ weight: -6, says: `it is from ${least} to ${most}: in degrees Fahrenheit, most days were frost` }]
          : [];
  const choice = choose(column, "temperature", ["C", "F"], [...range, ...signs]);
  const mixed = mixedTemperatures(column);
  if (mixed === undefined) return choice;
  return { ...choice, ...asking(column, ["C", "F"]), isUnproven: true, why: `${choice.why}; ${mixed}` };
}

function valuesOf({ filled }: AssignedColumn): readonly number[] {
  return filled
    .map((cell) => roughNumber(splitAmount(cell).number))
    .filter((value) => !Number.isNaN(value))
    .toSorted((a, b) => a - b);
}

function choose<D extends "weight" | "temperature">(
  { name, meaning, filled }: AssignedColumn,
  dimension: D,
  [metric, imperial]: readonly [UnitOf<D>, UnitOf<D>],
  signs: readonly Sign[],
): Choice {
  const place = `columns.${name}.unit`;
  const base = { place, contradicting: 0, rows: filled.length };
  const said = meaning.unit === undefined ? undefined : unitSpelt(dimension, meaning.unit);
  if (said !== undefined) return { ...base, value: said, why: "the header says so" };
  const suffixes = new Set(filled.map((cell) => unitSpelt(dimension, splitAmount(cell).unit.replace(" ", ""))));
  const [only] = suffixes;
  if (suffixes.size === 1 && only !== undefined) return { ...base, value: only, why: "the cells say so" };
  const weight = weigh(signs);
  const value = weight > 0 ? imperial : metric;
  const because = describeSigns(signs, weight > 0);
  if (Math.abs(weight) >= ENOUGH) return { ...base, value, why: because };
  return {
    ...base,
    value,
    why: "both fit",
    ...asking({ name }, [metric, imperial]),
  };
}

function asking({ name }: Pick<AssignedColumn, "name">, units: readonly string[]) {
  return {
    question: `In which unit is the column ${JSON.stringify(name)}?`,
    options: units.map((unit) => ({ value: unit, means: NAMES[unit] ?? unit })),
  };
}
