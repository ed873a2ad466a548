/** Tables that stop in their last row, because a download broke off. By the real command line, against a log over HTTP. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { chosenRows } from "./support/tiers.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Notes: { field: notes }
rows:
  - { when: { column: Day, matches: "^Total" }, skip: total }
`;
const HEADER = "Day,Sport,Distance,Time,Notes";
const ROWS = ["2019-05-01,run,10,1:00:00,one", "2019-05-02,run,5,0:30:00,two"];
const LAST = "2019-05-03,run,7,0:40:00,three";

let rehearsal: Rehearsal;
let count = 0;
let folder: string;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());
beforeEach(() => {
  count++;
  folder = join(rehearsal.folder, `source-${count}`);
  mkdirSync(folder);
});

/** A journal for each test, so that no test sees what another one sent. */
const run = (...words: string[]): Promise<Ran> =>
  rehearsal.run(words, { journal: join(rehearsal.folder, `journal-${count}.db`) });

function sheetOf(text: string): string {
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
  const sheet = join(folder, "log.csv");
  writeFileSync(sheet, text);
  return sheet;
}

/** What a plan does with a table: how many workouts it makes, and which rows it rejects. */
async function planned(path: string) {
  const { out, err, code } = await run("plan", path, "--json");
  const lines = jsonLines(out);
  const plan = lines.find(({ type }) => type === "plan") as { byKind: { workout: Record<string, number> } } | undefined;
  expect(plan, out + err).toBeDefined();
  const rejected = lines.filter(({ type, state }) => type === "record" && state === "quarantined");
  const { left = 0, unchanged = 0 } = plan?.byKind.workout ?? {};
  return { code, workouts: left + unchanged, reasons: rejected.map(({ reason }) => String(reason)) };
}

test("a row that its file stops in waits by its name, is not loaded without its duration, and is loaded once it is whole", async () => {
  const whole = `${[HEADER, ...ROWS, LAST].join("\n")}\n`;
  const sheet = sheetOf(whole.slice(0, whole.indexOf(",0:40:00")));
  const ran = await run("import", sheet);
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out).toContain("log.csv line 4: 3 cells and no line end: the file seems to be cut here");
  const dates = async () => (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => date).sort();
  expect(await dates()).toEqual(["2019-05-01", "2019-05-02"]);
  expect((await run("quarantine")).out).toContain("Take the file once more from where it came");

  writeFileSync(sheet, whole);
  const again = await run("quarantine", "retry");
  expect(again.code, again.out + again.err).toBe(0);
  expect(await dates()).toEqual(["2019-05-01", "2019-05-02", "2019-05-03"]);
});

rowTest("wherever a file stops in its last row, the row is whole or waits", async () => {
  const before = `${[HEADER, ...ROWS].join("\n")}\n`;
  const met = new Set<string>();
  // After each comma, and in the middle of each cell.
  for (const length of chosenRows([6, 11, 12, 15, 16, 17, 20, 24, 27], (length) => length === 11 || length === 20)) {
    const { workouts, reasons } = await planned(sheetOf(before + LAST.slice(0, length)));
    const commas = LAST.slice(0, length).split(",").length - 1;
    expect([length, workouts, reasons.length]).toEqual(commas === 4 ? [length, 3, 0] : [length, 2, 1]);
    for (const reason of reasons) met.add(reason.split(" ")[0] ?? "");
  }
  expect([...met]).toEqual(["csv/cut-row"]);
});

test.each([
  ["a last row with all its cells and no line end", [HEADER, ...ROWS, LAST].join("\n"), 3],
  ["a short last row with its line end", `${[HEADER, ...ROWS, "2019-05-03,run,7"].join("\n")}\n`, 3],
  [
    "a short last row in a table of short rows",
    [HEADER, ...ROWS, "2019-05-03,run,7,0:40:00", "2019-05-04,run,7", "2019-05-05,run,7,0:40:00"].join("\n"),
    5,
  ],
  ["a short last line that a rule skips", [HEADER, ...ROWS, "Total,2"].join("\n"), 2],
])("%s is read as it stands", async (_, text, workouts) => {
  expect(await planned(sheetOf(text))).toMatchObject({ workouts, reasons: [] });
});

test.each([
  ["one earlier row is as short", [...ROWS, ...ROWS, "2019-05-03,run,7"], "2019-05-04,run,700"],
  ["an earlier row is short, but longer", [...ROWS, "2019-05-03,run,7,0:40:00"], "2019-05-04,run,700"],
  [
    "rows end with a delimiter more than the header",
    [...ROWS, ...ROWS].map((row) => `${row},`),
    "2019-05-04,run,7,0:40:00,th",
  ],
])("a last row without a line end that nearly all rows exceed waits, where %s", async (_, rows, last) => {
  const { workouts, reasons } = await planned(sheetOf([HEADER, ...rows, last].join("\n")));
  expect(workouts).toBe(rows.length);
  expect(reasons).toEqual([expect.stringMatching(/^csv\/cut-row \(\d cells and no line end/)]);
});

/** The cells of the row. Some of them go over several lines. */
const STRAVA = readFileSync("fixtures/strava/h-2025-101-columns/archive/activities.csv", "utf8").trimEnd();

test("an export of Strava that stops in the last row of its table is told the same, and its other rows are read", async () => {
  const table = join(folder, "activities.csv");
  writeFileSync(table, `${STRAVA}\n`);
  const whole = await planned(folder);
  expect(whole.reasons.join()).not.toContain("csv/cut-row");
  writeFileSync(table, STRAVA);
  expect(await planned(folder)).toEqual(whole);
  writeFileSync(table, STRAVA.slice(0, STRAVA.lastIndexOf(",", STRAVA.length - 40)));
  const cut = await planned(folder);
  expect(cut.code).toBe(3);
  expect(cut.workouts).toBe(whole.workouts - 1);
  expect(cut.reasons.filter((reason) => reason.startsWith("csv/cut-row"))).toEqual([
    expect.stringMatching(
      /^csv\/cut-row \(\d+ cells and no line end: the file seems to be cut here, expected 101 cells/,
    ),
  ]);
});

test("a table of logferry's own export that stops in its last row is told the same", async () => {
  const sheet = sheetOf(`${[HEADER, ...ROWS, LAST].join("\n")}\n`);
  expect((await run("import", sheet)).code).toBe(0);
  const out = join(folder, "export");
  expect((await run("export", "--out", out, "--format", "csv")).code).toBe(0);
  const table = join(out, "workouts.csv");
  const text = readFileSync(table, "utf8").trimEnd();
  writeFileSync(table, text.slice(0, text.lastIndexOf("\n") + 30));
  const cut = await planned(out);
  expect(cut.code).toBe(3);
  expect(cut.reasons.join()).toMatch(/^csv\/cut-row /);
});
