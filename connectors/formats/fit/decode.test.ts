import { describe, expect, test } from "vitest";
import {
  activity,
  fileId,
  INSTANT,
  LAT,
  LON,
  NO_POSITION,
  RECORD,
  records,
  rules,
  run,
  session,
  T,
  timer,
} from "../../../test/support/fit-activity.ts";
import {
  bitwiseCrc,
  data,
  define,
  type FieldSpec,
  fitFile,
  joined,
  once,
  packed,
} from "../../../test/support/fit-bytes.ts";
import { secondOpinion } from "../../../test/support/fit-file-parser.ts";
import { crc16 } from "./crc.ts";
import { decodeFit } from "./decode.ts";

// A file of one activity: what the decoder reads of its sessions, records, times, heart rates and developer fields.

test("the checksum is CRC-16/ARC at every length, and in the middle of a file", () => {
  const text = new TextEncoder().encode("123456789");
  expect(crc16(text, 0, 9)).toBe(0xbb3d);
  const bytes = Uint8Array.from({ length: 40 }, (_, index) => (index * 151 + 200) & 0xff);
  for (const from of [0, 1, 7])
    for (let to = from; to <= bytes.length; to++)
      expect(crc16(bytes, from, to)).toBe(bitwiseCrc(bytes.subarray(from, to)));
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
    expect(file.recordings[0]?.points?.[0]).toMatchObject({ position: undefined });
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
    expect(secondOpinion(fitFile(messages)).differences.map(({ index }) => index)).toEqual([0, 1]);
  });

  test("without a full time before them give points without a time", () => {
    const messages = [fileId(), define(1, 20, BARE), packed(1, 5, BARE, [101]), session()];
    const file = decodeFit(fitFile(messages), "decode");
    expect(file.recordings[0]?.points).toEqual([{ heartRate: 101 }]);
    expect(rules(file)).toContain("fit/record-without-time");
  });
});

describe("a heart-rate stream", () => {
  /**
   * Beats at 0, 1, 2 and 3 seconds after T. The clock of the strap stands at 7 s. Then two beats packed into 12 bits each.
   */
  const stream = (): Uint8Array[] => [
    once(0, 132, [
      [253, "uint32", T],
      [6, "uint8", [100, 110, 120, 130]],
      [9, "uint32", [7, 8, 9, 10].map((seconds) => seconds * 1024)],
    ]),
    // 11 s and 12 s are 11264 and 12288 ticks. Their low 12 bits are 0xC00 and 0x000, packed low bits first: 00 0C 00.
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
