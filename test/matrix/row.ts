/**
 * The fault matrix: sixty things that can go wrong while a log is loaded, each brought about against the real service over real
 * HTTP, with counts. The rows are tables by topic; `test/fault-matrix.test.ts` holds that none is missing.
 */
import { test } from "vitest";

/** One thing that goes wrong. */
export interface Row {
  /** From 1 to 60. */
  readonly number: number;
  /** What goes wrong. */
  readonly fault: string;
  /** With what it is brought about. */
  readonly injected: string;
  /** What must come of it. */
  readonly expected: string;
  /** What is smaller or quicker here than where people use it. */
  readonly scale?: string;
  readonly run: () => Promise<void>;
}

/** Each row a test, several at a time: they mostly wait. */
export function rehearseRows(rows: readonly Row[]): void {
  test.concurrent.each(rows)("row $number: $fault: $expected", ({ run }) => run());
}
