import { afterEach, beforeEach, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../../test/support/scripted-log.ts";
import type { Item, Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** A workout of an hour on one day, at a time of UTC; the log's clock is two hours ahead. */
function workout(key: string, time: string, km: number, extra: Partial<Workout> = {}): Item {
  const value: Workout = {
    start: { instant: Date.parse(`2024-05-01T${time}Z`), offsetMinutes: 120 },
    distance: { unit: "km", value: km },
    duration: 3600,
    ...extra,
  };
  return { kind: "workout", key, value, origin: { connector: "made", archive: "made", entry: key } };
}

const watch = (...readings: readonly Reading[]): MadeSource => ({ name: "watch", recordings: true, readings });
const phone = (...readings: readonly Reading[]): MadeSource => ({ name: "phone", recordings: true, readings });
const rows = (...readings: readonly Reading[]): MadeSource => ({ name: "rows", readings });

/** Three places a ride, two files of one nameless walk, a row of a sport nobody knows that is that walk too, and a lone one. */
const SOURCES: readonly MadeSource[] = [
  watch(
    workout("ride", "05:00:00", 30, { activity: "bike" }),
    workout("ride again", "05:00:40", 30.1),
    workout("walk", "10:00:00", 5),
  ),
  phone(workout("ride by phone", "04:59:50", 30.4), workout("walk by phone", "10:00:20", 5.1)),
  rows(
    workout("ride in words", "05:00:10", 30, { sport: "Bimbling", notes: "windy" }),
    workout("walk in words", "10:00:05", 5, { sport: "Ambling", notes: "sunny" }),
    workout("alone", "18:00:00", 7, { sport: "Scrambling" }),
  ),
];

/** What becomes of each record: its state, and its activity where it goes into the log. */
async function decisions(sources: readonly MadeSource[]): Promise<Record<string, string>> {
  const run = await world.plan(sources);
  const lines = await world.lines(run?.id);
  return Object.fromEntries(
    lines
      .map(
        (line) =>
          [line.key, line.kind === "workout" && line.state === "planned" ? line.value.activity : line.state] as const,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ) as Record<string, string>;
}

function* orders<T>(things: readonly T[]): Generator<readonly T[]> {
  if (things.length === 0) yield [];
  for (const [index, first] of things.entries())
    for (const rest of orders([...things.slice(0, index), ...things.slice(index + 1)])) yield [first, ...rest];
}

test("a workout of an unknown sport is the one it is a duplicate of, and the known sport wins, in every order", async () => {
  world.settings.sports = new Map([["", "run"]]);
  const bodies = new Set<string>();
  let count = 0;
  for (const sources of orders(SOURCES)) {
    for (const isTurned of [false, true]) {
      count++;
      const turned = sources.map((each) => ({
        ...each,
        readings: isTurned ? each.readings.toReversed() : each.readings,
      }));
      expect(await decisions(turned)).toEqual({
        alone: "quarantined",
        ride: "merged",
        "ride again": "merged",
        "ride by phone": "merged",
        "ride in words": "bike",
        walk: "merged",
        "walk by phone": "merged",
        "walk in words": "run",
      });
      const planned = (await world.lines()).filter(({ state }) => state === "planned").map(({ value }) => value);
      bodies.add(JSON.stringify(planned.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))));
    }
  }
  expect(count).toBe(12);
  expect([...bodies]).toHaveLength(1);
});

test("what the owner says of nameless workouts is not said of those that are known elsewhere", async () => {
  expect(await decisions([phone(workout("walk", "10:00:00", 5))])).toEqual({ walk: "quarantined" });
  world.settings.sports = new Map([["", "run"]]);
  expect(await decisions([phone(workout("walk", "10:00:00", 5))])).toEqual({ walk: "run" });
  expect(await decisions(SOURCES.slice(0, 2))).toMatchObject({ ride: "bike", "ride by phone": "merged" });
});

test("a nameless workout that the log has is left alone, and comes to no second record by its own sport", async () => {
  await world.import([watch(workout("ride", "05:00:00", 30, { activity: "bike" }))]);
  world.settings.sports = new Map([["", "run"]]);
  expect(await decisions([phone(workout("nameless", "05:00:30", 30.2))])).toEqual({ nameless: "unchanged" });
});

test("a workout whose source named a sport when it was loaded keeps it, where a default would take its place", async () => {
  const of = (sport: string | undefined, activity: "run" | "bike", km: number) =>
    rows(workout("a", "05:00:00", km, { activity, ...(sport !== undefined && { sport }) }));
  await world.import([of("Ride", "bike", 20)]);
  for (const km of [15, 12]) {
    world.issues.length = 0;
    await world.import([of(undefined, "run", km)]);
    expect([...world.log.records.values()].map(({ body }) => body.activityID)).toEqual([11]);
    expect(world.issues.map(({ rule }) => rule)).toContain("plan/sport-kept");
  }
  await world.import([of("Run", "run", 12)]);
  expect([...world.log.records.values()].map(({ body }) => body.activityID)).not.toEqual([11]);
});

test("one of two rows alike takes the known recording, the other stays for a person", async () => {
  const row = (key: string) => workout(key, "05:00:00", 30, { sport: "Bimbling" });
  const known = watch(workout("ride", "05:00:00", 30, { activity: "bike" }));
  for (const two of [rows(row("a"), row("b")), rows(row("b"), row("a"))]) {
    expect(await decisions([two, known])).toEqual({ a: "bike", b: "quarantined", ride: "merged" });
  }
});

test("many that wait are all decided about", async () => {
  // More than are read at a time.
  const many = Array.from({ length: 450 }, (_, i) => {
    const start = Date.parse("2020-01-01T06:00:00Z") + i * 86_400_000;
    return workout(`w${i}`, "06:00:00", 5, { start: { instant: start, offsetMinutes: 0 } });
  });
  const known = many
    .slice(0, 225)
    .map((one, i) => ({ ...one, key: `k${i}`, value: { ...one.value, activity: "bike" } }));
  world.settings.sports = new Map([["", "run"]]);
  const states = Object.values(await decisions([phone(...many), watch(...(known as Item[]))]));
  expect(states.filter((state) => state === "merged")).toHaveLength(225);
  expect(states.filter((state) => state === "bike")).toHaveLength(225);
  expect(states.filter((state) => state === "run")).toHaveLength(225);
});
