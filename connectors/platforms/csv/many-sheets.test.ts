import { expect } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { longTest, test } from "../../../test/support/tier-tests.ts";
import type { Archive } from "../../containers/archive.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

const MAPPING = [
  "version: 1",
  "file: { sheets: all }",
  "dates: { order: iso }",
  "columns: { Date: { field: date }, km: { field: distance, unit: km }, Note: { field: notes } }",
].join("\n");

/** A workbook of sheets with one row each, whose texts are in no other sheet. */
function workbookOf(count: number, mend = (texts: string) => texts): Archive {
  const sheets = Array.from({ length: count }, (_, index) => ({
    name: `week ${index}`,
    rows: [
      ["Date", "km", "Note"],
      ["2014-03-01", 5, `note ${index}`],
    ],
  }));
  const parts = xlsxParts(sheets);
  const texts = "xl/sharedStrings.xml";
  const mended = { ...parts, [texts]: mend(parts[texts] ?? "") };
  return memoryArchive("log", { "log.xlsx": packed(mended), "log.map.yaml": MAPPING });
}

longTest("twice as many sheets take twice as long", async () => {
  const read = async (archive: Archive) => expect((await readAll(csv, archive)).issues).toEqual([]);
  expect(await growth(workbookOf, read, 160)).toBeLessThanOrEqual(LINEAR);
});

test("each sheet has its own rows, and a fault of the texts they share costs each sheet that needs them", async () => {
  const { readings } = await readAll(csv, workbookOf(3));
  expect(readings.map((reading) => reading.kind === "workout" && reading.value.notes)).toEqual([
    "note 0",
    "note 1",
    "note 2",
  ]);
  const damaged = workbookOf(3, (texts) => texts.slice(0, texts.indexOf("note 1")));
  const { readings: left } = await readAll(csv, damaged);
  const workouts = left.flatMap((reading) => (reading.kind === "workout" ? [reading.value.notes] : []));
  const rejected = left.flatMap((reading) => (reading.kind === "set-aside" ? [reading.origin.locator] : []));
  expect(workouts).toEqual(["note 0"]);
  expect(rejected).toEqual(['Sheet "week 1", row 2', 'Sheet "week 2", row 2']);
});
