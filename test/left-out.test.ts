import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld, type World } from "./matrix/world.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";

// "Can the old account be closed?" asks about everything that was ever imported, and not about the last run alone.

const FLAGS = ["--zone", "Europe/Vienna", "--settle", "1"];

/** The answer of `logferry status`: the sentence that holds it. */
async function closed(world: World): Promise<string> {
  const { out } = await world.run(["status"]);
  return out.match(/Can the old account be closed[?] (.*)/)?.[1] ?? out;
}

async function carried(world: World, sheet: string, code: number): Promise<void> {
  const ran = await world.run(["import", sheet, ...FLAGS]);
  expect(ran.code, ran.out + ran.err).toBe(code);
  const verified = await world.run(["verify"]);
  expect(verified.code, verified.out + verified.err).toBe(0);
}

/** A sheet of three runs, one of them with a day that no calendar has. */
function brokenSheet(world: World): { path: string; sound: string } {
  const path = writeSheet(world.folder, someRuns(3, "2015-03-01"), "old");
  const sound = readFileSync(path, "utf8");
  writeFileSync(path, sound.replace("2015-03-02", "2015-03-32"));
  return { path, sound };
}

test("what an earlier run rejected keeps the old account open until it was mended and came in", async () => {
  await using world = await openWorld();
  const { path, sound } = brokenSheet(world);
  await carried(world, path, 3);
  await carried(world, world.sheet, 0);
  expect(await closed(world)).toBe("Not yet: 1 record that run 1 left out is still not in the log.");
  const { out } = await world.run(["status"]);
  expect(out).toContain("1 record of run 1 not in the log (logferry quarantine --run 1)");

  writeFileSync(path, sound);
  await carried(world, path, 0);
  expect(await closed(world)).toMatch(/^Yes, /);
});

test("what an earlier run rejected and a person dropped keeps no account open", async () => {
  await using world = await openWorld();
  await carried(world, brokenSheet(world).path, 3);
  await carried(world, world.sheet, 0);
  const dropped = await world.run(["quarantine", "drop", "csv/", "--run", "1"]);
  expect(dropped.code, dropped.out + dropped.err).toBe(0);
  expect(await closed(world)).toMatch(/^Yes, /);
});

test("what would let in the records of an earlier run is an import of its sources", async () => {
  await using world = await openWorld();
  const [slow, other] = someRuns(2, "2015-03-01");
  const path = writeSheet(world.folder, slow && other ? [slow, { ...other, km: 95 }] : [], "fast");
  await carried(world, path, 3);
  await carried(world, world.sheet, 0);
  const listed = await world.run(["quarantine", "--run", "1"]);
  expect(listed.out).toMatch(/let all of them in: logferry import \S+fast\.csv(?: --\S+ \S+)* --allow implausible\./);
});

test("what a rule left out is named by count, and a table of nothing else keeps the account open", async () => {
  await using world = await openWorld();
  const zip = join(import.meta.dirname, "../fixtures/trainingpeaks/metrics-alone/archive/MetricsExport-20220601.zip");
  const planned = await world.run(["plan", zip]);
  expect(planned.out).toContain(
    "Left out by a rule:\n  2 a pulse of a day\n  1 a weight of a day, in a unit that nothing says\n  1 a value of a day\n",
  );
  await carried(world, zip, 0);
  expect(await closed(world)).toBe(
    "Not yet: nothing of these sources is in the log: 4 records were left out by a rule.",
  );
});

test("a plan that was never carried out keeps no account open, and resolves nothing", async () => {
  await using world = await openWorld();
  const { path } = brokenSheet(world);
  expect((await world.run(["plan", path, ...FLAGS])).code).toBe(3);
  await carried(world, world.sheet, 0);
  expect(await closed(world)).toMatch(/^Yes, /);
  await carried(world, path, 3);
  await carried(world, world.sheet, 0);
  expect((await world.run(["plan", path, "--journal", join(world.folder, "journal.db"), ...FLAGS])).code).toBe(3);
  await carried(world, world.sheet, 0);
  expect(await closed(world)).toBe("Not yet: 1 record that run 3 left out is still not in the log.");
});

test("a record that an earlier run loaded is in the log, also where a later import would hold it back", async () => {
  await using world = await openWorld();
  const sheet = readFileSync(world.sheet, "utf8");
  // Two rows without a sport. Their owner lets them in once, and the next command does not let them in again.
  const bare = (row: string) => row.replace(/,Run,/, ",,");
  const rows = sheet.split("\n").map((row, at) => (at === 2 || at === 4 ? bare(row) : row));
  writeFileSync(world.sheet, rows.join("\n"));
  const loaded = await world.run(["import", world.sheet, ...FLAGS, "--sport", "=run"]);
  expect(loaded.code, loaded.out + loaded.err).toBe(0);
  await carried(world, world.sheet, 0);
  expect((await world.listed("/rest/logs/me/workouts")).length).toBe(6);
  expect(await closed(world)).toMatch(/^Yes/);
  const last = await world.run(["status", "--run", "2"]);
  expect(last.out).not.toMatch(/not in the log|rejected/);
});
