import * as XLSX from "@e965/xlsx";
import { expect, test } from "vitest";
import { fods, type MadeCell, odsParts, type Parts, packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { isRecord, readTable } from "./read-table.ts";
import type { TableOptions } from "./table-row.ts";
import { sheetNamed, sheetsOf } from "./workbook.ts";

async function rowsOf(bytes: Uint8Array | string, options: TableOptions = {}) {
  const archive = memoryArchive("log", { log: bytes });
  const rows = [];
  for await (const row of readTable(archive, { path: "log", sizeBytes: undefined }, options)) rows.push(row);
  return rows;
}

/** The texts of a sheet, by row. */
async function textsOf(bytes: Uint8Array | string, options: TableOptions = {}) {
  return (await rowsOf(bytes, options)).map((row) => (isRecord(row) ? row.fields : row.error.rule));
}

const one = (rows: readonly (readonly MadeCell[])[]) => [{ name: "Log", rows }];
const raw = (xml: string): MadeCell => ({ raw: xml });
const cell = (xml: string) => textsOf(packed(xlsxParts(one([["x", raw(xml)]])))).then(([row]) => row?.[1]);

test.each([
  [
    "a rich text",
    '<c r="@" t="inlineStr"><is><r><t xml:space="preserve">5 mi </t></r><r><rPr><b/></rPr><t>easy</t></r></is></c>',
    "5 mi easy",
  ],
  [
    "a text with its reading",
    '<c r="@" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
    "東京",
  ],
  ["a text with blanks that count", '<c r="@" t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', " a "],
  ["a text with blanks that don't", '<c r="@" t="inlineStr"><is><t> a </t></is></c>', "a"],
  ["a text of two lines", '<c r="@" t="inlineStr"><is><t>up_x000D_\nand down</t></is></c>', "up\r\nand down"],
  ["a text that looks like an escape", '<c r="@" t="inlineStr"><is><t>_x005F_x000D_</t></is></c>', "_x000D_"],
  ["CDATA and entities", '<c r="@" t="inlineStr"><is><t><![CDATA[a < b]]> &amp; c</t></is></c>', "a < b & c"],
  ["a truth", '<c r="@" t="b"><v>1</v></c>', "TRUE"],
  ["a lie", '<c r="@" t="b"><v>0</v></c>', "FALSE"],
  ["a formula's text", '<c r="@" t="str"><f>A1</f><v>late</v></c>', "late"],
  ["a formula's number", '<c r="@"><f>1+1</f><v>2</v></c>', "2"],
  ["a strict date", '<c r="@" t="d"><v>2024-03-01T18:05:00</v></c>', "2024-03-01 18:05:00"],
  ["a number with an exponent", '<c r="@"><v>1.25E-2</v></c>', "0.0125"],
  ["a number of a program that counts in doubles", '<c r="@"><v>10.300000000000001</v></c>', "10.3"],
])("%s is read as its text", async (_, xml, text) => {
  expect(await cell(xml)).toBe(text);
});

test("cells have the kinds of their number formats, and rows their numbers", async () => {
  const rows: MadeCell[][] = [
    ["a", 12.5, true],
    [],
    [
      { days: 45_352, format: "dd.mm.yyyy", shown: "2024-03-01" },
      { days: 45_352.753472222, format: "yyyy-mm-dd hh:mm", shown: "2024-03-01T18:05:00" },
      { days: 0.753472222222222, format: "h:mm", shown: "PT18H05M00S" },
      { days: 1.0625, format: "[h]:mm:ss", shown: "PT25H30M00S" },
      { days: 0.0315972222222222, format: "mm:ss.0", shown: "PT00H45M30S" },
    ],
  ];
  const expected = [
    { line: 1, fields: ["a", "12.5", "TRUE"], kinds: ["text", "number", "boolean"] },
    {
      line: 3,
      fields: ["2024-03-01", "2024-03-01 18:05:00", "18:05:00", "25:30:00", "0:45:30"],
      kinds: ["date", "date-time", "time", "duration", "time"],
    },
  ];
  for (const bytes of [packed(xlsxParts(one(rows))), packed(odsParts(one(rows))), fods(one(rows))]) {
    const found = (await rowsOf(bytes)).map(
      (row) => isRecord(row) && { line: row.line, fields: row.fields, kinds: row.cells?.map((each) => each?.kind) },
    );
    expect(found).toEqual(expected);
  }
});

test("the calendar of old Macs begins in 1904", async () => {
  const rows = [[{ days: 43_890, format: "d/m/yy", shown: "" }]];
  expect(await textsOf(packed(xlsxParts(one(rows), { from1904: true })))).toEqual([["2024-03-01"]]);
});

test("an empty cell between two filled ones keeps its place, also one without an address", async () => {
  const parts = xlsxParts(one([["a", undefined, "c"]]));
  expect(await textsOf(packed(parts))).toEqual([["a", "", "c"]]);
  const sheet = "xl/worksheets/sheet1.xml";
  const bare = (parts[sheet] ?? "").replaceAll(/ r="[A-Z]*\d+"/g, "");
  expect(await textsOf(packed({ ...parts, [sheet]: bare }))).toEqual([["a", "c"]]);
});

test("a workbook may use prefixes, absolute targets, and other names for its parts", async () => {
  const parts = xlsxParts(one([["a", 1]]));
  const renamed: Parts = {};
  for (const [path, xml] of Object.entries(parts))
    renamed[path.replace("xl/worksheets/sheet1.xml", "xl/worksheets/blatt.xml")] = path.endsWith(".rels")
      ? xml
          .replace("worksheets/sheet1.xml", "/xl/worksheets/../worksheets/blatt.xml")
          .replaceAll(
            "http://schemas.openxmlformats.org/officeDocument/2006",
            "http://purl.oclc.org/ooxml/officeDocument",
          )
      : xml.replaceAll(/<(\/?)(?=[a-z])/gi, "<$1x:").replace("xmlns=", "xmlns:x=");
  expect(await textsOf(packed(renamed))).toEqual([["a", "1"]]);
});

test("an error counts as an empty cell, and is reported with its place", async () => {
  const report: [string, string | undefined, number, number | undefined][] = [];
  const options: TableOptions = { report: ({ rule, found }, line, column) => report.push([rule, found, line, column]) };
  const xlsx = packed(xlsxParts(one([["a", raw('<c r="@" t="e"><v>#REF!</v></c>')], [raw('<c r="@"><f>A1</f></c>')]])));
  expect(await textsOf(xlsx, options)).toEqual([["a"]]);
  const error =
    '<table:table-cell table:formula="of:=[.#REF!]" office:value-type="string" office:string-value=""><text:p>#REF!</text:p></table:table-cell>';
  expect(await textsOf(packed(odsParts(one([["a", raw(error)]]))), options)).toEqual([["a"]]);
  expect(report).toEqual([
    ["sheet/error-cell", "#REF!", 1, 1],
    ["sheet/formula-without-value", "a formula without a stored value", 2, 0],
    ["sheet/error-cell", "#REF!", 1, 1],
  ]);
});

test("texts of OpenDocument have their blanks, lines and spans, and not the comments on them", async () => {
  const text =
    '<table:table-cell office:value-type="string"><office:annotation><text:p>a comment</text:p></office:annotation><text:p>5<text:s text:c="2"/>mi <text:span>easy</text:span> w/ Bob<text:tab/>x<text:line-break/>y</text:p><text:p>z</text:p></table:table-cell>';
  const percent =
    '<table:table-cell office:value-type="percentage" office:value="0.05"><text:p>5 %</text:p></table:table-cell>';
  const money =
    '<table:table-cell office:value-type="currency" office:value="120.5"><text:p>120,50 €</text:p></table:table-cell>';
  const twice = '<table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"/>';
  expect(await textsOf(packed(odsParts(one([[raw(text), raw(percent), raw(money), raw(twice)]]))))).toEqual([
    ["5  mi easy w/ Bob\tx\ny\nz", "0.05", "120.5", "7", "7"],
  ]);
});

test("rows of OpenDocument that repeat themselves keep their numbers", async () => {
  const parts = odsParts(one([["a"], ["b"], ["c"]]));
  const content = (parts["content.xml"] ?? "")
    .replace(
      '<table:table-row><table:table-cell office:value-type="string"><text:p>b',
      '<table:table-row table:number-rows-repeated="3"/>$&',
    )
    .replace(
      '<table:table-row><table:table-cell office:value-type="string"><text:p>c',
      '<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>c',
    );
  const rows = await rowsOf(packed({ ...parts, "content.xml": content }));
  expect(rows.map((row) => [row.line, isRecord(row) && row.fields[0]])).toEqual([
    [1, "a"],
    [5, "b"],
    [6, "c"],
    [7, "c"],
  ]);
});

test("the only sheet with rows is read; of several, one must be named", async () => {
  const books = [
    [
      { name: "Empty", rows: [] },
      { name: "Log", rows: [["a"]] },
      { name: "Lists", rows: [["b"]], isHidden: true },
    ],
    [
      { name: "2018", rows: [["a"]] },
      { name: "2019", rows: [["b"]] },
    ],
  ];
  for (const make of [xlsxParts, odsParts] as const) {
    const [single = new Uint8Array(), several = new Uint8Array()] = books.map((sheets) => packed(make(sheets)));
    expect(await textsOf(single)).toEqual([["a"]]);
    expect(await textsOf(single, { sheet: "Lists" })).toEqual([["b"]]);
    expect(await rowsOf(several)).toEqual([
      {
        line: 1,
        error: {
          severity: "error",
          rule: "workbook/which-sheet",
          found: '2 sheets with rows: "2018", "2019"',
          expected: "the name of the sheet",
        },
        endsFile: true,
      },
    ]);
    expect(await textsOf(several, { sheet: 2019 })).toEqual([["b"]]);
    expect(await textsOf(several, { sheet: 1 })).toEqual([["a"]]);
    expect(await textsOf(several, { sheet: "2020" })).toEqual(["workbook/no-sheet"]);
    const archive = memoryArchive("x", { "x.xlsx": single });
    expect(await sheetsOf(archive, { path: "x.xlsx", sizeBytes: undefined })).toEqual([
      { name: "Empty", number: 1, isHidden: false, hasRows: false },
      { name: "Log", number: 2, isHidden: false, hasRows: true },
      { name: "Lists", number: 3, isHidden: true, hasRows: true },
    ]);
  }
});

test("a sheet is found by its name before its number", () => {
  const sheets = ["2", "Log", "log", "Ziele "].map((name, index) => ({ name, number: index + 1, isHidden: false }));
  const found = ["2", 2, 3, "log", "LOG", "ziele", 4, 5, 0].map((name) => sheetNamed(sheets, name)?.name);
  expect(found).toEqual(["2", "2", "log", "log", undefined, "Ziele ", "Ziele ", undefined, undefined]);
});

// An independent writer: SheetJS.
test.each(["xlsx", "xlsm", "ods", "fods"] as const)(
  "a workbook that SheetJS writes as %s is read as it meant it",
  async (bookType) => {
    // It writes no dates into these.
    const isOds = bookType.endsWith("ods");
    const book = XLSX.utils.book_new();
    const sheet = XLSX.utils.aoa_to_sheet([["Date", "km", "Note", "ok"]]);
    XLSX.utils.sheet_add_aoa(
      sheet,
      [[{ t: "n", v: 45_352, ...(isOds ? {} : { z: "yyyy-mm-dd" }) }, 12.4, "Füße & <so>", true]],
      {
        origin: "A2",
      },
    );
    XLSX.utils.sheet_add_aoa(sheet, [[undefined, 0.1 + 0.2, "two\nlines", false]], { origin: "A4" });
    XLSX.utils.book_append_sheet(book, sheet, "Log");
    const written: Uint8Array = XLSX.write(book, { type: "buffer", bookType });
    const rows = await rowsOf(written);
    expect(rows.map((row) => isRecord(row) && row.fields)).toEqual([
      ["Date", "km", "Note", "ok"],
      [isOds ? "45352" : "2024-03-01", "12.4", "Füße & <so>", "TRUE"],
      ["", "0.3", "two\nlines", "FALSE"],
    ]);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 4]);
  },
);

test("an old workbook that SheetJS writes is refused with what to do", async () => {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["a"]]), "Log");
  for (const bookType of ["biff8", "biff5", "biff2"] as const) {
    const written: Uint8Array = XLSX.write(book, { type: "buffer", bookType });
    expect(await textsOf(written), bookType).toEqual(["workbook/old-format"]);
  }
});
