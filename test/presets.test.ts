import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runTests } from "../connectors/platforms/csv/run-tests.ts";
import { CONNECTORS } from "../connectors/registry.ts";
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

/** The differences and the problems of the golden rows in a mapping file; undefined if it has none. */
async function faultsOf(mapping: string) {
  const outcomes = await runTests("preset.map.yaml", mapping);
  return outcomes.length === 0
    ? undefined
    : outcomes.flatMap(({ differences, problems }) => [...differences, ...problems]);
}

test.each(presets())("the golden rows of $title give what they should", async ({ mapping }) => {
  expect(await faultsOf(mapping)).toEqual([]);
});

/** Platforms whose export is one sheet: `logferry map show` prints golden rows for each. */
const ONE_SHEET = [
  ...["attackpoint", "concept2", "dailymile", "garmin", "intervals-icu", "mapmyrun", "peloton", "runkeeper"],
  ...["runningahead", "trainingpeaks"],
];

test("the golden rows of the mapping files that map show prints give what they should", async () => {
  const shown = await Promise.all(
    CONNECTORS.map(async ({ name, mappings }) => ({ name, texts: (await mappings?.()) ?? [] })),
  );
  const tested = shown.flatMap(({ name, texts }) =>
    texts.flatMap(({ text }) =>
      text.includes("\ntests:") ? [{ name, text: text.replaceAll("unit: ASK", "unit: km") }] : [],
    ),
  );
  const faults = await Promise.all(tested.map(async ({ name, text }) => [name, await faultsOf(text)] as const));
  expect(faults).toEqual(ONE_SHEET.map((name) => [name, []]));
});

test("the page on exports leads to them", () => {
  expect(readFileSync(join(import.meta.dirname, "../docs/platforms.md"), "utf8")).toContain("](presets.md)");
});
