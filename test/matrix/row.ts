/**
 * The fault matrix: sixty things that can go wrong while a log is loaded. Each is brought about against the real service over real HTTP, with counts.
 * The rows are tables by topic. `test/fault-matrix.test.ts` checks that all sixty are there.
 */
import { test } from "vitest";

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
}

/** Each row a test, several at a time: they mostly wait. */
export function rehearseRows(rows: readonly Row[]): void {
  test.concurrent.each(rows)("row $number: $fault: $expected", ({ run }) => run());
}
