/** Chooses the one course that a workout follows, or says why there is none. */
import { CLEARLY_NEARER, type Following } from "./follow.ts";

/** A course that a track has something in common with. */
export interface Candidate<C> {
  readonly course: C;
  readonly following: Following;
}

/** The choice among courses. */
export interface Chosen<C> {
  /** The course that is surely followed; undefined for none. */
  readonly course?: C;
  readonly following?: Following;
  /** Without a sure one: the courses that may be meant, likeliest first. Two or more are equally near. */
  readonly doubtful: readonly Candidate<C>[];
}

/** A course that can be told from another one by its name. */
interface Named {
  readonly name: string;
}

/** Of two courses that are equally near, none is chosen. Two of one name are one course of two platforms: the first counts. */
export function chooseCourse<C extends Named>(candidates: readonly Candidate<C>[]): Chosen<C> {
  const [best, ...others] = candidates
    .filter(({ following }) => following.manner === "follows")
    .toSorted((a, b) => a.following.mean - b.following.mean);
  if (best === undefined) return { doubtful: candidates.toSorted(byLikelihood) };
  const rivals = others.filter(({ following }) => following.mean - best.following.mean < CLEARLY_NEARER);
  const equals = candidates.filter((one) => one === best || rivals.includes(one));
  const [first = best] = equals;
  const isOneName = equals.every(({ course }) => foldName(course) === foldName(first.course));
  return isOneName ? { ...first, doubtful: [] } : { doubtful: [best, ...rivals] };
}

function foldName({ name }: Named): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

const LIKELIHOOD: readonly Following["manner"][] = ["follows", "wide", "reversed", "longer", "tangled"];

function byLikelihood<C>(a: Candidate<C>, b: Candidate<C>): number {
  const [ours, theirs] = [a, b].map(({ following }) => LIKELIHOOD.indexOf(following.manner));
  return (ours ?? 0) - (theirs ?? 0) || b.following.course - a.following.course;
}
