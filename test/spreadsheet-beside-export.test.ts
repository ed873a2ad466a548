import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { rehearse } from "./support/rehearsal.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// A person puts a spreadsheet into the folder of an export that has many files. The export stays whole. By the real command line.

const folder = temporaryFolder();
const MAPPING =
  "version: 1\ndates: { order: iso }\ncolumns: { Day: { field: date }, Sport: { field: activity }, km: { field: distance, unit: km } }\n";
const SHEET = "Day,Sport,km\n2020-05-01,run,5\n2020-05-02,run,6\n";

interface Inspected {
  readonly name: string;
  readonly title: string;
  readonly counts: { readonly workout: number; readonly equipment: number; readonly course: number };
  readonly withTrack?: number;
  readonly unread: readonly { readonly names: readonly string[] }[];
}

async function inspected(path: string): Promise<readonly Inspected[]> {
  using home = emptyHome();
  const { out } = await runCli(home.path, ["inspect", "--json", path]);
  return jsonLines(out).filter(({ type }) => type === "source") as unknown as Inspected[];
}

function exportWith(fixture: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, "s");
  cpSync(join(import.meta.dirname, "../fixtures", fixture, "archive"), path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

function zipped(path: string): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const bytes = zipBytes(
    files.map(({ parentPath, name }) => ({
      name: join(parentPath, name).slice(path.length + 1),
      content: readFileSync(join(parentPath, name)),
    })),
  );
  writeFileSync(`${path}.zip`, bytes);
  return `${path}.zip`;
}

const told = (sources: readonly Inspected[]) =>
  sources.map(({ title, counts, withTrack, unread }) => [
    title,
    counts.workout,
    counts.equipment,
    counts.course,
    withTrack,
    unread.flatMap(({ names }) => names),
  ]);
const names = (sources: readonly Inspected[]) => sources.map(({ name }) => name);
const STRAVA = ["Strava bulk export", 12, 6, 2, 10, []];
const SPREADSHEET = ["Spreadsheet with a mapping file", 2, 0, 0, 0, []];

test.each<[string, Record<string, string>, string]>([
  ["a spreadsheet", { "old-log.csv": SHEET, "old-log.csv.map.yaml": MAPPING }, "old-log.csv"],
  ["a spreadsheet, mapped as .yml", { "old-log.csv": SHEET, "old-log.map.yml": MAPPING }, "old-log.csv"],
  [
    "a spreadsheet that its mapping names",
    { "old-log.csv": SHEET, "mine.map.yaml": `${MAPPING}file: { name: old-log.csv }\n` },
    "old-log.csv",
  ],
  ["a spreadsheet in a folder", { "log/a.csv": SHEET, "log/a.map.yaml": MAPPING }, "log"],
])("beside %s, a Strava export keeps its shoes, routes and recordings", async (_what, files, name) => {
  const path = exportWith("strava/d-2023-87-columns", files);
  const inFolder = await inspected(path);
  expect(names(inFolder)).toEqual(["s", `s/${name}`]);
  expect(told(inFolder)).toEqual([STRAVA, SPREADSHEET]);
  const inZip = await inspected(zipped(path));
  expect(names(inZip)).toEqual(["s.zip", `s.zip/${name}`]);
  expect(told(inZip)).toEqual([STRAVA, SPREADSHEET]);
});

test("beside a spreadsheet, a Runkeeper export keeps its recordings", async () => {
  const path = exportWith("runkeeper/km-12-columns", { "old-log.csv": SHEET, "old-log.csv.map.yaml": MAPPING });
  // Four of the eight workouts have a recording.
  expect(told(await inspected(path))).toEqual([["Runkeeper export", 8, 0, 1, 4, []], SPREADSHEET]);
});

test("a spreadsheet beside a Strava export is imported, and so is the gear of the export with brand and model", async () => {
  await using rehearsal = await disposable();
  const path = exportWith("strava/d-2023-87-columns", { "old-log.csv": SHEET, "old-log.csv.map.yaml": MAPPING });
  await rehearsal.run(["import", path, "--zone", "UTC", ...rehearsal.activities]);
  const equipment = await rehearsal.listed("/rest/logs/me/equipment");
  expect(equipment.map(({ brandName, modelName }) => `${brandName ?? "-"} ${modelName}`).toSorted()).toEqual([
    "- Unnamed",
    "ASICS Gel-Cumulus 19",
    "ASICS Gel-Cumulus 19",
    "Brooks Ghost 8",
    "KTM Strada 1000",
    "Saucony Peregrine 8",
  ]);
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(14);
});

test("watch files beside a spreadsheet are read, in its folder and in one of their own, and an export beside both keeps its own", async () => {
  const gpx = (day: string) =>
    `<gpx version="1.1" creator="watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>${[
      "05:00",
      "05:10",
      "05:20",
    ]
      .map((time, at) => `<trkpt lat="48.2${at}" lon="16.4"><time>${day}T${time}:00Z</time></trkpt>`)
      .join("")}</trkseg></trk></gpx>`;
  const sheet = { "log.csv": SHEET, "log.map.yaml": MAPPING };
  const watch = { "a.gpx": gpx("2021-05-01"), "watch/b.gpx": gpx("2021-05-02") };
  const of = (name: string, files: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, path, ".."), { recursive: true });
      writeFileSync(join(folder, name, path), content);
    }
    return join(folder, name);
  };
  const WATCH = ["FIT, GPX and TCX files", 2, 0, 0, 2, []];
  const beside = await inspected(of("w", { ...sheet, ...watch }));
  expect(names(beside)).toEqual(["w", "w/watch files"]);
  expect(told(beside)).toEqual([SPREADSHEET, WATCH]);

  const three = of("t", { ...sheet, ...watch, "list.csv": "a,b\n1,2\n" });
  cpSync(join(import.meta.dirname, "../fixtures/strava/d-2023-87-columns/archive"), join(three, "export_1"), {
    recursive: true,
  });
  // Nobody knows the second table, which is named.
  expect(told(await inspected(three)).toSorted()).toEqual(
    [WATCH, [...SPREADSHEET.slice(0, 5), ["list.csv"]], STRAVA].toSorted(),
  );
});

async function disposable() {
  const rehearsal = await rehearse();
  return { ...rehearsal, [Symbol.asyncDispose]: async () => rehearsal.close() };
}
