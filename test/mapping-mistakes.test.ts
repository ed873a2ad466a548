import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyHome, runCli } from "./support/cli.ts";

test("every mistake of a mapping file stands on a line of its own", async () => {
  using home = emptyHome();
  const sheet = join(home.path, "log.csv");
  writeFileSync(sheet, "Date,km\n2015-03-01,10\n");
  writeFileSync(
    join(home.path, "log.map.yaml"),
    "version: 1\ndates: { order: ymd }\ncolumns:\n  Date: { field: date }\n  km: { field: distance, unit: kn }\n",
  );
  const { code, err } = await runCli(home.path, ["inspect", sheet]);
  expect(code).toBe(5);
  const [first, second, ...rest] = err.trimEnd().split("\n");
  expect(first).toMatch(/^Cannot use the mapping: log\.map\.yaml line 2: dates\.order: expected iso, dmy, mdy/);
  expect(second).toMatch(/^ {2}log\.map\.yaml line 5: columns\.km\.unit: expected /);
  expect(rest).toEqual([]);
});
