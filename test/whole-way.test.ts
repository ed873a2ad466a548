/** The whole way of a nervous person with ten made years: an export, watch files and a spreadsheet. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/rehearsal.ts";
import { walkTheWholeWay } from "./support/whole-way.ts";

const DEMO = join(ROOT, "fixtures", "demo");

test("ten years are rehearsed, decided about, promoted and certified, and the real log equals the rehearsed one", async () => {
  const sources = ["export_24680135.zip", "watch", "log-2012-2015.csv"].map((name) => join(DEMO, name));
  const { ledger } = await walkTheWholeWay(sources, process.env.LOGFERRY_TEST_PICTURES);
  expect(ledger.created).toBeGreaterThan(600);
  expect(ledger.left).toBe(0);
});
