/**
 * Totals that a device file keeps in its laps, its points or an app's own field, and not in their usual place. The real command line imports the
 * files into a real log.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { data, define, type FieldSpec, fitFile, joined, once } from "./support/fit-bytes.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** 2020-09-13T12:26:40Z in seconds since FIT's epoch. The log's clock is an hour ahead of UTC. */
const T = 968_934_400;
const DAY = 86_400;
const NO_VALUE = { uint8: 0xff, uint32: 0xffffffff } as const;

const fileId = (serial: number): Uint8Array =>
  once(0, 0, [
    [0, "enum", 4],
    [1, "uint16", 23],
    [3, "uint32z", serial],
    [4, "uint32", T],
  ]);

/** A running session of 40 minutes without any total. */
const bareSession = (start: number): Uint8Array =>
  once(2, 18, [
    [253, "uint32", start + 2400],
    [2, "uint32", start],
    [5, "enum", 1],
    [7, "uint32", 2_400_000],
    [8, "uint32", 2_400_000],
    [9, "uint32", NO_VALUE.uint32],
    [16, "uint8", NO_VALUE.uint8],
    [17, "uint8", NO_VALUE.uint8],
  ]);

const lap = (start: number, metres: number, avgHR: number, maxHR: number): Uint8Array =>
  once(3, 19, [
    [2, "uint32", start],
    [7, "uint32", 1_200_000],
    [8, "uint32", 1_200_000],
    [9, "uint32", metres * 100],
    [15, "uint8", avgHR],
    [16, "uint8", maxHR],
  ]);

const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [3, "uint8"],
  [5, "uint32"],
];

/** One record a heart rate, twenty minutes apart, each the given number of metres further. */
const records = (start: number, heartRates: readonly number[], metres: number): Uint8Array[] => [
  define(1, 20, RECORD),
  ...heartRates.map((bpm, i) => data(1, RECORD, [start + i * 1200, bpm, i * metres * 100])),
];

/** A rowing machine's app keeps its metres in a field of its own, and the watch writes 0. */
const rowing = (start: number): Uint8Array[] => {
  const fields: readonly FieldSpec[] = [
    [253, "uint32"],
    [2, "uint32"],
    [5, "enum"],
    [7, "uint32"],
    [8, "uint32"],
    [9, "uint32"],
  ];
  return [
    once(0, 206, [
      [0, "uint8", 0],
      [1, "uint8", 12],
      [2, "uint8", 0x88],
      [3, "string", "Distance\0"],
      [8, "string", "m\0"],
    ]),
    define(2, 18, fields, { developer: [[12, 4, 0]] }),
    joined([
      data(2, fields, [start + 2400, start, 15, 2_400_000, 2_400_000, 0]),
      data(0, [[12, "float32"]], [6163]).subarray(1),
    ]),
  ];
};

const TCX = `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Biking">
<Id>2020-09-16T12:26:40Z</Id>
<Lap StartTime="2020-09-16T12:26:40Z"><TotalTimeSeconds>1200</TotalTimeSeconds><Track>
<Trackpoint><Time>2020-09-16T12:26:40Z</Time><DistanceMeters>0</DistanceMeters></Trackpoint>
<Trackpoint><Time>2020-09-16T12:46:40Z</Time><DistanceMeters>9000</DistanceMeters></Trackpoint></Track></Lap>
<Lap StartTime="2020-09-16T12:46:40Z"><TotalTimeSeconds>1200</TotalTimeSeconds><Track>
<Trackpoint><Time>2020-09-16T13:06:40Z</Time><DistanceMeters>17500</DistanceMeters></Trackpoint></Track></Lap>
</Activity></Activities></TrainingCenterDatabase>`;

/** A session and its lap of an old watch. Every total is 0, and the points go on for 50 minutes. */
const zeroTotals = (start: number): Uint8Array[] => {
  const totals = [
    [2, "uint32", start],
    [7, "uint32", 0],
    [8, "uint32", 0],
    [9, "uint32", 0],
  ] as const;
  return [
    define(1, 20, RECORD),
    ...[0, 1500, 3000].map((seconds) => data(1, RECORD, [start + seconds, 140, (seconds / 3) * 10 * 100])),
    once(3, 19, [[253, "uint32", start + 3000], ...totals]),
    once(2, 18, [[253, "uint32", start + 3000], [5, "enum", 1], ...totals]),
  ];
};

/** An old phone app's laps: a time of 0, and points 25 minutes apart. */
const ZERO_TCX = `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running">
<Id>2020-09-18T12:00:00Z</Id>
${[
  ["12:00:00", "12:25:00", 0, 5000],
  ["12:25:00", "12:50:00", 5000, 9500],
]
  .map(
    ([from, to, before, after]) => `<Lap StartTime="2020-09-18T${from}Z"><TotalTimeSeconds>0</TotalTimeSeconds>
<DistanceMeters>0</DistanceMeters><Track>
<Trackpoint><Time>2020-09-18T${from}Z</Time><DistanceMeters>${before}</DistanceMeters></Trackpoint>
<Trackpoint><Time>2020-09-18T${to}Z</Time><DistanceMeters>${after}</DistanceMeters></Trackpoint></Track></Lap>`,
  )
  .join("\n")}
</Activity></Activities></TrainingCenterDatabase>`;

const FILES: Readonly<Record<string, Uint8Array | string>> = {
  "laps.fit": fitFile([
    fileId(1),
    ...records(T, [140, 150, 180], 3000),
    lap(T, 3000, 140, 155),
    lap(T + 1200, 3200, 150, 171),
    bareSession(T),
  ]),
  "records.fit": fitFile([fileId(2), ...records(T + DAY, [120, 130, 131], 2700), bareSession(T + DAY)]),
  "rowing.fit": fitFile([fileId(3), ...rowing(T + 2 * DAY)]),
  "bike.tcx": TCX,
  "zero.fit": fitFile([fileId(4), ...zeroTotals(T + 4 * DAY)]),
  "zero.tcx": ZERO_TCX,
};

let rehearsal: Rehearsal;
let planned: Ran;
const byDay = new Map<unknown, Record<string, unknown>>();
beforeAll(async () => {
  rehearsal = await rehearse();
  const folder = join(rehearsal.folder, "files");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  planned = await rehearsal.run(["plan", folder, ...rehearsal.activities]);
  expect(await rehearsal.run(["import", folder, ...rehearsal.activities])).toMatchObject({ code: 0 });
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const workout = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>;
    byDay.set(workout.date, workout);
  }
});
afterAll(() => rehearsal.close());

test("a FIT session without totals has those of its laps", () => {
  // Both laps took twenty minutes.
  expect(byDay.get("2020-09-13")).toMatchObject({
    details: { distance: { unit: "km", value: 6.2 }, duration: 2400 },
    health: { avgHR: 145, maxHR: 171 },
  });
});

test("a FIT session without totals and laps has those of its points", () => {
  expect(byDay.get("2020-09-14")).toMatchObject({
    details: { distance: { unit: "km", value: 5.4 } },
    health: { avgHR: 127, maxHR: 131 },
  });
});

test("the distance in an app's own field counts where the watch wrote 0", () => {
  expect(byDay.get("2020-09-15")).toMatchObject({
    details: { distance: { unit: "km", value: expect.closeTo(6.163, 2) } },
  });
});

test("TCX laps without a distance have that of their points", () => {
  expect(byDay.get("2020-09-16")).toMatchObject({
    details: { distance: { unit: "km", value: 17.5 } },
    intervalSet: {
      intervals: [{ distance: { unit: "km", value: 9 } }, { distance: { unit: "km", value: 8.5 } }],
    },
  });
});

test("a FIT session of 0 seconds lasts as long as its points go on", () => {
  expect(byDay.get("2020-09-17")).toMatchObject({
    details: { distance: { unit: "km", value: 10 }, duration: 3000 },
  });
});

test("TCX laps of 0 seconds last as long as their points go on", () => {
  expect(byDay.get("2020-09-18")).toMatchObject({
    details: { distance: { unit: "km", value: 9.5 }, duration: 3000 },
    intervalSet: { intervals: [{ duration: 1500 }, { duration: 1500 }] },
  });
});

test("the plan says which totals were computed, and from what", () => {
  expect(planned.out).toMatch(/^ {2}4 times, such as .* \(fit\/computed-total\)$/m);
  expect(planned.out).toMatch(/^ {2}2 times, such as .* \(tcx\/computed-distance\)$/m);
  expect(planned.out).toMatch(/^ {2}.*\.tcx: .* \(tcx\/computed-duration\)$/m);
});
