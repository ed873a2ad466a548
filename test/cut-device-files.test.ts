/** Device files that stop in their middle, by the real command line, against a log over HTTP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { data, define, type FieldSpec, fitFile, once } from "./support/fit-bytes.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** Points a thousandth of a degree of latitude apart, which is 111.2 m. Each is a line of its file. */
const POINTS = 270;
const TIME = (n: number) => new Date(Date.UTC(2020, 4, 1, 6, 0, n * 40)).toISOString();

const GPX = `<gpx version="1.1" creator="watch"><trk><type>running</type><trkseg>
${Array.from({ length: POINTS }, (_, n) => `<trkpt lat="${(48 + n / 1000).toFixed(3)}" lon="16.3"><time>${TIME(n)}</time></trkpt>`).join("\n")}
</trkseg></trk></gpx>
`;

const TCX = `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2020-05-02T06:00:00Z</Id><Lap StartTime="2020-05-02T06:00:00Z"><Track>
${Array.from({ length: POINTS }, (_, n) => `<Trackpoint><Time>${TIME(n).replace("05-01", "05-02")}</Time><Position><LatitudeDegrees>${(48 + n / 1000).toFixed(3)}</LatitudeDegrees><LongitudeDegrees>16.3</LongitudeDegrees></Position></Trackpoint>`).join("\n")}
</Track></Lap></Activity></Activities></TrainingCenterDatabase>
`;

/** 2020-05-03T06:00:00Z in seconds since FIT's epoch. */
const T = 1_588_485_600 - 631_065_600;
const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [5, "uint32"],
];
const FIT = fitFile([
  once(0, 0, [
    [0, "enum", 4],
    [3, "uint32z", 77],
    [4, "uint32", T],
  ]),
  once(3, 12, [[0, "enum", 1]]),
  define(1, 20, RECORD),
  ...Array.from({ length: POINTS }, (_, n) => data(1, RECORD, [T + n * 40, n * 11_120])),
  once(2, 18, [
    [253, "uint32", T + POINTS * 40],
    [2, "uint32", T],
    [5, "enum", 1],
    [7, "uint32", POINTS * 40_000],
    [8, "uint32", POINTS * 40_000],
    [9, "uint32", (POINTS - 1) * 11_120],
  ]),
]);

/** The lines before one, and the beginning of it. */
const upTo = (text: string, line: number) => text.split("\n").slice(0, line).join("\n").slice(0, -20);

let rehearsal: Rehearsal;
let count = 0;
let folder: string;
let journal: string;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());
beforeEach(() => {
  folder = join(rehearsal.folder, `case-${++count}`);
  mkdirSync(folder);
  journal = join(rehearsal.folder, `${count}.db`);
});

const run = (...words: readonly string[]): Promise<Ran> => rehearsal.run(words, { journal });

/** The records of the folder that a plan holds back, with the reasons. */
async function held(...more: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const ran = await run("plan", folder, ...rehearsal.activities, "--quiet", ...more);
  expect([0, 3], ran.err).toContain(ran.code);
  return jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
}

test.each<[string, string, string | Uint8Array, RegExp]>([
  [
    "a GPX that ends early",
    "a.gpx",
    upTo(GPX, 28),
    /its file stops after 2\.78 km, in line 28: what came after is missing/,
  ],
  [
    "a GPX with a broken line in its middle",
    "a.gpx",
    GPX.replace('lat="48.026"', 'lat="48.026" <'),
    /its file stops after 2\.78 km, in line 28: what came after is missing/,
  ],
  [
    "a TCX that ends early",
    "a.tcx",
    upTo(TCX, 28),
    /its file stops after 2\.78 km, in line 28: what came after is missing/,
  ],
  [
    "a FIT file that ends before its session",
    "a.fit",
    FIT.subarray(0, FIT.length / 2),
    /its file stops after 14\.\d km, at byte \d+: what came after is missing/,
  ],
])("%s waits for a person, who is told where it stops", async (_, name, content, reason) => {
  writeFileSync(join(folder, name), content);
  const [line, ...others] = await held();
  expect(others).toEqual([]);
  expect(line).toMatchObject({ rule: "workout/implausible-file", found: expect.stringMatching(reason) });
});

test("a GPX, a TCX and a FIT file that are whole are planned", async () => {
  for (const [name, content] of [
    ["a.gpx", GPX],
    ["a.tcx", TCX],
    ["a.fit", FIT],
  ] as const)
    writeFileSync(join(folder, name), content);
  expect(await held()).toEqual([]);
});

test("a track that ended before its file stops is whole, and is planned", async () => {
  writeFileSync(join(folder, "a.gpx"), `${GPX.slice(0, GPX.indexOf("</gpx>"))}<trk><name>cut`);
  expect(await held()).toEqual([]);
});

test("--allow implausible lets a file in that stops early", async () => {
  writeFileSync(join(folder, "a.gpx"), upTo(GPX, 28));
  expect(await held("--allow", "implausible")).toEqual([]);
});

test("a person's word for one file lets it in", async () => {
  writeFileSync(join(folder, "a.gpx"), upTo(GPX, 28));
  const [line] = await held();
  const fixed = await run("quarantine", "fix", String(line?.id), "--allow", "implausible");
  expect(fixed.code, fixed.err).toBe(0);
  expect(await held()).toEqual([]);
});

test("a row of a platform's table that names a file which stops early has its own totals, and is planned", async () => {
  mkdirSync(join(folder, "activities"));
  writeFileSync(join(folder, "activities", "1.gpx"), upTo(GPX, 28));
  writeFileSync(
    join(folder, "activities.csv"),
    [
      "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename",
      '1,"May 1, 2020, 6:00:00 AM",Long run,Run,,10800,30.0,,false,,activities/1.gpx',
    ].join("\n"),
  );
  expect(await held()).toEqual([]);
  const imported = await run("import", folder, ...rehearsal.activities);
  expect(imported.code, imported.err).toBe(3);
  expect(imported.out).toContain("1 workout went with a part of its track, since its file is damaged");
  const own = (await rehearsal.listed("/rest/logs/me/workouts")).filter(({ date }) => date === "2020-05-01");
  const read = await Promise.all(own.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  expect(read.map(({ workout }) => workout)).toContainEqual(
    expect.objectContaining({ details: expect.objectContaining({ distance: { unit: "km", value: 30 } }) }),
  );
});

test("who lets a cut file in is told that its track went in part, and the account stays open", async () => {
  writeFileSync(join(folder, "a.gpx"), upTo(GPX, 28));
  const imported = await run("import", folder, ...rehearsal.activities, "--allow", "implausible");
  expect(imported.code).toBe(3);
  expect(imported.out).toContain("1 workout went with a part of its track, since its file is damaged");
  const certified = await run("certify", join(folder, "certificate.json"));
  expect(certified.out + certified.err).toContain("Can the old account be closed? Not yet");
});
