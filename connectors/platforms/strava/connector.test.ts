import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { parseShownNumber as parseDisplayDistance } from "../table/cells/shown-numbers.ts";
import { COLUMNS } from "./columns.ts";
import { strava } from "./table.ts";

const HEADER = COLUMNS.map(([theirs]) => [theirs].flat()[0] ?? "");
const DEVICE_FILES = join(import.meta.dirname, "../../../fixtures/device-files");
const triathlon = readFileSync(join(DEVICE_FILES, "fit-multisport/archive/triathlon.fit"));
const chained = readFileSync(join(DEVICE_FILES, "fit-chained/archive/three days.fit"));
const settings = readFileSync(join(DEVICE_FILES, "fit/archive/Settings.fit"));
const run = readFileSync(join(DEVICE_FILES, "fit/archive/2019-05-04-07-10-05.fit"));

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Makes a row of the newest form from cells by their position. */
function row(cells: Readonly<Record<number, string>>): string {
  const usual: Record<number, string> = {
    0: "7",
    1: "May 4, 2019, 5:10:05 AM",
    2: "Morning",
    3: "Run",
    5: "1500",
    ...cells,
  };
  return HEADER.map((_, position) => quoted(usual[position] ?? "")).join(",");
}

async function read(rows: readonly string[], files: Record<string, Uint8Array | string> = {}, header = HEADER) {
  const table = [header.map(quoted).join(","), ...rows].join("\n");
  const archive = memoryArchive("export.zip", { "activities.csv": table, ...files });
  const { readings, issues } = await readAll(strava, archive);
  const workouts = readings.filter((reading) => reading.kind === "workout");
  return { readings, issues, workouts, first: workouts[0]?.value, rules: issues.map(({ rule }) => rule) };
}

test("a race lasts from start to end, a run as long as it moved; the other time is counted", async () => {
  const times = { 5: "1530", 15: "1530.0", 16: "1490.0" };
  const { workouts, rules } = await read([row({ 0: "1", ...times }), row({ 0: "2", ...times, 95: "1.0" })]);
  expect(workouts.map(({ value }) => [value.type, value.duration])).toEqual([
    [undefined, 1490],
    ["race", 1530],
  ]);
  expect(workouts.map(({ value }) => value.unsupported)).toEqual([
    [{ field: "elapsed time", value: "1530 s" }],
    [{ field: "moving time", value: "1490 s" }],
  ]);
  expect(rules).toEqual([]);
});

test("a race that stood still for more than a tenth of its time is named, and a run is not", async () => {
  const { workouts, issues } = await read([
    row({ 0: "1", 15: "4000.0", 16: "3599.0", 95: "1.0" }),
    row({ 0: "2", 15: "4000.0", 16: "3600.0", 95: "1.0" }),
    row({ 0: "3", 15: "4000.0", 16: "3000.0" }),
  ]);
  expect(workouts.map(({ value }) => value.duration)).toEqual([4000, 4000, 3000]);
  expect(issues).toMatchObject([
    {
      ...{ severity: "warning", rule: "table/race-time", field: "Moving Time", found: "3599.0" },
      expected: "about the 4000 s that passed. In a race these count",
      origin: { locator: "line 2" },
    },
  ]);
});

test("a long run is long, and a long race is a race", async () => {
  const { workouts } = await read([row({ 0: "1", 96: "1.0" }), row({ 0: "2", 95: "1.0", 96: "1.0" })]);
  expect(workouts.map(({ value }) => value.type)).toEqual(["long", "race"]);
});

test("0 is 'not measured' of hearts and distances, and a temperature of the air", async () => {
  const { first } = await read([row({ 6: "0.00", 7: "0.0", 17: "0.0", 31: "0.0", 56: "0.0", 36: "14.0" })]);
  expect(first?.distance).toBeUndefined();
  expect(first?.health).toBeUndefined();
  expect(first?.weather).toEqual({ temperature: { unit: "C", value: 0 } });
});

test("the first maximum of the heart wins over the second, which is mostly empty", async () => {
  const { workouts } = await read([
    row({ 0: "1", 7: "182.0", 30: "181.0" }),
    row({ 0: "2", 30: "180.6", 31: "138.74" }),
  ]);
  expect(workouts.map(({ value }) => value.health)).toEqual([{ maxHR: 182 }, { maxHR: 181, avgHR: 139 }]);
});

test.each([
  ["1.0", "clear"],
  ["3.0", "overcast"],
  ["6.0", "snow"],
  ["8.0", "windy"],
])("weather %s is %s", async (code, flag) => {
  expect((await read([row({ 55: code })])).first?.weather?.conditions).toEqual([flag]);
});

test("a weather nobody has met is counted as unsupported", async () => {
  const { first } = await read([row({ 55: "7.0" })]);
  expect(first).toMatchObject({ unsupported: [{ field: "weather condition", value: "7" }] });
  expect(first?.weather).toBeUndefined();
});

test("description and private note are the notes, with plain line ends", async () => {
  const { first } = await read([row({ 4: 'first\r\nsecond "half"', 10: "calf" })]);
  expect(first?.notes).toBe('first\nsecond "half"\n\ncalf');
});

test("a sport no table knows goes on without an activity, and the owner's own names come first", async () => {
  expect((await read([row({ 3: "Quidditch" })])).first).toMatchObject({ sport: "Quidditch" });
  expect((await read([row({ 3: "Quidditch" })])).first?.activity).toBeUndefined();
  const table = [HEADER.map(quoted).join(","), row({ 3: "Quidditch" })].join("\n");
  const sports = new Map([["quidditch", "other" as const]]);
  const { readings } = await readAll(strava, memoryArchive("export.zip", { "activities.csv": table }), { sports });
  expect(readings[0]).toMatchObject({ value: { activity: "other", sport: "Quidditch" } });
});

test("a row that can't be used is rejected with its line, its column and what stands there; the others go on", async () => {
  const { readings } = await read([row({ 0: "1", 1: "12/11/20 11:59" }), row({ 0: "x2" }), "1,2,3", row({ 0: "3" })]);
  expect(readings.map((reading) => (reading.kind === "set-aside" ? reading.issue : reading.key))).toMatchObject([
    {
      rule: "strava/bad-date",
      field: "Activity Date",
      found: "12/11/20 11:59",
      origin: { entry: "activities.csv", locator: "line 2" },
    },
    { rule: "strava/bad-id", field: "Activity ID", found: "x2", origin: { locator: "line 3" } },
    { rule: "strava/row-width", found: "3 cells", origin: { locator: "line 4" } },
    "strava:workout:3",
  ]);
});

test("a cell that holds no number is reported and left out", async () => {
  const { first, issues } = await read([row({ 17: "12,4,1", 31: "fast" })]);
  expect(first?.distance).toBeUndefined();
  expect(issues).toMatchObject([
    { rule: "strava/bad-number", field: "Distance", found: "12,4,1", origin: { locator: "line 2" } },
    { rule: "strava/bad-number", field: "Average Heart Rate", found: "fast" },
  ]);
});

test("a distance and times below 0 can't be read, and -1 stands for none", async () => {
  const { readings } = await read([
    row({ 0: "1", 6: "-5.0", 17: "-5000.0" }),
    row({ 0: "2", 5: "-1800", 15: "-1800.0", 16: "-1800.0" }),
    row({ 0: "3", 6: "-1", 17: "-1.0" }),
  ]);
  const unread = readings.map((reading) =>
    reading.kind === "workout" ? reading.value.unsupported?.filter(({ isUnread }) => isUnread) : undefined,
  );
  const [distance, duration, none] = unread;
  expect(distance).toMatchObject([{ field: "distance", value: expect.stringMatching(/^-5/) }]);
  expect(duration).toMatchObject([{ field: "duration", value: "-1800.0" }]);
  expect(none ?? []).toEqual([]);
});

test("an activity that is listed twice is one workout", async () => {
  const { readings } = await read([row({ 0: "5" }), row({ 0: "5" })]);
  expect(readings).toMatchObject([
    { kind: "workout", key: "strava:workout:5" },
    { kind: "set-aside", as: "skipped", issue: { rule: "strava/same-id" } },
  ]);
  expect(readings[1]).not.toHaveProperty("left");
});

test("the title of a second row of an activity is counted, if it is another one", async () => {
  const { readings } = await read([row({ 0: "5", 2: "Lunch run" }), row({ 0: "5", 2: "With Ann" })]);
  expect(readings[1]).toMatchObject({ left: [{ field: "title of a row left out", value: "With Ann" }] });
});

test("two rows that differ in nothing but their ids both stay", async () => {
  expect((await read([row({ 0: "5" }), row({ 0: "6" })])).workouts).toHaveLength(2);
});

test("a column nobody knows is named, and so is a file", async () => {
  const header = [...HEADER.slice(0, -1), "Heart Rate Variability", "Media"];
  const cells = row({}).split(",");
  const { issues, first } = await read(
    [[...cells.slice(0, -1), '"61"', cells.at(-1)].join(",")],
    { "sleep.csv": "a" },
    header,
  );
  expect(first?.name).toBe("Morning");
  expect(first?.unsupported).toContainEqual({ field: "Heart Rate Variability", value: "61" });
  expect(issues).toContainEqual(
    expect.objectContaining({ rule: "strava/unknown-column", found: "column 103, Heart Rate Variability" }),
  );
  expect(issues).toContainEqual(expect.objectContaining({ rule: "strava/other-files", found: "sleep.csv", count: 1 }));
});

test("an export of a form nobody knows is rejected with the number of its rows, and its other files are named", async () => {
  const header = HEADER.slice(0, 60);
  const archive = memoryArchive("export.zip", {
    "activities.csv": `${[header, header.map(() => "1"), header].map((cells) => cells.join(",")).join("\n")}\n`,
    "activities/1.fit.gz": "x",
    "sleep.csv": "x",
    "shoes.csv": "Shoe Name\n",
  });
  expect(await strava.identify(archive)).toMatchObject({ strength: "exact" });
  const left: string[][] = [];
  const { readings, issues } = await readAll(strava, archive, { leftFile: (...file) => left.push(file) });
  const found = "60 columns, of which no form is known, so none of its 2 rows can be read";
  const issue = {
    rule: "strava/unknown-columns",
    found,
    expected: expect.stringContaining("logferry map show strava"),
  };
  expect(readings).toMatchObject([{ as: "quarantined", rows: 2, issue }]);
  expect(left).toEqual([["activities/1.fit.gz", "they wait for their rows in activities.csv, which can't be read"]]);
  expect(issues).toMatchObject([{ rule: "strava/other-files", found: "sleep.csv" }]);
});

test("any other activities.csv is not taken for an export", async () => {
  for (const text of ["", "Date,Distance\n2020-01-01,5\n", "a;b\n"])
    expect(await strava.identify(memoryArchive("x.zip", { "activities.csv": text }))).toBeUndefined();
});

test("a row whose file is missing or damaged goes on without a track, with an issue", async () => {
  const { workouts, issues } = await read(
    [
      row({ 0: "1", 12: "activities/1.fit.gz" }),
      row({ 0: "2", 12: "activities/2.fit.gz" }),
      row({ 0: "3", 12: "activities/3.fit" }),
    ],
    { "activities/2.fit.gz": new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2]), "activities/3.fit": "" },
  );
  expect(workouts.map(({ value }) => [value.name, value.track])).toEqual(Array(3).fill(["Morning", undefined]));
  expect(issues.map(({ severity, rule }) => [severity, rule])).toEqual([
    ["warning", "strava/missing-file"],
    ["warning", "gzip/damaged"],
    ["warning", "device-file/unknown-format"],
  ]);
});

test("the file of a row gives its place, its laps and its track, and leaves the row's own values alone", async () => {
  const { first } = await read([row({ 12: "activities/1.fit.gz", 17: "4300.0", 31: "150.0" })], {
    "activities/1.fit.gz": gzipSync(run),
  });
  expect(first).toMatchObject({
    distance: { unit: "m", value: 4300 },
    health: { avgHR: 150 },
    start: { instant: Date.parse("2019-05-04T05:10:05Z"), offsetMinutes: 120 },
    track: { entry: "activities/1.fit.gz", format: "fit", recording: 0, recordings: 1 },
  });
  expect(first?.intervalSet?.intervals).toHaveLength(4);
});

test("a triathlon in one file is a workout a leg, with the row's words on each and its totals once", async () => {
  const { readings, workouts } = await read(
    [
      row({
        1: "Jul 6, 2019, 7:00:00 AM",
        2: "Neusiedl",
        4: "hot",
        3: "Workout",
        12: "activities/1.fit",
        43: "9.0",
        95: "1.0",
        13: "70.0",
        37: "300",
        8: "300",
      }),
    ],
    { "activities/1.fit": triathlon },
  );
  expect(workouts.map(({ key, value }) => [key, value.activity, value.distance?.value, value.duration])).toEqual([
    ["strava:workout:7:leg:1", "swim", 1500, 1740],
    ["strava:workout:7:leg:3", "bike", 39780, 4920],
    ["strava:workout:7:leg:5", "run", 9950, 3120],
  ]);
  expect(workouts.map(({ value }) => [value.name, value.notes, value.type, value.ratings?.effort])).toEqual([
    ["Neusiedl", "Leg 1 of 3\n\nhot", "race", 9],
    ["Neusiedl", "Leg 2 of 3\n\nhot", "race", 9],
    ["Neusiedl", "Leg 3 of 3\n\nhot", "race", 9],
  ]);
  expect(workouts.map(({ value }) => value.health?.weight?.value)).toEqual([70, undefined, undefined]);
  expect(workouts.map(({ value }) => value.unsupported?.some(({ field }) => field === "relative effort"))).toEqual([
    true,
    false,
    false,
  ]);
  expect(readings.filter(({ kind }) => kind === "set-aside")).toMatchObject([
    { issue: { rule: "strava/transition" } },
    { issue: { rule: "strava/transition" } },
  ]);
});

test("a file of several recordings of one sport gives the track of the one that began nearest, and says so", async () => {
  const runs = Buffer.concat([run, readFileSync(join(DEVICE_FILES, "fit/archive/2019-05-04-19-02-40.fit"))]);
  const { first, rules } = await read([row({ 1: "May 4, 2019, 5:03:00 PM", 12: "activities/1.fit" })], {
    "activities/1.fit": runs,
  });
  expect(first?.track).toMatchObject({ recording: 1, recordings: 2 });
  expect(rules).toEqual(["strava/several-recordings"]);
  expect((await read([row({ 12: "activities/1.fit" })], { "activities/1.fit": chained })).workouts).toHaveLength(3);
});

test("files no row names are read as recordings, and copies of named ones are not", async () => {
  const { readings } = await read([row({ 12: "activities/1.fit" })], {
    "activities/1.fit": run,
    "activities/2.fit": run,
    "activities/3.fit": readFileSync(join(DEVICE_FILES, "fit/archive/2019-05-05-09-30-00.fit")),
    "activities/4.fit": settings,
  });
  expect(readings.map((each) => (each.kind === "set-aside" ? each.issue.rule : each.origin.entry))).toEqual([
    "activities.csv",
    "device-files/same-recording",
    "activities/3.fit",
    "fit/no-activity",
  ]);
});

test("a file is only ever looked for inside the archive", async () => {
  const { rules } = await read([row({ 12: "../../etc/passwd" })]);
  expect(rules).toEqual(["strava/missing-file"]);
});

test("a record that can't be read is counted as one", async () => {
  const { readings } = await read([row({ 0: "1" }), "x,".repeat(1001), row({ 0: "2" }), '3,"never closed']);
  expect(readings.map((reading) => (reading.kind === "set-aside" ? reading.issue.rule : reading.key))).toEqual([
    "strava:workout:1",
    "csv/too-many-columns",
    "strava:workout:2",
    "csv/unclosed-quote",
  ]);
});

test("a route without its file is a course without a map, and is reported", async () => {
  const { readings, rules } = await read([], { "routes.csv": "Route Name,Route Filename\nTo work,routes/9.gpx\n" });
  expect(readings).toMatchObject([{ kind: "course", value: { name: "To work" } }]);
  expect(rules).toEqual(["strava/missing-file"]);
});

test.each([
  ["3.32", "km", 3.32],
  ["9,44", "km", 9.44],
  ["67.2", "km", 67.2],
  ["1,234.56", "km", 1234.56],
  ["1.234,56", "km", 1234.56],
  ["1\u202f234,56", "km", 1234.56],
  ["1,450", "m", 1450],
  ["1.450", "m", 1450],
  ["1500", "m", 1500],
  ["1371.6", "m", 1371.6],
  ["1371,6", "m", 1371.6],
  ["1.50", "m", undefined],
  ["12,4,1", "km", undefined],
  ["12,4,1", "m", undefined],
  ["fast", "km", undefined],
] as const)("the displayed distance %s %s is %s", (text, unit, value) => {
  expect(parseDisplayDistance(text, unit)).toBe(value);
});
