/** Numbers as people write them by hand: with a mark of doubt, `~5` and `6?`, or as a sum, `8+4`. */
import { roundTo } from "../../../../transforms/units.ts";
import type { Decimal } from "../mapping/fields.ts";
import { parseNumber } from "./cells.ts";

/** Marks before a number: `~10`, `ca 10 km`, `ca.10`. */
const BEFORE =
  /^(?:[~≈∼]|(?:ca|circa|cca|approx|approximately|about|around|roughly|etwa|ungefähr|ungef|env|environ|aprox|unos|ongeveer|cirka|około|ok(?=\.)|約)(?:\.|(?=[\s\d])))\s*/iu;

/** The text of a cell without its marks of doubt; undefined if it has none. */
export function withoutDoubt(text: string): string | undefined {
  let plain = text.replace(BEFORE, "");
  for (const mark of ["?", "(?)", "?"]) if (plain.endsWith(mark)) plain = plain.slice(0, -mark.length);
  return plain === text ? undefined : plain.trim();
}

/** What to type for a sum: `12, or a row for each workout`; undefined for any other text. A sum may be of one workout or of two. */
export function adviceForSum(text: string, decimal: Decimal): string | undefined {
  const numbers = text.split("+").map((part) => parseNumber(part.trim(), decimal));
  const known = numbers.filter((value) => value !== undefined);
  if (known.length < 2 || known.length < numbers.length) return undefined;
  const sum = String(
    roundTo(
      known.reduce((all, one) => all + one, 0),
      6,
    ),
  );
  return `type ${decimal === "," ? sum.replace(".", ",") : sum}, or a row for each if they are ${known.length} workouts`;
}
