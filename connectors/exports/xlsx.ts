/**
 * A log as a workbook, `log.xlsx`, with one sheet for each table. Dates are dates, times are times, and numbers are numbers. Text is always text,
 * even if it begins like a formula. Rows are written as they arrive, so a log of any size fits in memory. The format allows a million rows a sheet
 * and 32,767 characters a cell.
 *
 * Form: Office Open XML (ECMA-376), SpreadsheetML, part 1, sections 18.2 (workbook), 18.3 (sheets) and 18.8 (styles).
 */
import { join } from "node:path";
import { isLocalDate, isLocalTime } from "../../transforms/calendar.ts";
import { FatalError } from "../errors.ts";
import { daysFrom1970, secondsOfDay } from "./days.ts";
import { tableWriter } from "./table-writer.ts";
import type { Cell, ColumnType, Table } from "./tables.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";
import { openPart, writeZip, type ZipPart } from "./zip-file.ts";

/** The limits of a sheet. */
export const XLSX_BOUNDS: { readonly rows: number; readonly characters: number } = {
  rows: 2 ** 20,
  characters: 32_767,
};

/** Days from the calendar's zero (30 December 1899) to 1970, and the first day on which this calendar is right. */
const DAYS_BEFORE_1970 = 25_569;
const FIRST_SURE_DAY = 61;

/** The place of each style in the workbook's list. */
const STYLE = { plain: 0, head: 1, date: 2, time: 3, text: 4 } as const;

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Makes the writer of `log.xlsx`. @throws FatalError `export/too-many-rows` from `write` */
export function xlsxWriter({ folder, choice, report }: WriterOptions, bounds = XLSX_BOUNDS): LogWriter {
  const name = "log.xlsx";
  const sheets: ZipPart[] = [];
  const cut = { count: 0 };
  return tableWriter(
    choice.tables,
    (table) => {
      const path = join(folder, `.sheet${sheets.length + 1}.part`);
      const part = openPart(`xl/worksheets/sheet${sheets.length + 1}.xml`, path);
      sheets.push(part);
      const sheet = sheetOf(table, cut);
      let rows = 0;
      const write = async (xml: string) => {
        if (++rows > bounds.rows) throw tooManyRows(table, bounds.rows);
        await part.write(xml);
      };
      return {
        name,
        begin: async () => {
          await part.write(sheet.head);
          await write(
            sheet.row(
              table.columns.map((column) => column.name),
              1,
              true,
            ),
          );
        },
        write: (row) => write(sheet.row(row, rows + 1, false)),
        end: async () => {
          await part.write(sheet.tail);
          await part.close();
        },
        abandon: part.abandon,
      };
    },
    async (files) => {
      const parts: ZipPart[] = [];
      for (const [path, xml] of Object.entries(workbookParts(choice.tables))) {
        const part = openPart(path, join(folder, `.workbook${parts.length + 1}.part`));
        await part.write(xml);
        await part.close();
        parts.push(part);
      }
      await writeZip(join(folder, name), [...parts, ...sheets]);
      if (cut.count > 0) {
        report({
          severity: "warning",
          rule: "export/text-cut",
          found: `${name}: ${cut.count} texts of more than ${XLSX_BOUNDS.characters} characters`,
          expected: "shorter ones: they were cut there. The other formats have them whole",
        });
      }
      return [{ path: name, records: files.reduce((sum, { records }) => sum + records, 0) }];
    },
  );
}

/** The XML of a table's sheet. */
function sheetOf({ name, columns }: Table, cut: { count: number }) {
  const letters = columns.map((_, index) => columnLetters(index));
  const widths = columns.map(({ type, name: header }, index) => {
    const width = header === "notes" ? 50 : type === "text" || type === "id" || type === "words" ? 18 : 13;
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const isFirstShown = name === "workouts" ? ' tabSelected="1"' : "";
  return {
    head: `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${isFirstShown}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>\n`,
    tail: "</sheetData></worksheet>\n",
    row(cells: readonly Cell[], number: number, isHead: boolean): string {
      let xml = `<row r="${number}">`;
      for (const [index, cell] of cells.entries()) {
        if (cell === undefined || cell === "") continue;
        const place = `${letters[index]}${number}`;
        xml += isHead
          ? textCell(place, String(cell), STYLE.head, cut)
          : cellXml(place, cell, columns[index]?.type, cut);
      }
      return `${xml}</row>\n`;
    },
  };
}

function cellXml(place: string, cell: Cell, type: ColumnType | undefined, cut: { count: number }): string {
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = String(cell);
  if (type === "date" && isLocalDate(text)) {
    const serial = daysFrom1970(text) + DAYS_BEFORE_1970;
    if (serial >= FIRST_SURE_DAY) return `<c r="${place}" s="${STYLE.date}"><v>${serial}</v></c>`;
  }
  if (type === "time" && isLocalTime(text))
    return `<c r="${place}" s="${STYLE.time}"><v>${secondsOfDay(text) / 86_400}</v></c>`;
  return textCell(place, text, STYLE.text, cut);
}

function textCell(place: string, text: string, style: number, cut: { count: number }): string {
  let whole = text;
  if (text.length > XLSX_BOUNDS.characters) {
    cut.count++;
    whole = text.slice(0, XLSX_BOUNDS.characters);
  }
  return `<c r="${place}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(whole)}</t></is></c>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Writes the text of a cell. `_x000D_` and the like replace characters that XML can't hold, and the carriage return, which XML would fold. A text
 * that looks like such a code gets its underscore escaped (22.9.2.19, ST_Xstring).
 */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    })
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

/** The letters of a column: 0 is A, 25 is Z, 26 is AA. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${columnLetters(Math.floor(index / 26) - 1)}${last}`;
}

/** The parts of the workbook without the sheets, by path. */
function workbookParts(tables: readonly Table[]): Record<string, string> {
  const each = (xml: (name: string, number: number) => string) =>
    tables.map(({ name }, index) => xml(name, index + 1)).join("");
  const shown = Math.max(
    0,
    tables.findIndex(({ name }) => name === "workouts"),
  );
  const main = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const type = (path: string, kind: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${main}.${kind}+xml"/>`;
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const xf = (numberFormat: number, font: number) =>
    `<xf numFmtId="${numberFormat}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  return {
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${type("workbook", "sheet.main")}${type("styles", "styles")}${each((_, number) => type(`worksheets/sheet${number}`, "worksheet"))}</Types>\n`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>\n`,
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="${shown}"/></bookViews><sheets>${each((name, number) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>\n`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, number) => relation(`rId${number}`, "worksheet", `worksheets/sheet${number}.xml`))}${relation(`rId${tables.length + 1}`, "styles", "styles.xml")}</Relationships>\n`,
    // Formats 21 (h:mm:ss) and 49 (text) are built in. 164 is the first number for other formats. The order is the order of STYLE.
    "xl/styles.xml": `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${xf(0, 0)}${xf(49, 1)}${xf(164, 0)}${xf(21, 0)}${xf(49, 0)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>\n`,
  };
}

function tooManyRows({ name }: Table, most: number): FatalError {
  return new FatalError(
    "export/too-many-rows",
    "journal",
    `Cannot write log.xlsx: a sheet holds ${most} rows, and ${name} has more. CSV, JSON, NDJSON and Parquet have no such bound; --since, --until and --only choose fewer`,
  );
}
