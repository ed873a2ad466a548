import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld, summaryOf } from "./matrix/world.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";

// "So many records are in your log" counts a duplicate together with the record that stands for it. It counts both once that record is in the log, and
// says how many workouts of the log they are.

test("a duplicate of a workout that was not sent yet is not counted as in the log", async () => {
  const runs = someRuns(10);
  await using world = await openWorld({ runs });
  const again = writeSheet(join(world.folder, "the same"), runs);
  const sources = [world.sheet, again];
  const words = ["import", ...sources, "--zone", "Europe/Vienna", "--settle", "1", "--max-requests", "8"];
  const ran = await world.run(words);
  const held = (await world.listed("/rest/logs/me/workouts")).length;
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(10);
  expect(ran.out).toContain(`${2 * held} of 20 records are in your log, as ${held} workouts`);
  const status = await world.run(["status", "--json"]);
  const counted = { read: 20, created: held, merged: 10, left: 10 - held, mergedAbsent: 10 - held };
  expect(summaryOf(status).ledger).toMatchObject(counted);

  const done = await world.run(["apply"]);
  expect(done.out).toContain("20 of 20 records are in your log, as 10 workouts, each once.");
});
