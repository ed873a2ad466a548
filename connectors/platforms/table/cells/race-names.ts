/** Distances that races have as a name: `Half Marathon` in the place of 21.0975 km. World Athletics fixes both. */
import { fold } from "../mapping/fold.ts";

const HALF =
  "half hm halfmarathon halbmarathon semi semimarathon mediamaraton mediomaraton mezzamaratona mezza meiamaratona halvemarathon halvmaraton halvmarathon polmaraton ハーフ ハーフマラソン";
const WHOLE = "marathon fullmarathon maraton maratona maratonie フル フルマラソン";

/** The kilometres of a name, without blanks and accents. */
const NAMES: ReadonlyMap<string, number> = new Map([
  ...HALF.split(" ").map((name) => [name, 21.0975] as const),
  ...WHOLE.split(" ").map((name) => [name, 42.195] as const),
  // The race, without a number before it.
  ["mile", 1.609344],
]);

/** Longest name that is looked up. */
const LONGEST = 30;

/** The kilometres of a race that a cell names; undefined for any other text. */
export function namedKilometres(cell: string): number | undefined {
  if (cell.length > LONGEST) return undefined;
  const name = fold(cell)
    // Alone, both are half of a unit.
    .replace(/^(?:1\/2|½)(?=[\s-]*\p{L})/u, "half")
    .replaceAll(/[\s-]+/g, "")
    .replaceAll("ł", "l")
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "");
  return NAMES.get(name.normalize("NFC")) ?? NAMES.get(name);
}
