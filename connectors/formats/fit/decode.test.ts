import { describe, expect, test } from "vitest";
import {
  bitwiseCrc,
  data,
  define,
  type FieldSpec,
  type Filled,
  fitFile,
  joined,
  once,
  packed,
} from "../../../test/support/fit-bytes.ts";
import type { DeviceFile } from "../recording.ts";
import { crc16 } from "./crc.ts";
import { decodeFit } from "./decode.ts";

/** 2020-09-13T12:26:40Z is 1,600,000,000 s after 1970 and so 968,934,400 s after FIT's epoch (631,065,600). */
const T = 968_934_400;
const INSTANT = 1_600_000_000_000;

/** 48 degrees north and 16 east in semicircles: 48 / 180 * 2^31 and 16 / 180 * 2^31. */
const LAT = 572_662_306;
const LON = 190_887_435;

const fileId = (type = 4): Uint8Array =>
  once(0, 0, [
    [0, "enum", type],
    [1, "uint16", 1],
    [2, "uint16", 2431],
    [3, "uint32z", 3_912_345_678],
    [4, "uint32", T - 5],
  ]);

const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [0, "sint32"],
  [1, "sint32"],
  [3, "uint8"],
  [5, "uint32"],
];
const NO_POSITION = 0x7fffffff;

/** Records a second apart, ten metres each, with a heart rate of 140, 141, ... */
const records = (count: number, from = T): Uint8Array[] => [
  define(1, 20, RECORD),
  ...Array.from({ length: count }, (_, i) => data(1, RECORD, [from + i, LAT + i, LON, 140 + i, i * 1000])),
];

const session = (values: Record<string, number> = {}, start = T): Uint8Array => {
  const all: Record<string, Filled> = {
    end: [253, "uint32", start + 9],
    start: [2, "uint32", start],
    sport: [5, "enum", 1],
    subSport: [6, "enum", 3],
    elapsed: [7, "uint32", 9500],
    timer: [8, "uint32", 9000],
    distance: [9, "uint32", 9000],
    calories: [11, "uint16", 0],
    avgHR: [16, "uint8", 144],
    maxHR: [17, "uint8", 149],
    ascent: [22, "uint16", 12],
    firstLap: [25, "uint16", 0xffff],
    lapCount: [26, "uint16", 0xffff],
  };
  return once(
    2,
    18,
    Object.entries(all).map(([name, [number, type, value]]): Filled => [number, type, values[name] ?? value]),
  );
};

const lap = (start = T, seconds = 9): Uint8Array =>
  once(3, 19, [
    [2, "uint32", start],
    [7, "uint32", seconds * 1000],
    [9, "uint32", 9000],
    [15, "uint8", 144],
    [23, "enum", 5],
    [24, "enum", 7],
  ]);

const activity = (local: number): Uint8Array =>
  once(4, 34, [
    [253, "uint32", T + 9],
    [5, "uint32", local],
  ]);

const timer = (time: number, type: number): Uint8Array =>
  once(5, 21, [
    [253, "uint32", time],
    [0, "enum", 0],
    [1, "enum", type],
  ]);

const run = (): Uint8Array[] => [fileId(), ...records(10), lap(), session(), activity(T + 9 + 7200)];
const rules = (file: DeviceFile): readonly string[] => file.issues.map(({ rule }) => rule);
const pointCounts = (file: DeviceFile): readonly number[] => file.recordings.map(({ pointCount }) => pointCount);

test("the checksum is CRC-16/ARC at even and odd lengths, and in the middle of a file", () => {
  const text = new TextEncoder().encode("123456789");
  expect(crc16(text, 0, 9)).toBe(0xbb3d);
  expect(crc16(text, 0, 0)).toBe(0);
  expect(crc16(text, 1, 9)).toBe(bitwiseCrc(text.subarray(1)));
});

describe("a whole activity", () => {
  test("says everything its session says, in our units", () => {
    const file = decodeFit(fitFile(run()), "scan");
    expect(file).toEqual({
      format: "fit",
      device: { manufacturer: "garmin", product: "2431", serial: "3912345678", timeCreated: INSTANT - 5000 },
      recordings: [
        {
          sport: "running",
          fitSport: [1, 3],
          start: INSTANT,
          offsetMinutes: 120,
          firstPosition: { lat: expect.closeTo(48, 6), lon: expect.closeTo(16, 6) },
          distance: { unit: "m", value: 90 },
          elapsed: 9.5,
          timer: 9,
          avgHR: 144,
          maxHR: 149,
          calories: 0,
          ascent: 12,
          laps: [
            {
              start: INSTANT,
              distance: { unit: "m", value: 90 },
              elapsed: 9,
              avgHR: 144,
              intensity: "interval",
              trigger: "session_end",
            },
          ],
          pointCount: 10,
          positionCount: 10,
        },
      ],
      routes: [],
      issues: [],
    });
  });

  test("has the same headline at depth decode, and every point besides", () => {
    const bytes = fitFile(run());
    const { points, ...rest } = decodeFit(bytes, "decode").recordings[0] ?? { points: undefined };
    expect([rest]).toEqual(decodeFit(bytes, "scan").recordings);
    expect(points).toHaveLength(10);
    expect(points?.[9]).toEqual({
      instant: INSTANT + 9000,
      position: { lat: expect.closeTo(48, 5), lon: expect.closeTo(16, 5) },
      heartRate: 149,
      distance: { unit: "m", value: 90 },
    });
  });

  test("reads the same with a header of 12 bytes", () => {
    expect(decodeFit(fitFile(run(), { headerBytes: 12 }), "decode")).toEqual(decodeFit(fitFile(run()), "decode"));
  });

  test("reads the same from the middle of a larger buffer", () => {
    const bytes = fitFile(run());
    const inside = joined([new Uint8Array(7), bytes, new Uint8Array(3)]).subarray(7, 7 + bytes.length);
    expect(decodeFit(inside, "decode")).toEqual(decodeFit(bytes, "decode"));
  });

  test("reads big-endian messages beside little-endian ones", () => {
    const bigEndian = define(1, 20, RECORD, { bigEndian: true });
    const point = data(1, RECORD, [T, LAT, LON, 150, 1234], true);
    const file = decodeFit(fitFile([fileId(), bigEndian, point, session()]), "decode");
    expect(file.recordings[0]?.points).toEqual([
      {
        instant: INSTANT,
        position: { lat: expect.closeTo(48, 6), lon: expect.closeTo(16, 6) },
        heartRate: 150,
        distance: { unit: "m", value: 12.34 },
      },
    ]);
  });

  test("reads elevation, cadence, power, temperature and speed, the enhanced ones first, and keeps every 0", () => {
    const point = once(1, 20, [
      [253, "uint32", T],
      [2, "uint16", 2500],
      [78, "uint32", 2505],
      [4, "uint8", 0],
      [7, "uint16", 0],
      [13, "sint8", 0],
      [6, "uint16", 0],
      [5, "uint32", 0],
    ]);
    // Altitude: 2505 / 5 - 500 m.
    expect(decodeFit(fitFile([fileId(), point, session()]), "decode").recordings[0]?.points).toEqual([
      {
        instant: INSTANT,
        elevation: 1,
        cadence: 0,
        power: 0,
        temperature: { unit: "C", value: 0 },
        speed: 0,
        distance: { unit: "m", value: 0 },
      },
    ]);
  });

  test("takes a heart rate of 0 or 255 for not measured, and a missing position for missing", () => {
    const points = [
      data(1, RECORD, [T, NO_POSITION, NO_POSITION, 0, 0]),
      data(1, RECORD, [T + 1, NO_POSITION, NO_POSITION, 255, 0]),
    ];
    const file = decodeFit(
      fitFile([fileId(), define(1, 20, RECORD), ...points, session({ avgHR: 0, maxHR: 255 })]),
      "decode",
    );
    const [recording] = file.recordings;
    expect(recording).not.toHaveProperty("avgHR");
    expect(recording).not.toHaveProperty("maxHR");
    expect(recording?.positionCount).toBe(0);
    expect(recording).not.toHaveProperty("firstPosition");
    expect(recording?.points).toEqual([
      { instant: INSTANT, distance: { unit: "m", value: 0 } },
      { instant: INSTANT + 1000, distance: { unit: "m", value: 0 } },
    ]);
  });

  test("leaves out positions beyond a pole, and counts them", () => {
    const point = data(1, RECORD, [T, 1_500_000_000, LON, 140, 0]);
    const file = decodeFit(fitFile([fileId(), define(1, 20, RECORD), point, point, session()]), "decode");
    expect(file.issues).toMatchObject([{ severity: "warning", rule: "fit/position-off-globe", count: 2 }]);
    expect(file.recordings[0]).toMatchObject({ pointCount: 2, positionCount: 0 });
    expect(file.recordings[0]?.points?.[0]).not.toHaveProperty("position");
  });

  test("names a sport the profile doesn't have by its number", () => {
    const [recording] = decodeFit(fitFile([fileId(), ...records(1), session({ sport: 201 })]), "scan").recordings;
    expect(recording).toMatchObject({ sport: "sport_201", fitSport: [201, 3] });
  });

  test("marks the first point after a break of the timer", () => {
    const messages = [
      fileId(),
      timer(T, 0),
      ...records(2),
      timer(T + 2, 4),
      timer(T + 60, 0),
      ...records(2, T + 60),
      session(),
    ];
    const points = decodeFit(fitFile(messages), "decode").recordings[0]?.points;
    expect(points?.map(({ breakBefore }) => breakBefore)).toEqual([undefined, undefined, true, undefined]);
  });
});

describe("the device's own distance from UTC", () => {
  const offsetOf = (local: number) =>
    decodeFit(fitFile([fileId(), ...records(1), session(), activity(local)]), "scan").recordings[0]?.offsetMinutes;

  test.each([
    ["Kathmandu", 5 * 60 + 45],
    ["Newfoundland", -(3 * 60 + 30)],
    ["UTC", 0],
  ])("of %s is taken", (_place, minutes) => {
    expect(offsetOf(T + 9 + minutes * 60)).toBe(minutes);
  });

  test.each([
    ["the epoch itself (Zwift)", 0],
    ["160 hours (an old FR70)", T + 9 - 160 * 3600],
    ["one second", T + 10],
    ["nothing", 0xffffffff],
  ])("of %s is not", (_place, local) => {
    expect(offsetOf(local)).toBeUndefined();
  });
});

describe("times packed into message headers", () => {
  const BARE: readonly FieldSpec[] = [[3, "uint8"]];
  const timed: readonly FieldSpec[] = [
    [253, "uint32"],
    [3, "uint8"],
  ];

  test("go on from the last full time and roll over every 32 seconds", () => {
    // T is 0 modulo 32, so 30, 31 and then 1 are T + 30, T + 31 and T + 33.
    expect(T % 32).toBe(0);
    const messages = [
      fileId(),
      define(0, 20, timed),
      data(0, timed, [T + 20, 100]),
      define(1, 20, BARE),
      ...[30, 31, 1, 1].map((low, i) => packed(1, low, BARE, [101 + i])),
      session(),
    ];
    const points = decodeFit(fitFile(messages), "decode").recordings[0]?.points;
    expect(points?.map(({ instant, heartRate }) => [((instant ?? 0) - INSTANT) / 1000, heartRate])).toEqual([
      [20, 100],
      [30, 101],
      [31, 102],
      [33, 103],
      [33, 104],
    ]);
  });

  test("give way to a full time in the same message, which fit-file-parser doesn't expect there", () => {
    const messages = [
      fileId(),
      define(1, 20, timed),
      packed(1, 5, timed, [T + 7, 101]),
      packed(1, 9, timed, [T + 8, 102]),
      session(),
    ];
    const points = decodeFit(fitFile(messages), "decode").recordings[0]?.points;
    expect(points).toEqual([
      { instant: INSTANT + 7000, heartRate: 101 },
      { instant: INSTANT + 8000, heartRate: 102 },
    ]);
  });

  test("without a full time before them give points without a time", () => {
    const messages = [fileId(), define(1, 20, BARE), packed(1, 5, BARE, [101]), session()];
    const file = decodeFit(fitFile(messages), "decode");
    expect(file.recordings[0]?.points).toEqual([{ heartRate: 101 }]);
    expect(rules(file)).toContain("fit/record-without-time");
  });
});

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

describe("a heart-rate stream", () => {
  /**
   * Beats at 0, 1, 2 and 3 seconds after T, on a strap whose clock stands at 7 s; then two packed into 12 bits each.
   */
  const stream = (): Uint8Array[] => [
    once(0, 132, [
      [253, "uint32", T],
      [6, "uint8", [100, 110, 120, 130]],
      [9, "uint32", [7, 8, 9, 10].map((seconds) => seconds * 1024)],
    ]),
    // 11 s and 12 s are 11264 and 12288 ticks; their low 12 bits are 0xC00 and 0x000, packed low bits first: 00 0C 00.
    once(0, 132, [
      [6, "uint8", [140, 150]],
      [10, "byte", [0x00, 0x0c, 0x00]],
    ]),
  ];
  const BARE: readonly FieldSpec[] = [[253, "uint32"]];
  const swim = (...seconds: number[]) => [
    fileId(),
    define(1, 20, BARE),
    ...seconds.map((second) => data(1, BARE, [T + second])),
    session(),
  ];
  const rates = (bytes: Uint8Array) =>
    decodeFit(bytes, "decode").recordings[0]?.points?.map(({ heartRate }) => heartRate);

  test("gives each point the mean of the beats since the one before", () => {
    expect(rates(fitFile([...swim(0, 2, 5), ...stream()]))).toEqual([100, 115, 140]);
  });

  test("reaches into the records of an earlier file of the chain", () => {
    expect(rates(joined([fitFile(swim(0, 2, 5)), fitFile([fileId(), ...stream()])]))).toEqual([100, 115, 140]);
  });

  test("holds for five seconds behind its last beat", () => {
    expect(rates(fitFile([...swim(5, 10, 11), ...stream()]))).toEqual([150, 150, undefined]);
  });

  test("gives each point its own, also where times jump back", () => {
    expect(rates(fitFile([...swim(2, 0, 3, 1), ...stream()]))).toEqual([120, 100, 120, 110]);
  });

  test("replaces what was measured at the wrist", () => {
    const messages = [fileId(), ...records(3), session(), ...stream()];
    expect(rates(fitFile(messages))).toEqual([100, 110, 120]);
  });
});

describe("developer fields", () => {
  const description = once(6, 206, [
    [0, "uint8", 0],
    [1, "uint8", 9],
    [2, "uint8", 0x02],
    [3, "string", "heart_rate"],
    [14, "uint16", 20],
    [15, "uint8", 3],
  ]);
  const fields: readonly FieldSpec[] = [
    [253, "uint32"],
    [3, "uint8"],
  ];

  test("never replace the device's own value, and are named", () => {
    const record = define(1, 20, fields, { developer: [[9, 1, 0]] });
    const point = joined([data(1, fields, [T, 140]), Uint8Array.of(77)]);
    const file = decodeFit(fitFile([fileId(), description, record, point, point, session()]), "decode");
    expect(file.recordings[0]?.points?.map(({ heartRate }) => heartRate)).toEqual([140, 140]);
    expect(file.issues).toMatchObject([
      { severity: "info", rule: "fit/developer-override", found: expect.stringContaining("record.heartRate") },
    ]);
  });

  test("without a description are passed over", () => {
    const record = define(1, 20, fields, { developer: [[200, 3, 7]] });
    const point = joined([data(1, fields, [T, 140]), Uint8Array.of(1, 2, 3)]);
    const file = decodeFit(fitFile([fileId(), record, point, session()]), "decode");
    expect(file.recordings[0]?.points).toEqual([{ instant: INSTANT, heartRate: 140 }]);
    expect(file.issues).toEqual([]);
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
    expect(file.recordings[0]?.points?.[0]).not.toHaveProperty("instant");
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
