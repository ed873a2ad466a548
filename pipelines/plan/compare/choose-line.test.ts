import { afterEach, beforeEach, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../../test/support/scripted-log.ts";
import type { WorkoutItem } from "../../../transforms/model/item.ts";

// A diary and a platform have one run. Somebody mends the row of the diary, whose key then is another one, and imports again.

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const source = (name: string, ...rows: readonly (readonly [key: string, time: string, km: number])[]): MadeSource => ({
  name,
  connector: name,
  readings: rows.map(
    ([key, time, km]): WorkoutItem => ({
      ...{ kind: "workout", key, origin: { connector: name, archive: name, entry: `${name}.csv`, locator: key } },
      value: {
        ...{
          activity: "run",
          start: { date: "2022-01-04", time },
          distance: { unit: "km", value: km },
          duration: 3_538,
        },
        ...{ health: { avgHR: 148 }, notes: `words of ${name}` },
      },
    }),
  ),
});
const diary = (key: string, km: number) => source("diary", [key, "06:23:00", km]);
const nike = source("nike", ["n1", "06:23:42", 11.654]);
const watch = source("watch", ["w1", "06:23:05", 11.66]);

const inLog = () =>
  world.log.of("workout").map(({ body: { time, details, notes } }) => {
    const { value } = (details as { distance: { value: number } }).distance;
    return `${time} ${value} ${String(notes).split("\n")[0]}`;
  });

test.each([
  ["the diary first", (key: string, km: number) => [diary(key, km), nike], "06:23:00 12.7 words of diary"],
  [
    "the diary first of three",
    (key: string, km: number) => [diary(key, km), nike, watch],
    "06:23:00 12.7 words of diary",
  ],
  ["the platform first", (key: string, km: number) => [nike, diary(key, km)], "06:23:42 11.654 words of nike"],
] as const)("a mended row arrives where its source was named first: %s", async (_, sources, expected) => {
  await world.import(sources("d1", 11.7));
  expect(inLog()).toHaveLength(1);
  for (const _again of [1, 2]) {
    await world.import(sources("d2", 12.7));
    expect(inLog()).toEqual([expected]);
  }
});

test("a mended row arrives, too, where the later import names its source last", async () => {
  await world.import([diary("d1", 11.7), nike]);
  await world.import([nike, diary("d2", 12.7)]);
  expect(inLog()).toEqual(["06:23:00 12.7 words of diary"]);
});

test("a new row beside the one that was loaded is no edited version of it", async () => {
  await world.import([diary("d1", 11.7), nike]);
  await world.import([source("diary", ["d1", "06:23:00", 11.7], ["d2", "09:10:00", 12.7]), nike]);
  expect(inLog().toSorted()).toEqual(["06:23:00 11.7 words of diary", "09:10:00 12.7 words of diary"]);
});
