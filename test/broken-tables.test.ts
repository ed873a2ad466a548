import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Exports with a damaged list of workouts and with sound recordings beside it. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const RUN = "2019-05-04-07-10-05.fit";

/** A folder with one recording, and files beside it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(rehearsal.folder, "export");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(ROOT, "fixtures/device-files/fit/archive", RUN), join(folder, RUN));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const load = (archive: string) => rehearsal.run(["import", "--zone", "Europe/Vienna", archive]);

rowTest.each(
  firstOf(3, [
    ["activities.csv", "", "it is empty"],
    ["activities.csv", "\u0000".repeat(5000), "it holds nothing but blanks"],
    ["activities.csv", "Activity ID,Activity Da", "it ends in its first line"],
    ["cardioActivities.csv", "<!DOCTYPE html><html><body>Please log in</body></html>\n", "it is a web page"],
    [
      "x_0_summarizedActivities.json",
      '[{"summarizedActivitiesExport":[{"activityId":1',
      "it breaks off, or is not JSON",
    ],
    ["export.xml", '<?xml version="1.0"?>\n<!DOCTYPE HealthData [\n<!-- Health', "it ends before its first element"],
  ]),
)("%s as %j is rejected, and keeps the old account open", async (name, text, fault) => {
  const ran = await load(folderWith({ [name]: text }));
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out).toContain("1 of 2 records are in your log");
  expect(ran.out).toContain(`${name}: ${fault}`);
  await rehearsal.run(["verify"]);
  const status = await rehearsal.run(["status"]);
  expect(status.out).toMatch(/closed\? Not yet: 1 record was rejected/);
});

test("a quote that is never closed, above lines that are no rows: the closing sentence says from where rows are not counted", async () => {
  const folder = join(rehearsal.folder, "sheet");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "log.csv"),
    'Date,km,Notes\n2014-03-05,10,ok\n2014-03-06,8,"tired\nand slow\n2014-03-07,9,ok\n',
  );
  const columns = "Date: { field: date }, km: { field: distance, unit: km }, Notes: { field: notes }";
  const words = ["version: 1", "dates: { order: iso }", `columns: { ${columns} }`, "defaults: { activity: run }"];
  writeFileSync(join(folder, "log.map.yaml"), words.join("\n"));
  const ran = await rehearsal.run(["plan", folder]);
  expect(ran.out).toContain("All 2 records that could be told apart are accounted for, but a quote is never closed:");
  expect(ran.out).toMatch(/from .*log\.csv.* line 3 on, the rest of the file was read as one value/);
});

test("sound tables beside recordings, and files of other kinds, are no fault: they are named as not read", async () => {
  const folder = folderWith({
    "shopping.csv": "What,How many\nsocks,2\n",
    "settings.json": '{"units":"km"}',
    "device.xml": "<?xml version='1.0'?><Device><Id>1</Id></Device>",
    "readme.txt": "",
  });
  const ran = await load(folder);
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out).toContain("3 files were not read: device.xml, settings.json, shopping.csv");
  expect(ran.out).not.toContain("Rejected");
});
