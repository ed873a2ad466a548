/** Takes the unit of distances that the paces of the rows prove. */
import type { UnitOf } from "../../../../transforms/units.ts";
import type { Choice, OpenChoice } from "../choices/choice.ts";
import type { Sign } from "./evidence.ts";
import type { RateProof } from "./rates.ts";

type LengthUnit = UnitOf<"distance">;

/** The question for the unit of the distances. @param units the possible answers, the likeliest first */
export function askingUnit(units: readonly LengthUnit[]): Pick<OpenChoice, "question" | "options"> {
  const names: Readonly<Record<LengthUnit, string>> = { mi: "miles", km: "kilometres", m: "metres", yd: "yards" };
  return {
    question: "In which unit are the distances?",
    options: units.map((value) => ({ value, means: names[value] })),
  };
}

/** The signs, without those of paces that the other columns contradict. */
export function signsWith(signs: readonly Sign[], proof: RateProof | undefined): readonly Sign[] {
  return proof === undefined || proof.unit !== undefined ? signs : signs.filter(({ isRate }) => isRate !== true);
}

/** The choice of a unit, where the paces of the rows prove one. A header that says another is a question. */
export function withProof(choice: Choice, proof: RateProof | undefined, said: LengthUnit | undefined): Choice {
  if (proof?.unit === undefined) return choice;
  const { unit, says } = proof;
  const { place, rows } = choice;
  const proven: Choice = { place, value: unit, why: says, contradicting: 0, rows };
  if (said === undefined || said === unit)
    return choice.value === unit && choice.options === undefined ? choice : proven;
  const why = `the header or the cells say ${said}, but in ${unit} ${says}. One of the two headers is wrong`;
  return { ...proven, ...askingUnit([unit, said]), why };
}
