/** Tests of one tier, in a file that both tiers run (`IN_BOTH` of tiers.ts). By name (`npx vitest run FILE`) each of them runs. */
import { test as anyTest } from "vitest";
import { TIER } from "./tiers.ts";

/** A test of the first tier. The long tier leaves it out: `.ci/run` has run it by then. */
export const test = anyTest.skipIf(TIER === "long");

/** A test of the long tier. It tries a promise again that another test has in the first tier: `LONG` says which. */
export const longTest = anyTest.skipIf(TIER === "first");

/** A test of rows that the tiers divide (`firstOf`, `chosenRows`): each tier tries its own. */
export const rowTest = anyTest;
