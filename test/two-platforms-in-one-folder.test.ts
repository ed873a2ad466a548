import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { rehearse } from "./support/rehearsal.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// A person unpacks two exports into one folder, or saves an app's table among the files of another export. Every file goes to its platform, once. By the
// real command line, with the exports of the fixtures.

const folder = temporaryFolder();
let made = 0;

/** A fixture, or one and the new name of its only file. */
type Fixture = string | readonly [string, string];

/** A folder with the files of fixtures. */
function folderOf(...fixtures: readonly Fixture[]): string {
  const path = join(folder, `${++made}`, "all");
  for (const each of fixtures) {
    const [fixture, name] = typeof each === "string" ? [each] : each;
    const from = join(import.meta.dirname, "../fixtures", fixture, "archive");
    const [only = ""] = readdirSync(from);
    if (name === undefined) cpSync(from, path, { recursive: true });
    else cpSync(join(from, only), join(path, name));
  }
  return path;
}

function zipped(path: string, order: "forwards" | "backwards"): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((file) => ({ name: file.slice(path.length + 1), content: readFileSync(file) }));
  const zip = join(path, "..", order, "all");
  cpSync(path, zip, { recursive: true });
  writeFileSync(`${zip}.zip`, zipBytes(order === "forwards" ? files : files.toReversed()));
  return `${zip}.zip`;
}

interface Inspected {
  readonly name: string;
  readonly title: string;
  readonly counts: { readonly workout: number; readonly equipment: number; readonly course: number };
  readonly withTrack: number;
  readonly unread: readonly { readonly names: readonly string[] }[];
  readonly lostFiles: readonly { readonly names: readonly string[] }[];
}

/** Each source: its place, title, workouts, equipment, courses, workouts with a device file, files that were not read or not found. */
async function inspected(path: string): Promise<readonly unknown[]> {
  using home = emptyHome();
  const { out } = await runCli(home.path, ["inspect", "--json", path]);
  const sources = jsonLines(out).filter(({ type }) => type === "source") as unknown as Inspected[];
  return sources.map(({ name, title, counts: { workout, equipment, course }, withTrack, unread, lostFiles }) => [
    name.replace(basename(path), "all"),
    `${title}: ${workout} ${equipment} ${course} ${withTrack}`,
    [...unread, ...lostFiles].flatMap(({ names }) => names),
  ]);
}

const STRAVA = "strava/d-2023-87-columns";
const RUNKEEPER = "runkeeper/km-12-columns";
/** The fixture itself lacks this file. */
const LACKS = ["activities/14339157897.fit.gz"];
/** Two workouts of one minute name this file. It is the recording of one of them, and that of the other is lost. */
const OF_ONE_MINUTE = ["2016-08-13-0902.gpx"];

const PAIRS: readonly [string, readonly Fixture[], readonly unknown[]][] = [
  [
    "Strava and Strong",
    [STRAVA, "strong/classic"],
    [
      ["all", "Strava bulk export: 12 6 2 10", LACKS],
      ["all/strong.csv", "Strong export: 2 0 0 0", []],
    ],
  ],
  [
    "Strava and Hevy, whose table comes first",
    [STRAVA, ["hevy/english-kg", "Gym.csv"]],
    [
      ["all", "Strava bulk export: 12 6 2 10", LACKS],
      ["all/Gym.csv", "Hevy export: 5 0 0 0", []],
    ],
  ],
  [
    "Garmin and Hevy",
    ["garmin/plain-list", ["hevy/english-kg", "hevy.csv"]],
    [
      ["all", "Garmin Connect export: 2 0 0 2", []],
      ["all/hevy.csv", "Hevy export: 5 0 0 0", []],
    ],
  ],
  [
    "Garmin and Strong, whose table comes first",
    ["garmin/plain-list", ["strong/classic", "0.csv"]],
    [
      ["all", "Garmin Connect export: 2 0 0 2", []],
      ["all/0.csv", "Strong export: 2 0 0 0", []],
    ],
  ],
  [
    "Runkeeper and Strava, each with its recordings",
    [STRAVA, RUNKEEPER],
    [
      ["all", "Strava bulk export: 12 6 2 10", LACKS],
      ["all/cardioActivities.csv", "Runkeeper export: 8 0 1 4", OF_ONE_MINUTE],
    ],
  ],
  [
    "Polar, with a file that nobody knows, and Hevy",
    ["polar/old-layout", ["hevy/english-kg", "workouts.csv"]],
    [
      ["all", "Polar Flow export: 5 0 0 0", ["new-family-5e5510a0-0000-4000-8000-000000000034.json"]],
      ["all/workouts.csv", "Hevy export: 5 0 0 0", []],
    ],
  ],
  [
    "FitTrackee and Fitbod",
    ["fittrackee/gpx-folder", "fitbod/days"],
    [
      ["all", "FitTrackee archive: 2 0 0 2", []],
      ["all/WorkoutExport.csv", "Fitbod export: 1 0 0 0", []],
    ],
  ],
  [
    "Golden Cheetah, in folders, and Hevy",
    ["golden-cheetah/library", ["hevy/english-kg", "hevy.csv"]],
    [
      ["all", "Golden Cheetah library: 4 1 1 0", []],
      ["all/hevy.csv", "Hevy export: 5 0 0 0", []],
    ],
  ],
  [
    "Strava and a file of a watch",
    [STRAVA, ["device-files/fit", "morning.fit"]],
    [
      ["all", "Strava bulk export: 12 6 2 10", LACKS],
      ["all/watch files", "FIT, GPX and TCX files: 1 0 0 1", []],
    ],
  ],
  [
    "Garmin's export and two downloads of its web list",
    [
      "garmin/plain-list",
      ["garmin/web-list-kilometres", "Activities.csv"],
      ["garmin/web-list-kilometres", "Activities (1).csv"],
    ],
    [
      ["all", "Garmin Connect export: 2 0 0 2", []],
      ["all/Activities (1).csv", "Garmin Connect export: 6 0 0 0", []],
      ["all/Activities.csv", "Garmin Connect export: 6 0 0 0", []],
    ],
  ],
  [
    "Strava, Runkeeper and Strong",
    ["strong/classic", RUNKEEPER, STRAVA],
    [
      ["all", "Strava bulk export: 12 6 2 10", LACKS],
      ["all/cardioActivities.csv", "Runkeeper export: 8 0 1 4", OF_ONE_MINUTE],
      ["all/strong.csv", "Strong export: 2 0 0 0", []],
    ],
  ],
];

rowTest.each(firstOf(1, PAIRS))(
  "%s in one folder each have all their files, also in a zip of any order",
  async (_, fixtures, want) => {
    const path = folderOf(...fixtures);
    expect(await inspected(path)).toEqual(want);
    const inZip = JSON.parse(JSON.stringify(want));
    for (const order of ["forwards", "backwards"] as const) {
      expect((await inspected(zipped(path, order))).toSorted(), order).toEqual(inZip.toSorted());
    }
  },
);

test("a zip of a third platform beside them is a source by itself", async () => {
  const path = folderOf(STRAVA, "strong/classic");
  const hevy = readFileSync(join(import.meta.dirname, "../fixtures/hevy/english-kg/archive/workout_data.csv"));
  writeFileSync(join(path, "gym.zip"), zipBytes([{ name: "workout_data.csv", content: hevy }]));
  expect(await inspected(path)).toEqual([
    ["all", "Strava bulk export: 12 6 2 10", LACKS],
    ["all/strong.csv", "Strong export: 2 0 0 0", []],
    ["all/gym.zip", "Hevy export: 5 0 0 0", []],
  ]);
});

/** An older table beside Strava's, as of a second download: the same rows, and one that the newer one lacks. */
function withOlderTable(path: string): string {
  const [header = "", ...rows] = readFileSync(join(path, "activities.csv"), "utf8").split(/\r?\n(?=\d{8})/);
  const deleted = `77,"Nov 2, 2019, 6:11:28 AM",Before,Run,,1800${header.replaceAll(/[^,]/g, "").slice(5)}`;
  writeFileSync(join(path, "activities (1).csv"), [header, deleted, ...rows].join("\n"));
  return path;
}

longTest("a plan of such a folder is applied later: each workout and each shoe is in the log once", async () => {
  const rehearsal = await rehearse();
  try {
    const path = withOlderTable(folderOf(STRAVA, "hevy/english-kg"));
    await rehearsal.run(["plan", path, "--zone", "UTC", "--sport", "Corrida na Esteira=run", ...rehearsal.activities]);
    await rehearsal.run(["apply"]);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(18);
    expect(await rehearsal.listed("/rest/logs/me/equipment")).toHaveLength(6);
  } finally {
    await rehearsal.close();
  }
});
