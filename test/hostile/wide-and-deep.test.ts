/** Files that are too wide, too deep or too large in one place. Each is refused once, with its reason, and is never read as something else. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { csvText } from "../../connectors/formats/csv/write.ts";
import { emptyHome, runCli } from "../support/cli.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { gpx, readFiles, refusalOf } from "./reading.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns: { Date: { field: date }, km: { field: distance, unit: km } }
defaults: { activity: run }
`;

test("C2 a header of 1,502 columns is refused as a header, and no row is taken for it", async () => {
  const header = ["Date", "km", ...Array.from({ length: 1_500 }, (_, at) => `c${at}`)].join(",");
  const reading = readFiles({ "log.csv": `${header}\n2020-05-01,5\n2020-05-02,6\n`, "log.map.yaml": MAPPING });
  expect(await refusalOf(reading)).toBe(
    "Cannot read log.csv: its header can't be used: csv/too-many-columns (line 1, expected at most 1000 columns)",
  );
});

test("a mapping file of 5,000 levels is refused in one sentence", async () => {
  const deep = `version: 1\ndates: ${"{a: ".repeat(5_000)}1${"}".repeat(5_000)}\n`;
  const said = await refusalOf(readFiles({ "log.csv": "Date\n2020-05-01\n", "log.map.yaml": deep }));
  expect(said).toBe("Cannot use the mapping: log.map.yaml line 2: nested more than 64 deep");
});

test("a number of three million digits is called too large, and not null", async () => {
  const huge = "9".repeat(3_000_000);
  const record = (id: string, more: string) =>
    `{"id":${id},"activityID":10,"activityName":"run","date":"2020-05-01"${more}}`;
  const head =
    '{"export":{"format":"logferry-export","version":1,"exportedAt":"2026-01-01T00:00:00.000Z"},"workouts":[';
  const log = `${head}${record(huge, "")},${record('"b"', `,"odd":${huge}`)}]}`;
  const { items, remarks } = await readFiles({ "log.json": log });
  const said = `${remarks.join("\n")}${JSON.stringify(items)}`;
  expect(said).toContain("a number too large to hold");
  expect(said).not.toMatch(/is \\?"null\\?"|"value":"null"/);
});

test("Z7 a zip with a program or a page in front of it is read, and the bytes in front are remarked", async () => {
  using home = emptyHome();
  const zip = zipBytes([{ name: "a.gpx", content: gpx() }]);
  for (const front of ["#!/bin/sh\nexit\n", "<html>Your download</html>\n"]) {
    const path = join(home.path, "export.zip");
    writeFileSync(path, Buffer.concat([Buffer.from(front), zip]));
    const { code, out } = await runCli(home.path, ["inspect", path, "--verbose"]);
    expect(code).toBe(0);
    expect(out).toContain("1 workout");
    expect(out).toContain(`${front.length} bytes before the start`);
  }
  mkdirSync(join(home.path, "x"));
  const page = join(home.path, "x", "page.zip");
  writeFileSync(page, "<html>Please sign in</html>");
  expect((await runCli(home.path, ["inspect", page])).err).toMatch(/^Cannot tell what page\.zip is|page\.zip/);
});

test("E1 a CSV file that a terminal shows drives nothing, and with --raw-csv it has what was there", async () => {
  const row = ["2020-05-01", "a\u001b[2J\u009b31mb\tc"];
  const written = async (raw: boolean) => await text(csvText([row], { raw }));
  expect(await written(false)).toBe("'2020-05-01,a\\x1b[2J\\x9b31mb\tc\n");
  expect(await written(true)).toContain("\u001b[2J");
});
