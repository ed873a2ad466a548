/**
 * The fault matrix: sixty things that can go wrong while a log is loaded. Each is brought about against the real service over real HTTP, with counts.
 * The rows are tables by topic. `test/fault-matrix.test.ts` checks that all sixty are there.
 */
import { test } from "vitest";
import { chosenRows } from "../support/tiers.ts";

/** One thing that goes wrong. */
export interface Row {
  /** From 1 to 60. */
  readonly number: number;
  readonly fault: string;
  /** The means that bring it about. */
  readonly injected: string;
  /** The expected result. */
  readonly expected: string;
  /** What is smaller or quicker here than in real use. */
  readonly scale?: string;
  readonly run: () => Promise<void>;
  /** The test that has the promise in the first tier, where that isn't the row itself. The row is played in the long tier then. */
  readonly firstTierHas?: string;
}

/** Each row a test, several at a time: they mostly wait. */
export function rehearseRows(rows: readonly Row[]): void {
  test.concurrent.each(chosenRows(rows, ({ firstTierHas }) => firstTierHas === undefined))(
    "row $number: $fault: $expected",
    ({ run }) => run(),
  );
}
