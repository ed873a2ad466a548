import { expect } from "vitest";
import { openWorld, type World } from "./matrix/world.ts";
import { writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// "Of these sources, in your log: 6 workouts, 30 km" counts the records that the run read and that the log shows. It does not count the planned ones.

const again = (world: World, ...flags: readonly string[]) =>
  world.run(["import", world.sheet, "--zone", "Europe/Vienna", "--settle", "1", ...flags]);

test("the sums after an import are those of the log's own list, also where its owner edited a distance", async () => {
  const runs = [1, 2, 3].map((day) => ({ date: `2020-01-0${day}`, time: "07:00", km: 10, seconds: 3600 }));
  await using world = await openWorld({ runs });
  expect((await again(world)).out).toContain("Of these sources, in your log: 3 workouts, 30.0 km, 3 h 0 min");
  const { entries } = await world.service.store.workouts(world.userId, { limit: 1, offset: 0 }, []);
  const id = String(entries[0]?.id);
  const found = await world.service.store.workout(world.userId, id);
  if (found === undefined) throw new Error("the listed workout is not there");
  const details = { ...found.workout.details, distance: { unit: "km" as const, value: 42 } };
  await world.service.store.replaceWorkout(world.userId, id, { ...found.workout, details });
  expect((await again(world)).out).toContain("Of these sources, in your log: 3 workouts, 62.0 km, 3 h 0 min");
});

longTest("the sums are called those of the sources: the log may hold more", async () => {
  await using world = await openWorld();
  await again(world);
  const other = writeSheet(world.folder, [{ date: "2021-05-01", time: "07:00", km: 8, seconds: 2400 }]);
  const ran = await world.run(["import", other, "--zone", "Europe/Vienna", "--settle", "1"]);
  expect(await world.listed("/rest/logs/me/workouts")).toHaveLength(7);
  expect(ran.out).toContain("Of these sources, in your log: 1 workout, 8.0 km, 40 min");
});

test("where the log was not looked at, the sums are called sent", async () => {
  await using world = await openWorld();
  const stopped = await again(world, "--max-requests", "9", "--concurrency", "1");
  expect(stopped.code, stopped.out + stopped.err).toBe(75);
  expect(stopped.out).toMatch(/^Sent to your log: \d workouts?,/m);
  expect(stopped.out).not.toMatch(/in your log:/i);
});
