import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Heart rates and efforts that can't be read or can't be true leave their workouts whole. The yes to closing the account names them.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

test("a yes names heart rates and efforts that stay out, with their columns and a cell each", async () => {
  const path = join(rehearsal.folder, "log.csv");
  const rows = ["10;0:50:00;145/172;5", "8;0:42:10;140;0", "12;1:00:00;150/180;0", "6;0:31:00;138;0", "5;0:27:30;;3"];
  writeFileSync(
    path,
    ["Day;Distance;Time;Pulse;RPE", ...rows.map((row, index) => `2015-01-0${index + 1};${row}`)].join("\n"),
  );
  writeFileSync(
    `${path}.map.yaml`,
    `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Pulse: { field: avgHR }
  RPE: { field: effort }
defaults: { activity: run }
`,
  );
  const journal = join(rehearsal.folder, "journal.db");
  const run = async (...words: readonly string[]) => {
    const { code, out, err } = await rehearsal.run(words, { journal });
    expect(code, out + err).toBe(0);
    return out.replace(/\s+/g, " ");
  };
  await run("import", path);
  const report = join(rehearsal.folder, "report.json");
  await run("verify", "--report", report);
  const named =
    '; 5 values are not in the log: effort 3, such as "0" (log.csv line 3), which can\'t be true; Pulse 2, such as "145/172" (log.csv line 2), which can\'t be read.';
  expect(await run("status")).toContain(`and each field is as planned${named}`);
  const of = { connector: "csv", archive: "log.csv", entry: "log.csv" };
  expect(JSON.parse(readFileSync(report, "utf8")).verdict.minorValues).toEqual([
    { field: "effort", count: 3, because: "not true", value: "0", origin: { ...of, locator: "line 3" } },
    { field: "Pulse", count: 2, because: "unread", value: "145/172", origin: { ...of, locator: "line 2" } },
  ]);
  const certificate = join(rehearsal.folder, "certificate.json");
  expect(await run("certify", certificate)).toContain(`whose newest workout is of 2015-01-05${named}`);
  const page = readFileSync(certificate.replace(/json$/, "html"), "utf8").replaceAll("&quot;", '"');
  expect(page.replaceAll("&#39;", "'")).toContain(`each field is as planned${named}</p>`);
});
