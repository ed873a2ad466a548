import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { ROOT } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// What a newcomer sees of a folder before logferry touches a log, by the real command line.

const RIDE = join(ROOT, "fixtures/device-files/fit/archive/2019-05-05-09-30-00.fit");
const EXPORT = join(ROOT, "fixtures/strava/h-2025-101-columns/archive/activities.csv");

test("inspect names the files that it doesn't read, and what it reads", async () => {
  using home = emptyHome();
  const folder = join(home.path, "watch");
  mkdirSync(folder);
  copyFileSync(RIDE, join(folder, "ride.fit"));
  for (const name of ["Polar.xml", "2014.hrm", "a.sml", "b.pwx", "c.txt", "d.jpg"])
    writeFileSync(join(folder, name), "<x/>");
  const ran = await runCli(home.path, ["inspect", folder]);
  expect(ran.out).toContain(
    "  5 files were not read: 2014.hrm, Polar.xml, a.sml, b.pwx, c.txt (here logferry reads FIT, GPX, TCX or KML)\n  1 file that can't hold workouts: d.jpg\n",
  );
  expect(ran.out).not.toContain("Everything can be read");
  expect(ran.out.trimEnd().split("\n").at(-1)).toBe("5 files were not read. Everything else can be read.");
  expect(ran.code).toBe(3);
});

test("inspect names every column that it doesn't know, and the end of a long path", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  const deep = join(folder, "Takeout", "Physical Activity_GoogleData", "Health Fitness Data_GoogleData");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, "heart.csv"), "x");
  const header =
    "Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Calories Burned,Shoe,Mood,GPX File\n";
  const row = "a1,2023-12-31 06:55:59,Running,,4.21,23:38,5:37,340,Blue,fine,\n";
  writeFileSync(join(folder, "cardioActivities.csv"), header + row);
  const { out } = await runCli(home.path, ["inspect", folder]);
  expect(out).toContain("  columns that logferry doesn't know: Shoe, Mood\n");
  expect(out).toContain("1 file was not read: …/Health Fitness Data_GoogleData/heart.csv (");
  expect(out).toContain("logferry inspect ");
  expect(out).toContain(" --anonymise --out structure.txt");
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    "1 file was not read; 2 new columns were left out. Everything else can be read.",
  );
});

test("everything is said to be readable where every file was read", async () => {
  using home = emptyHome();
  mkdirSync(join(home.path, "watch"));
  copyFileSync(RIDE, join(home.path, "watch", "ride.fit"));
  const ran = await runCli(home.path, ["inspect", join(home.path, "watch")]);
  expect(ran.out.trimEnd().split("\n").at(-1)).toBe("Everything can be read.");
});

test("a value of a cell that can't be read is counted, beside a row that can't be used", async () => {
  using home = emptyHome();
  const table = join(home.path, "log.csv");
  writeFileSync(
    join(home.path, "log.map.yaml"),
    `version: 1
dates: { order: iso, zone: local }
columns:
  Date: { field: date }
  Sport: { field: activity }
  km: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
`,
  );
  const rows = ["2024-01-01,run,ten,0:50:00", "2024-01-02,run,5,0:25:00"];
  const endOf = async (...lines: readonly string[]) => {
    writeFileSync(table, `${["Date,Sport,km,Time", ...lines].join("\n")}\n`);
    const ran = await runCli(home.path, ["inspect", table]);
    return [ran.code, ran.out.trimEnd().split("\n").at(-1)];
  };
  expect(await endOf(...rows)).toEqual([0, "1 value that can't be read was left out. Everything else can be read."]);
  expect(await endOf(...rows, "2024-01-03,run,6,soon", "yesterday,run,6,0:30:00")).toEqual([
    3,
    "2 values that can't be read were left out; 1 record can't be used as it is. Everything else can be read.",
  ]);
  const json = await runCli(home.path, ["inspect", table, "--json"]);
  expect(jsonLines(json.out).find(({ type }) => type === "source")).toMatchObject({ leftValues: 2, quarantined: 1 });
});

test("Strava's list of activities is recognised by its header, whatever it is called", async () => {
  using home = emptyHome();
  const table = join(home.path, "my runs (1).csv");
  copyFileSync(EXPORT, table);
  const ran = await runCli(home.path, ["inspect", table, "--json"]);
  const rows =
    readFileSync(EXPORT, "utf8")
      .trimEnd()
      .split(/\r?\n(?=\d+,)/).length - 1;
  const source = JSON.parse(ran.out.split("\n").find((line) => line.includes('"type":"source"')) ?? "{}");
  expect(source).toMatchObject({
    title: "Strava bulk export",
    saw: expect.stringContaining("my runs (1).csv with 101 columns"),
  });
  expect(source.counts.workout).toBe(rows);
});

test("a mapping file for such a list wins over its header", async () => {
  using home = emptyHome();
  const table = join(home.path, "mine.csv");
  copyFileSync(EXPORT, table);
  const mapping = join(home.path, "other.map.yaml");
  writeFileSync(
    mapping,
    "version: 1\ndates: { order: mdy }\ncolumns:\n  Activity Date: { field: date }\nunknownColumns: ignore\n",
  );
  const ran = await runCli(home.path, ["inspect", table, "--map", mapping, "--json"]);
  expect(ran.out).toContain('"title":"Spreadsheet with a mapping file"');
});

test("inspect says the language, the years without a workout, the longest gap, and what is left on purpose", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  mkdirSync(join(folder, "media"), { recursive: true });
  const rows = ["24.01.2017, 18:07:40", "03.02.2017, 07:00:00", "10.06.2020, 07:00:00"].map(
    (date, at) => `${at + 1},"${date}",Lauf,Lauf,,1500,"5,03",,false,,`,
  );
  const header =
    "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,Relative Leistung,Pendelfahrt,Ausrüstung für Aktivität,Dateiname";
  writeFileSync(join(folder, "activities.csv"), `${[header, ...rows].join("\n")}\n`);
  for (const name of ["media/1.jpg", "media/2.jpg", "comments.csv"]) writeFileSync(join(folder, name), "x");
  const { out } = await runCli(home.path, ["inspect", folder]);
  expect(out).toContain(", in German)");
  expect(out).toContain("  no workout in 2018, 2019\n  longest gap: 1223 days, from 2017-02-03 to 2020-06-10\n");
  expect(out).toContain("left on purpose: media/1.jpg, media/2.jpg (2 files; the log has no place for pictures)");
  expect(out).toContain("left on purpose: comments.csv (other people, and what was said to them)");
});

test("inspect names a new column, and the command that reports it without anybody's data", async () => {
  using home = emptyHome();
  const run = {
    id: "0a1b2c3d-0000-4000-9000-000000000001",
    type: "run",
    start_epoch_ms: 1_600_000_000_000,
    end_epoch_ms: 1_600_001_800_000,
    active_duration_ms: 1_800_000,
    summaries: [{ metric: "distance", summary: "total", value: 5 }],
    tags: { "com.nike.mood": "x" },
    metrics: [],
  };
  mkdirSync(join(home.path, "my runs"));
  writeFileSync(join(home.path, "my runs", "a.json"), JSON.stringify(run));
  const { out } = await runCli(home.path, ["inspect", join(home.path, "my runs")]);
  expect(out).toContain("columns that logferry doesn't know: tags/com.nike.mood");
  expect(out).toContain(`: logferry inspect '${join(home.path, "my runs")}' --anonymise --out structure.txt`);
});

test("inspect says of a table in no known form how many rows it has, what waits with it, and how to report it", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  mkdirSync(join(folder, "activities"), { recursive: true });
  const header = "Activity ID,Activity Date,Sky Colour";
  writeFileSync(
    join(folder, "activities.csv"),
    `${header}\n1,"Jan 2, 2015, 5:00:00 AM",blue\n2,"Jan 3, 2015, 5:00:00 AM",grey\n`,
  );
  writeFileSync(join(folder, "shoes.csv"), "Shoe Name,Shoe Brand,Shoe Model\nRot,ASICS,Cumulus\n");
  copyFileSync(RIDE, join(folder, "activities", "1.fit"));
  const { out, code } = await runCli(home.path, ["inspect", folder]);
  expect(out).toContain(
    "left on purpose: activities/1.fit (they wait for their rows in activities.csv, which can't be read)",
  );
  expect(out).toContain(" --anonymise --out structure.txt");
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    "None of the 2 rows of activities.csv can be read. Everything else can be read.",
  );
  expect(code).toBe(3);
});

test("with --verbose and --json, inspect gives the whole name of every file that it doesn't read or leaves", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  const long = `${"a-name-of-many-words-".repeat(5)}end.xyz`;
  mkdirSync(join(folder, "photos"), { recursive: true });
  copyFileSync(EXPORT, join(folder, "activities.csv"));
  const others = ["1.xyz", "2.xyz", "3.xyz", "4.xyz", "5.xyz", "6.xyz", long];
  const photos = ["1", "2", "3", "4", "5", "6"].map((name) => `photos/${name}.jpg`);
  for (const name of [...others, ...photos]) writeFileSync(join(folder, name), "x");
  const short = await runCli(home.path, ["inspect", folder]);
  expect(short.out).toContain("photos/5.jpg ... (-v names all) (6 files; the log has no place for pictures)\n");
  expect(short.out).toContain("  7 files were not read: 1.xyz, 2.xyz, 3.xyz, 4.xyz, 5.xyz ... (-v names all) (");
  const whole = await runCli(home.path, ["inspect", folder, "-v"]);
  expect(whole.out).toContain(`    ${others.join("\n    ")}\n`);
  expect(whole.out).toContain(`    ${photos.join("\n    ")}\n`);
  const json = await runCli(home.path, ["inspect", folder, "--json"]);
  const source = jsonLines(json.out).find(({ type }) => type === "source");
  expect(source).toMatchObject({
    unread: [{ count: 7, names: others }],
    left: [{ count: 6, names: photos }],
  });
});

longTest("with --verbose, inspect names every file that belongs to no export", async () => {
  using home = emptyHome();
  const folder = join(home.path, "all");
  for (const name of ["one", "two"]) {
    mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(EXPORT, join(folder, name, "activities.csv"));
  }
  const others = ["1.xyz", "2.xyz", "3.xyz", "4.xyz", "5.xyz", "6.xyz"];
  for (const name of others) writeFileSync(join(folder, name), "x");
  const { out } = await runCli(home.path, ["inspect", folder, "-v"]);
  expect(out).toContain(`    ${others.join("\n    ")}\n`);
});

/** A table of Strava that is nearly all zeros: a zip bomb. */
const BOMB = zipBytes([
  {
    name: "activities.csv",
    content: `Activity ID,Activity Date,Activity Name,Activity Type\n1,"${"0".repeat(16 * 2 ** 20)}"\n`,
  },
]);

test.each<[what: string, content: string | Uint8Array, says: RegExp]>([
  ["is empty", "", /^Cannot tell what export\.zip is: it is empty \(0 bytes\)\. Download it or save it once more$/m],
  [
    "is a web page",
    "<!DOCTYPE html>\n<html><body>Link expired</body></html>",
    /is: it is a web page, no zip\. The link has expired/,
  ],
  ["holds no file", zipBytes([]), /is: there are no files in it/],
  [
    "is a bomb under the name of a table",
    BOMB,
    /is: a file of it can't be unpacked\. Cannot read activities\.csv: it unpacks to \d+ times its size; raise --max-ratio if you trust it/,
  ],
])("a zip that %s is refused with the reason", async (_what, content, says) => {
  using home = emptyHome();
  const path = join(home.path, "export.zip");
  writeFileSync(path, content);
  const ran = await runCli(home.path, ["inspect", path]);
  expect(ran.err).toMatch(says);
  expect(ran.err).not.toContain("A spreadsheet needs a mapping file");
  expect(ran.code).toBe(5);
});

test.each<[what: string, content: string | Uint8Array, says: RegExp]>([
  [
    "a web page under the name of a zip",
    "<html><body>Sign in</body></html>",
    /^Cannot tell what inbox is: nothing in it can be opened\. export\.zip: it is a web page, no zip\. The link has expired, or asks for a login: download it once more$/m,
  ],
  [
    "zips in zips in zips",
    ["a.zip", "b.zip", "c.zip"].reduce((content, name) => zipBytes([{ name, content }]), BOMB),
    /is: nothing in it can be opened\. export\.zip!\/c\.zip!\/b\.zip: a zip 3 deep in others, expected at most 2 deep\. Unpack it and name what it holds, or raise --nested if you trust it$/m,
  ],
])("a folder with nothing but %s is refused with the cause first", async (_what, content, says) => {
  using home = emptyHome();
  const folder = join(home.path, "inbox");
  mkdirSync(folder);
  writeFileSync(join(folder, "export.zip"), content);
  const ran = await runCli(home.path, ["inspect", folder]);
  expect(ran.err).toMatch(says);
  expect(ran.err).not.toContain("A spreadsheet needs a mapping file");
  expect(ran.code).toBe(5);
});

test("a file beside a platform's own is named with the reason why it is not read", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  mkdirSync(folder);
  copyFileSync(EXPORT, join(folder, "activities.csv"));
  writeFileSync(join(folder, "x.csv"), "a,b\n1,2\n");
  const ran = await runCli(home.path, ["inspect", folder]);
  expect(ran.out).toContain("1 file was not read: x.csv (logferry knows no such file in a Strava bulk export)");
});

test("an export without its table of workouts is told apart from a folder of device files", async () => {
  using home = emptyHome();
  const folder = join(home.path, "export");
  mkdirSync(join(folder, "activities"), { recursive: true });
  const names = ["clubs.csv", "components.csv", "followers.csv", "segments.csv"];
  for (const name of names) writeFileSync(join(folder, name), "a,b\n");
  const alone = await runCli(home.path, ["inspect", folder]);
  const howToGet =
    "strava.com > Settings > My Account > Download or Delete Your Account > Request Your Archive; the zip comes by mail.";
  expect(alone.err).toContain("Cannot tell what export is: it has components.csv, followers.csv, segments.csv");
  expect(alone.err).toContain(`not the table of workouts. Get the export once more: ${howToGet}`);
  expect(alone.code).toBe(5);

  copyFileSync(RIDE, join(folder, "activities", "1.fit"));
  const withFile = await runCli(home.path, ["inspect", folder]);
  expect(withFile.out).toContain("FIT, GPX, TCX or KML; a Strava bulk export without its table of workouts)\n");
  expect(withFile.out).toContain(howToGet);
  expect(withFile.out.trimEnd().split("\n").at(-1)).toMatch(
    /^An export lacks its table of workouts: get it once more;/,
  );
  expect(withFile.code).toBe(3);

  // Two names that anybody may use show nothing.
  for (const name of names.slice(2)) rmSync(join(folder, name));
  const other = await runCli(home.path, ["inspect", folder]);
  expect(other.out).not.toContain("Strava");
});
