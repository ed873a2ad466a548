import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read as readWorkbook } from "@e965/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LogRecord } from "../connectors/api/source.ts";
import { EVERYTHING } from "../connectors/exports/choose.ts";
import { FORMATS } from "../connectors/exports/formats.ts";
import { fullLog, ODD_TEXTS } from "./support/full-log.ts";
import { hasLibreOffice, openedInLibreOffice, type SheetCell } from "./support/libreoffice.ts";

// An export as CSV, opened by a spreadsheet as by double click: every value is there, and no formula runs. The test uses LibreOffice where this
// machine has it. Everywhere it uses SheetJS, which takes less for values and formulas than LibreOffice does.

/** Texts that a spreadsheet may take for a number, an amount, a date, a time or a truth. */
const LOOKALIKES = [
  ...["007", "0012", "1e5", "1.50", "1,000", "5%", "$5", "€ 12", "(5)", ".5", "12.", "-5", "1 1/2", "3/4", "1-2"],
  ...["12345678901234567890", "１２", "٣", "2024-02-29", "24/12/2023", "12/24/2023", "24.12.2023", "10:30", "8:00 PM"],
  ...[
    "2024-02-29T10:30:00",
    "2024-02-29 10:30",
    "Mar 5",
    "5 March 2020",
    "May-20",
    "sept 2020",
    "TRUE",
    "false",
    " 42 ",
  ],
] as const;

/** Texts that look like something. A spreadsheet leaves them unchanged, or shows them as they are. */
const HARMLESS = ["42", "10 km", "5k", "v2", "March", "truly", "12 x 400 m", "1st", "I ran 10", "Maybe 3"];

const TEXTS: readonly string[] = [...ODD_TEXTS, ...LOOKALIKES, ...HARMLESS];

let folder: string;
let written: string;
let raw: string;
let lines: readonly string[][];
/** The workouts in each spreadsheet, as they were written and raw. */
const opened = new Map<string, { readonly written: readonly SheetCell[][]; readonly raw: readonly SheetCell[][] }>();

const SHEETS = ["SheetJS", ...(hasLibreOffice() ? ["LibreOffice"] : [])];

async function exported(to: string, rawCsv: boolean): Promise<void> {
  mkdirSync(to);
  const writer = await FORMATS.csv.open({ folder: to, choice: EVERYTHING, rawCsv, gzip: false, now: 0, report() {} });
  const others = fullLog().filter(
    ({ kind, value }) => kind !== "workout" || !("notes" in value && ODD_TEXTS.includes(value.notes as never)),
  );
  const noted = TEXTS.map((notes, index) => {
    const value = { id: `odd${index}`, date: "2023-07-15", activityID: 10, activityName: notes, notes };
    return { kind: "workout", id: value.id, value } as unknown as LogRecord;
  });
  for (const record of [...others, ...noted]) await writer.write(record);
  await writer.finish();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "logferry-sheets-"));
  await exported(join(folder, "written"), false);
  await exported(join(folder, "raw"), true);
  written = join(folder, "written.csv");
  raw = join(folder, "raw.csv");
  copyFileSync(join(folder, "written", "workouts.csv"), written);
  copyFileSync(join(folder, "raw", "workouts.csv"), raw);
  lines = bySheetJs(written, true).map((row) => row.map(({ value }) => value));
  opened.set("SheetJS", { written: bySheetJs(written, false), raw: bySheetJs(raw, false) });
  if (!hasLibreOffice()) return;
  const sheets = openedInLibreOffice(folder, [written, raw]);
  opened.set("LibreOffice", { written: sheets.get(written) ?? [], raw: sheets.get(raw) ?? [] });
});
afterAll(() => rmSync(folder, { recursive: true }));

const TYPES: Readonly<Record<string, string>> = { s: "string", n: "float", b: "boolean", d: "date", e: "error" };

/** @param isRaw every cell as its text stands in the file */
function bySheetJs(path: string, isRaw: boolean): SheetCell[][] {
  const book = readWorkbook(readFileSync(path), { type: "buffer", raw: isRaw, dense: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] as unknown as {
    "!data": ({ t: string; v: unknown; f?: string } | undefined)[][];
  };
  return sheet["!data"].map((row) =>
    Array.from(row, (cell) => ({ type: TYPES[cell?.t ?? ""] ?? "", value: String(cell?.v ?? ""), formula: cell?.f })),
  );
}

/** Line ends within a cell are one kind in a spreadsheet. An export spells the control characters that a terminal would obey. */
const shown = (text: string) =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll("\u0007", String.raw`\x07`).replaceAll("\u001b", String.raw`\x1b`);

const column = (header: string) => lines[0]?.indexOf(header) ?? -1;

describe.each(SHEETS)("in %s", (sheet) => {
  test("no cell of an export is a formula or an error; where it is written raw, there are formulas", () => {
    const found = opened.get(sheet);
    expect(found?.written.flat().filter(({ formula, type }) => formula !== undefined || type === "error")).toEqual([]);
    expect(found?.raw.flat().filter(({ formula }) => formula !== undefined).length).toBeGreaterThan(0);
  });

  test("every text is a text and there in full, with at most an apostrophe in front", () => {
    const rows = opened.get(sheet)?.written ?? [];
    const first = rows.length - TEXTS.length;
    for (const header of ["notes", "activityName"]) {
      const cells = rows.slice(first).map((row) => row[column(header)]);
      for (const [index, text] of TEXTS.entries()) {
        const { type, value = "" } = cells[index] ?? {};
        const isWholeNumber = text === "42";
        expect(type, JSON.stringify(text)).toBe(isWholeNumber ? "float" : "string");
        expect([shown(text), `'${shown(text)}`], JSON.stringify(text)).toContain(shown(value));
      }
    }
  });

  test("numbers, days and times are that, and none is lost or changed", () => {
    const rows = opened.get(sheet)?.written ?? [];
    expect(rows.length).toBe(lines.length);
    const isDay = (header: string) => header === "date";
    let compared = 0;
    for (const [index, line] of lines.entries()) {
      if (index === 0) continue;
      for (const [place, text] of line.entries()) {
        const header = lines[0]?.[place] ?? "";
        const { type = "", value = "" } = rows[index]?.[place] ?? {};
        if (text === "" || header === "notes" || header === "activityName") continue;
        compared++;
        if (isDay(header) && sheet === "LibreOffice") expect([type, value.slice(0, 10)], text).toEqual(["date", text]);
        else if (header === "timeOfDay" && sheet === "LibreOffice") {
          const [hours, minutes, seconds] = text.split(":");
          expect([type, value.replace(/[.,]\d+S$/, "S")]).toEqual(["time", `PT${hours}H${minutes}M${seconds}S`]);
        } else if (/^-?\d+(\.\d+)?$/.test(text)) expect([type, Number(value)], header).toEqual(["float", Number(text)]);
        else if (!isDay(header) && header !== "timeOfDay")
          expect([type, value], header).toEqual(["string", shown(text)]);
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  test("texts that are guarded are taken for something else where they stand raw", () => {
    const rows = opened.get(sheet)?.raw ?? [];
    const changed = LOOKALIKES.filter((_text, index) => {
      const { type } = rows[rows.length - TEXTS.length + ODD_TEXTS.length + index]?.[column("notes")] ?? {};
      return type !== "string";
    });
    // One spreadsheet leaves some of the list unchanged. Other programs and languages change those too.
    expect(changed.length).toBeGreaterThan(sheet === "LibreOffice" ? LOOKALIKES.length / 2 : 0);
  });
});
