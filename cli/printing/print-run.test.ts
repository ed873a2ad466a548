import { expect, test } from "vitest";
import { LEDGER_COLUMNS, type Ledger, type LedgerColumn } from "../../pipelines/journal/summary.ts";
import { ledgerTable } from "./ledger-table.ts";
import { distanceIn } from "./print-run.ts";

function ledger(columns: Partial<Record<LedgerColumn, number>>): Ledger {
  const none = Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, 0])) as Record<LedgerColumn, number>;
  const read = Object.values(columns).reduce((sum, count) => sum + count, 0);
  return { ...none, toUpdate: 0, ...columns, read };
}

const SUMMARY = {
  all: ledger({ created: 753, merged: 52, quarantined: 6 }),
  bySource: [
    { name: "export_24680135.zip", connector: "strava", ...ledger({ created: 493, quarantined: 2 }) },
    { name: "watch", connector: "device-files", ...ledger({ created: 18, merged: 39, quarantined: 2 }) },
    { name: "log-2012-2015.csv", connector: "csv", ...ledger({ created: 242, merged: 13, quarantined: 2 }) },
  ],
};

test.each([200, 120, 100, 80, 60])("a ledger fits %i columns, and says all of its numbers", (width) => {
  const lines = ledgerTable(SUMMARY, "result", width);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width);
  expect(lines.find((line) => line.includes("merged"))).toMatch(/merged +0 +39 +13 +52/);
  expect(lines.at(-1)).toContain("records are accounted for");
});

test("names of sources are shortened before the meaning of the words goes", () => {
  expect(ledgerTable(SUMMARY, "result").join("\n")).toContain("export_24680135.zip");
  const narrow = ledgerTable(SUMMARY, "result", 80).join("\n");
  expect(narrow).toContain("rejected: for you to look at");
  expect(narrow).toMatch(/export_\S*…/);
  expect(ledgerTable(SUMMARY, "result", 60).join("\n")).not.toContain("for you to look at");
  // Narrower than the numbers themselves: wide, rather than wrong.
  expect(ledgerTable(SUMMARY, "result", 20).join("\n")).toMatch(/created +493 +18 +242 +753/);
});

test("of 60 sources the largest have a column each, the others one together, and the sums are there", () => {
  const bySource = Array.from({ length: 60 }, (_, at) => ({
    ...{ name: `workout ${at + 1}.zip`, connector: "rungap" },
    ...ledger({ created: at === 58 ? 40 : 1 }),
  }));
  const lines = ledgerTable({ all: ledger({ created: 99 }), bySource }, "result", 200);
  expect(lines[0]).toMatch(/workout 1\.zip .* workout 6\.zip +workout 59\.zip +53 others +all/);
  expect(lines.find((line) => line.includes("created"))).toMatch(/created(?: +1){6} +40 +53 +99/);
});

test("a sum of distances is told in what the log's owner counts in", () => {
  expect(distanceIn("km", 8_526_210)).toBe("8 526.2 km");
  expect(distanceIn("mi", 1_609.344 * 12_345.67)).toBe("12 345.7 mi");
  expect(distanceIn("km", 0)).toBe("0.0 km");
});

test("where a quote is never closed, the sentence says which rows are not counted", () => {
  const last = (unclosed: readonly string[]) => ledgerTable(SUMMARY, "result", 120, unclosed).slice(-2);
  expect(last(["log.csv, line 7"])).toEqual([
    "  All 811 records that could be told apart are accounted for, but a quote is never closed:",
    "  from log.csv, line 7 on, the rest of the file was read as one value, and its rows are not counted",
  ]);
  expect(last(["a.csv, line 7", "b.csv, line 2"]).at(-1)).toMatch(/are not counted\. So it is with 1 more$/);
});
