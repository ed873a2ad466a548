import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAll } from "../../test/suites/fixture-cases.ts";
import { unreadFiles } from "../../transforms/model/unread.ts";
import { memoryArchive } from "../containers/memory.ts";
import { connectorNamed } from "../registry.ts";
import { mayHoldWorkouts } from "./other-files.ts";

test.each([
  ...["a.JPG", "x/b.heic", "c.mov", "d.mp3", "e.pdf", "f.html", "g.css", "readme.txt", "h.md", "LICENSE.txt.gz"],
  ...["log.map.yaml", ".DS_Store", "x/.DS_Store", "Thumbs.db", "README", "GARMIN/GarminDevice.xml", "a.b.png"],
])("%s holds no workouts", (path) => {
  expect(mayHoldWorkouts(path)).toBe(false);
});

test.each([
  ...[
    "runs.csv",
    "runs.xlsx",
    "log.txt",
    "log.txt.gz",
    "backup.ftb",
    "export_9.tar.gz",
    "a.json",
    "a.xml",
    "a.db",
    "a.hrm",
    "a",
    "a.gz",
  ],
  ...["png", "my.pictures/run", "notes.txt/run.pwx", "a.yaml", "a.png.csv", "a.zip", "a.docx"],
  // An interrupted download holds what the whole one holds.
  ...["strava export.zip.crdownload", "a.zip.part", "a.zip.download"],
])("%s may hold workouts", (path) => {
  expect(mayHoldWorkouts(path)).toBe(true);
});

const ofFixture = (path: string) => readFileSync(join(import.meta.dirname, "../../fixtures", path), "utf8");
const inTheMiddle = (text: string) => text.slice(0, text.length / 2);

const RUNKEEPER = ofFixture("runkeeper/km-12-columns/archive/cardioActivities.csv");

// The one rejected record in the place of the rest may stand for hundreds. Who drops it by its rule must not hear that the account can be closed.
test.each([
  ["nike", "activities.json", inTheMiddle(ofFixture("nike/list/archive/activities.json"))],
  ["runalyze", "backup.json", ofFixture("runalyze/backup-3/archive/runalyze-backup-old.json").slice(0, -20)],
  ["runkeeper", "cardioActivities.csv", `${RUNKEEPER}2017-01-25 18:00:00,Running,"Prater,5,20:00\n`],
  ["logferry-export", "log.ndjson", '{"kind":"export","value":{"format":"logferry-export","version":1}}\n'],
])("of %s, a list that isn't read to its end is a file that may hold more workouts", async (platform, name, text) => {
  const connector = connectorNamed(platform);
  if (connector === undefined) throw new Error(platform);
  const { issues } = await readAll(connector, memoryArchive("x", { [name]: Buffer.from(text) }));
  expect(issues.flatMap((issue) => unreadFiles(issue)?.names ?? [])).toEqual([name]);
});

test("a damaged file of one workout is one rejected record, and no unread file", async () => {
  const connector = connectorNamed("endomondo");
  const whole =
    '[{"sport": "RUNNING"}, {"source": "INPUT_MANUAL"}, {"start_time": "2014-05-01 17:00:00.0"}, {"duration_s": 1800}, {"distance_km": 5}]';
  const files = { "Workouts/a.json": Buffer.from(inTheMiddle(whole)), "Workouts/b.json": Buffer.from(whole) };
  const { readings, issues } = (await (connector && readAll(connector, memoryArchive("x", files)))) ?? {};
  expect(readings?.map(({ kind }) => kind).toSorted()).toEqual(["set-aside", "workout"]);
  expect(issues?.flatMap((issue) => unreadFiles(issue) ?? [])).toEqual([]);
});
