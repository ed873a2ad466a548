import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The log has kinds of training for runs and rides, and strokes for swims. A kind that it has no number for can't be put in.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

test("a kind of training that the log has no number for is counted as lost, and one with a number is put in", async () => {
  const path = join(rehearsal.folder, "log.csv");
  const rows = [
    "2015-01-01,Run,race,10,0:45:00",
    "2015-01-02,Swim,race,1.5,0:30:00",
    "2015-01-03,Swim,mixed,2,0:50:00",
  ];
  writeFileSync(path, ["Date,Sport,Kind,km,Time", ...rows].join("\n"));
  writeFileSync(
    `${path}.map.yaml`,
    `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Sport: { field: activity }
  Kind: { field: type }
  km: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
`,
  );
  const loss = join(rehearsal.folder, "loss.csv");
  const journal = join(rehearsal.folder, "journal.db");
  const imported = await rehearsal.run(["import", path], { journal });
  expect(imported.code, imported.err).toBe(0);
  expect(imported.out).toContain("1 value is not put in the log, because the log has no field for it: workoutName 1\n");
  await rehearsal.run(["status", "--report", loss], { journal });
  expect(readFileSync(loss, "utf8")).toMatch(/line 3.*workoutName.*race/);
});
