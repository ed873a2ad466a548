import { describe, expect, test } from "vitest";
import { matchDuplicates, mergeDuplicates, type WorkoutFacts } from "./duplicates.ts";

const RUN: WorkoutFacts = {
  activity: "run",
  date: "2024-05-01",
  time: "07:00:00",
  instant: undefined,
  metres: 10_000,
  seconds: 3000,
};

describe("two records are one workout", () => {
  test.each([
    ["120 s and 3 % apart", { time: "07:02:00", metres: 9_700 }, "start and distance"],
    ["121 s apart", { time: "07:02:01" }, undefined],
    ["3.1 % apart", { metres: 9_689 }, undefined],
    ["of another activity", { activity: "bike" }, undefined],
    ["of an unknown activity", { activity: undefined }, "start and distance"],
    [
      "of an unknown activity and untimed, distance and duration alike",
      { activity: undefined, time: undefined },
      "day, distance and duration",
    ],
    ["a day apart", { date: "2024-05-02" }, undefined],
    ["one without distance, durations 3 % apart", { metres: undefined, seconds: 2_910 }, "start and duration"],
    ["one without distance, durations 4 % apart", { metres: undefined, seconds: 2_880 }, undefined],
    [
      "one untimed, distance and duration alike",
      { time: undefined, metres: 10_100, seconds: 3_050 },
      "day, distance and duration",
    ],
    ["one untimed, duration unknown", { time: undefined, seconds: undefined }, undefined],
    ["untimed and without distances, durations alike", { time: undefined, metres: undefined }, undefined],
    ["one untimed, on another day", { time: undefined, date: "2024-05-02" }, undefined],
  ] as const)("%s", (_what, other, rule) => {
    expect(matchDuplicates(RUN, { ...RUN, ...other })?.rule).toBe(rule);
    expect(matchDuplicates({ ...RUN, ...other }, RUN)?.rule).toBe(rule);
  });

  test("an unknown activity needs more than a day and a duration, and two of them say nothing of each other", () => {
    const noted = { ...RUN, time: undefined, metres: undefined } as const;
    expect(matchDuplicates(noted, { ...noted, activity: "yoga" })).toBeUndefined();
    expect(matchDuplicates(noted, noted)?.rule).toBe("day and duration");
    expect(matchDuplicates(noted, { ...noted, activity: undefined })).toBeUndefined();
    const unknown = { ...RUN, activity: undefined };
    expect(matchDuplicates(unknown, unknown)).toBeUndefined();
  });

  test("weight training noted without a time: the day and the duration", () => {
    const weight = { ...RUN, activity: "weight", time: undefined, metres: undefined } as const;
    expect(matchDuplicates(weight, { ...weight, seconds: 3_050 })?.rule).toBe("day and duration");
    expect(matchDuplicates(weight, { ...weight, seconds: 3_200 })).toBeUndefined();
  });

  test("a day and a distance are all that is noted of either: these", () => {
    const noted = { ...RUN, time: undefined, seconds: undefined } as const;
    expect(matchDuplicates(noted, { ...noted, metres: 10_200 })?.rule).toBe("day and distance");
    expect(matchDuplicates(noted, { ...noted, time: "07:00:00" })?.rule).toBe("day and distance");
    expect(matchDuplicates(noted, { ...noted, metres: 10_400 })).toBeUndefined();
    expect(matchDuplicates(noted, { ...noted, seconds: 3_000 })).toBeUndefined();
    expect(matchDuplicates(noted, { ...noted, metres: undefined })).toBeUndefined();
  });

  test.each([
    [32, 30, "0.03 km"],
    [32, 32.18688, "0.02 mi"],
    [45, 48.28032, "0.03 mi"],
    [104.9, 100, "0.10 km"],
  ])("%d m and %d m: a log or a table wrote %s", (exact, rounded) => {
    expect(matchDuplicates({ ...RUN, metres: exact }, { ...RUN, metres: rounded })?.rule).toBe("start and distance");
    expect(matchDuplicates({ ...RUN, metres: rounded }, { ...RUN, metres: exact })?.rule).toBe("start and distance");
  });

  test("32 m and 37 m are two: neither is the other, rounded to 0.01 km or mi", () => {
    expect(matchDuplicates({ ...RUN, metres: 32 }, { ...RUN, metres: 37 })).toBeUndefined();
    expect(matchDuplicates({ ...RUN, metres: 32 }, { ...RUN, metres: 50 })).toBeUndefined();
  });

  test("across midnight", () => {
    const late = { ...RUN, date: "2024-04-30", time: "23:59:30" };
    expect(matchDuplicates(late, { ...RUN, time: "00:00:30" })?.secondsApart).toBe(60);
  });

  test("by instants where both have one, though their wall clocks are an hour apart", () => {
    const instant = Date.parse("2024-05-01T05:00:00Z");
    expect(
      matchDuplicates({ ...RUN, instant }, { ...RUN, time: "08:00:00", instant: instant + 5_000 })?.secondsApart,
    ).toBe(5);
  });

  test("notes of a rest day: the same day, nothing measured", () => {
    const rest = { ...RUN, time: undefined, metres: undefined, seconds: undefined };
    expect(matchDuplicates(rest, rest)?.rule).toBe("day, nothing measured");
    expect(matchDuplicates(rest, RUN)).toBeUndefined();
    expect(matchDuplicates(rest, { ...rest, date: "2024-05-02" })).toBeUndefined();
  });
});

describe("one workout of two", () => {
  const track = { entry: "a.gpx", recording: 0, recordings: 1, sha256: "x" } as const;
  const row = {
    start: { date: "2024-05-01", time: "07:00:00", basis: "utcOffset" },
    notes: "Prater",
    equipment: ["shoe"],
    health: { avgHR: 150 },
    track: { ...track, format: "gpx" },
  } as const;
  const device = {
    start: { date: "2024-05-01", time: "08:00:00", basis: "device", instant: 5 },
    notes: "Morning Run",
    duration: 3000,
    health: { avgHR: 149, maxHR: 180 },
    track: { ...track, entry: "a.fit", format: "fit" },
  } as const;

  test("the words come from the row, the track and the surer start from the device, the rest from whoever has it", () => {
    expect(mergeDuplicates(row, device, true)).toMatchObject({
      start: { time: "08:00:00", basis: "device" },
      notes: "Prater",
      equipment: ["shoe"],
      duration: 3000,
      health: { avgHR: 150, maxHR: 180 },
      track: { entry: "a.fit" },
      unsupported: [{ field: "notes of the recording", value: "Morning Run" }],
    });
  });

  test.for([
    [
      "the highest of the device is below the average of the row",
      { avgHR: 138 },
      { maxHR: 137 },
      { avgHR: 138 },
      ["maxHR"],
    ],
    [
      "the average of the device is above the highest of the row",
      { maxHR: 137 },
      { avgHR: 138 },
      { maxHR: 137 },
      ["avgHR"],
    ],
    ["the device measured both", { avgHR: 138 }, { avgHR: 131, maxHR: 137 }, { avgHR: 131, maxHR: 137 }, []],
    ["the row measured both", { avgHR: 138, maxHR: 150 }, { avgHR: 131, maxHR: 137 }, { avgHR: 138, maxHR: 150 }, []],
    ["both are equal", { avgHR: 138 }, { maxHR: 138 }, { avgHR: 138, maxHR: 138 }, []],
  ] as const)("an average above the highest isn't made of two copies: %s", ([, own, other, health, lost]) => {
    const { unsupported = [], ...merged } = mergeDuplicates(
      { ...row, health: own },
      { ...device, health: other },
      false,
    );
    expect(merged.health).toEqual(health);
    expect(unsupported.map(({ field }) => field)).toEqual(lost);
  });

  test("the row's instant is shown on the device's clock when the row's own zone was only assumed", () => {
    const instant = Date.parse("2024-05-01T05:00:00Z");
    const assumed = { ...row, start: { date: "2024-05-01", time: "05:00:00", basis: "utcOffset", instant } } as const;
    const known = {
      ...device,
      start: { date: "2024-05-01", time: "10:30:04", basis: "device", instant: instant + 4_000 },
    } as const;
    expect(mergeDuplicates(assumed, known, true).start).toMatchObject({ time: "10:30:00", basis: "device", instant });
  });

  test("a spreadsheet's minutes don't replace a platform's seconds", () => {
    const platform = { ...row, start: { date: "2024-05-01", time: "07:00:31", basis: "position" } } as const;
    const sheet = { ...device, start: { date: "2024-05-01", time: "07:00:00", basis: "source" } } as const;
    expect(mergeDuplicates(platform, sheet, false).start.time).toBe("07:00:31");
  });

  test("of two rows, nobody's words are lost", () => {
    expect(mergeDuplicates(row, { ...device, notes: "from my spreadsheet" }, false).notes).toBe(
      "Prater\n\nfrom my spreadsheet",
    );
    expect(mergeDuplicates({ ...row, notes: "Prater, fast" }, { ...device, notes: "fast" }, false).notes).toBe(
      "Prater, fast",
    );
    const [strava, garmin] = ["Night run\n\nIt rained.", "Wien Laufen\n\nIt rained.\n\nShin hurts."];
    expect(mergeDuplicates({ ...row, notes: strava }, { ...device, notes: garmin }, false).notes).toBe(
      "Night run\n\nIt rained.\n\nWien Laufen\n\nShin hurts.",
    );
  });
});
