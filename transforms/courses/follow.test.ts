import { describe, expect, test } from "vitest";
import type { Position } from "../geo.ts";
import { chooseCourse } from "./choose.ts";
import { describeFollowing } from "./describe-following.ts";
import { compareTrack } from "./follow.ts";
import { boxOf, isInReach } from "./reach.ts";
import { type ThinLine, thinLine } from "./thin-line.ts";

// Lines are drawn in metres east and north of a place in the Alps, and the answers follow from the drawing alone.

const HOME = { lat: 47, lon: 11 };
/** A degree of the sphere that every distance here is measured on. */
const METRES = (6_371_008.8 * Math.PI) / 180;

type Spot = readonly [east: number, north: number];

function at([east, north]: Spot): Position {
  return { lat: HOME.lat + north / METRES, lon: HOME.lon + east / (METRES * Math.cos((HOME.lat * Math.PI) / 180)) };
}

/** A line through corners, with a point every few metres. `noise` is added to every point, as a receiver does. */
function drawn(corners: readonly Spot[], every = 3, noise: (n: number) => Spot = () => [0, 0]): ThinLine {
  const spots: Spot[] = [];
  for (const [n, [x, y]] of corners.entries()) {
    const [toX, toY] = corners[n + 1] ?? [x, y];
    const pieces = Math.max(1, Math.round(Math.hypot(toX - x, toY - y) / every));
    for (let piece = 0; piece < pieces; piece++)
      spots.push([x + ((toX - x) * piece) / pieces, y + ((toY - y) * piece) / pieces]);
  }
  const line = thinLine(
    spots.map(([x, y], n) => {
      const [dx, dy] = noise(n);
      return at([x + dx, y + dy]);
    }),
  );
  if (line === undefined) throw new Error("Cannot draw a line of one point");
  return line;
}

/** Slow waves of 8 m and fast ones of 4 m, which no seed can make luckier. */
const wavy = (n: number): Spot => [
  8 * Math.sin(n / 40) + 4 * Math.sin(n * 2.3),
  8 * Math.cos(n / 55) + 4 * Math.cos(n * 1.7),
];

// 6 km to the lake and around its corner; no part of it comes back.
const LAKE: readonly Spot[] = [
  [0, 0],
  [2_000, 300],
  [2_500, 2_000],
  [1_000, 3_500],
];
const LOOP: readonly Spot[] = [
  [0, 0],
  [1_000, 0],
  [1_000, 800],
  [0, 800],
  [0, 0],
];

const manner = (track: ThinLine, course: ThinLine) => compareTrack(track)(course)?.manner;

describe("a track follows a course", () => {
  test("through the noise of a receiver, with its numbers", () => {
    const found = compareTrack(drawn(LAKE, 3, wavy))(drawn(LAKE, 80));
    expect(found?.manner).toBe("follows");
    expect(found?.mean).toBeGreaterThan(2);
    expect(found?.mean).toBeLessThan(14);
    expect(found?.most).toBeLessThan(30);
    // 2,022.4 + 1,772.0 + 2,121.3 m
    expect(Math.round((found?.course ?? 0) / 10)).toBe(592);
    expect(found && describeFollowing({ ...found, mean: 7.6, most: 15.2, track: 6_120 })).toBe(
      "the same line, 8 m apart on average and 15 m at most; the course has 5.9 km, the track 6.1 km",
    );
  });

  test("with a watch that was started 80 m late, and with a pause on the way", () => {
    const late: readonly Spot[] = [[80, 12], ...LAKE.slice(1)];
    expect(manner(drawn(late), drawn(LAKE))).toBe("follows");
    const spots = [
      ...LAKE.slice(0, 2),
      ...Array.from({ length: 300 }, (_, n): Spot => [2_000 + (n % 7), 300 + (n % 5)]),
      ...LAKE.slice(2),
    ];
    expect(manner(drawn(spots), drawn(LAKE))).toBe("follows");
  });

  test("of a loop from any place of it, and not the other way round", () => {
    const [a, b, c, d] = LOOP as readonly [Spot, Spot, Spot, Spot];
    const elsewhere: readonly Spot[] = [[500, 0], b, c, d, a, [490, 0]];
    expect(manner(drawn(elsewhere, 3, wavy), drawn(LOOP))).toBe("follows");
    expect(manner(drawn(elsewhere.toReversed()), drawn(LOOP))).toBe("reversed");
    expect(manner(drawn([...LOOP, ...LOOP.slice(1)]), drawn(LOOP))).toBe("longer");
  });

  test("there and back, which is one line in both directions", () => {
    const there = [...LAKE, ...LAKE.toReversed()];
    expect(manner(drawn(there.toReversed(), 3, wavy), drawn(there))).toBe("follows");
    expect(manner(drawn(there), drawn(LAKE))).toBe("longer");
  });
});

describe("a track doesn't follow a course", () => {
  test("in the other direction: a person is asked", () => {
    expect(manner(drawn(LAKE.toReversed(), 3, wavy), drawn(LAKE))).toBe("reversed");
  });

  test("of which it has a half", () => {
    expect(manner(drawn(LAKE.slice(0, 3)), drawn(LAKE))).toBeUndefined();
    expect(manner(drawn(LOOP.slice(0, 3)), drawn(LOOP))).toBeUndefined();
    // There and no way back.
    expect(manner(drawn(LAKE), drawn([...LAKE, ...LAKE.toReversed()]))).toBeUndefined();
  });

  test("that lies inside a longer run: a person is asked", () => {
    const longer: readonly Spot[] = [[-1_500, -900], ...LAKE, [-400, 4_000]];
    const found = compareTrack(drawn(longer, 3, wavy))(drawn(LAKE));
    expect(found?.manner).toBe("longer");
    expect(found && describeFollowing(found)).toContain("only a part of the workout");
  });

  test("60 m beside it: a person is asked, and 100 m beside it nobody is", () => {
    const beside = (metres: number) =>
      drawn([
        [0, metres],
        [3_000, metres],
      ]);
    const road = drawn([
      [0, 0],
      [3_000, 0],
    ]);
    expect(manner(beside(60), road)).toBe("wide");
    expect(manner(beside(30), road)).toBe("wide");
    expect(manner(beside(15), road)).toBe("follows");
    expect(manner(beside(100), road)).toBeUndefined();
  });

  test("with the same places in another order", () => {
    const eight: readonly Spot[] = [
      [0, 0],
      [600, 500],
      [0, 1_000],
      [-600, 500],
      [0, 0],
      [600, -500],
      [0, -1_000],
      [-600, -500],
      [0, 0],
    ];
    const otherLobeBack = [...eight.slice(0, 5), ...eight.slice(4).toReversed()];
    expect(manner(drawn(eight, 3, wavy), drawn(eight))).toBe("follows");
    expect(manner(drawn(otherLobeBack), drawn(eight))).toBeUndefined();
  });
});

describe("of two courses", () => {
  const course = (name: string, north: number) => ({
    name,
    line: drawn([
      [0, north],
      [3_000, north],
    ]),
  });
  const chosen = (track: ThinLine, ...courses: readonly ReturnType<typeof course>[]) => {
    const compare = compareTrack(track);
    return chooseCourse(
      courses.flatMap((one) => {
        const following = compare(one.line);
        return following === undefined ? [] : [{ course: one, following }];
      }),
    );
  };
  const track = drawn([
    [0, 0],
    [3_000, 0],
  ]);

  test("on both sides of a river, the own side counts", () => {
    expect(chosen(track, course("far side", 35), course("own side", 2)).course?.name).toBe("own side");
  });

  test("8 m apart, none counts, and both are named", () => {
    const both = chosen(track, course("path", 8), course("road", 2));
    expect(both.course).toBeUndefined();
    expect(both.doubtful.map((one) => one.course.name)).toEqual(["road", "path"]);
  });

  test("with one name, as two platforms have it, the first counts", () => {
    expect(chosen(track, course("Lake ", 8), course("lake", 2)).course?.name).toBe("Lake ");
  });

  test("the likeliest is named first when none is sure", () => {
    const back = drawn([
      [3_000, 0],
      [0, 0],
    ]);
    expect(chosen(back, course("there", 1)).doubtful[0]?.following.manner).toBe("reversed");
  });
});

test("a workout reaches a course only if it is long enough for the way there", () => {
  const line = drawn(LAKE);
  const course = { box: boxOf(line), metres: line.metres };
  const from = (east: number, metres: number | undefined) => isInReach(course, { from: at([east, 0]), metres });
  expect(from(0, 5_900)).toBe(true);
  expect(from(-5_000, 5_900)).toBe(false);
  expect(from(-5_000, 16_000)).toBe(true);
  expect(from(0, 4_000)).toBe(false);
  expect(from(-50_000, undefined)).toBe(true);
});

test("a line over the 180th meridian, and one with points that say 0, 0, are lines like others", () => {
  const east = (metres: number): Position => ({ lat: -17, lon: ((179.99 + metres / 106_000 + 180) % 360) - 180 });
  const spots = Array.from({ length: 200 }, (_, n) => east(n * 15));
  const line = thinLine(spots) as ThinLine;
  expect(line.metres).toBeGreaterThan(2_900);
  expect(line.metres).toBeLessThan(3_100);
  const withGap = thinLine([
    { lat: 0, lon: 0 },
    ...spots.slice(0, 90),
    { lat: 0, lon: 0 },
    ...spots.slice(90),
  ]) as ThinLine;
  expect(manner(withGap, line)).toBe("follows");
});

test("a line of a world tour, and a line of one point, are none", () => {
  expect(thinLine([at([0, 0])])).toBeUndefined();
  expect(thinLine([at([0, 0]), { lat: -40, lon: -100 }])).toBeUndefined();
});
