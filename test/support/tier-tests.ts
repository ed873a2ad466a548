/** Tests of one tier, in a file that both tiers run (`IN_BOTH` of tiers.ts). By name (`npx vitest run FILE`) each of them runs. */
import { test as anyTest, describe } from "vitest";
import { TIER } from "./tiers.ts";

/** Takes a test, or rows of one, and doesn't have it: so the first tier counts no test as skipped. */
const absent: typeof anyTest = new Proxy(anyTest, {
  apply: () => undefined,
  get: (_, name) => (name === "each" || name === "for" ? () => () => undefined : absent),
});

/** A test of the first tier. The long tier skips it: `.ci/run` has run it by then. */
export const test = anyTest.skipIf(TIER === "long");

/** A test of the long tier. It tries a promise again that another test has in the first tier: `LONG` says which. */
export const longTest = TIER === "first" ? absent : anyTest;

/** A test of rows that the tiers divide (`firstOf`, `chosenRows`): each tier tries its own. */
export const rowTest = anyTest;

/** Takes a group of tests, and doesn't have it. */
const absentGroup: typeof describe = new Proxy(describe, { apply: () => undefined });

/** A group of nothing but tests of the long tier. */
export const longDescribe = TIER === "first" ? absentGroup : describe;
