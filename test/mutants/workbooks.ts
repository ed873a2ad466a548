/** The readers of workbooks: each kind of part alone, and whole workbooks as an archive has them. */
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openOds } from "../../connectors/formats/ods/workbook.ts";
import { type Workbook, WorkbookError } from "../../connectors/formats/sheets/sheet.ts";
import { openXlsx } from "../../connectors/formats/xlsx/workbook.ts";
import { readTable } from "../../connectors/platforms/table/reading/read-table.ts";
import { type MadeCell, odsParts, type Parts, packed, xlsxParts } from "../../fixtures/make/workbook.ts";
import * as operators from "./operators.ts";
import type { Parser } from "./parsers.ts";
import { drained } from "./reading.ts";
import { XML_WORDS, ZIP_WORDS } from "./words.ts";

const rows: MadeCell[][] = [
  ["Date", "km", "Time", "Note"],
  [
    { days: 43_534.5, format: "yyyy-mm-dd hh:mm", shown: "2019-03-10T12:00:00" },
    12.5,
    { days: 1.0625, format: "[h]:mm:ss", shown: "PT25H30M00S" },
    "easy _x000D_",
    true,
  ],
];
const SHEETS = [
  { name: "2019", rows },
  { name: "Lists", rows: [["a"], ["b"]], isHidden: true },
];
const XLSX = xlsxParts(SHEETS);
const ODS = odsParts(SHEETS);
const SHEET = "xl/worksheets/sheet1.xml";

const WORDS = [
  ...XML_WORDS,
  '<row r="1">',
  '<c r="XFD1" t="s"><v>9</v></c>',
  't="inlineStr"',
  't="d"',
  't="e"',
  's="4294967295"',
  "<v>1e308</v>",
  "<v>-1</v>",
  'date1904="1"',
  'formatCode="[h]:mm"',
  '<table:table-row table:number-rows-repeated="9999999">',
  'table:number-columns-repeated="9999999"',
  'office:value-type="time"',
  'office:time-value="PT999999H"',
  'office:date-value="9999-99-99"',
  '<text:s text:c="9999999"/>',
];

/** Reads every sheet of a workbook with these parts, in pieces of a size. */
async function read(
  open: typeof openXlsx,
  parts: Readonly<Record<string, string | Buffer>>,
  size: number,
): Promise<void> {
  async function* pieces(content: Buffer) {
    for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
  }
  const part = (path: string) => (parts[path] === undefined ? undefined : pieces(Buffer.from(parts[path])));
  const workbook: Workbook = await open({ part });
  for (const sheet of (await workbook.sheets()).slice(0, 4)) await drained(workbook.rows(sheet));
}

const mayThrow = (error: unknown) => error instanceof WorkbookError;

function ofPart(name: string, parts: Parts, path: string, open: typeof openXlsx): Parser {
  return {
    name,
    seeds: () => [Buffer.from(parts[path] ?? "")],
    damage: operators.XML,
    words: WORDS,
    read: (input, random) => read(open, { ...parts, [path]: input }, random.of([7, 100, 100_000])),
    mayThrow,
  };
}

/** The readers of workbooks. */
export const WORKBOOKS: readonly Parser[] = [
  ofPart("xlsx-sheet", XLSX, SHEET, openXlsx),
  ofPart("xlsx-texts", XLSX, "xl/sharedStrings.xml", openXlsx),
  ofPart("xlsx-styles", XLSX, "xl/styles.xml", openXlsx),
  ofPart("xlsx-workbook", XLSX, "xl/workbook.xml", openXlsx),
  ofPart("xlsx-relations", XLSX, "xl/_rels/workbook.xml.rels", openXlsx),
  ofPart("ods-content", ODS, "content.xml", openOds),
  {
    name: "workbook",
    seeds: () => [Buffer.from(packed(XLSX)), Buffer.from(packed(ODS))],
    damage: operators.ZIP,
    words: ZIP_WORDS,
    async read(input, random) {
      const archive = memoryArchive("t", { "t.xlsx": input });
      await drained(
        readTable(archive, { path: "t.xlsx", sizeBytes: undefined }, { sheet: random.of([undefined, 1, "2019"]) }),
      );
    },
  },
];
