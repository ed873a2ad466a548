import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../../test/support/scripted-log.ts";
import type { WorkoutItem } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";

// A workout that one source has as a whole, and another one in parts: which side the plan loads, and what becomes of its tracks.

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

type Row = readonly [
  key: string,
  activity: "run" | "bike" | "swim" | "other",
  time: string,
  km: number,
  minutes: number,
];

/** A source of these workouts. Those with a key in `tracked` have a track each. */
function source(name: string, rows: readonly Row[], tracked: readonly string[] = []): MadeSource {
  const readings = rows.map(([key, activity, time, km, minutes]): WorkoutItem => {
    const value: Workout = {
      activity,
      start: { date: "2022-08-21", time: `${time}:00`, instant: Date.parse(`2022-08-21T${time}:00Z`) - 7_200_000 },
      distance: { unit: "km", value: km },
      duration: minutes * 60,
      ...(tracked.includes(key) && {
        track: { entry: `${key}.gpx`, format: "gpx", recording: 0, recordings: 1, sha256: key } as const,
      }),
    };
    if (tracked.includes(key)) {
      const start = value.start.instant ?? 0;
      world.files.set(`${key}.gpx`, [{ start, metres: km * 1_000, seconds: minutes * 60 }]);
    }
    return { kind: "workout", key, value, origin: { connector: name, archive: name, entry: key } };
  });
  return { name, connector: name, readings };
}

const DAY: readonly Row[] = [["whole", "other", "09:00", 51.5, 159]];
const LEGS: readonly Row[] = [
  ["swim", "swim", "09:00", 1.5, 33],
  ["bike", "bike", "09:36", 40, 73],
  ["run", "run", "10:51", 10, 50],
];
const RUN: readonly Row[] = [["whole", "run", "09:00", 10, 60]];
const HALVES: readonly Row[] = [
  ["first", "run", "09:00", 5.1, 31],
  ["second", "run", "09:40", 4.9, 29],
];

/** The keys of the lines that the plan loads, those with a track with its file. */
const planned = async () =>
  (await world.lines()).flatMap(({ key, state, value }) =>
    state === "planned" || state === "done" ? [[key, (value as Workout).track?.entry].filter(Boolean).join(" ")] : [],
  );

describe.each([
  ["the whole first", (a: MadeSource, b: MadeSource) => [a, b]],
  ["the parts first", (a: MadeSource, b: MadeSource) => [b, a]],
] as const)("%s:", (_order, inOrder) => {
  test.each([
    ["a triathlon without tracks is its legs", DAY, LEGS, [], ["swim", "bike", "run"]],
    ["a leg with a track stays, and so do the others", DAY, LEGS, ["bike"], ["swim", "bike bike.gpx", "run"]],
    [
      "legs that all have tracks stay",
      DAY,
      LEGS,
      ["swim", "bike", "run"],
      ["swim swim.gpx", "bike bike.gpx", "run run.gpx"],
    ],
    ["a triathlon with the only track stays", DAY, LEGS, ["whole"], ["whole whole.gpx"]],
    [
      "a triathlon with the whole track stays where legs lack theirs",
      DAY,
      LEGS,
      ["whole", "bike"],
      ["whole whole.gpx"],
    ],
    ["a run without tracks is the whole", RUN, HALVES, [], ["whole"]],
    ["a half with a track stays, and so does the other half", RUN, HALVES, ["second"], ["first", "second second.gpx"]],
    ["a run with the whole track stays", RUN, HALVES, ["whole", "first", "second"], ["whole whole.gpx"]],
  ] as const)("%s", async (_, whole, parts, tracked, expected) => {
    await world.plan([...inOrder(source("diary", whole, tracked), source("watch", parts, tracked))]);
    expect((await planned()).toSorted()).toEqual(expected.toSorted());
  });
});

test("a triathlon that the log has as a whole stays so, and the track of its leg is counted as not added", async () => {
  const day = () => source("diary", DAY);
  await world.import([day()]);
  for (const _ of [1, 2]) {
    await world.import([day(), source("watch", LEGS, ["bike"])]);
    const lines = await world.lines();
    expect(lines.flatMap(({ value }) => (value as Workout).notAdded?.values ?? [])).toEqual([
      { field: "track", value: "bike.gpx" },
    ]);
  }
  expect(world.log.of("workout")).toHaveLength(1);
});
