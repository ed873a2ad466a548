/** Decides between a metric and an imperial unit where the rows are workouts in both. */
import type { UnitOf } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { Score } from "../columns/score.ts";
import { describeSigns, ENOUGH, type Sign, weigh } from "./evidence.ts";
import { askingUnit } from "./proven-unit.ts";
import { impossibleSigns, speedSigns } from "./speed-signs.ts";

type LengthUnit = UnitOf<"distance">;

/** The units of both systems that are so near to each other that both may fit. */
export const PAIRS = [
  ["km", "mi"],
  ["m", "yd"],
] as const;

/**
 * The unit of two that both fit, by the signs of the table and by the speeds, or a question.
 *
 * @param of the rows in a unit
 * @param choice the choice of a unit for a reason
 */
export function betweenSystems(
  [metric, imperial]: readonly [LengthUnit, LengthUnit],
  of: (unit: LengthUnit) => Score,
  signs: readonly Sign[],
  choice: (unit: LengthUnit, why: string) => Choice,
): Choice {
  const all = [...signs, ...speedSigns(of(metric), of(imperial)), ...impossibleSigns(of(metric), of(imperial))];
  const weight = weigh(all);
  const isImperial = weight > 0;
  const unit = isImperial ? imperial : metric;
  const because = describeSigns(all, isImperial);
  if (Math.abs(weight) >= ENOUGH) return choice(unit, because);
  const why = `both fit${because === "" ? "" : `; ${because} speaks for ${unit}, which is not enough`}`;
  return {
    ...choice(unit, why),
    ...askingUnit(isImperial ? [imperial, metric] : [metric, imperial]),
    ...(because === "" && { isUnproven: true }),
  };
}
