import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

test("a certificate that is written into the folder of its sources doesn't count among them", async () => {
  const folder = join(rehearsal.folder, "log");
  mkdirSync(folder);
  writeFileSync(join(folder, "log.csv"), "Date,km,Time\n2015-01-01,10,0:50:00\n");
  writeFileSync(
    join(folder, "log.csv.map.yaml"),
    `version: 1
dates: { order: iso }
columns: { Date: { field: date }, km: { field: distance, unit: km }, Time: { field: duration, format: "h:mm:ss" } }
defaults: { activity: run }
`,
  );
  const journal = join(rehearsal.folder, "journal.db");
  await rehearsal.run(["import", folder], { journal });
  const { code, out } = await rehearsal.run(["certify", join(folder, "certificate.json")], { journal });
  expect([code, out]).toEqual([0, expect.stringContaining("Can the old account be closed? Yes")]);
  expect(out).not.toContain("came later");
});
