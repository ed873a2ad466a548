import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lookForExports, titleOf } from "./look-for-exports.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");
const folder = mkdtempSync(join(tmpdir(), "logferry-look-"));
const ALL_TIME = { ms: 1, now: () => 0 };

beforeAll(() => {
  cpSync(join(FIXTURES, "demo", "export_24680135.zip"), join(folder, "export.zip"));
  cpSync(join(FIXTURES, "garmin", "web-list-without-a-run", "archive"), join(folder, "garmin"), { recursive: true });
  for (const name of ["both", ".hidden", "pictures"]) mkdirSync(join(folder, name));
  cpSync(join(folder, "export.zip"), join(folder, ".hidden", "export.zip"));
  writeFileSync(join(folder, "pictures", "a.jpg"), "no picture");
  writeFileSync(join(folder, "budget.csv"), "month,money\nMay,12\n");
  writeFileSync(join(folder, "broken.zip"), "PK\u0003\u0004 and then nothing");
  // The export is the newest.
  for (const [name, at] of [
    ["export.zip", 2_000_000_000],
    ["garmin", 1_900_000_000],
  ] as const)
    utimesSync(join(folder, name), at, at);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("exports are found among other files, newest first, each by its platform", async () => {
  const { found, unseen } = await lookForExports([folder, join(folder, "no-such-folder"), folder], ALL_TIME);
  expect(found.map(({ path, title }) => [basename(path), title])).toEqual([
    ["export.zip", "Strava bulk export"],
    ["garmin", "Garmin Connect export"],
  ]);
  expect(found[0]?.changedAt).toBe(2_000_000_000_000);
  expect(unseen).toBe(0);
  // Of recordings beside a zip, the zip may be the export. It isn't opened here, and is named.
  writeFileSync(
    join(folder, "both", "a.gpx"),
    '<gpx version="1.1" creator="watch" xmlns="http://www.topografix.com/GPX/1/1"></gpx>',
  );
  cpSync(join(folder, "export.zip"), join(folder, "both", "export.zip"));
  expect(await titleOf(join(folder, "both"))).toBe("FIT, GPX and TCX files, and zips");
});

test("when the time is over, it says how much was not looked at", async () => {
  let at = 0;
  // The export, garmin, both, pictures, budget.csv and broken.zip may be exports. The clock allows one look.
  expect(await lookForExports([folder], { ms: 1, now: () => at++ })).toMatchObject({
    found: [{ title: "Strava bulk export" }],
    unseen: 5,
  });
});
