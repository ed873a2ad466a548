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
