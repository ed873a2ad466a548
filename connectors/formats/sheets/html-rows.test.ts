import { expect, test } from "vitest";
import { beginsLikeHtml, htmlRows } from "./html-rows.ts";
import { WorkbookError } from "./sheet.ts";

/** The cells of each row, of a document that comes in pieces of so many bytes; or why there are none. */
async function rowsOf(document: string | Uint8Array, piece = 7): Promise<readonly (readonly string[])[] | string> {
  const bytes = Buffer.from(document);
  async function* chunks() {
    // The first piece names the encoding.
    for (let at = 0; at < bytes.length; at += at === 0 ? 400 : piece)
      yield bytes.subarray(at, at === 0 ? 400 : at + piece);
  }
  const rows: (readonly string[])[] = [];
  try {
    for await (const { fields } of htmlRows(chunks())) rows.push(fields);
  } catch (error) {
    if (error instanceof WorkbookError) return error.message;
    throw error;
  }
  return rows;
}

const table = (inside: string) =>
  `<html><head><style>td { color: <red }</style></head><body><table>${inside}</table></body></html>`;

test("rows and cells, with what they hold inside, with references, and without the ends that may be left out", async () => {
  const document = table(
    '<thead><tr><th colspan="2">Run &amp; <b>Bike</b></th><th>km</th></tr></thead><!-- <tr><td>no</td></tr> -->' +
      "<TR class=x><TD title='a>b'>2014-03-05<TD>&nbsp;5&#44;2 <TD>a<br/>b&#x21;</TR><tr><td></td><td>7</td><td>  x\n y </td></tr><tr></tr>",
  );
  expect(await rowsOf(document)).toEqual([
    ["Run & Bike", "", "km"],
    ["2014-03-05", "5,2", "a\nb!"],
    ["", "7", "x\ny"],
  ]);
});

test.each([
  ["a web page without a table", "<html><body>Please log in</body></html>", "a web page (HTML) without a table"],
  ["cells over several rows", table('<tr><td rowspan="2">a</td></tr>'), "a table (HTML) with cells over several rows"],
  [
    "a table in a table",
    table("<tr><td><table><tr><td>a</td></tr></table></td></tr>"),
    "a table (HTML) in a cell of a table",
  ],
  [
    "two tables",
    `${table("<tr><td>a</td></tr><tr><td>b</td></tr>")}${table("<tr><td>c</td></tr>")}`,
    "several tables (HTML)",
  ],
  ["1,001 columns", table(`<tr>${"<td>1</td>".repeat(1001)}</tr>`), "a table (HTML) with more than 1000 columns"],
  [
    "a cell of 2 MiB",
    table(`<tr><td>${"x".repeat(2 ** 21)}</td></tr>`),
    "a table (HTML) with a cell or a row that is too long",
  ],
  ["a mark without an end", `${table("")}<td ${"x".repeat(2 ** 21)}`, "a table (HTML) with a mark without an end"],
])("%s is refused with what to do", async (_, document, found) => {
  expect(await rowsOf(document, 65_536)).toMatch(
    new RegExp(`^${found.replaceAll(/[()]/g, "\\$&")}; expected .* save it as \\.xlsx or as CSV$`),
  );
});

test.each([
  ["the page's own encoding", Buffer.from(`<meta charset="iso-8859-1">${table("<tr><td>Läufe</td></tr>")}`, "latin1")],
  ["UTF-16", Buffer.from(`\ufeff${table("<tr><td>Läufe</td></tr>")}`, "utf16le")],
  ["UTF-8", Buffer.from(table("<tr><td>Läufe</td></tr>"))],
])("texts are in %s", async (_, document) => {
  expect(beginsLikeHtml(document)).toBe(true);
  expect(await rowsOf(document)).toEqual([["Läufe"]]);
});

test("a CSV file and a workbook are no HTML", () => {
  for (const begin of ["Date,km\n", '"<html>"', "<3 running", '<?xml version="1.0"?><gpx>', "PK\u0003\u0004"])
    expect(beginsLikeHtml(Buffer.from(begin))).toBe(false);
});
