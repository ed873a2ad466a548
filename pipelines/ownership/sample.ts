/**
 * Whether two archives share workouts, told from a few fingerprints of each. Kept are the smallest fingerprints: of two sets that overlap the same ones
 * are smallest, so the share of fingerprints in common is about the share of workouts in common.
 * Source: A. Broder, "On the resemblance and containment of documents" (1997), bottom-k sketches.
 */

/** Fingerprints of an archive's workouts. */
export interface Sample {
  /** Sorted, each once. */
  readonly marks: readonly string[];
  /** Fingerprints above this one were left out; undefined where none were. */
  readonly upTo?: string;
}

/** Fingerprints that are kept: all of them for most people, and of a longer history one in a few. */
export const SAMPLE = 1024;

/** Gathers fingerprints one by one. */
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

/** The fingerprints of both. What either left out is left out. */
export function mergedSample(one: Sample, other: Sample): Sample {
  const upTo = [one.upTo, other.upTo].filter((bound) => bound !== undefined).sort()[0];
  const marks = [...one.marks, ...other.marks].filter((fingerprint) => upTo === undefined || fingerprint <= upTo);
  return smallest(marks, upTo);
}

/** Each athlete is compared with every other one: what is looked up in is made once. */
const sets = new WeakMap<Sample, ReadonlySet<string>>();

/** How many fingerprints of the first the second has too, of those that both would have kept. */
export function shared(one: Sample, other: Sample): { readonly both: number; readonly of: number } {
  const marks = one.marks.filter((fingerprint) => other.upTo === undefined || fingerprint <= other.upTo);
  const others = sets.get(other) ?? new Set(other.marks);
  sets.set(other, others);
  return { both: marks.filter((fingerprint) => others.has(fingerprint)).length, of: marks.length };
}

/** The fingerprints that are in more than one of many samples. */
export function inSeveral(samples: readonly Sample[]): ReadonlySet<string> {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { marks } of samples)
    for (const fingerprint of marks) {
      if (once.has(fingerprint)) several.add(fingerprint);
      else once.add(fingerprint);
    }
  return several;
}

function smallest(marks: readonly string[], upTo: string | undefined): Sample {
  const sorted = [...new Set(marks)].sort();
  const bound = sorted.length > SAMPLE ? sorted[SAMPLE - 1] : upTo;
  return { marks: sorted.slice(0, SAMPLE), ...(bound !== undefined && { upTo: bound }) };
}
