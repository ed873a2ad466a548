/** Device files that a platform's table names and that can't be read from its archive. By the real command line, against a log over HTTP. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { firstOf } from "./support/tiers.ts";
import { type ZipSpec, zipBytes } from "./support/zip-bytes.ts";

const POINTS = 270;
/** Each test has a year of its own, so that no workout is in the log before it. */
let year = 1989;
/** A run of 30 km on one day of May, each point a line of its file. */
function gpxOf(day: number): string {
  const points = Array.from({ length: POINTS }, (_, n) => {
    const time = new Date(Date.UTC(year, 4, day, 6, 0, n * 40)).toISOString();
    return `<trkpt lat="${(48 + n / 1000).toFixed(3)}" lon="16.3"><time>${time}</time></trkpt>`;
  });
  return `<gpx version="1.1" creator="watch"><trk><type>running</type><trkseg>\n${points.join("\n")}\n</trkseg></trk></gpx>\n`;
}

const HEADER =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename";

/** The run of a day, as the platform's table has it. */
function rowOf(day: number, file: string): string {
  return `${year}0${day},"May ${day}, ${year}, 6:00:00 AM",Long run,Run,,10760,29.9,,false,,${file}`;
}

const half = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** The fault in the file of the row, and the message about it. */
const DAMAGE: readonly (readonly [what: string, entry: () => ZipSpec, name: string, said: string])[] = [
  [
    "a file with a wrong checksum",
    () => ({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }),
    "activities/2.gpx",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a file whose packed bytes end early",
    () => ({ name: "activities/2.gpx", content: gpxOf(2), data: Buffer.from([0x4b, 0x4c]) }),
    "activities/2.gpx",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a file of no bytes",
    () => ({ name: "activities/2.gpx", content: "" }),
    "activities/2.gpx",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a FIT file that is none",
    () => ({ name: "activities/2.fit", content: "no bytes of a watch" }),
    "activities/2.fit",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a GPX without a point before its damage",
    () => ({ name: "activities/2.gpx", content: "<gpx version='1.1'><trk><trkseg><trkpt" }),
    "activities/2.gpx",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a gzip that is none",
    () => ({ name: "activities/2.gpx.gz", content: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]) }),
    "activities/2.gpx.gz",
    "1 workout WENT without its track, since its file is damaged",
  ],
  [
    "a gzip that is cut",
    () => ({ name: "activities/2.gpx.gz", content: half(gzipSync(gpxOf(2))) }),
    "activities/2.gpx.gz",
    "1 workout WENT with a part of its track, since its file is damaged",
  ],
  [
    "a GPX that is cut",
    () => ({ name: "activities/2.gpx", content: gpxOf(2).slice(0, 9000) }),
    "activities/2.gpx",
    "1 workout WENT with a part of its track, since its file is damaged",
  ],
  [
    "a file that is missing",
    () => ({ name: "media/other.jpg", content: "" }),
    "activities/2.gpx",
    "1 workout WENT without its track, since its file is missing",
  ],
];

let rehearsal: Rehearsal;
let number = 0;
let archive: string;
let journal: string;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());
beforeEach(() => {
  number++;
  year++;
  archive = join(rehearsal.folder, `export-${number}.zip`);
  journal = join(rehearsal.folder, `${number}.db`);
});

const run = (...words: readonly string[]): Promise<Ran> => rehearsal.run(words, { journal });

/** Writes an export of two runs, and of more rows. The file of the first is whole. */
function writeExport(entry: ZipSpec, name: string, more = ""): void {
  writeFileSync(
    archive,
    zipBytes([
      { name: "activities.csv", content: `${HEADER}\n${rowOf(1, "activities/1.gpx")}\n${rowOf(2, name)}\n${more}` },
      { name: "activities/1.gpx", content: gpxOf(1) },
      entry,
    ]),
  );
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

describe.each(firstOf(2, DAMAGE))("a row with %s", (_, entry, name, said) => {
  test("is counted by plan and import, which end with 3 and name the file", async () => {
    writeExport(entry(), name);
    const planned = await run("plan", archive, ...rehearsal.activities);
    expect(planned.code, planned.err).toBe(3);
    expect(lastLine(planned.out)).toContain(said.replace("WENT", "goes"));
    expect(planned.out).toMatch(new RegExp(`line 3: .*${name.replaceAll(".", "\\.")}`));
    const imported = await run("import", archive, ...rehearsal.activities);
    expect(imported.code, imported.err).toBe(3);
    expect(lastLine(imported.out)).toContain("2 of 2 records are in your log");
    expect(lastLine(imported.out)).toContain(said.replace("WENT", "went"));
    expect(lastLine(imported.out)).not.toMatch(/^Done\. /);
  });

  test("is named by inspect, which doesn't say that everything can be read", async () => {
    using home = emptyHome();
    writeExport(entry(), name);
    const ran = await runCli(home.path, ["inspect", archive]);
    expect(ran.code, ran.err).toBe(3);
    expect(ran.out).not.toContain("Everything can be read");
    expect(ran.out).toContain(`${said.replace("WENT", "goes")}: ${name}`);
  });
});

/** A second row of the archive has a damaged file, and everything is read back. */
async function loadDamaged(): Promise<void> {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }, "activities/2.gpx");
  const imported = await run("import", archive, ...rehearsal.activities);
  expect(imported.code, imported.err).toBe(3);
  const verified = await run("verify");
  expect(verified.code, verified.err).toBe(0);
}

const holdsIn = (path: string): { canClose: boolean; obstacles: readonly { code: string }[]; sentence: string } =>
  JSON.parse(readFileSync(path, "utf8")).verdict;

test("the report doesn't say that the old account can be closed, also after a run of other sources", async () => {
  await loadDamaged();
  const [page, data] = [join(rehearsal.folder, `${number}.html`), join(rehearsal.folder, `${number}.json`)];
  const status = await run("status", "--report", page, "--report", data);
  expect(lastLine(status.out)).toContain("1 record without the whole device file (logferry status --verbose)");
  expect(holdsIn(data)).toMatchObject({ canClose: false, obstacles: [{ code: "without-file", count: 1 }] });
  expect(readFileSync(page, "utf8")).toContain("1 workout went without its track, since its file is damaged");

  const other = join(rehearsal.folder, `${number}.gpx`);
  writeFileSync(other, gpxOf(9));
  expect((await run("import", other, ...rehearsal.activities)).code).toBe(0);
  expect((await run("verify", "--report", data)).code).toBe(0);
  expect(holdsIn(data)).toMatchObject({ canClose: false, obstacles: [{ code: "without-file", count: 1 }] });
});

test("an import of the same archive again still says it, and sends nothing", async () => {
  await loadDamaged();
  const again = await run("import", archive, ...rehearsal.activities);
  expect(again.code, again.err).toBe(3);
  expect(again.out).toContain("Nothing to do.");
  expect(lastLine(again.out)).toContain("1 workout went without its track, since its file is damaged");
});

test("a mended archive brings the track only to a workout that is made again, and the way there is named", async () => {
  await loadDamaged();
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  const mended = await run("import", archive, ...rehearsal.activities);
  expect(mended.code, mended.err).toBe(0);
  expect(mended.out).toContain(LACKS_TRACK);
  expect(mended.out).toContain(WAY_OUT);
  expect(mended.out).not.toContain("damaged");

  await deleteSecond();
  const again = await run("import", archive, "--restore-missing", ...rehearsal.activities);
  expect(again.code, again.err).toBe(0);
  expect((await run("import", archive, ...rehearsal.activities)).out).not.toContain(LACKS_TRACK);
});

const LACKS_TRACK = "1 workout was in your log already, and lacks values that only this source has: track 1";
const WAY_OUT = "A track comes with a new workout only. To have the tracks, delete these workouts in your log. Then: ";

async function deleteSecond(): Promise<void> {
  const there = await rehearsal.listed("/rest/logs/me/workouts");
  const own = there.filter(({ date }) => date === `${year}-05-02`);
  expect(own).toHaveLength(1);
  deleteWorkout(join(rehearsal.folder, "service.db"), String(own[0]?.id));
}

/** The run of a day, where its owner cut off the last points. */
const cropped = (day: number) => gpxOf(day).replace(/(?:<trkpt.*\n){9}<\/trkseg>/, "</trkseg>");

test("a whole file that changed since its track was loaded is named, until its workout is made again", async () => {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  expect((await run("import", archive, ...rehearsal.activities)).code).toBe(0);
  writeExport({ name: "activities/2.gpx", content: cropped(2) }, "activities/2.gpx");
  const newer = await run("import", archive, ...rehearsal.activities);
  expect(newer.out).toMatch(/^ {2}unchanged +2 /m);
  expect(newer.out).toContain(LACKS_TRACK);
  expect(newer.out).toContain(WAY_OUT);
  expect((await run("verify")).out).toContain(LACKS_TRACK);
  expect((await run("status")).out).toContain(`Can the old account be closed? Not yet: ${LACKS_TRACK}`);
  // With the file of the log's track, nothing is amiss.
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  expect((await run("plan", archive, ...rehearsal.activities)).out).not.toContain("track 1");

  writeExport({ name: "activities/2.gpx", content: cropped(2) }, "activities/2.gpx", rowOf(3, ""));
  await deleteSecond();
  expect((await run("import", archive, "--restore-missing", ...rehearsal.activities)).code).toBe(0);
  expect((await run("import", archive, ...rehearsal.activities)).out).not.toContain("track 1");
  // An older export has the track of then. The log keeps the newer one.
  archive = join(rehearsal.folder, "older.zip");
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  const older = await run("plan", archive, ...rehearsal.activities);
  expect(older.out).toContain("1 workout keeps the newer values");
  expect(older.out).not.toContain("track 1");
});

test("an archive that was damaged since its tracks were loaded takes none away", async () => {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  expect((await run("import", archive, ...rehearsal.activities)).code).toBe(0);
  writeExport({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }, "activities/2.gpx");
  const again = await run("import", archive, ...rehearsal.activities);
  expect(again.code, again.err).toBe(0);
});

test("a good copy of the file in another source takes its place, and nothing is amiss", async () => {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }, "activities/2.gpx");
  const copy = join(rehearsal.folder, `copy-${number}.gpx`);
  writeFileSync(copy, gpxOf(2));
  const imported = await run("import", archive, copy, ...rehearsal.activities);
  expect(imported.code, imported.err).toBe(0);
  expect(imported.out).not.toContain("without its track");
});

test("a person who wants no tracks misses none", async () => {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }, "activities/2.gpx");
  const planned = await run("plan", archive, "--no-tracks", ...rehearsal.activities);
  expect(planned.code, planned.err).toBe(0);
});

test("a damaged file that two rows name is damaged for both", async () => {
  writeFileSync(
    archive,
    zipBytes([
      {
        name: "activities.csv",
        content: `${HEADER}\n${rowOf(1, "activities/1.gpx")}\n${rowOf(2, "activities/1.gpx")}\n`,
      },
      { name: "activities/1.gpx", content: gpxOf(1), crc: 1 },
    ]),
  );
  const planned = await run("plan", archive, ...rehearsal.activities);
  expect(planned.code, planned.err).toBe(3);
  expect(lastLine(planned.out)).toContain("2 workouts go without their track, since their files are damaged");
});

test("a course whose file is damaged or missing is counted by itself", async () => {
  const line = '<gpx version="1.1"><rte><rtept lat="48" lon="16"/><rtept lat="48.1" lon="16"/></rte></gpx>';
  writeFileSync(
    archive,
    zipBytes([
      { name: "activities.csv", content: `${HEADER}\n${rowOf(1, "activities/1.gpx")}\n` },
      { name: "activities/1.gpx", content: gpxOf(1) },
      { name: "routes.csv", content: "Route Name,Route Filename\nTo work,routes/1.gpx\nHome,routes/2.gpx\n" },
      { name: "routes/1.gpx", content: line, crc: 1 },
    ]),
  );
  const planned = await run("plan", archive, ...rehearsal.activities);
  expect(planned.code, planned.err).toBe(3);
  expect(lastLine(planned.out)).toContain("1 course goes without its map, since its file is damaged");
  expect(lastLine(planned.out)).toContain("1 course goes without its map, since its file is missing");
});

test("programs get the counts with the ledger", async () => {
  writeExport({ name: "activities/2.gpx", content: gpxOf(2), crc: 1 }, "activities/2.gpx");
  const ran = await run("plan", archive, "--json", ...rehearsal.activities);
  const plan = jsonLines(ran.out).find(({ type }) => type === "plan");
  expect(plan).toMatchObject({ ledger: { lostFiles: { missing: 0, damaged: 1, cut: 0 } } });
});

test("an export with all its files ends with 0, and inspect can read everything", async () => {
  using home = emptyHome();
  writeExport({ name: "activities/2.gpx", content: gpxOf(2) }, "activities/2.gpx");
  const inspected = await runCli(home.path, ["inspect", archive]);
  expect(lastLine(inspected.out)).toBe("Everything can be read.");
  expect(inspected.code, inspected.err).toBe(0);
  const planned = await run("plan", archive, ...rehearsal.activities);
  expect(planned.code, planned.out).toBe(0);
  expect(planned.out).not.toContain("Without their whole device file");
});
