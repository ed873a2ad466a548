import { expect, test } from "vitest";
import { type MadeCell, odsParts, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

// Somebody cancelled a run by striking its row through. No rule can tell that from a run that was corrected, so the row is read and named.

const MAPPING = [
  "version: 1",
  "dates: { order: iso }",
  "columns: { Date: { field: date }, km: { field: distance, unit: km }, Note: { field: notes } }",
].join("\n");

/** A row that is struck through, one with such a word in it, and one without. @param struck makes a cell that is struck through */
const sheet = (struck: (text: string) => MadeCell) => [
  {
    name: "Log",
    rows: [
      ["Date", "km", "Note"],
      ["2019-03-01", "5.1", "calm"],
      [struck("2019-03-03"), struck("8.2"), undefined],
      ["2019-03-05", "5.1", struck("calm")],
    ],
  },
];

/** A workbook of Excel. Its second font is struck through, its third says that it isn't. */
function xlsx(style: 1 | 2) {
  const parts = xlsxParts(
    sheet((text) => ({ raw: `<c r="@" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>` })),
  );
  const fonts = '<fonts><font/><font><b/><strike/></font><font><strike val="0"/></font></fonts>';
  const styles = (parts["xl/styles.xml"] ?? "")
    .replace("<cellStyleXfs", `${fonts}<cellStyleXfs`)
    .replace(
      /<cellXfs.*<\/cellXfs>/,
      '<cellXfs><xf fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="0" fontId="2"/></cellXfs>',
    );
  return { ...parts, "xl/styles.xml": styles };
}

function ods(line: "solid" | "none") {
  const parts = odsParts(
    sheet((text) => ({
      raw: `<table:table-cell table:style-name="ce7" office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
    })),
  );
  const style = `<style:style style:name="ce7" style:family="table-cell"><style:text-properties style:text-line-through-style="${line}"/></style:style>`;
  const content = (parts["content.xml"] ?? "").replace("<office:automatic-styles>", `$&${style}`);
  return { ...parts, "content.xml": content };
}

test.each([
  ["XLSX", xlsx(1), 1],
  ["XLSX, with a font that says no", xlsx(2), 0],
  ["ODS", ods("solid"), 1],
  ["ODS, with a style that says no", ods("none"), 0],
] as const)("a row of %s that is struck through is read and named", async (_, parts, count) => {
  const archive = memoryArchive("log", { "log.xlsx": packed(parts), "log.map.yaml": MAPPING });
  const { readings, issues } = await readAll(csv, archive);
  expect(readings.map(({ kind }) => kind)).toEqual(["workout", "workout", "workout"]);
  expect(issues.map(({ severity, rule, origin }) => [severity, rule, origin?.locator])).toEqual(
    Array.from({ length: count }, () => ["warning", "sheet/struck-row", 'Sheet "Log", row 3']),
  );
});
