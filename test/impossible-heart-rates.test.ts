/**
 * Heart rates that no heart can have (255 is "no reading", 0 "not measured"), in files that the log reads by itself. The real command line imports
 * them into a real log, and the test reads them back over HTTP.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { data, define, type FieldSpec, fitFile, once } from "./support/fit-bytes.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** 2020-09-13T12:26:40Z in seconds since FIT's epoch. */
const T = 968_934_400;
const DAY = 86_400;
const NO_RATE = 0xff;

const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [3, "uint8"],
  [5, "uint32"],
];

/** A run of 10 km in 50 minutes. It has a record each ten minutes with a heart rate, and a session with its own heart rates. */
function run(serial: number, start: number, rates: readonly number[], avgHR: number, maxHR: number): Uint8Array {
  return fitFile([
    once(0, 0, [
      [0, "enum", 4],
      [1, "uint16", 23],
      [3, "uint32z", serial],
      [4, "uint32", start],
    ]),
    define(1, 20, RECORD),
    ...rates.map((bpm, index) => data(1, RECORD, [start + index * 600, bpm, index * 200_000])),
    once(2, 18, [
      [253, "uint32", start + 3000],
      [2, "uint32", start],
      [5, "enum", 1],
      [7, "uint32", 3_000_000],
      [8, "uint32", 3_000_000],
      [9, "uint32", 1_000_000],
      [16, "uint8", avgHR],
      [17, "uint8", maxHR],
    ]),
  ]);
}

/** A run of 5 km in 25 minutes. @param lap the heart rates of its lap */
function tcx(day: string, rates: readonly number[], lap = ""): string {
  const points = rates.map(
    (bpm, index) => `<Trackpoint><Time>${day}T12:${String(index * 5).padStart(2, "0")}:00Z</Time>
<DistanceMeters>${index * 1000}</DistanceMeters><HeartRateBpm><Value>${bpm}</Value></HeartRateBpm></Trackpoint>`,
  );
  return `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running">
<Id>${day}T12:00:00Z</Id><Lap StartTime="${day}T12:00:00Z"><TotalTimeSeconds>1500</TotalTimeSeconds>
<DistanceMeters>5000</DistanceMeters>${lap}<Track>${points.join("\n")}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
}

const lapRates = (avg: number, max: number) =>
  `<AverageHeartRateBpm><Value>${avg}</Value></AverageHeartRateBpm><MaximumHeartRateBpm><Value>${max}</Value></MaximumHeartRateBpm>`;

const FILES: Readonly<Record<string, Uint8Array | string>> = {
  "spikes.fit": run(1, T, [0, 130, 254, 150, 251, 140], NO_RATE, NO_RATE),
  "summary.fit": run(2, T + DAY, [120, 130, 140, 150, 140, 130], 135, 254),
  "nothing-true.fit": run(3, T + 2 * DAY, [0, 254, 254, 0, 254, 254], 253, 254),
  "spikes.tcx": tcx("2020-09-16", [0, 130, 255, 150, 255, 140]),
  "nothing-true.tcx": tcx("2020-09-17", [0, 255, 255, 0, 255, 255], lapRates(255, 255)),
  "zeros.tcx": tcx("2020-09-18", [0, 0, 0, 0, 0, 0], lapRates(0, 0)),
  "lap-only.tcx": tcx("2020-09-19", [], lapRates(142, 255)),
  "hr.gpx": `<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"
xmlns:t="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><type>running</type><trkseg>${[0, 130, 255, 150]
    .map(
      (bpm, index) => `<trkpt lat="47.${index}" lon="9"><time>2020-09-20T1${index}:00:00Z</time><extensions>
<t:TrackPointExtension><t:hr>${bpm}</t:hr></t:TrackPointExtension></extensions></trkpt>`,
    )
    .join("")}</trkseg></trk></gpx>`,
};

let rehearsal: Rehearsal;
let planned: Ran;
let verified: Ran;
const healthOn = new Map<unknown, unknown>();
beforeAll(async () => {
  rehearsal = await rehearse();
  const folder = join(rehearsal.folder, "files");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  planned = await rehearsal.run(["plan", folder, ...rehearsal.activities]);
  expect(await rehearsal.run(["import", folder, ...rehearsal.activities])).toMatchObject({ code: 0 });
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const workout = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>;
    healthOn.set(workout.date, workout.health);
  }
  verified = await rehearsal.run(["verify"]);
});
afterAll(() => rehearsal.close());

test.each([
  { of: "a FIT with spikes and zeros among its records", day: "2020-09-13", health: { avgHR: 140, maxHR: 150 } },
  { of: "a FIT whose session says 254", day: "2020-09-14", health: { avgHR: 135 } },
  { of: "a FIT without a heart rate that can be true", day: "2020-09-15", health: undefined },
  { of: "a TCX with 255 and 0 among its points", day: "2020-09-16", health: { avgHR: 140, maxHR: 150 } },
  { of: "a TCX without a heart rate that can be true", day: "2020-09-17", health: undefined },
  { of: "a TCX that says 0 throughout", day: "2020-09-18", health: undefined },
  { of: "a TCX whose lap alone says 255", day: "2020-09-19", health: { avgHR: 142 } },
  { of: "a GPX with 255 and 0 among its points", day: "2020-09-20", health: { avgHR: 140, maxHR: 150 } },
])("no heart rate that can't be true reaches the log with $of", ({ day, health }) => {
  expect([...healthOn.keys()]).toContain(day);
  expect(healthOn.get(day)).toEqual(health);
});

test("the plan says how many were left out, and what is there agrees with it", () => {
  expect(planned.out).toContain("tcx/impossible-heart-rate");
  expect(planned.out).toContain("gpx/impossible-heart-rate");
  expect(planned.out).toContain("workout/implausible");
  expect(verified, verified.err + verified.out).toMatchObject({ code: 0 });
});
