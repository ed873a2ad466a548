import { describe, expect, test } from "vitest";
import { mergeDuplicates } from "../duplicates.ts";
import { at, withAt } from "../merge/at-path.ts";
import { PRECEDENCE, type SourceKind } from "./precedence.ts";
import type { TrackRef, Workout } from "./workout.ts";

// The table says which copy gives a field. Here every two kinds of it that stand beside each other are merged.

const DAY = { start: { date: "2024-05-01", time: "07:00:00", basis: "position" } } as const satisfies Workout;
const file = (format: TrackRef["format"]) => ({
  track: { entry: `a.${format}`, format, recording: 0, recordings: 1, sha256: format },
});

/** A copy of each kind. */
const COPIES: Readonly<Record<SourceKind, Workout>> = {
  "whole file": { ...DAY, ...file("gpx") },
  FIT: { ...DAY, ...file("fit"), lostFile: { entry: "a.fit", what: "cut" } as never },
  TCX: { ...DAY, ...file("tcx"), lostFile: { entry: "a.tcx", what: "cut" } as never },
  GPX: { ...DAY, ...file("gpx"), lostFile: { entry: "a.gpx", what: "cut" } as never },
  "pool length": { ...DAY, activity: "swim", unsupported: [{ field: "pool length", value: "25 m" }] },
  "measured course": { ...DAY, course: "lake" },
  "time of day": { start: { date: "2024-05-01", time: "07:00:00", basis: "utcOffset" } },
  "surer zone": DAY,
  row: DAY,
  recording: DAY,
};

/** Two values of each field. A field that is not here lies in the copies themselves. */
const VALUES: Readonly<Record<string, readonly [path: string, a: unknown, b: unknown]>> = {
  distance: ["distance", { unit: "m", value: 1000 }, { unit: "m", value: 1010 }],
  sport: ["sport", "Laufen", "Run"],
  type: ["type", "tempo", "easy"],
  duration: ["duration", 3600, 3500],
  notes: ["notes", "hills", "Morning"],
  equipment: ["equipment", ["a"], ["b"]],
  course: ["course", "a", "b"],
  "average-heart-rate": ["health.avgHR", 150, 151],
  "maximum-heart-rate": ["health.maxHR", 180, 181],
  weight: ["health.weight", { unit: "kg", value: 70 }, { unit: "kg", value: 71 }],
  effort: ["ratings.effort", 7, 6],
  quality: ["ratings.quality", 7, 6],
  conditions: ["weather.conditions", ["snow"], ["clear"]],
  temperature: ["weather.temperature", { unit: "C", value: 1 }, { unit: "C", value: 2 }],
};

const ROWS = PRECEDENCE.flatMap(({ fields, kinds }) =>
  fields.flatMap((field) =>
    kinds.slice(1).map((second, index) => [field, kinds[index] as SourceKind, second] as const),
  ),
);

const withValue = (workout: Workout, path: string, value: unknown) => withAt(workout, path, value);

test("a distance of 0 gives way to a measured one, and stays where nobody measured", () => {
  const [zero, measured] = [0, 5].map((value) => ({ ...DAY, distance: { unit: "km", value } as const })) as [
    Workout,
    Workout,
  ];
  expect(mergeDuplicates(zero, measured, true).distance?.value).toBe(5);
  expect(mergeDuplicates(measured, zero, false).distance?.value).toBe(5);
  expect(mergeDuplicates(zero, DAY, true).distance?.value).toBe(0);
  expect(mergeDuplicates(DAY, zero, true).distance?.value).toBe(0);
});

describe("of two copies of a workout", () => {
  test.each(ROWS.filter(([field]) => VALUES[field] !== undefined))(
    "the %s comes from %s before %s",
    (field, ...kinds) => {
      const [path, a, b] = VALUES[field] as (typeof VALUES)[string];
      const [first, second] = [withValue(COPIES[kinds[0]], path, a), withValue(COPIES[kinds[1]], path, b)];
      const merged = (one: Workout, other: Workout) => at(mergeDuplicates(one, other, kinds[1] === "recording"), path);
      expect(merged(first, second)).toEqual(a);
      // Two rows are given in any order. A recording always comes second.
      if (!["row", "recording"].includes(kinds[1])) expect(merged(second, first)).toEqual(a);
      // The copy that comes first has no value, so the other one fills the gap.
      expect(merged(withValue(first, path, undefined), second)).toEqual(b);
    },
  );

  test.each(ROWS.filter(([field]) => field === "track"))("the %s comes from %s before %s", (_, ...kinds) => {
    const [first, second] = kinds.map((kind) => COPIES[kind]) as [Workout, Workout];
    expect(mergeDuplicates(first, second, false).track).toEqual(first.track);
    expect(mergeDuplicates(second, first, false).track).toEqual(first.track);
  });

  test("the start comes from the copy with a time of day, and of two from the one with the surer zone", () => {
    const dayOnly: Workout = { start: { date: "2024-05-01" } };
    const assumed = { ...COPIES["time of day"], start: { ...COPIES["time of day"].start, time: "05:00:00" } };
    expect(mergeDuplicates(dayOnly, assumed, false).start.time).toBe("05:00:00");
    expect(mergeDuplicates(assumed, DAY, false).start.time).toBe("07:00:00");
    expect(mergeDuplicates(DAY, assumed, false).start.time).toBe("07:00:00");
  });

  test("a rating or a sky that only the second has joins those of the first", () => {
    const one: Workout = { ...DAY, ratings: { effort: 7 }, weather: { conditions: ["snow"] } };
    const other: Workout = { ...DAY, ratings: { quality: 4 }, weather: { temperature: { unit: "C", value: -2 } } };
    expect(mergeDuplicates(one, other, false)).toMatchObject({
      ratings: { effort: 7, quality: 4 },
      weather: { conditions: ["snow"], temperature: { unit: "C", value: -2 } },
    });
  });
});
