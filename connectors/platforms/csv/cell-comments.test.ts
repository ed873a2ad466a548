import { expect, test } from "vitest";
import { type MadeCell, odsParts, type Parts, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

// Somebody wrote comments on cells, at the edge of the sheet. No value of a workout comes from them, so they are counted.

const MAPPING = [
  "version: 1",
  "file: { sheets: all }",
  "dates: { order: iso }",
  "columns: { Date: { field: date }, km: { field: distance, unit: km }, Note: { field: notes } }",
].join("\n");

/** Two sheets of runs. @param note the cell of the notes in the first row of each */
const sheets = (...notes: readonly [MadeCell, MadeCell]) =>
  notes.map((note, index) => ({
    name: `${2018 + index}`,
    rows: [
      ["Date", "km", "Note"],
      [`${2018 + index}-03-01`, 5.1, note],
      [`${2018 + index}-03-03`, 8.2, "easy"],
    ],
  }));

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a workbook of Excel with two comments on its second sheet, in the old form or in both. */
function withComments(kind: "comments" | "threadedComment", element: string): Parts {
  const comment = (ref: string) => `<${element} ref="${ref}"><text><t>knee hurt from 3 km on</t></text></${element}>`;
  return {
    ...xlsxParts(sheets("calm", "calm")),
    "xl/worksheets/_rels/sheet2.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/${kind}" Target="../notes1.xml"/></Relationships>`,
    "xl/notes1.xml": `<list><commentList>${comment("C2")}${comment("A3")}</commentList></list>`,
  };
}

const ANNOTATED: MadeCell = {
  raw: '<table:table-cell office:value-type="string"><office:annotation><text:p>knee hurt</text:p></office:annotation><text:p>calm</text:p></table:table-cell>',
};

test.each([
  ["ODS", odsParts(sheets(ANNOTATED, ANNOTATED)), 'comments on cells 2 ("2018" 1, "2019" 1)'],
  ["XLSX", withComments("comments", "comment"), 'comments on cells 2 ("2019" 2)'],
  ["XLSX of today", withComments("threadedComment", "threadedComment"), 'comments on cells 2 ("2019" 2)'],
])("comments on cells of %s are counted by sheet, and the cells are read", async (_, parts, found) => {
  const archive = memoryArchive("log", { "log.xlsx": packed(parts), "log.map.yaml": MAPPING });
  const { readings, issues } = await readAll(csv, archive);
  expect(readings.flatMap((one) => (one.kind === "workout" ? [one.value.notes] : []))).toEqual([
    "calm",
    "easy",
    "calm",
    "easy",
  ]);
  expect(issues).toMatchObject([{ severity: "warning", rule: "csv/cell-comments", found }]);
});

test("a workbook without comments says nothing of them, and comments that can't be read spoil no sheet", async () => {
  const read = (parts: Parts) =>
    readAll(csv, memoryArchive("log", { "log.xlsx": packed(parts), "log.map.yaml": MAPPING }));
  expect((await read(xlsxParts(sheets("calm", "calm")))).issues).toEqual([]);
  const broken = { ...withComments("comments", "comment"), "xl/notes1.xml": "<!DOCTYPE x><list/>" };
  const { readings, issues } = await read(broken);
  expect(readings.filter(({ kind }) => kind === "workout")).toHaveLength(4);
  expect(issues.map(({ found }) => found)).toEqual(['comments on cells 1 ("2019" 1)']);
});
