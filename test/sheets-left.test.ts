import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MadeCell, packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Sheets that nobody reads, and that don't look like logs of workouts, leave a yes. It names them, for only their owner knows what they hold.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const day = (days: number): MadeCell => ({ days, format: "dd/mm/yyyy", shown: "" });

const mappingOf = (sheets: string) => `version: 1
file: { ${sheets} }
dates: { order: iso }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  h: { field: duration, format: "h:mm:ss" }
defaults: { activity: run }
`;

test("a yes names the sheets that no import read, but for those that the mapping leaves by name", async () => {
  const path = join(rehearsal.folder, "log.xlsx");
  const head = ["Date", "km", "h"];
  const sheets = [
    { name: "Runs", rows: [head, [day(43_100), 5, "0:25:00"], [day(43_101), 6, "0:31:00"]] },
    { name: "Old runs", rows: [head, [day(42_100), 7, "0:36:00"]] },
    {
      name: "Shoes",
      rows: [
        ["Shoe", "Bought"],
        ["Ghost", "spring"],
      ],
    },
    {
      name: "Ticks",
      rows: [
        ["Mon", "x"],
        ["Tue", ""],
        ["Wed", "x"],
      ],
    },
    { name: "Goals", rows: [["Goal"], ["a marathon"]] },
  ];
  writeFileSync(path, packed(xlsxParts(sheets)));
  const files = { runs: join(rehearsal.folder, "runs.map.yaml"), old: join(rehearsal.folder, "old.map.yaml") };
  writeFileSync(files.old, mappingOf('sheet: "Old runs", ignoreSheets: [Runs, Shoes, Ticks, Goals]'));
  writeFileSync(files.runs, mappingOf("sheet: Runs, ignoreSheets: [Shoes]"));
  const journal = join(rehearsal.folder, "journal.db");
  const run = async (...words: readonly string[]) => {
    const { code, out, err } = await rehearsal.run(words, { journal });
    expect(code, out + err).toBe(0);
    return out.replace(/\s+/g, " ");
  };
  await run("import", path, "--map", files.old);
  await run("import", path, "--map", files.runs);
  const report = join(rehearsal.folder, "report.json");
  await run("verify", "--report", report);
  const named = "; 2 sheets were not read: log.xlsx: Ticks, log.xlsx: Goals.";
  expect(await run("status")).toContain(`and each field is as planned${named}`);
  expect(JSON.parse(readFileSync(report, "utf8")).verdict.sheetsLeft).toEqual({
    count: 2,
    names: ["log.xlsx: Ticks", "log.xlsx: Goals"],
  });
  const certificate = join(rehearsal.folder, "certificate.json");
  expect(await run("certify", certificate)).toContain(`whose newest workout is of 2018-01-01${named}`);
  expect(readFileSync(certificate.replace(/json$/, "html"), "utf8")).toContain(`each field is as planned${named}</p>`);
});
