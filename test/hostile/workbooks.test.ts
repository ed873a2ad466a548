import { createServer } from "node:http";
import { expect } from "vitest";
import { fods, type MadeCell, odsParts, type Parts, packed, xlsxParts } from "../../fixtures/make/workbook.ts";
import { growth, LINEAR, NO_MORE, timesTheWork } from "../support/growth.ts";
import { rowTest, test } from "../support/tier-tests.ts";
import { firstOf } from "../support/tiers.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { readFiles, refusalOf } from "./reading.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  Note: { field: notes }
defaults: { activity: run }
`;
const HEAD = ["Date", "km", "Note"];
const FIRST = ["2020-05-01", 10, "first"];
const LAST = ["2020-05-09", 11, "last"];
const rows = (...between: readonly (readonly MadeCell[])[]) => [HEAD, FIRST, ...between, LAST];
const sheets = (...between: readonly (readonly MadeCell[])[]) => [{ name: "Log", rows: rows(...between) }];
const xlsx = (...between: readonly (readonly MadeCell[])[]) => xlsxParts(sheets(...between));
const ods = (...between: readonly (readonly MadeCell[])[]) => odsParts(sheets(...between));
const SHEET = "xl/worksheets/sheet1.xml";

/** A workbook with one part changed. */
const changed = (parts: Parts, path: string, change: (xml: string) => string): Parts => ({
  ...parts,
  [path]: change(parts[path] ?? ""),
});
const read = (workbook: Parts | Uint8Array | string, name = "log.xlsx") =>
  readFiles({
    [name]: typeof workbook === "string" || workbook instanceof Uint8Array ? workbook : packed(workbook),
    "log.map.yaml": MAPPING,
  });
const days = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.map((item) => item.kind === "workout" && item.value.start.date);

test("W1 formulas are never run: a cell has its stored value, and one without is told of", async () => {
  const commands = ["cmd|' /c calc'!A0", 'HYPERLINK("http://127.0.0.1:9/")', "1+1"].map((formula, index) => [
    `2020-05-0${index + 2}`,
    { raw: `<c r="@"><f>${formula}</f><v>${5 + index}</v></c>` },
    { raw: '<c r="@" t="str"><f>WEBSERVICE("http://127.0.0.1:9/")</f><v>stored</v></c>' },
  ]);
  const found = await read(xlsx(...commands, ["2020-05-05", { raw: '<c r="@"><f>SUM(B2:B4)</f></c>' }, "=1+1"]));
  expect(found.items.map((item) => item.kind === "workout" && [item.value.distance?.value, item.value.notes])).toEqual([
    [10, "first"],
    [5, "stored"],
    [6, "stored"],
    [7, "stored"],
    [undefined, "=1+1"],
    [11, "last"],
  ]);
  expect(found.remarks).toEqual([
    expect.stringMatching(/log\.xlsx Sheet "Log", row 6, column B: sheet\/formula-without-value/),
  ]);
});

test("W2 nothing outside the workbook is fetched: links, outside sheets, outside texts, outside entities", async () => {
  let asked = 0;
  const server = createServer((_, answer) => {
    asked++;
    answer.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const { port } = server.address() as { port: number };
  const address = `http://127.0.0.1:${port}/x.xml`;
  try {
    const outside = (xml: string) =>
      xml.replace(
        "</Relationships>",
        `<Relationship Id="rId9" Type="x/externalLink" Target="${address}" TargetMode="External"/></Relationships>`,
      );
    const linked = changed(xlsx(), "xl/_rels/workbook.xml.rels", outside);
    expect(days(await read(linked))).toEqual(["2020-05-01", "2020-05-09"]);
    const away = changed(xlsx(), "xl/_rels/workbook.xml.rels", (xml) =>
      xml.replace('Target="worksheets/sheet1.xml"', `Target="${address}" TargetMode="External"`),
    );
    expect(await refusalOf(read(away))).toMatch(/sheet\/missing \(the part of the sheet "Log" is missing/);
    const odsLink = {
      raw: `<table:table-cell office:value-type="string"><text:p><text:a xmlns:xlink="x" xlink:href="${address}">a link</text:a></text:p></table:table-cell>`,
    };
    const found = await read(ods(["2020-05-02", 1, odsLink]), "log.ods");
    expect(found.items[1]).toMatchObject({ value: { notes: "a link" } });
    const entity = changed(xlsx(), SHEET, (xml) =>
      xml.replace("<worksheet", `<!DOCTYPE w SYSTEM "${address}"><worksheet`),
    );
    expect(await refusalOf(read(entity))).toMatch(/xml\/doctype/);
  } finally {
    server.close();
  }
  expect(asked).toBe(0);
});

test("W3 a row of 16,384 columns is rejected by its place, and the rows around it are read", async () => {
  const wide = Array.from({ length: 16_384 }, (_, column) => column);
  const expected = {
    'log.xlsx Sheet "Log", row 3':
      "sheet/too-many-columns (column ALM, expected filled cells in the first 1000 columns)",
  };
  const found = await read(xlsx(wide));
  expect(days(found)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(found.rejected).toEqual(expected);
  const repeated = {
    raw: '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>',
  };
  const inOds = await read(ods([repeated]), "log.ods");
  expect(days(inOds)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(Object.values(inOds.rejected)).toEqual(Object.values(expected));
});

test("W3 16,384 formatted cells without a value are no columns", async () => {
  const formatted = (row: number) =>
    Array.from({ length: 16_381 }, (_, at) => `<c r="${letters(at + 3)}${row}" s="0"/>`).join("");
  const parts = changed(xlsx(), SHEET, (xml) => xml.replace("</row>\n<row", `${formatted(1)}</row>\n<row`));
  expect(days(await read(parts))).toEqual(["2020-05-01", "2020-05-09"]);
});

const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26);

test("W4 merged cells over a million rows, and a million empty rows, cost nothing", async () => {
  const merged = (count: number) => {
    const cells = Array.from({ length: count }, (_, row) => `<mergeCell ref="C${row + 5}:XFD1048576"/>`);
    return packed(
      changed(xlsx(), SHEET, (xml) =>
        xml.replace("</worksheet>", `<mergeCells>${cells.join("")}</mergeCells></worksheet>`),
      ),
    );
  };
  const [many, none] = [merged(20_000), merged(0)];
  expect(days(await read(many))).toEqual(["2020-05-01", "2020-05-09"]);
  expect(
    await timesTheWork(
      () => read(many),
      () => read(none),
    ),
  ).toBeLessThanOrEqual(NO_MORE);
  const empty =
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
  const withEmpty = packed(
    changed(ods(), "content.xml", (xml) => xml.replace("</table:table>", `${empty}</table:table>`)),
  );
  const found = await read(withEmpty, "log.ods");
  expect([days(found), found.rejected]).toEqual([["2020-05-01", "2020-05-09"], {}]);
  expect(
    await timesTheWork(
      () => read(withEmpty, "log.ods"),
      () => read(ods(), "log.ods"),
    ),
  ).toBeLessThanOrEqual(NO_MORE);
});

test("W4 a merged cell has its value in its first cell, and the cells under it none", async () => {
  const found = await read(
    ods(
      [
        "2020-05-02",
        1,
        {
          raw: '<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>for both</text:p></table:table-cell>',
        },
      ],
      [
        "2020-05-03",
        2,
        {
          raw: '<table:covered-table-cell office:value-type="string"><text:p>hidden</text:p></table:covered-table-cell>',
        },
      ],
    ),
    "log.ods",
  );
  expect(found.items.map((item) => item.kind === "workout" && item.value.notes)).toEqual([
    "first",
    "for both",
    undefined,
    "last",
  ]);
});

test("W4 a filled row that repeats itself a million times is one rejected row", async () => {
  const bomb =
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>';
  const found = await read(
    changed(ods(), "content.xml", (xml) => xml.replace("</table:table>", `${bomb}</table:table>`)),
    "log.ods",
  );
  expect(days(found)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(found.rejected).toEqual({
    'log.ods Sheet "Log", row 4': expect.stringMatching(
      /^sheet\/repeated-row \(row 4, which repeats itself 1000000 times/,
    ),
  });
});

rowTest.each(firstOf(1, ["shared", "inline"] as const))(
  "W5 a cell of 30 MB (%s) costs its row, and the rows around it are read",
  async (texts) => {
    // Random letters, so that it isn't refused as a bomb.
    const random = Buffer.from(
      Array.from({ length: 1 << 16 }, (_, at) => 97 + ((at * 7919 * (at % 251)) % 26)),
    ).toString();
    const parts = xlsxParts(sheets(["2020-05-02", 1, "HUGE"]), { texts });
    const path = texts === "shared" ? "xl/sharedStrings.xml" : SHEET;
    const huge = Array.from({ length: 480 }, (_, at) => random.slice(at * 7) + random.slice(0, at * 7)).join("");
    const stored = Object.entries(changed(parts, path, (xml) => xml.replace("HUGE", () => huge))).map(
      ([name, content]) => ({ name, content, stored: true }),
    );
    const found = await read(zipBytes(stored));
    expect(days(found)).toEqual(["2020-05-01", "2020-05-09"]);
    expect(found.rejected).toEqual({
      'log.xlsx Sheet "Log", row 3': "sheet/cell-too-long (column C, expected cells of at most 1048576 characters)",
    });
  },
);

test("W6 a bomb in a workbook is refused by its ratio", async () => {
  const blanks = (path: string, parts: Parts) =>
    changed(parts, path, (xml) =>
      xml
        .replace("<sheetData>", `<sheetData>${" ".repeat(2 ** 24)}`)
        .replace("<sst", `<!--${" ".repeat(2 ** 24)}--><sst`),
    );
  expect(await refusalOf(read(blanks(SHEET, xlsx())))).toMatch(
    /sheet1\.xml: it unpacks to \d+ times its size; raise --max-ratio/,
  );
  expect(await refusalOf(read(blanks("xl/sharedStrings.xml", xlsx())))).toMatch(
    /sharedStrings\.xml: it unpacks to \d+ times its size/,
  );
});

test("W6 entities within entities are refused with the document type", async () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${"bcdefghi"
    .split("")
    .map((name, at) => `<!ENTITY ${name} "${`&${"abcdefgh"[at]};`.repeat(10)}">`)
    .join("")}]>`;
  const inSheet = changed(xlsx(), SHEET, (xml) =>
    xml.replace("<worksheet", `${laughs}<worksheet`).replace("first", "&i;"),
  );
  expect(await refusalOf(read(inSheet))).toMatch(/xml\/doctype/);
  const inWorkbook = changed(xlsx(), "xl/workbook.xml", (xml) => xml.replace("<workbook ", `${laughs}<workbook `));
  expect(await refusalOf(read(inWorkbook))).toMatch(/Cannot read log\.xlsx: xml\/doctype/);
  expect(
    await refusalOf(read(fods(sheets()).replace("<office:document", `${laughs}<office:document`), "log.fods")),
  ).toMatch(/xml\/doctype|no.*sheet/);
});

test("W7 rows whose indexes are wrong are rejected by their place, and the others are read", async () => {
  const wrong = (raw: string) => ["2020-05-02", 1, { raw }];
  const found = await read(
    xlsx(
      wrong('<c r="@" t="s"><v>999999</v></c>'),
      wrong('<c r="@" t="s"><v>-1</v></c>'),
      wrong('<c r="A5"><v>1</v></c>'),
      wrong('<c r="ZZZZ6"><v>1</v></c>'),
      wrong('<c r="C99"><v>1</v></c>'),
      wrong('<c r="@"><v>one</v></c>'),
      wrong('<c r="@" s="4000000000"><v>1</v></c>'),
    ),
  );
  expect(days(found)).toEqual(["2020-05-01", "2020-05-02", "2020-05-09"]);
  expect(Object.entries(found.rejected).map(([place, said]) => `${place}: ${said}`)).toEqual([
    'log.xlsx Sheet "Log", row 3: sheet/bad-cell ("999999", column C, expected the number of a text that the workbook has)',
    'log.xlsx Sheet "Log", row 4: sheet/bad-cell ("-1", column C, expected the number of a text that the workbook has)',
    'log.xlsx Sheet "Log", row 5: sheet/cell-order (the cell "A5" in row 5, expected each cell of the row once: open the workbook in a spreadsheet program and save it)',
    'log.xlsx Sheet "Log", row 6: sheet/cell-order (the cell "ZZZZ6" in row 6, expected each cell of the row once: open the workbook in a spreadsheet program and save it)',
    'log.xlsx Sheet "Log", row 7: sheet/cell-order (the cell "C99" in row 7, expected each cell of the row once: open the workbook in a spreadsheet program and save it)',
    'log.xlsx Sheet "Log", row 8: sheet/bad-cell ("one", column C, expected a number)',
  ]);
});

test("W7 rows that go backwards, or past the end of a sheet, are rejected", async () => {
  const parts = changed(xlsx(["2020-05-02", 1, "x"], ["2020-05-03", 1, "y"]), SHEET, (xml) =>
    xml
      .replace('<row r="3">', '<row r="2">')
      .replaceAll(/r="([A-C])3"/g, 'r="$12"')
      .replace('<row r="4">', '<row r="1048577">'),
  );
  const found = await read(parts);
  expect(days(found)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(Object.values(found.rejected)).toEqual([
    'sheet/row-order (row "2" after row 2, expected rows in ascending order: open the workbook in a spreadsheet program and save it)',
    'sheet/row-order (row "1048577" after row 2, expected rows in ascending order: open the workbook in a spreadsheet program and save it)',
  ]);
});

test("W7 cells in another order are read by their addresses, and a row out of order costs no other", async () => {
  const parts = changed(
    xlsx(["2020-05-02", 1, "x"], ["2020-05-03", 2, "y"], ["2020-05-04", 3, "z"], ["2020-05-05", 4, "z"]),
    SHEET,
    (xml) =>
      xml
        .replace(/(<row r="3">)(<c r="A3".*?<\/c>)(.*?)(<\/row>)/, "$1$3$2$4")
        .replace(/(<row r="4">.*<\/row>)\n(<row r="5">.*<\/row>)/, "$2$1"),
  );
  const found = await read(parts);
  expect(days(found)).toEqual(["2020-05-01", "2020-05-02", "2020-05-04", "2020-05-05", "2020-05-09"]);
  expect(Object.entries(found.rejected)).toMatchObject([
    ['log.xlsx Sheet "Log", row 4', expect.stringMatching(/^sheet\/row-order \(row "4" after row 5/)],
  ]);
});

test("W7 without its list of texts a workbook has no readable header, and says so", async () => {
  const { "xl/sharedStrings.xml": _, ...parts } = xlsx();
  expect(await refusalOf(read(parts))).toMatch(
    /log\.xlsx, Sheet "Log": its header can't be used: sheet\/bad-cell \("0", column A, expected the number of a text/,
  );
});

test("W7 a sheet that is cut in the middle is read up to there, and the rest is told of", async () => {
  const many = xlsx(
    ...Array.from({ length: 300 }, (_, at) => [`2021-01-${String((at % 28) + 1).padStart(2, "0")}`, at + 1, "x"]),
  );
  const found = await read(changed(many, SHEET, (xml) => xml.slice(0, xml.length / 2)));
  expect(found.items.length).toBeGreaterThan(100);
  expect(Object.values(found.rejected)).toEqual([
    expect.stringMatching(
      /^sheet\/cut \(the sheet breaks off here: the text ends in line 1\d\d inside \w+, expected a whole file/,
    ),
  ]);
});

test("W7 a workbook that is cut is refused with what to do", async () => {
  const whole = packed(xlsx());
  expect(await refusalOf(read(whole.subarray(0, whole.length / 2)))).toMatch(
    /log\.xlsx: workbook\/damaged .*save it once more, or copy it again/,
  );
});

test("W8 workbooks with a password, of old formats and of Numbers are refused with what to do", async () => {
  const compound = (stream: string) => {
    const bytes = Buffer.alloc(2048);
    Buffer.from("d0cf11e0a1b11ae1", "hex").copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(1, 48);
    bytes.write(stream, 1024 + 128, "utf16le");
    return bytes;
  };
  const locked = {
    ...ods(),
    "META-INF/manifest.xml": '<m:manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
  };
  for (const [workbook, name, said] of [
    [compound("EncryptedPackage"), "log.xlsx", /workbook\/encrypted .*open it and save it as \.xlsx or as CSV/],
    [
      compound("Workbook"),
      "log.xls",
      /workbook\/old-format \(a workbook in the format of Excel 97 to 2003 \(\.xls\), expected a workbook of today/,
    ],
    [Buffer.from("0902060000001000", "hex"), "log.xls", /workbook\/old-format/],
    [locked, "log.ods", /workbook\/encrypted \(a password/],
    [
      { "Index/Document.iwa": "x" },
      "log.numbers",
      /a document of Apple's Numbers, expected Excel or CSV: in Numbers choose File > Export To/,
    ],
    [{ "readme.txt": "x" }, "log.xlsx", /a zip that is no workbook/],
  ] as const)
    expect(await refusalOf(read(workbook, name)), name).toMatch(said);
});

test("W8 texts, rows and sheets cost by their number", async () => {
  const book = (count: number) =>
    packed(
      xlsx(...Array.from({ length: count }, (_, at) => ["2020-05-02", at + 1, `a note of its own, number ${at}`])),
    );
  expect(await growth(book, (bytes) => read(bytes), 300)).toBeLessThanOrEqual(LINEAR);
});
