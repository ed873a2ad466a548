/** The units of distances and the order of dates that a person gave, for lists that don't say theirs. */
import type { UnitOf } from "../../transforms/units.ts";
import { UsageError } from "../errors/exit-codes.ts";
import type { OptionValues } from "./options.ts";

/** A list has one unit of each pair. The first pair is for roads, the second for pools. */
const RIVALS = [
  ["km", "mi"],
  ["m", "yd"],
] as const;

/**
 * Reads `--distance-unit`.
 *
 * @returns undefined without the option
 * @throws UsageError for both units of a pair
 */
export function givenUnits({ distanceUnit }: OptionValues): readonly UnitOf<"distance">[] | undefined {
  if (distanceUnit === undefined) return undefined;
  for (const [one, other] of RIVALS)
    if (distanceUnit.includes(one) && distanceUnit.includes(other))
      throw new UsageError(`Cannot use --distance-unit ${one} and ${other}: a list has one of them`);
  return RIVALS.flat().filter((unit) => distanceUnit.includes(unit));
}

/** Reads `--date-order`; undefined without the option. Its choices are the two words. */
export function givenDateOrder({ dateOrder }: OptionValues): "dmy" | "mdy" | undefined {
  return dateOrder === "dmy" || dateOrder === "mdy" ? dateOrder : undefined;
}
