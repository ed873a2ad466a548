import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { FULL_WORKOUT, fullLog, ODD_TEXTS } from "../../../test/support/full-log.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { LogRecord } from "../../api/source.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { EVERYTHING } from "../../exports/choose.ts";
import { dataPackage } from "../../exports/data-package.ts";
import { type ExportFormat, FORMATS } from "../../exports/formats.ts";
import { identifyArchive } from "../../registry.ts";
import { logferryExport } from "./connector.ts";

/** An export as its files. */
async function exported(
  formats: readonly ExportFormat[],
  records: readonly LogRecord[] = fullLog(),
  { rawCsv = false } = {},
): Promise<Record<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-exported-"));
  try {
    const files = [];
    for (const format of formats) {
      const options = { folder, choice: EVERYTHING, rawCsv, gzip: false, now: 0, report: () => undefined };
      const writer = await FORMATS[format].open(options);
      for (const record of records) await writer.write(record);
      files.push(...(await writer.finish()));
    }
    const described = await dataPackage(folder, files, EVERYTHING.tables, { now: 0, rawCsv });
    const contents = readdirSync(folder).map(
      (name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const,
    );
    return { ...Object.fromEntries(contents), "datapackage.json": new TextEncoder().encode(described) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

async function read(
  files: Record<string, Uint8Array | string>,
): Promise<{ readings: readonly Reading[]; issues: readonly Issue[] }> {
  return readAll(logferryExport, memoryArchive("export.zip", files));
}

/** The readings without their places. */
function values(readings: readonly Reading[]): unknown[] {
  return readings.map(({ origin: _origin, ...reading }) => (reading.kind === "set-aside" ? reading.key : reading));
}

test("the three forms of one export are read alike", async () => {
  const [ndjson, json, csv] = [await exported(["ndjson"]), await exported(["json"]), await exported(["csv"])];
  const fromNdjson = await read(ndjson);
  expect(values((await read(json)).readings)).toEqual(values(fromNdjson.readings));
  expect(values((await read(csv)).readings)).toEqual(values(fromNdjson.readings));
  const workouts = fromNdjson.readings.filter(({ kind }) => kind === "workout");
  expect(workouts.map((reading) => ("value" in reading ? (reading.value as { notes?: string }).notes : ""))).toEqual([
    "it rained",
    undefined,
    ...ODD_TEXTS,
  ]);
});

test("one file alone is enough, whatever it is called, packed or not", async () => {
  const files = await exported(["json", "ndjson"]);
  const whole = values((await read(files)).readings);
  for (const [name, bytes] of [
    ["backup.json", files["log.json"]],
    ["of-may.ndjson", files["log.ndjson"]],
    ["of-may.ndjson.gz", gzipSync(files["log.ndjson"] ?? "")],
  ] as const) {
    const archive = memoryArchive(name, { [name]: bytes ?? "" });
    expect((await identifyArchive(archive)).connector.name).toBe("logferry-export");
    expect(values((await read({ [name]: bytes ?? "" })).readings), name).toEqual(whole);
  }
});

test("log.json that a person laid out anew is read, too", async () => {
  const files = await exported(["json"]);
  const log = JSON.parse(text(files["log.json"]));
  for (const indent of [undefined, 2, "\t"]) {
    const { readings } = await read({ "log.json": JSON.stringify(log, undefined, indent) });
    expect(values(readings)).toEqual(values((await read(files)).readings));
  }
});

test("tables that were sorted in a spreadsheet since, with semicolons, keep their intervals", async () => {
  const second = {
    ...FULL_WORKOUT,
    id: "w9",
    value: { ...FULL_WORKOUT.value, id: "w9", intervalSet: { intervals: [{ type: "rest", duration: 7 }] } },
  };
  const files = await exported(["csv"], [FULL_WORKOUT, second]);
  const usual = values((await read(files)).readings);
  const reversed = (name: string) => {
    const [head = "", ...rows] = text(files[name]).trimEnd().split("\n");
    return `${[head, ...rows.toReversed()].join("\n")}\n`;
  };
  const sorted = await read({ ...files, "intervals.csv": reversed("intervals.csv") });
  expect(values(sorted.readings)).toEqual(usual);
  const both = await read({
    ...files,
    "workouts.csv": reversed("workouts.csv").replaceAll(/,(?! )/g, ";"),
  });
  expect(values(both.readings).toReversed()).toEqual(usual);
});

test("rows of intervals whose workout is gone are told of", async () => {
  const files = await exported(["csv"]);
  const [head, , ...rest] = text(files["workouts.csv"]).split("\n");
  const { issues } = await read({ ...files, "workouts.csv": [head, ...rest].join("\n") });
  expect(issues).toMatchObject([{ rule: "logferry-export/no-workout", found: "3 rows" }]);
});

test("apostrophes are taken off where they were put, and only there", async () => {
  const guarded = values((await read(await exported(["csv"]))).readings);
  const raw = values((await read(await exported(["csv"], fullLog(), { rawCsv: true }))).readings);
  expect(raw).toEqual(guarded);
  expect(JSON.stringify(guarded)).toContain("\"''quoted''\"");
});

test.each([
  [
    "log.ndjson without its last line",
    "log.ndjson",
    (all: string) => all.slice(0, all.lastIndexOf('{"kind":"end"')),
    "logferry-export/incomplete",
  ],
  ["log.ndjson cut in a record", "log.ndjson", (all: string) => all.slice(0, all.length - 200), "json/malformed"],
  ["log.json cut in a record", "log.json", (all: string) => all.slice(0, all.length - 20), "json/cut"],
])("%s gives what came before, and says that it was cut", async (_, name, cut, rule) => {
  const files = await exported([name === "log.json" ? "json" : "ndjson"]);
  const { readings, issues } = await read({ [name]: cut(text(files[name])) });
  const told = [...issues, ...readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.issue] : []))];
  expect(told.map((issue) => issue.rule)).toContain(rule);
  expect(readings.filter(({ kind }) => kind === "workout").length).toBeGreaterThan(20);
});

test("a form of a newer logferry is refused, not half understood", async () => {
  const files = await exported(["ndjson"]);
  const newer = text(files["log.ndjson"]).replace('"version":1', '"version":2');
  await expect(read({ "log.ndjson": newer })).rejects.toMatchObject({
    code: "logferry-export/newer",
    reason: "source",
  });
});

test("an export of a workbook alone says that there is nothing to read in it", async () => {
  const { readings, issues } = await read(await exported(["xlsx"]));
  expect(readings).toEqual([]);
  expect(issues).toMatchObject([{ rule: "logferry-export/nothing" }]);
});

test("an activity goes by its name, also of equipment, which has the number alone; else by the number all logs share", async () => {
  const line = (kind: string, value: object) => JSON.stringify({ kind, value });
  const head = line("export", { format: "logferry-export", version: 1 });
  const records = [
    line("equipment", { id: "e1", activityID: 104 }),
    line("equipment", { id: "e2", activityID: 11 }),
    line("equipment", { id: "e3", activityID: 500 }),
    line("workout", { id: "w1", activityID: 104, activityName: "Hike", workoutName: "Butterfly", date: "2024-01-01" }),
    line("workout", { id: "w2", activityID: 10, date: "2024-01-02" }),
    line("workout", {
      id: "w3",
      activityID: 105,
      activityName: "Quidditch",
      workoutName: "Slalom",
      date: "2024-01-03",
    }),
    line("workout", { id: "w4", activityID: 106, activityName: "Other", date: "2024-01-04" }),
  ];
  const { readings } = await read({ "log.ndjson": [head, ...records, line("end", { records: 7 })].join("\n") });
  const found = readings.map((reading) =>
    reading.kind === "workout" || reading.kind === "equipment" ? (reading.value.activity ?? "unknown") : reading.kind,
  );
  expect(found).toEqual(["hike", "bike", "set-aside", "hike", "run", "unknown", "other"]);
  expect(readings[3]).toMatchObject({ value: { type: "butterfly" } });
  expect(readings[5]).toMatchObject({
    value: { sport: "Quidditch", unsupported: [{ field: "workoutName", value: "Slalom" }] },
  });
});
