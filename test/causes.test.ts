import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Forty records with one cause are one line, with the one command that lets all forty in. The test runs the command as it is shown.

let rehearsal: Rehearsal;
let sheet: string;
beforeAll(async () => {
  rehearsal = await rehearse();
  const folder = join(rehearsal.folder, "sheet");
  mkdirSync(folder);
  sheet = join(folder, "log.csv");
  writeFileSync(
    join(folder, "log.map.yaml"),
    "version: 1\ndates: { order: iso }\ncolumns:\n  Day: { field: date }\n  Sport: { field: activity }\n  Km: { field: distance, unit: km }\n",
  );
  const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
  const rows = Array.from(
    { length: 40 },
    (_, index) => `${day(index)},${index < 30 ? "Disc Quidditch" : "Snorgling"},5`,
  );
  writeFileSync(sheet, ["Day,Sport,Km", ...rows, "2020-06-01,Run,5"].join("\n"));
});
afterAll(() => rehearsal.close());

const OPTIONS = "--sport 'Disc Quidditch=ACTIVITY' --sport Snorgling=ACTIVITY";

test("forty records of one cause are one line, in the plan and after the import, and one command lets all in", async () => {
  const planned = await rehearsal.run(["plan", sheet]);
  expect(planned.out.split("\n").filter((line) => line.includes("Quidditch"))).toEqual([
    `  40 records: logferry doesn't know the sport "Disc Quidditch" (30) or "Snorgling" (10). (workout/unknown-sport)`,
    `    To let them in, plan again with: ${OPTIONS}`,
  ]);
  const all = await rehearsal.run(["plan", sheet, "--verbose"]);
  expect(new Set(all.out.match(/log\.csv line \d+: workout\/unknown-sport/g)).size).toBe(40);

  const imported = await rehearsal.run(["import", sheet]);
  expect(imported.out).toContain(`    To let them in: logferry quarantine retry ${OPTIONS}`);
  const listed = await rehearsal.run(["quarantine"]);
  expect(listed.out).toContain(`  To let them in: logferry quarantine retry ${OPTIONS}`);

  const retried = await rehearsal.run([
    "quarantine",
    "retry",
    "--sport",
    "Disc Quidditch=other",
    "--sport",
    "Snorgling=run",
  ]);
  expect(retried.code).toBe(0);
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(41);
});
