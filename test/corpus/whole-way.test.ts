/** The whole way of a nervous person with real exports of two platforms. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { SAMPLES } from "../support/shared.ts";
import { walkTheWholeWay } from "../support/whole-way.ts";

test.each(["strava/full-export-94col", "runkeeper"])(
  "%s is rehearsed, promoted and certified, and both logs are equal",
  async (name) => {
    const { ledger } = await walkTheWholeWay([join(SAMPLES, name)], process.env.LOGFERRY_TEST_PICTURES);
    expect(ledger.created).toBeGreaterThan(0);
    expect(ledger.left).toBe(0);
  },
);
