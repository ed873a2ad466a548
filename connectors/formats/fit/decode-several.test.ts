import { describe, expect, test } from "vitest";
import {
  fileId,
  INSTANT,
  lap,
  pointCounts,
  records,
  rules,
  run,
  session,
  T,
  timer,
} from "../../../test/support/fit-activity.ts";
import { fitFile, joined, once } from "../../../test/support/fit-bytes.ts";
import { decodeFit } from "./decode.ts";

// Files that don't hold exactly one session: several, several files in a chain, none, or no activity at all.

describe("several sessions", () => {
  const legs = (first: Record<string, number> = {}, second: Record<string, number> = {}) => [
    fileId(),
    ...records(10),
    ...records(5, T + 10),
    lap(T, 10),
    lap(T + 10, 5),
    session({ sport: 5, ...first }),
    session({ sport: 3, ...second }, T + 10),
  ];

  test("are a recording each, transitions included, with their own points and laps", () => {
    const { recordings } = decodeFit(fitFile(legs()), "decode");
    expect(recordings.map(({ sport, start, pointCount }) => [sport, start, pointCount])).toEqual([
      ["swimming", INSTANT, 10],
      ["transition", INSTANT + 10_000, 5],
    ]);
    expect(recordings.map(({ points }) => points?.[0]?.instant)).toEqual([INSTANT, INSTANT + 10_000]);
    expect(recordings.map(({ laps }) => laps.map(({ start }) => start))).toEqual([[INSTANT], [INSTANT + 10_000]]);
  });

  test("say themselves which laps are theirs", () => {
    const { recordings } = decodeFit(fitFile(legs({ firstLap: 1, lapCount: 1 }, { firstLap: 0, lapCount: 1 })), "scan");
    expect(recordings.map(({ laps }) => laps.map(({ elapsed }) => elapsed))).toEqual([[5], [10]]);
  });

  test("that claim laps twice are not believed", () => {
    const { recordings } = decodeFit(fitFile(legs({ firstLap: 0, lapCount: 2 }, { firstLap: 0, lapCount: 1 })), "scan");
    expect(recordings.map(({ laps }) => laps.map(({ elapsed }) => elapsed))).toEqual([[10], [5]]);
  });

  test("of a file cut in its last leg don't swallow that leg", () => {
    const whole = fitFile([fileId(), ...records(10), session(), ...records(20, T + 200), session({}, T + 200)]);
    const file = decodeFit(whole.subarray(0, whole.length - 2 - session().length), "decode");
    expect(pointCounts(file)).toEqual([10, 20]);
    expect(file.recordings[1]).toMatchObject({ start: INSTANT + 200_000, elapsed: 19, avgHR: 150, maxHR: 159 });
    expect(rules(file)).toEqual(["fit/truncated", "fit/no-session"]);
  });
});

describe("a chain of files", () => {
  test("gives the recordings of each", () => {
    const chain = joined([fitFile(run()), fitFile([fileId(), ...records(3), session()])]);
    const file = decodeFit(chain, "decode");
    expect(pointCounts(file)).toEqual([10, 3]);
    expect(file.recordings.map(({ points }) => points?.length)).toEqual([10, 3]);
    expect(file.issues).toEqual([]);
  });

  test("goes on behind a file without a checksum", () => {
    const file = decodeFit(joined([fitFile(run(), { crc: null }), fitFile(run())]), "scan");
    expect(pointCounts(file)).toEqual([10, 10]);
    expect(rules(file)).toEqual(["fit/crc-missing"]);
  });

  test("goes on behind a file that was never finished", () => {
    const file = decodeFit(joined([fitFile(run(), { dataSize: 0 }), fitFile(run())]), "scan");
    expect(pointCounts(file)).toEqual([10, 10]);
    expect(rules(file)).toContain("fit/unfinished");
  });

  test("says which file of it is damaged", () => {
    const file = decodeFit(joined([fitFile(run()), fitFile(run(), { crc: 1 })]), "scan");
    expect(file.issues).toMatchObject([{ rule: "fit/crc-mismatch", found: "0x0001 (file 2)" }]);
  });
});

describe("a file without a session", () => {
  test("gets its headline from the records, less the breaks of the timer", () => {
    const sport = once(7, 12, [
      [0, "enum", 2],
      [1, "enum", 7],
    ]);
    const messages = [
      fileId(),
      sport,
      timer(T - 30, 0),
      ...records(5),
      timer(T + 5, 4),
      timer(T + 65, 0),
      ...records(5, T + 65),
    ];
    const file = decodeFit(fitFile(messages), "decode");
    expect(file.recordings).toMatchObject([
      {
        sport: "cycling",
        fitSport: [2, 7],
        start: INSTANT - 30_000,
        elapsed: 99,
        timer: 39,
        avgHR: 142,
        maxHR: 144,
        distance: { unit: "m", value: 40 },
        pointCount: 10,
      },
    ]);
    expect(file.issues).toMatchObject([{ severity: "warning", rule: "fit/no-session" }]);
  });

  test("but with a time since power-on has no start", () => {
    const file = decodeFit(fitFile([fileId(), ...records(2, 5000)]), "decode");
    expect(file.recordings[0]).not.toHaveProperty("start");
    expect(file.recordings[0]).toMatchObject({ elapsed: 1 });
    expect(file.recordings[0]?.points?.[0]).toMatchObject({ instant: undefined });
    expect(rules(file)).toContain("fit/no-calendar-date");
  });

  test.each([
    [0x0fffffff, undefined],
    // 2^28 s after 1989-12-31 is 1998-07-03T21:24:16Z.
    [0x10000000, Date.UTC(1998, 6, 3, 21, 24, 16)],
    [2 ** 31, (2 ** 31 + 631_065_600) * 1000],
  ])("that began at %i has the instant %s", (raw, instant) => {
    expect(decodeFit(fitFile([fileId(), ...records(1, raw)]), "scan").recordings[0]?.start).toBe(instant);
  });
});

describe("a file that is no activity", () => {
  test.each([
    [2, "settings"],
    [5, "workout"],
    [9, "weight"],
    [32, "monitoring_b"],
    [200, "type_200"],
  ])("of type %i says that it is %s", (type, name) => {
    const file = decodeFit(fitFile([fileId(type)]), "decode");
    expect(file).toMatchObject({ format: "fit", recordings: [], routes: [] });
    expect(file.issues).toEqual([
      { severity: "info", rule: "fit/no-activity", found: `a file: ${name}`, expected: "an activity or a course" },
    ]);
  });

  test("but a course is a route, with its name and its points", () => {
    const course = once(7, 31, [[5, "string", "Round the lake\0\0"]]);
    const file = decodeFit(fitFile([fileId(6), course, lap(), ...records(4)]), "decode");
    expect(file.recordings).toEqual([]);
    expect(file.routes).toMatchObject([
      { name: "Round the lake", distance: { unit: "m", value: 90 }, pointCount: 4, points: [{}, {}, {}, {}] },
    ]);
    expect(decodeFit(fitFile([fileId(6), course, ...records(4)]), "scan").routes).toEqual([
      { name: "Round the lake", distance: { unit: "m", value: 30 }, pointCount: 4 },
    ]);
    expect(file.issues).toEqual([]);
  });
});
