/** The certificate where the sources changed, or were imported in parts: it says what it knows of them. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { type MadeCell, odsParts, packed } from "../fixtures/make/workbook.ts";
import { openWorld } from "./matrix/world.ts";
import { certified, pathOf, told } from "./support/certified.ts";
import { ROOT } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

/** A device file of one run, of two laps. @param metres how far a minute goes */
function deviceFile(day: string, metres = 200): string {
  const lap = (first: number) => {
    const points = Array.from({ length: 16 }, (_, at) => {
      const minute = String(first + at).padStart(2, "0");
      return `<Trackpoint><Time>${day}T10:${minute}:00Z</Time><DistanceMeters>${(first + at) * metres}</DistanceMeters></Trackpoint>`;
    });
    return `<Lap StartTime="${day}T10:${String(first).padStart(2, "0")}:00Z"><TotalTimeSeconds>900</TotalTimeSeconds><DistanceMeters>${15 * metres}</DistanceMeters><Track>${points.join("")}</Track></Lap>`;
  };
  return `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>${day}T10:00:00Z</Id>${lap(0)}${lap(15)}</Activity></Activities></TrainingCenterDatabase>`;
}

/** A folder of one device file a day. */
function deviceFiles(folder: string, ...days: readonly string[]): string {
  mkdirSync(folder);
  for (const day of days) writeFileSync(join(folder, `${day}.tcx`), deviceFile(day));
  return folder;
}

longTest("an export in two halves: each certificate says which other imports it doesn't speak of", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  const runs = someRuns(3, "2021-01-01").map((run, index) => ({ ...run, id: String(index) }));
  const second = writeSheet(join(world.folder, "second"), runs);
  expect((await world.import()).code).toBe(0);
  expect((await world.import({ sources: [second] })).code).toBe(0);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(read.otherRuns).toMatchObject([{ run: 1, records: 2 }]);
  expect(ran.out).toContain(
    "This answer is about the sources of this run alone. Run 1 had other sources (2 records). See also: logferry certify --run 1",
  );
  expect(readFileSync(pathOf(world).replace(".json", ".html"), "utf8")).toContain("logferry certify --run 1");
  // Both in one import, and one certificate speaks of all.
  expect((await world.import({ sources: [world.sheet, second] })).code).toBe(0);
  const both = await certified(world);
  expect(both.read.otherRuns).toEqual([]);
  expect(both.ran.out).not.toContain("See also");

  // A newer export of the same account that was undone is no part of the answer, and is named.
  const newer = writeSheet(
    join(world.folder, "newer"),
    runs.map((run) => (run.id === "1" ? { ...run, km: 6.5 } : run)),
  );
  expect((await world.import({ sources: [newer] })).code).toBe(0);
  expect((await world.run(["undo", "4"])).code).toBe(0);
  const beside = await certified(world, ["--run", "2"]);
  expect(beside.ran.code, told(beside.ran)).toBe(0);
  expect(beside.ran.out).toContain("Run 4 was undone: 1 record that it changed is as before it.");
  expect(beside.read.otherRuns).toContainEqual(expect.objectContaining({ run: 4, undone: 1 }));
  const besidePage = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(besidePage).toContain("1 record that it changed was put back as before");
  expect(besidePage).toContain(`<code>logferry certify --check ${pathOf(world)}</code>`);
});

test("tracks that an earlier import of other sources left out keep the account open, unless the rule accepts it", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  const folder = deviceFiles(join(world.folder, "watch"), "2020-05-01");
  expect((await world.run(["import", folder, "--no-tracks", "--settle", "1"])).code).toBe(0);
  expect((await world.import()).code).toBe(0);
  const { ran } = await certified(world);
  expect(ran.code, told(ran)).toBe(3);
  expect(ran.out).toContain(
    "Not yet: 1 workout of run 1 is without its track, because you left tracks out with --no-tracks: 2020-05-01.tcx.",
  );
  expect((await world.import({ flags: ["--accept", "lost-files"] })).code).toBe(0);
  const accepted = await certified(world);
  expect(accepted.ran.code, told(accepted.ran)).toBe(0);
  expect(readFileSync(pathOf(world).replace(".json", ".html"), "utf8")).toContain(
    "Your own rule accepts: 1 workout of run 1 is without its track",
  );
});

test.each([
  ["a text that the log cut", "notes"],
  ["a lap that the log lost", "intervalSet.intervals"],
  ["a course that was deleted in the log", "course.id"],
])("%s is no yes, and the certificate names the field", async (_, field) => {
  const runs = someRuns(1).map((run) => ({ ...run, notes: "along the river and back" }));
  await using world = await openWorld({ runs, databaseFile: true });
  const folder = deviceFiles(join(world.folder, "watch"), "2020-05-01");
  const ways = join(world.folder, "ways");
  mkdirSync(ways);
  writeFileSync(join(ways, "ways.csv"), "Day;Km;Min;Way\n2020-02-02;5;30:00;River\n");
  writeFileSync(
    join(ways, "ways.map.yaml"),
    "version: 1\ndefaults: { activity: run }\ndates: { order: ymd }\ncolumns:\n  Day: { field: date }\n  Km: { field: distance, unit: km }\n  Min: { field: duration, format: mm:ss }\n  Way: { field: course }\n",
  );
  const sources = [world.sheet, folder, join(ways, "ways.csv")];
  expect((await world.import({ sources })).code).toBe(0);
  expect((await certified(world)).ran.code).toBe(0);
  damage(join(world.folder, "service.db"), field);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(7);
  expect(read.verdict.canClose).toBe(false);
  expect(read.records.find((record) => record.class === "differs")?.differs).toEqual([field]);
});

/** Damages the service's own records, as no interface can. */
function damage(database: string, field: string): void {
  using file = new DatabaseSync(database, { timeout: 60_000 });
  if (field === "course.id") file.exec("UPDATE workouts SET course_id = NULL; DELETE FROM courses");
  const cut = file.prepare("UPDATE workouts SET body = ? WHERE id = ?");
  for (const { id, body } of file.prepare("SELECT id, body FROM workouts").all()) {
    const workout = JSON.parse(String(body));
    if (field === "notes" && workout.notes !== undefined) workout.notes = workout.notes.slice(0, 5);
    if (field !== "notes" && field !== "course.id") workout.intervalSet?.intervals.pop();
    cut.run(JSON.stringify(workout), String(id));
  }
}

test("verify and status say to plan again where a device file changed, since no retry helps", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = deviceFiles(join(world.folder, "watch"), "2020-05-01", "2020-05-02");
  await world.run(["plan", folder]);
  writeFileSync(join(folder, "2020-05-01.tcx"), deviceFile("2020-05-01", 210));
  expect((await world.run(["apply", "--settle", "1"])).code).toBe(3);
  const verified = await world.run(["verify"]);
  expect(verified.code).toBe(3);
  expect(verified.out).toContain(
    `1 record could not be sent, because its file changed since the plan (logferry plan ${folder}). The other record is there, every field as planned.`,
  );
  const { out } = await world.run(["status"]);
  expect(out).toContain(`1 record of a file that changed (logferry plan ${folder})`);
  expect(verified.out + out).not.toContain("logferry retry");
});

test("columns that the mapping leaves out are on the page, with the number of values and the reason", async () => {
  await using world = await openWorld({ runs: [] });
  const [folder, name] = [join(world.folder, "notes"), "2020.csv"];
  mkdirSync(folder);
  writeFileSync(
    join(folder, name),
    "Day;Km;Mood;Pace;Mark\n2020-01-02;5;good;6:00;x\n2020-01-03;7;;6:10;\n2020-01-04;8;bad;;\n",
  );
  const mapping = join(folder, "2020.map.yaml");
  writeFileSync(
    mapping,
    [
      "version: 1",
      "defaults: { activity: run }",
      "dates: { order: ymd }",
      "columns:",
      "  Day: { field: date }",
      "  Km: { field: distance, unit: km }",
      "  Mood: { field: ignore }",
      "  Pace: { field: ignore, why: follows from the rest }",
      "  Mark: { field: ignore }",
      "rows:",
      '  - when: { column: Mark, matches: "^x$" }',
      "    set: { type: race }",
      "",
    ].join("\n"),
  );
  const imported = await world.run(["import", join(folder, name), "--settle", "1"]);
  expect(imported.code, told(imported)).toBe(0);
  expect(told(imported)).not.toContain("left-columns");
  const { ran } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8").replaceAll(/<[^>]*>/g, "");
  expect(page).toMatch(
    /4 values left out on purpose: your mapping file leaves out these columns\.\s+Mood 2\s*Pace, follows from the rest 2/,
  );

  // What only a proposal left keeps the account open. The person said nothing of it.
  const text = readFileSync(mapping, "utf8");
  writeFileSync(
    mapping,
    text.replace("Mood: { field: ignore }", "Mood: { field: unsupported, label: mood, proposed: true }"),
  );
  await world.run(["import", join(folder, name), "--settle", "1"]);
  const open = await certified(world);
  expect(open.ran.code, told(open.ran)).toBe(3);
  expect(open.read.verdict).toMatchObject({
    canClose: false,
    obstacles: [
      {
        code: "unconfirmed-columns",
        count: 2,
        text: "2 values are left out, and nobody has said that they may be: Mood 2",
      },
    ],
  });
});

test("a file that went away between plan and apply keeps the account open until it is planned again", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = join(world.folder, "watch");
  mkdirSync(folder);
  cpSync(join(ROOT, "fixtures/device-files/fit/archive"), folder, { recursive: true });
  const planned = await world.run(["plan", folder, "--zone", "Europe/Vienna"]);
  expect(planned.code, told(planned)).toBeLessThanOrEqual(3);
  rmSync(join(folder, "Settings.fit"));
  const applied = await world.run(["apply", "--settle", "1"]);
  expect(told(applied)).toContain("Settings.fit: went away since the plan.");
  const { ran, read } = await certified(world);
  expect(read.verdict.canClose, told(ran)).toBe(false);
  expect(ran.out).toContain(`went away since the plan: Settings.fit`);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(page).toContain("Put back what went away, or leave it out. Plan again: <code>logferry plan ");
});

longTest("comments on cells of a workbook are among what closing the account loses", async () => {
  await using world = await openWorld();
  const note: MadeCell = {
    raw: '<table:table-cell office:value-type="string"><office:annotation><text:p>knee hurt</text:p></office:annotation><text:p>calm</text:p></table:table-cell>',
  };
  const rows = [
    ["Date", "km", "Time", "Notes"],
    ["2018-03-01", 5.1, "0:30:00", note],
    ["2018-03-04", 8.2, "0:45:00", note],
  ];
  const workbook = join(world.folder, "runs.ods");
  writeFileSync(workbook, packed(odsParts([{ name: "Log", rows }])));
  const inferred = await world.run(["map", "infer", workbook, "--set", "defaults.activity=run"]);
  expect(inferred.out).toContain('comments on cells 2 ("Log" 2)');
  const imported = await world.import({ sources: [workbook] });
  expect(imported.code, told(imported)).toBe(0);
  const { ran } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(page.slice(page.indexOf("What closing the account loses"))).toMatch(
    /csv\/cell-comments.*comments on cells 2 \(&quot;Log&quot; 2\)/,
  );
});
