/** Finds an archive of somebody with another body: a very different weight, or a higher heart rate. */
import type { ArchiveEvidence } from "../evidence.ts";
import { type ArchiveRule, type Known, named, otherArchives, THRESHOLDS } from "./rule.ts";

/** The weight differs from the weight in the other archives, or in earlier runs. */
export const otherWeight: ArchiveRule = (known, archive) => {
  const { weight } = archive;
  const reference = referenceOf(known, archive, "weight");
  if (weight === undefined || reference === undefined) return [];
  const times = Math.max(weight.median / reference.median, reference.median / weight.median);
  if (times < THRESHOLDS.weight) return [];
  const says = `${named(archive.name)} is of somebody of ${kilograms(weight.median)} (the middle of ${weight.count}), and ${reference.from} of ${kilograms(reference.median)}`;
  return [{ athlete: known.suspect.athlete, rule: "weight", says, key: "weight" }];
};

/** The highest heart rate is higher than in the other archives, or in earlier runs. */
export const otherHeart: ArchiveRule = (known, archive) => {
  const { maxHR } = archive;
  if (maxHR === undefined || maxHR.count < THRESHOLDS.heartRateWorkouts) return [];
  const reference = referenceOf(known, archive, "maxHR");
  const details = otherArchives(known, archive).flatMap(({ persons }) =>
    persons.flatMap((each) => each.details.maxHR ?? []),
  );
  const highest = Math.max(reference?.high ?? 0, ...details);
  if (highest === 0 || maxHR.high < highest + THRESHOLDS.heartRate) return [];
  const from = reference?.from ?? "a profile says";
  const says = `the highest heart rate in ${named(archive.name)} is ${Math.round(maxHR.high)} (left out the top twentieth of ${maxHR.count}), and ${from} of ${Math.round(highest)} at the most`;
  return [{ athlete: known.suspect.athlete, rule: "heart-rate", says, key: "heart-rate" }];
};

/** The athlete's known weight or heart rate. It comes from earlier runs, or else from their other archives in this run. */
function referenceOf(known: Known, archive: ArchiveEvidence, what: "weight" | "maxHR") {
  const before = known.before?.[what];
  if (before !== undefined) return { ...before, from: "the earlier ones were of somebody" };
  const [other] = otherArchives(known, archive).filter((each) => each[what] !== undefined);
  const spread = other?.[what];
  return other === undefined || spread === undefined
    ? undefined
    : { ...spread, from: `${named(other.name)} of somebody` };
}

function kilograms(value: number): string {
  return `${value.toFixed(1)} kg`;
}
