/**
 * Estimates from a few fingerprints whether two archives share workouts. Each sample keeps the smallest fingerprints. Two overlapping sets
 * have the same smallest ones, so the share of common fingerprints is about the share of common workouts.
 * Source: A. Broder, "On the resemblance and containment of documents" (1997), bottom-k sketches.
 */

/** Fingerprints of an archive's workouts. */
export interface Sample {
  /** Sorted, without repetitions. */
  readonly marks: readonly string[];
  /** The sample left out all fingerprints above this one; undefined when it left out none. */
  readonly upTo?: string;
}

/** The maximum number of fingerprints in a sample. It holds the whole history of most people, and a part of a longer one. */
export const SAMPLE = 1024;

/** Collects fingerprints one by one. */
export function sampler(): { add(fingerprint: string): void; sample(): Sample } {
  let marks: string[] = [];
  let upTo: string | undefined;
  const cut = () => {
    const { marks: kept, upTo: bound } = smallest(marks, upTo);
    marks = [...kept];
    upTo = bound;
  };
  return {
    add(fingerprint) {
      if (upTo !== undefined && fingerprint > upTo) return;
      marks.push(fingerprint);
      if (marks.length >= SAMPLE * 2) cut();
    },
    sample() {
      cut();
      return { marks: [...marks], ...(upTo !== undefined && { upTo }) };
    },
  };
}

/** Merges two samples. It leaves out every fingerprint that one of them may have left out. */
export function mergedSample(one: Sample, other: Sample): Sample {
  const upTo = [one.upTo, other.upTo].filter((bound) => bound !== undefined).sort()[0];
  const marks = [...one.marks, ...other.marks].filter((fingerprint) => upTo === undefined || fingerprint <= upTo);
  return smallest(marks, upTo);
}

/** Each athlete is compared with every other one. So the set for lookups is made only once for each sample. */
const sets = new WeakMap<Sample, ReadonlySet<string>>();

/** The number of fingerprints of `one` that `other` contains (`both`), and the number that both samples could have kept (`of`). */
export function shared(one: Sample, other: Sample): { readonly both: number; readonly of: number } {
  const marks = one.marks.filter((fingerprint) => other.upTo === undefined || fingerprint <= other.upTo);
  const others = sets.get(other) ?? new Set(other.marks);
  sets.set(other, others);
  return { both: marks.filter((fingerprint) => others.has(fingerprint)).length, of: marks.length };
}

function smallest(marks: readonly string[], upTo: string | undefined): Sample {
  const sorted = [...new Set(marks)].sort();
  const bound = sorted.length > SAMPLE ? sorted[SAMPLE - 1] : upTo;
  return { marks: sorted.slice(0, SAMPLE), ...(bound !== undefined && { upTo: bound }) };
}
