/** The only table of units. Every conversion in logferry uses these factors. */

/** A physical quantity that a unit measures. */
export type Dimension = "distance" | "weight" | "temperature";

/** The units of a dimension, spelt as the log's interface spells them. */
export type UnitOf<D extends Dimension> = (typeof UNITS)[D][number]["unit"];

/** A value in the unit of its source. It keeps that unit until logferry sends it. */
export interface Measure<D extends Dimension> {
  readonly unit: UnitOf<D>;
  readonly value: number;
}

/**
 * One unit: `base = value * factor + shift`. The bases are metres, kilograms and degrees Celsius. `decimals` is the precision that logferry
 * writes in this unit (see `roundMeasure`).
 */
interface Unit {
  readonly unit: string;
  readonly factor: number;
  readonly shift: number;
  readonly decimals: number;
  readonly spellings: readonly string[];
}

/**
 * Factors are exact by definition: the international mile (1,609.344 m) and yard (0.9144 m) of 1959, the avoirdupois pound (0.45359237 kg),
 * and F = C * 9/5 + 32. The spellings come from real exports and spreadsheets, folded by `foldSpelling`.
 */
export const UNITS = {
  distance: [
    { unit: "mi", factor: 1609.344, shift: 0, decimals: 3, spellings: ["mile", "miles", "miler", "mil", "sm"] },
    {
      unit: "km",
      factor: 1000,
      shift: 0,
      decimals: 3,
      spellings: ["k", "kms", "kilometer", "kilometers", "kilometre", "kilometres"],
    },
    { unit: "m", factor: 1, shift: 0, decimals: 0, spellings: ["meter", "meters", "metre", "metres"] },
    { unit: "yd", factor: 0.9144, shift: 0, decimals: 0, spellings: ["yard", "yards", "yds"] },
  ],
  weight: [
    { unit: "lb", factor: 0.45359237, shift: 0, decimals: 1, spellings: ["lbs", "pound", "pounds"] },
    { unit: "kg", factor: 1, shift: 0, decimals: 1, spellings: ["kgs", "kilo", "kilogram", "kilograms"] },
  ],
  temperature: [
    { unit: "F", factor: 5 / 9, shift: -160 / 9, decimals: 1, spellings: ["fahrenheit", "°f", "degf"] },
    { unit: "C", factor: 1, shift: 0, decimals: 1, spellings: ["celsius", "centigrade", "°c", "degc"] },
  ],
} as const satisfies Record<Dimension, readonly Unit[]>;

/** Units of length in other languages, as people write them behind a number. */
const FOREIGN: ReadonlyMap<string, string> = new Map(
  [
    [
      "km",
      "kilomètre kilomètres kilometro kilometros kilómetro kilómetros chilometro chilometri quilômetros quilómetros",
    ],
    ["mi", "meile meilen milla millas miglio miglia milha milhas mijl mijlen"],
    ["km", "kilometrów kilometry キロ キロメートル"],
    ["m", "mètre mètres metro metros metri metry metrów メートル"],
  ].flatMap(([unit = "", words = ""]) => words.split(" ").map((word): [string, string] => [word, unit])),
);

/**
 * Converts a measure without rounding.
 *
 * @throws RangeError when either unit is not in the table, which a typed caller can't cause
 */
export function convert<D extends Dimension>(dimension: D, measure: Measure<D>, to: UnitOf<D>): Measure<D> {
  if (measure.unit === to) return measure;
  const from = unitNamed(dimension, measure.unit);
  const into = unitNamed(dimension, to);
  const base = measure.value * from.factor + from.shift;
  return { unit: to, value: (base - into.shift) / into.factor };
}

/** A distance in metres, unrounded. */
export function inMetres(distance: Measure<"distance">): number {
  return convert("distance", distance, "m").value;
}

/** Rounds to the decimals that logferry writes: 0.001 mi and km, 1 m and yd, 0.1 lb, kg and degrees. */
export function roundMeasure<D extends Dimension>(dimension: D, measure: Measure<D>): Measure<D> {
  return { unit: measure.unit, value: roundTo(measure.value, unitNamed(dimension, measure.unit).decimals) };
}

/** Half of the last written decimal of a unit: the largest distance between a rounded value and the true one. */
export function roundingOf<D extends Dimension>(dimension: D, unit: UnitOf<D>): number {
  return 0.5 * 10 ** -unitNamed(dimension, unit).decimals;
}

/** A measure for people, `6.644 km`. It has at most three decimals, the finest precision that logferry writes. */
export function measureText({ unit, value }: { readonly unit: string; readonly value: number }): string {
  return `${roundTo(value, 3)} ${unit}`;
}

/** Rounds half away from zero, on the decimal text, so that 1.005 becomes 1.01. */
export function roundTo(value: number, decimals: number): number {
  const text = Math.abs(value).toString();
  if (text.includes("e")) return Number(value.toFixed(decimals));
  return Math.sign(value) * Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
}

/**
 * The unit of a spelling; undefined for an unknown spelling. Call it only for a unit that the source wrote: logferry never guesses a
 * missing unit from a value.
 */
export function unitSpelt<D extends Dimension>(dimension: D, spelling: string): UnitOf<D> | undefined {
  const plain = foldSpelling(spelling);
  const folded = dimension === "distance" ? (FOREIGN.get(plain) ?? plain) : plain;
  const rows: readonly Unit[] = UNITS[dimension];
  const row = rows.find((unit) => unit.unit.toLowerCase() === folded || unit.spellings.includes(folded));
  return row?.unit as UnitOf<D> | undefined;
}

function foldSpelling(spelling: string): string {
  return spelling.trim().toLowerCase().replace(/\.$/, "");
}

function unitNamed(dimension: Dimension, name: string): Unit {
  const rows: readonly Unit[] = UNITS[dimension];
  const unit = rows.find((row) => row.unit === name);
  if (unit === undefined)
    throw new RangeError(`Cannot convert a ${dimension}: ${JSON.stringify(name)} is not in the table of units`);
  return unit;
}
