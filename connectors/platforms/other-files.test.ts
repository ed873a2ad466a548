import { expect, test } from "vitest";
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
