/** Makes the obstacles of a verdict: what keeps the old account open, and what a person can do about it. */
import type { Verdict } from "./schema.ts";

type Obstacle = Verdict["obstacles"][number];

/** The obstacle of so many records or values; none for 0. @param told its code, its words by their number, and the remedy */
export function obstacle(
  n: number,
  { code, text, todo }: { code: Obstacle["code"]; text: (n: number) => string; todo: string },
): readonly Obstacle[] {
  return n === 0 ? [] : [{ code, count: n, text: text(n), todo }];
}
