/**
 * Offsets from UTC that a file states and that are impossible at the place of the recording. The real command line imports the files into a real log.
 * The log's own clock is an hour ahead of UTC.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { data, define, type FieldSpec, fitFile, once } from "./support/fit-bytes.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** 2020-09-13T01:26:40Z in seconds since FIT's epoch. */
const T = 968_894_800;

/** Bogota is five hours behind UTC all year. Vienna is two ahead in summer. */
const BOGOTA = { lat: 4.6, lon: -74.08 };
const VIENNA = { lat: 48.2, lon: 16.37 };
/** Where Zwift puts its island: eleven hours ahead. */
const WATOPIA = { lat: -11.64, lon: 166.97 };

const semicircles = (degrees: number) => Math.round((degrees / 180) * 2 ** 31);

/** A run whose watch wrote its local time so many minutes from UTC. */
function fitRun(
  maker: number,
  metres: number,
  offsetMinutes: number,
  place?: { lat: number; lon: number },
  subSport = 0,
): Uint8Array {
  const record: readonly FieldSpec[] = [
    [253, "uint32"],
    [0, "sint32"],
    [1, "sint32"],
  ];
  const { lat, lon } = place ?? { lat: 0, lon: 0 };
  return fitFile([
    once(0, 0, [
      [0, "enum", 4],
      [1, "uint16", maker],
      [3, "uint32z", metres],
      [4, "uint32", T],
    ]),
    ...(place === undefined ? [] : [define(1, 20, record), data(1, record, [T, semicircles(lat), semicircles(lon)])]),
    once(2, 18, [
      [253, "uint32", T + 1800],
      [2, "uint32", T],
      [5, "enum", 1],
      [6, "enum", subSport],
      [8, "uint32", 1_800_000],
      [9, "uint32", metres * 100],
    ]),
    once(4, 34, [
      [253, "uint32", T + 1800],
      [5, "uint32", T + 1800 + offsetMinutes * 60],
    ]),
  ]);
}

const tcxRun = (offset: string, hour: string, metres: number, { lat, lon } = BOGOTA) => `<?xml version="1.0"?>
<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2020-09-13T${hour}:26:40${offset}</Id>
<Lap StartTime="2020-09-13T01:26:40Z"><TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>${metres}</DistanceMeters><Track>
<Trackpoint><Time>2020-09-13T01:26:40Z</Time><Position><LatitudeDegrees>${lat}</LatitudeDegrees>
<LongitudeDegrees>${lon}</LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>`;

/** About a kilometre to the north for each minute given. */
const gpxRide = (offset: string, hour: string, minutes: number, { lat, lon } = BOGOTA) => `<?xml version="1.0"?>
<gpx version="1.1"><trk><type>cycling</type><trkseg>
<trkpt lat="${lat}" lon="${lon}"><time>2020-09-13T${hour}:26:40${offset}</time></trkpt>
<trkpt lat="${lat + minutes / 111.195}" lon="${lon}"><time>2020-09-13T${hour}:${26 + minutes}:40${offset}</time></trkpt>
</trkseg></trk></gpx>`;

const COROS = 294;
const GARMIN = 1;
const ZWIFT = 260;
/** `sub_sport` of the FIT profile. */
const VIRTUAL_ACTIVITY = 58;
const INDOOR_CYCLING = 6;
/** Zwift's local time is 0, which is no time. */
const NEVER = -(T + 1800) / 60;

/** The expected workout of each file, and its length. The length tells it from the others. */
const CASES: readonly (readonly [name: string, file: string | Uint8Array, km: number, date: string, time: string])[] = [
  ["a COROS watch that wrote UTC, in Bogota", fitRun(COROS, 2000, 0, BOGOTA), 2, "2020-09-12", "20:26:40"],
  ["a run in Zwift's world", fitRun(ZWIFT, 11_000, NEVER, WATOPIA, VIRTUAL_ACTIVITY), 11, "2020-09-13", "02:26:40"],
  [
    "an indoor ride in Zwift's world",
    fitRun(ZWIFT, 10_000, NEVER, WATOPIA, INDOOR_CYCLING),
    10,
    "2020-09-13",
    "02:26:40",
  ],
  [
    "a GPX of a virtual ride",
    gpxRide("Z", "01", 12, WATOPIA).replace("cycling", "VirtualRide"),
    12,
    "2020-09-13",
    "02:26:40",
  ],
  ["a COROS watch that wrote UTC, indoors", fitRun(COROS, 3000, 0), 3, "2020-09-13", "02:26:40"],
  ["a watch that wrote UTC, indoors", fitRun(GARMIN, 4000, 0), 4, "2020-09-13", "01:26:40"],
  ["a watch on another zone's time", fitRun(GARMIN, 5000, 330, VIENNA), 5, "2020-09-13", "06:56:40"],
  ["a TCX of a program in Europe, run in Bogota", tcxRun("+02:00", "03", 6000), 6, "2020-09-12", "20:26:40"],
  ["a TCX that is right", tcxRun("+02:00", "03", 7000, VIENNA), 7, "2020-09-13", "03:26:40"],
  ["a GPX of a program in Europe, ridden in Bogota", gpxRide("+02:00", "03", 8), 8, "2020-09-12", "20:26:40"],
  ["a GPX that is right", gpxRide("-05:00", "20", 9).replaceAll("09-13", "09-12"), 9, "2020-09-12", "20:26:40"],
];

let rehearsal: Rehearsal;
let said: string;
const startOf = new Map<number, string>();
beforeAll(async () => {
  rehearsal = await rehearse("kilometres", { utcOffset: 1 });
  const folder = join(rehearsal.folder, "files");
  mkdirSync(folder);
  CASES.forEach(([, file], index) => {
    writeFileSync(join(folder, `${index}`), file);
  });
  const imported = await rehearsal.run(["import", folder, ...rehearsal.activities]);
  expect(imported).toMatchObject({ code: 0 });
  said = imported.out;
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as {
      workout: { date: string; timeOfDay: string; details: { distance: { value: number } } };
    };
    startOf.set(Math.round(workout.details.distance.value), `${workout.date} ${workout.timeOfDay}`);
  }
});
afterAll(() => rehearsal.close());

test.each(CASES)("%s is in the log at its local time", (_name, _file, km, date, time) => {
  expect(startOf.get(km)).toBe(`${date} ${time}`);
});

test("an offset that was not believed is told", () => {
  expect(said).toMatch(/^ {2}files \d+: .* \(tcx\/offset-elsewhere\)$/m);
  expect(said).toMatch(/^ {2}files \d+: .* \(gpx\/offset-elsewhere\)$/m);
});
