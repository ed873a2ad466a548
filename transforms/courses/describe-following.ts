/** What a track and a course have in common, in words. */
import type { Following, Manner } from "./follow.ts";

const WORDS: Readonly<Record<Manner, string>> = {
  follows: "the same line",
  wide: "about the same line, too far apart",
  reversed: "the same line in the other direction",
  longer: "only a part of the workout",
  tangled: "both wind through one place too often to compare them",
};

/** `the same line, 4 m apart on average and 18 m at most; the course has 5.0 km, the track 5.1 km`. */
export function describeFollowing({ manner, mean, most, track, course }: Following): string {
  const apart =
    manner === "tangled" ? "" : `, ${Math.round(mean)} m apart on average and ${Math.round(most)} m at most`;
  return `${WORDS[manner]}${apart}; the course has ${kilometres(course)}, the track ${kilometres(track)}`;
}

function kilometres(metres: number): string {
  return `${(metres / 1000).toFixed(1)} km`;
}
