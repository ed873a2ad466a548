import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The proposal for a table of these lines: its columns, its open questions, and the file. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await inferMapping(archive, entry, told, "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const { choices, draft } = proposal;
  const open = choices.filter(isOpen);
  return {
    ...{ columns: Object.fromEntries(draft.columns), text: writeMapping(proposal, "log.csv") },
    ...{ open: open.map(({ place }) => place), first: open.map(({ options }) => options[0]?.value) },
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
  };
}

/** Rows with a date each. */
const dated = (rows: readonly string[]) => rows.map((row, at) => `2024-03-${String(at + 10)},${row}`);

test.each([
  ["138-156", "-"],
  ["138–156", "–"],
  ["138 / 156", "/"],
])("two heart rates such as %s are left, with the line that reads them", async (cell, mark) => {
  const { columns, open, why } = await infer(["Date,km,Time,HR", ...dated([0, 1, 2].map((at) => `1${at},0:5${at}:00,${cell}`))]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ HR: { field: "unsupported", label: "HR" } });
  expect(why("columns.HR.field")).toContain(`{ split: "(?P<avgHR>[0-9]+) *${mark} *(?P<maxHR>[0-9]+)" }`);
}); // biome-ignore format: a call

test("a proposed file has no list of words for a column that becomes notes", async () => {
  const { columns, text } = await infer([
    "Date,Séance,km,Temps,Météo",
    ...dated(["footing,10,0:50:00,soleil", "fractionné 10x400,8,0:41:00,22 degrés", "footing 9,9,0:45:00,soleil / 9"]),
  ]);
  expect(columns).toMatchObject({ Séance: { field: "notes" }, Météo: { field: "notes" } });
  expect(text).not.toContain("values:");
});
