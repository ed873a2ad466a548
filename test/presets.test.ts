import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { presets } from "./support/presets.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

describe("each mapping file of docs/presets.md reads the table below it", () => {
  test.each(presets())("$title", async ({ mapping, table }) => {
    const path = join(rehearsal.folder, "table.csv");
    writeFileSync(path, table);
    writeFileSync(`${path}.map.yaml`, mapping);
    const planned = await rehearsal.run(["plan", path, "--json"]);
    const rows = table.trim().split("\n").length - 1;
    const rests = table.split(",Rest,").length - 1;
    expect(
      jsonLines(planned.out).find(({ type }) => type === "plan"),
      planned.out,
    ).toMatchObject({
      ledger: { read: rows, skipped: rests, quarantined: 0 },
    });
    expect(planned.code, planned.err).toBe(0);
  });
});

test("the page on exports leads to them", () => {
  expect(readFileSync(join(import.meta.dirname, "../docs/platforms.md"), "utf8")).toContain("](presets.md)");
});
