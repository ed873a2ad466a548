import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { read as readWorkbook, type WorkBook, type WorkSheet } from "@e965/xlsx";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, test } from "vitest";
import { FULL_WORKOUT, fullLog, ODD_TEXTS } from "../../test/support/full-log.ts";
import { cellsOf, chosen, columnOf, folder, issues, NOW, write } from "../../test/support/written-exports.ts";
import { openZipBytes } from "../containers/zip.ts";
import { type Choice, EVERYTHING } from "./choose.ts";
import { dataPackage } from "./data-package.ts";
import { TABLES } from "./tables.ts";
import { XLSX_BOUNDS, xlsxWriter } from "./xlsx.ts";

// These tests cover the exports with tables. SheetJS reads the CSV and XLSX files, and hyparquet reads Parquet. They share no code with logferry.

describe("CSV", () => {
  /** Reads a file as a spreadsheet does. With `raw`, no text becomes a number or a date. */
  function opened(name: string, raw: boolean): WorkSheet | undefined {
    const book: WorkBook = readWorkbook(readFileSync(join(folder, name)), { type: "buffer", raw });
    return book.Sheets[book.SheetNames[0] ?? ""];
  }

  test("a file a table, with a header of the interface's names", async () => {
    const files = await write("csv");
    expect(files).toEqual([
      { path: "user.csv", records: 1 },
      { path: "preference.csv", records: 1 },
      { path: "equipment.csv", records: 2 },
      { path: "courses.csv", records: 1 },
      { path: "training_plans.csv", records: 1 },
      { path: "workouts.csv", records: 2 + ODD_TEXTS.length },
      { path: "intervals.csv", records: 3 },
    ]);
    expect(readFileSync(join(folder, "intervals.csv"), "utf8")).toBe(
      "\uFEFFworkoutId,date,number,type,distance,distanceUnit,duration\n" +
        "w1,2024-02-29,1,interval,400,m,91.79\nw1,2024-02-29,2,rest,,,60\nw1,2024-02-29,3,,,,\n",
    );
    expect(readFileSync(join(folder, "courses.csv"), "utf8")).toBe(
      '\uFEFFid,name,distance,distanceUnit,surfaces,notes,falseSurfaces\nc1,"River, and back",12.34,km,"[""asphalt"",""single track""]","flat\nmostly",\n',
    );
  });

  test("a spreadsheet that opens it finds no formula, and every text with at most an apostrophe in front", async () => {
    for (const { path } of await write("csv")) {
      const formulas = cellsOf(opened(path, false)).filter(([, cell]) => cell.f !== undefined);
      expect(formulas, path).toEqual([]);
    }
    const notes = columnOf(opened("workouts.csv", true), "notes").slice(2);
    const taken = new Set<string>(["0012", "1e5", "2024-02-29", "TRUE", "#REF!"]);
    const spelt = new Map([["bell \u0007 and escape \u001b[31m", "bell \\x07 and escape \\x1b[31m"]]);
    const expected = ODD_TEXTS.map((text) =>
      /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) || taken.has(text) ? `'${text}` : (spelt.get(text) ?? text),
    );
    expect(notes.map((cell) => cell?.v)).toEqual(expected);
  });

  test("the spreadsheet of this test does run formulas: written raw, it finds them", async () => {
    await write("csv", fullLog(), { rawCsv: true });
    const formulas = cellsOf(opened("workouts.csv", false)).filter(([, cell]) => cell.f !== undefined);
    expect(formulas.map(([, cell]) => cell.f)).toContain("1+1");
  });

  test("numbers are numbers, below zero too, and text that looks like one keeps its zeros", async () => {
    await write("csv");
    const row = opened("workouts.csv", false);
    expect(columnOf(row, "temperature")[0]).toMatchObject({ t: "n", v: -1.5 });
    expect(columnOf(row, "duration")[0]).toMatchObject({ t: "n", v: 2112.99 });
    expect(columnOf(row, "restHR")[0]).toMatchObject({ t: "n", v: 0 });
    expect(columnOf(opened("workouts.csv", true), "notes").map((cell) => cell?.v)).toContain("'0012");
    expect(columnOf(opened("equipment.csv", true), "id")[0]?.v).toBe("'-shoe1");
  });

  test("a table of one column has a line for a row that is empty", async () => {
    await write("csv", fullLog().slice(0, 9), { choice: chosen(["workouts"], ["notes"]) });
    expect(readFileSync(join(folder, "workouts.csv"), "utf8")).toBe('\uFEFF"notes"\n"it rained"\n""\n"\'=1+1"\n');
  });

  test("files are for their owner alone", async () => {
    for (const format of ["csv", "json", "ndjson", "xlsx", "parquet", "ics"] as const) await write(format);
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(modes.length).toBe(7 + 1 + 1 + 1 + 7 + 1);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  });
});

describe("XLSX", () => {
  function workbook(): WorkBook {
    return readWorkbook(readFileSync(join(folder, "log.xlsx")), { type: "buffer", cellNF: true, cellFormula: true });
  }

  test("a sheet a table, in a zip without a fault", async () => {
    expect(await write("xlsx")).toEqual([{ path: "log.xlsx", records: 9 + 2 + ODD_TEXTS.length }]);
    expect(workbook().SheetNames).toEqual(TABLES.map(({ name }) => name));
    const archive = await openZipBytes(readFileSync(join(folder, "log.xlsx")), "log.xlsx");
    expect(archive.issues).toEqual([]);
    for (const entry of archive.entries()) expect((await archive.read(entry)).length, entry.path).toBeGreaterThan(100);
    await archive.close();
    expect(readdirSync(folder)).toEqual(["log.xlsx"]);
  });

  test("text is text whatever it begins with, letter for letter; there is no formula", async () => {
    await write("xlsx");
    const book = workbook();
    for (const name of book.SheetNames) {
      expect(cellsOf(book.Sheets[name]).filter(([, cell]) => cell.f !== undefined)).toEqual([]);
    }
    const notes = columnOf(book.Sheets.workouts, "notes").slice(2);
    // SheetJS turns the two characters of a line end into one. The sheet has both.
    expect(notes.map((cell) => [cell?.t, cell?.v])).toEqual(ODD_TEXTS.map((text) => ["s", text.replace("\r\n", "\n")]));
    const archive = await openZipBytes(readFileSync(join(folder, "log.xlsx")), "log.xlsx");
    const entry = [...archive.entries()].find(({ path }) => path.endsWith("sheet6.xml"));
    const xml = new TextDecoder().decode(await archive.read(entry ?? { path: "missing", sizeBytes: 0 }));
    expect(xml).toContain(">one_x000D_\ntwo\nthree_x000D_four<");
    await archive.close();
  });

  test("dates are dates, times are times, numbers are numbers, and yes is true", async () => {
    await write("xlsx");
    const { Sheets } = workbook();
    // 29 February 2024 is day 45,351 of the calendar in spreadsheets.
    expect(columnOf(Sheets.workouts, "date")[0]).toMatchObject({ t: "n", v: 45_351, w: "2024-02-29" });
    // That calendar has a 29 February 1900, which never existed. So an earlier day is written as text.
    expect(columnOf(Sheets.workouts, "date")[1]).toMatchObject({ t: "s", v: "1899-12-31" });
    const [time] = columnOf(Sheets.workouts, "timeOfDay");
    expect(time).toMatchObject({ t: "n", w: "23:59:58" });
    expect(columnOf(Sheets.workouts, "temperature")[0]).toMatchObject({ t: "n", v: -1.5 });
    expect(columnOf(Sheets.equipment, "retired").map((cell) => cell?.v)).toEqual([true, false]);
  });

  test("a text longer than a cell is cut, and that is said", async () => {
    const long = "x".repeat(XLSX_BOUNDS.characters + 1);
    await write("xlsx", [{ ...FULL_WORKOUT, value: { ...FULL_WORKOUT.value, notes: long } }]);
    expect(String(columnOf(workbook().Sheets.workouts, "notes")[0]?.v)).toHaveLength(XLSX_BOUNDS.characters);
    expect(issues).toMatchObject([{ rule: "export/text-cut", severity: "warning" }]);
  });

  test("more rows than a sheet holds are refused, and the formats without that bound named", async () => {
    const options = { folder, choice: EVERYTHING, rawCsv: false, gzip: false, now: NOW, report: () => undefined };
    const writer = xlsxWriter(options, { ...XLSX_BOUNDS, rows: 4 });
    for (const row of [2, 3, 4]) await writer.write({ ...FULL_WORKOUT, value: { id: String(row) } });
    await expect(writer.write({ ...FULL_WORKOUT, value: { id: "5" } })).rejects.toThrow(
      /a sheet holds 4 rows, and workouts has more\. CSV, JSON/,
    );
    expect(XLSX_BOUNDS.rows).toBe(1_048_576);
    await writer.abandon();
  });
});

describe("Parquet", () => {
  async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
    return parquetReadObjects({ file: await asyncBufferFromFile(join(folder, `${table}.parquet`)) });
  }

  test("a file a table, each column of its own type", async () => {
    await write("parquet");
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(folder, "workouts.parquet")));
    const types = Object.fromEntries(
      parquetSchema(metadata).children.map(({ element }) => [element.name, element.converted_type ?? element.type]),
    );
    expect(types).toMatchObject({
      id: "UTF8",
      date: "DATE",
      timeOfDay: "TIME_MILLIS",
      activityID: "INT64",
      distance: "DOUBLE",
      distanceUnit: "UTF8",
      notes: "UTF8",
    });
    expect(Object.keys(types)).toEqual(TABLES.find(({ name }) => name === "workouts")?.columns.map(({ name }) => name));
  });

  test("every value is there, and nothing where there is nothing", async () => {
    await write("parquet");
    const [full, bare, ...odd] = await rowsOf("workouts");
    expect(full).toMatchObject({
      id: "w1",
      date: new Date(Date.UTC(2024, 1, 29)),
      timeOfDay: (23 * 3600 + 59 * 60 + 58) * 1000,
      activityID: 10n,
      workoutName: "Race",
      distance: 10.254,
      distanceUnit: "km",
      duration: 2112.99,
      restHR: 0n,
      temperature: -1.5,
      conditions: "clear windy",
    });
    const left = Object.entries(bare ?? {}).filter(([, value]) => value !== undefined && value !== null);
    expect(left.map(([name]) => name)).toEqual(["id", "date", "activityID", "activityName"]);
    expect(odd.map(({ notes }) => notes)).toEqual([...ODD_TEXTS]);
    expect((await rowsOf("equipment")).map(({ retired }) => retired)).toEqual([true, false]);
    expect(await rowsOf("training_plans")).toHaveLength(1);
  });

  test("rows of several groups keep their order", async () => {
    const many = Array.from({ length: 12_001 }, (_, number) => ({ ...FULL_WORKOUT, value: { id: String(number) } }));
    await write("parquet", many, { choice: chosen(["workouts"], ["id"]) });
    const ids = (await rowsOf("workouts")).map(({ id }) => id);
    expect(ids).toEqual(many.map(({ value }) => value.id));
  });

  test("a number that isn't whole in a column of whole ones is left empty, and that is said", async () => {
    await write("parquet", [{ ...FULL_WORKOUT, value: { ...FULL_WORKOUT.value, ratings: { effort: 7.5 } } }]);
    expect((await rowsOf("workouts"))[0]?.effort ?? undefined).toBeUndefined();
    expect(issues).toMatchObject([{ rule: "export/left-empty", field: "workouts.parquet effort", count: 1 }]);
  });
});

describe("datapackage.json", () => {
  interface Resource {
    readonly name: string;
    readonly path: string;
    readonly bytes: number;
    readonly hash: string;
    readonly schema?: {
      readonly fields: readonly { readonly name: string; readonly type: string }[];
      readonly primaryKey?: readonly string[];
      readonly foreignKeys?: readonly {
        readonly fields: readonly string[];
        readonly reference: { readonly resource: string; readonly fields: readonly string[] };
      }[];
    };
  }

  async function described(choice: Choice = EVERYTHING): Promise<Resource[]> {
    const files = [...(await write("csv", fullLog(), { choice })), ...(await write("json", fullLog(), { choice }))];
    return JSON.parse(await dataPackage(folder, files, choice.tables, { now: NOW, rawCsv: false })).resources;
  }

  test("every file with its size and checksum, under a name of its own that the specification allows", async () => {
    const resources = await described();
    expect(resources.map(({ path }) => path).toSorted()).toEqual(readdirSync(folder).toSorted());
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length);
    for (const { name, path, bytes, hash } of resources) {
      expect(name).toMatch(/^[a-z0-9._-]+$/);
      const content = readFileSync(join(folder, path));
      expect([path, bytes, hash]).toEqual([
        path,
        content.length,
        `sha256:${createHash("sha256").update(content).digest("hex")}`,
      ]);
    }
  });

  test("the columns of each table are those of its file, with types that its cells are of", async () => {
    const FORMS: Readonly<Record<string, RegExp>> = {
      string: /./s,
      integer: /^-?\d+$/,
      number: /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/,
      date: /^\d{4}-\d{2}-\d{2}$/,
      time: /^\d{2}:\d{2}:\d{2}$/,
      boolean: /^(true|false)$/,
    };
    let cells = 0;
    for (const { path, schema } of await described()) {
      if (schema === undefined) continue;
      const book = readWorkbook(readFileSync(join(folder, path)), { type: "buffer", raw: true });
      const sheet = book.Sheets[book.SheetNames[0] ?? ""];
      const heads = cellsOf(sheet).filter(([place]) => /^[A-Z]+1$/.test(place));
      expect(heads.map(([, cell]) => cell.v)).toEqual(schema.fields.map(({ name }) => name));
      for (const { name, type } of schema.fields) {
        for (const cell of columnOf(sheet, name)) {
          if (cell === undefined) continue;
          cells++;
          expect(String(cell.v), `${path} ${name}`).toMatch(FORMS[type] ?? /^$/);
        }
      }
    }
    expect(cells).toBeGreaterThan(100);
  });

  test("keys name columns that are there, and tables that are there", async () => {
    for (const choice of [
      EVERYTHING,
      chosen(["workouts"], undefined),
      chosen(undefined, ["notes", "courseId", "courses.id"]),
    ]) {
      const resources = await described(choice);
      const columns = new Map(resources.map(({ name, schema }) => [name, schema?.fields.map((field) => field.name)]));
      for (const { name, schema } of resources) {
        for (const column of schema?.primaryKey ?? []) expect(columns.get(name)).toContain(column);
        for (const { fields, reference } of schema?.foreignKeys ?? []) {
          for (const column of fields) expect(columns.get(name)).toContain(column);
          for (const column of reference.fields) expect(columns.get(reference.resource)).toContain(column);
        }
      }
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
    const workouts = (await described()).find(({ name }) => name === "workouts");
    expect(workouts?.schema?.primaryKey).toEqual(["id"]);
    expect(workouts?.schema?.foreignKeys?.map(({ reference }) => reference.resource)).toEqual(["courses", "equipment"]);
  });
});
