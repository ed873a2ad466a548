/** A workout that one source has twice, under two numbers or without any: it is named, and a person says which it is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { distancesOf, told } from "./support/promotions.ts";
import { RUNKEEPER_HEADER } from "./support/small-sources.ts";

const row = (start: string) => `${start},Running,,5.00,25:00,5:00,12.0,300,0,,,`;

test("two rows of one export with one distance and duration, at one time, are named and can be called one", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = join(world.folder, "export");
  mkdirSync(folder);
  // Twenty-five minutes later is another workout, and so is the same on another day.
  const starts = ["2016-05-01 07:30:15", "2016-05-01 07:30:17", "2016-05-01 07:55:15", "2016-05-02 07:30:15"];
  writeFileSync(join(folder, "cardioActivities.csv"), `${[RUNKEEPER_HEADER, ...starts.map(row)].join("\n")}\n`);
  const words = [folder, "--zone", "Europe/Vienna"];
  const planned = await world.run(["plan", ...words]);
  expect(planned.out).toMatch(/two workouts of one sport at the same time: [^;]+ and [^;]+\(\w+\+\w+\), expected/);
  const [, pair = ""] = /logferry plan review --answer (\S+)=one/.exec(planned.out) ?? [];
  expect((await world.run(["plan", "review", "--answer", `${pair}=one`])).code, planned.out).toBe(0);
  const imported = await world.run(["import", ...words]);
  expect(imported.code, told(imported)).toBe(0);
  expect(await distancesOf(world)).toEqual([5, 5, 5]);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: true });
});
