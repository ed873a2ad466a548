import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import type { Archive } from "../../containers/archive.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping } from "./infer.ts";

/** A workbook of sheets with one row each, whose texts are in no other sheet. */
function workbookOf(count: number): Archive {
  const sheets = Array.from({ length: count }, (_, index) => ({
    name: `week ${index}`,
    rows: [
      ["Date", "km", "Note"],
      ["2014-03-01", 5, `note ${index}`],
    ],
  }));
  return memoryArchive("log", { "log.xlsx": packed(xlsxParts(sheets)) });
}

test("a proposal for twice as many sheets takes twice as long", async () => {
  const propose = async (archive: Archive) => {
    const [entry] = archive.entries();
    if (entry === undefined) throw new Error("no table");
    const proposal = await inferMapping(archive, entry, new Map(), "2026-03-01");
    expect(proposal).toMatchObject({ draft: { file: { sheets: "all" } } });
  };
  expect(await growth(workbookOf, propose, 160)).toBeLessThanOrEqual(LINEAR);
});
