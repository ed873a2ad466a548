import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping } from "../infer.ts";

test("a sheet whose only row has a cell past the last column that is read says so, and not that it has no rows", async () => {
  const wide = ["2024-03-01", "10", ...Array.from({ length: 16_381 }, () => ""), "x"];
  const rows = [["Date", "km"], wide];
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts([{ name: "Log", rows }])) });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  expect(await inferMapping(archive, table, new Map(), "2026-03-01")).toEqual({
    problem: "too many columns: column XFD; expected filled cells in the first 1000 columns",
    next: undefined,
  });
});
