import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping } from "../infer.ts";

test.each([
  { name: "Time", expected: { field: "duration", format: ["h:mm:ss"] } },
  { name: "Distance (mi)", expected: { field: "distance", unit: "mi" } },
  { name: "Avg HR", expected: { field: "avgHR" } },
  { name: "Pace", expected: { field: "ignore", why: "its formulas were never computed" } },
])(
  "the column $name of formulas that were never computed is named, and not called empty",
  async ({ name, expected }) => {
    const formula = { raw: '<c r="@"><f>B2*2</f><v></v></c>' };
    // The empty columns would be a duration in parts.
    const head = ["Date", "Notes", "min", "sec", name];
    const rows = [1, 2, 3, 4].map((day) => [`2024-03-0${day}`, "by the river", undefined, undefined, formula]);
    const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts([{ name: "Log", rows: [head, ...rows] }])) });
    const [table] = archive.entries();
    if (table === undefined) throw new Error("no table");
    const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
    if ("problem" in proposal) throw new Error(proposal.problem);
    expect(proposal.draft.columns.get(name)).toEqual(expected);
    const why = proposal.choices.find(({ place }) => place === `columns.${name}.field`)?.why;
    if (expected.field !== "ignore")
      expect(why).toBe(
        "4 of 4 values are formulas that were never computed; open the workbook in a spreadsheet program, save it, and propose again",
      );
  },
);

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
