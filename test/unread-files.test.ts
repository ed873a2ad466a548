import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_HEADER } from "./support/small-sources.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// A file or a column that nobody read may hold what the old account alone has. So it is named wherever a run says that all is well.

let rehearsal: Rehearsal;
let made = 0;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const COLUMNS = "id;day;activity;calories;distance;intensity;label;source;start_datetime;end_datetime";
const RUN =
  "w1;2026-03-01;running;412.5;8046.7;hard;;manual;2026-03-01T08:00:00.000-05:00;2026-03-01T08:45:30.000-05:00";

/** A folder with an export of Oura and files beside it, and a journal of its own. */
function folderWith(beside: readonly string[], table = `${COLUMNS}\n${RUN}\n`, inside: readonly string[] = []) {
  const folder = join(rehearsal.folder, `unread-${++made}`);
  mkdirSync(folder);
  const others = inside.map((name) => ({ name, content: "id;day\n1;2026-03-01\n" }));
  writeFileSync(join(folder, "oura.zip"), zipBytes([{ name: "App Data/workout.csv", content: table }, ...others]));
  for (const name of beside) writeFileSync(join(folder, name), "date,km\n2026-03-02,5\n");
  const journal = join(rehearsal.folder, `unread-${made}.db`);
  return { folder, journal, run: (words: readonly string[]) => rehearsal.run(words, { journal }) };
}

test("a spreadsheet beside an export is named by plan, import and verify, and keeps the old account open", async () => {
  const { folder, run } = folderWith(["my runs.csv", "runs.xlsx", "read me.txt", "map.png"]);
  const says = "2 files were not read: my runs.csv, runs.xlsx";
  const propose = `A table of your own needs a mapping file, which logferry proposes: logferry map infer '${folder}/my runs.csv'`;
  const planned = await run(["plan", folder]);
  expect(planned.out).toContain(
    `\n${says}\n  They may hold workouts. See all their names with: logferry inspect ${folder} --verbose\n  ${propose}\n`,
  );
  expect((await run(["inspect", folder])).out).toContain(`  ${propose}\n`);
  expect(planned.out).toContain(`Planned as run 1. ${says}. Nothing was changed.`);
  expect(planned.code).toBe(3);
  const imported = await run(["import", folder]);
  expect(imported.out).toContain(
    `Done, but some files were not read. 1 of 1 records are in your log, each once. ${says}. See all their names with: logferry inspect ${folder} --verbose. Check the rest with: logferry verify`,
  );
  expect(imported.code).toBe(3);
  const page = join(rehearsal.folder, "unread.html");
  const verified = await run(["verify", "--report", page]);
  expect(verified.code).toBe(0);
  expect(readFileSync(page, "utf8")).toContain(`<p class="word wait">Not yet</p><p>${says}.</p>`);
  expect(readFileSync(page, "utf8")).toContain(`<code>logferry inspect ${folder} --verbose</code>`);
  const status = await run(["status"]);
  expect(status.out).toContain(`Can the old account be closed? Not yet: ${says}.`);
  expect(status.out).toContain(`Next: ${says} (logferry inspect ${folder} --verbose)`);
  expect(`${planned.out}${imported.out}${status.out}`).not.toMatch(/read me\.txt|map\.png/);
  expect((await run(["inspect", folder])).code).toBe(3);
});

/** A zip of Oura with another workout, away from the other folders. */
function anotherExport(): string {
  const path = join(folderWith([]).folder, "oura.zip");
  const row = RUN.replace("w1", "w2").replaceAll("03-01", "03-05");
  writeFileSync(path, zipBytes([{ name: "App Data/workout.csv", content: `${COLUMNS}\n${row}\n` }]));
  return path;
}

test("unread files of an earlier run keep the account open, until they or their whole source are read", async () => {
  const { folder, run } = folderWith(["my runs.csv", "runs.xlsx"]);
  expect((await run(["import", folder])).code).toBe(3);
  expect((await run(["import", anotherExport()])).code).toBe(0);
  expect((await run(["verify"])).code).toBe(0);
  const says = "2 files were not read: my runs.csv, runs.xlsx";
  const status = await run(["status"]);
  expect(status.out).toContain(`Can the old account be closed? Not yet: ${says}.`);
  expect(status.out).toContain(`Next: ${says} (logferry inspect ${folder} --verbose)`);
  // One of the two is imported by itself.
  writeFileSync(
    join(folder, "my runs.csv.map.yaml"),
    "version: 1\ndates: { order: iso }\ncolumns: { date: { field: date }, km: { field: distance, unit: km } }\n",
  );
  const alone = await run(["import", join(folder, "my runs.csv"), "--sport", "=run"]);
  expect(alone.code, alone.out + alone.err).toBe(0);
  expect((await run(["status"])).out).toContain("1 file was not read: runs.xlsx");
  // The other one is taken away, and its source is read again.
  rmSync(join(folder, "runs.xlsx"));
  const again = await run(["import", folder]);
  expect(again.code, again.out + again.err).toBe(0);
  expect((await run(["verify"])).code).toBe(0);
  expect((await run(["status"])).out).toContain("Can the old account be closed? Yes");
});

test.each(["renamed", "with blanks and 'quotes'"])(
  "a source that was moved (%s) has its unread files counted once, and no longer when they are read",
  async (name) => {
    const { folder, run } = folderWith(["my runs.csv"]);
    expect((await run(["import", folder])).code).toBe(3);
    const moved = join(folder, "..", `${name} ${made}`);
    renameSync(folder, moved);
    const again = await run(["import", moved]);
    const path = `'${moved.replaceAll("'", `'"'"'`)}'`;
    expect(again.out).toContain(`See all their names with: logferry inspect ${path} --verbose`);
    expect((await run(["status"])).out).toContain(
      `Next: 1 file was not read: my runs.csv (logferry inspect ${path} --verbose)`,
    );
    rmSync(join(moved, "my runs.csv"));
    expect((await run(["import", moved])).code).toBe(0);
    expect((await run(["verify"])).code).toBe(0);
    expect((await run(["status"])).out).toContain("Can the old account be closed? Yes");
  },
);

test("the command for the unread files names the source that has them, and no other one", async () => {
  const [one, two] = [folderWith(["my runs.csv"]), folderWith([])];
  rmSync(join(two.folder, "oura.zip"));
  const run = "2017-01-24 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,";
  writeFileSync(join(two.folder, "cardioActivities.csv"), `${RUNKEEPER_HEADER}\n${run}\n`);
  const { out } = await one.run(["import", one.folder, two.folder]);
  expect(out).toContain(`See all their names with: logferry inspect ${one.folder} --verbose`);
});

test("unread files beside the parts of a download keep the account open after a later run too", async () => {
  const { folder, run } = folderWith(["backup.db"]);
  const row = (day: string) => `${COLUMNS}\n${RUN.replace("w1", day).replaceAll("03-01", day)}\n`;
  rmSync(join(folder, "oura.zip"));
  for (const [part, day] of [
    ["export (1 of 2).zip", "03-07"],
    ["export (2 of 2).zip", "03-08"],
  ] as const)
    writeFileSync(join(folder, part), zipBytes([{ name: `${day}/App Data/workout.csv`, content: row(day) }]));
  const first = await run(["import", folder]);
  expect(first.out).toContain("1 file was not read: backup.db");
  await run(["import", anotherExport()]);
  expect((await run(["status"])).out).toContain("1 file was not read: backup.db");
});

test("a list of workouts under another name in a folder that is left on purpose is named, and keeps the account open", async () => {
  const { folder, run } = folderWith([]);
  rmSync(join(folder, "oura.zip"));
  const data = join(folder, "Takeout", "Fitbit", "Global Export Data");
  mkdirSync(data, { recursive: true });
  const workout = { logType: "tracker", duration: 1_800_000, distance: 5, distanceUnit: "Kilometer" };
  const runs = (...days: readonly number[]) =>
    JSON.stringify(
      days.map((day) => ({ ...workout, logId: day, activityName: "Run", startTime: `03/0${day}/24 07:00:00` })),
    );
  writeFileSync(join(data, "exercise-0.json"), runs(1, 2));
  writeFileSync(join(data, "my old runs.json"), runs(3, 4));
  writeFileSync(join(data, "steps-2024-03-01.json"), '[{"dateTime": "03/01/24 07:00:00", "value": "12"}]');
  const says = "1 file was not read: Takeout/Fitbit/Global Export Data/my old runs.json";
  expect((await run(["inspect", folder])).code).toBe(3);
  const imported = await run(["import", folder, "--zone", "UTC"]);
  expect(imported.out).toContain(says);
  expect(imported.code).toBe(3);
  expect((await run(["verify"])).code).toBe(0);
  expect((await run(["status"])).out).toContain(`Can the old account be closed? Not yet: ${says}.`);
});

test("programs get the names of the unread files", async () => {
  const { folder, run } = folderWith([], undefined, ["App Data/workout_v2.csv"]);
  const data = join(rehearsal.folder, "unread.json");
  const { out, code } = await run(["import", folder, "--json", "--report", data]);
  expect(code).toBe(3);
  expect(jsonLines(out)).toContainEqual(
    expect.objectContaining({
      ...{ type: "issue", rule: "oura/other-files", severity: "warning" },
      example: expect.objectContaining({ count: 1, names: ["oura.zip!/App Data/workout_v2.csv"] }),
    }),
  );
  const { verdict } = JSON.parse(readFileSync(data, "utf8"));
  expect(verdict.obstacles).toContainEqual(
    expect.objectContaining({
      ...{ code: "unread-files", count: 1 },
      text: "1 file was not read: oura.zip!/App Data/workout_v2.csv",
    }),
  );
});

test("two exports of one platform add up their unread files", async () => {
  const [one, two] = [folderWith(["a.csv", "b.json"]), folderWith(["c.db"])];
  const { out, code } = await two.run(["import", one.folder, two.folder]);
  expect(out).toMatch(/3 files were not read: (?:a\.csv, b\.json, c\.db|c\.db, a\.csv, b\.json)\./);
  expect(code).toBe(3);
});

test.each(["backup.db", "export_9.tar.gz", "old.rar", "old.7z", "runs.xlsx", "sessions.json", "veloviewer.csv"])(
  "%s beside an export may hold workouts",
  async (name) => {
    const { folder, run } = folderWith([name]);
    const { out, code } = await run(["import", folder]);
    expect(out).toContain(`1 file was not read: ${name}`);
    expect(code).toBe(3);
  },
);

test("pictures, films, sound, pages and texts beside an export hold no workouts, and are no reason to keep the account", async () => {
  const { folder, run } = folderWith([
    ...["a.JPG", "b.heic", "c.mov", "d.mp3", "e.pdf", "f.html", "g.css", "readme.txt", "README", "h.md"],
    ...[".DS_Store", "thumbs.db"],
  ]);
  const { out, code } = await run(["import", folder]);
  expect(out).not.toContain("not read");
  expect(code).toBe(0);
  expect((await run(["verify"])).code).toBe(0);
  expect((await run(["status"])).out).toContain("Can the old account be closed? Yes");
});

test("the answer about the old account names the new columns, by their names", async () => {
  const table = `${COLUMNS};average_heart_rate;mood\n${RUN};151;4\n`;
  const { folder, run } = folderWith([], table);
  expect((await run(["import", folder])).code).toBe(0);
  const page = join(rehearsal.folder, "columns.html");
  await run(["verify", "--report", page]);
  expect((await run(["status"])).out).toContain(
    "Can the old account be closed? Yes, as far as these sources go: every record of them that is to be in the log was read back, and each field is as planned; 2 new columns were not read: average_heart_rate, mood.",
  );
  expect(readFileSync(page, "utf8")).toContain("2 new columns were not read: average_heart_rate, mood.</p>");
  expect(readFileSync(page, "utf8")).toContain("average_heart_rate is new, expected a known column; it was left out");
  expect((await run(["certify", join(rehearsal.folder, "of-columns.json")])).out).toMatch(
    /Yes, up to what these sources held on \S+, whose newest workout is of 2026-03-01; 2 new columns were not read: average_heart_rate, mood\./,
  );
});

test("inspect says of a date in the future and of an unknown sport what a plan does with them", async () => {
  const row = (id: number, activity: string, day: string) =>
    `w${id};${day};${activity};1;900;easy;;manual;${day}T12:10:00+01:00;${day}T12:22:00+01:00`;
  const rows = [row(1, "walking", "1999-05-01"), row(2, "walking", "2999-03-03"), row(3, "houseWork", "2026-03-04")];
  const { folder, run } = folderWith([], `${[COLUMNS, ...rows].join("\n")}\n`);
  const { out, code } = await run(["inspect", folder]);
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    "1 workout can't be true, and a plan holds it back; 1 workout has no known sport, and a plan holds it back unless --sport or another source names it. Everything else can be read.",
  );
  expect(out).toContain("  no workout in 2000 to 2025, 2027 to 2998\n");
  expect(code).toBe(3);
  const planned = await run(["plan", folder, "--json"]);
  expect(jsonLines(planned.out).find(({ type }) => type === "plan")).toMatchObject({ ledger: { quarantined: 2 } });
  const told = await run(["inspect", folder, "--sport", "house work=other"]);
  expect(told.out.trimEnd().split("\n").at(-1)).toBe(
    "1 workout can't be true, and a plan holds it back. Everything else can be read.",
  );
});
