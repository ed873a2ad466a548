/** A promotion into a log that has some of the workouts by another clock: another tool loaded them in UTC. */
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { distancesOf, promote, rehearseIn, told } from "./support/promotions.ts";
import { type SheetRun, someRuns } from "./support/small-sources.ts";
import { typeWorkout } from "./support/typed-workout.ts";

/** The time two hours before, as a log in UTC has it in summer. */
const inUtc = (time: string) => `${String(Number(time.slice(0, 2)) - 2).padStart(2, "0")}${time.slice(2)}:00`;

test.each([
  ["each second of the duration", 17],
  ["whole minutes, twice as far apart", 0],
])("a workout with the same distance and %s waits, and is not doubled", async (_, seconds) => {
  const runs = someRuns(4, "2021-06-01").map((run, at) => ({ ...run, km: 8 + at, seconds: 2400 + at * 300 + seconds }));
  await using world = await openWorld({ runs });
  await rehearseIn(world);
  for (const { date, time, km, seconds: duration } of runs.slice(0, 2) as SheetRun[])
    await typeWorkout(world, {
      ...{ activityID: 10, date, time: inUtc(time) },
      details: { distance: { unit: "km", value: km }, duration },
    });
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(3);
  const waiting = jsonOf(ran.out).filter(({ rule, waits }) => rule === "promote/perhaps-in-log" && waits === true);
  expect(waiting).toHaveLength(2);
  expect((await distancesOf(world)).toSorted((a, b) => a - b)).toEqual([8, 9, 10, 11]);
});

test("a workout that a person calls another one is no duplicate, and one without an answer goes on waiting", async () => {
  // 12.12 km in an hour: such a distance is nobody's by chance.
  const runs = [
    { km: 10.01, seconds: 3181 },
    { km: 12.12, seconds: 3600 },
    { km: 8, seconds: 2999 },
  ].map((values, at) => ({ ...(someRuns(3, "2021-06-01")[at] as SheetRun), ...values }));
  await using world = await openWorld({ runs });
  await rehearseIn(world);
  for (const { date, time, km, seconds: duration } of runs.slice(0, 2))
    await typeWorkout(world, {
      ...{ activityID: 10, date, time: inUtc(time) },
      details: { distance: { unit: "km", value: km }, duration },
    });
  expect((await promote(world)).code).toBe(3);
  const pairs = jsonOf((await world.run(["plan", "review", "--json"])).out).filter(({ type }) => type === "pair");
  expect(pairs).toHaveLength(2);
  const first = pairs.find(({ left }) => JSON.stringify(left).includes("line 2"));
  expect((await world.run(["plan", "review", "--answer", `${first?.pair}=two`])).code).toBe(0);
  const ran = await promote(world);
  expect(told(ran)).not.toContain("more than it should");
  expect((await distancesOf(world)).toSorted((a, b) => a - b)).toEqual([8, 10.01, 10.01, 12.12]);
  expect(told(await world.run(["verify"]))).not.toContain("more than");
});
