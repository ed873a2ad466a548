import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";

test("map show prints the table of a platform as a mapping file", async () => {
  using home = emptyHome();
  const shown = await runCli(home.path, ["map", "show", "runkeeper"]);
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toContain("version: 1\n");
  expect(shown.out).toContain("  Distance (km): { field: distance, unit: km, zero: none }\n");
  const [json] = jsonLines((await runCli(home.path, ["map", "show", "nike", "1", "--json"])).out);
  expect(json).toMatchObject({ type: "mapping", platform: "nike", table: 1 });
});

test("map show of files that are no tables says what to type instead, and what the file is good for", async () => {
  using home = emptyHome();
  const { out } = await runCli(home.path, ["map", "show", "polar"]);
  expect(out).toContain(
    "See what would happen: logferry plan EXPORT\n# A mapping file is for tables only: CSV, XLSX and ODS.",
  );
  expect(out).toContain(
    "To give a sport another meaning, add --sport WORD=run to the plan.\n# If you have these values as a table,",
  );
  expect(out).not.toContain("Use this one");
});

test.each([
  [["map", "shwo"], 'expected map infer, map show, map test; did you mean "show"?'],
  [["map", "show"], "Cannot show a mapping: name a platform: adidas-running, "],
  [
    ["map", "show", "runkeper"],
    'it is no platform with a table; did you mean "runkeeper"?\nPlatforms with a table: adidas-running, ',
  ],
  [["map", "show", "runkeeper", "2"], "Cannot show table 2 of runkeeper: it has 1"],
])("logferry %j is refused, and says what there is", async (words, message) => {
  using home = emptyHome();
  const ran = await runCli(home.path, words);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(message);
});

const MAPPING = `version: 1
file: { name: log.csv, skip: 1, decimal: "," }
dates: { order: dmy }
columns:
  Datum: { field: date }
  Zeit: { field: duration, format: [h:mm:ss, mm:ss] }
  km: { field: distance, unit: km }
  Schuhe: { field: equipment }
  Puls: { field: avgHR }
defaults: { activity: run }
layout: { totals: skip }
tests:
  - cells: { Datum: 1.3.2014, Zeit: "25:30", km: "5,20", Schuhe: Pegasus }
    gives: { date: 2014-03-01, duration: "0:25:30", distance: 5.2 km, activity: run, equipment: Pegasus, avgHR: null }
  - cells: { Datum: Summe, km: 34 }
    gives: skipped
  - cells: { Datum: 31.2.2014 }
    gives: rejected
`;

/** Runs `map test` for a mapping file of these lines. */
async function mapTest(text: string, ...more: string[]) {
  using home = emptyHome();
  const path = join(home.path, "log.map.yaml");
  writeFileSync(path, text);
  const ran = await runCli(home.path, ["map", "test", path, ...more]);
  return { ...ran, err: ran.err.replaceAll(path, "FILE"), out: ran.out.replaceAll(path, "FILE") };
}

test("map test passes where the golden rows give what they should", async () => {
  expect(await mapTest(MAPPING)).toMatchObject({ code: 0, out: "All 3 tests pass.\n", err: "" });
});

test("map test prints each difference and each cell that can't be read, and ends with 7", async () => {
  const wrong = MAPPING.replace("format: [h:mm:ss, mm:ss]", "format: h:mm:ss").replace("unit: km", "unit: mi");
  const ran = await mapTest(wrong);
  expect(ran.code).toBe(7);
  expect(ran.out.split("\n")).toEqual([
    "Test 1:",
    "  distance: expected 5.2 km, found 5.2 mi",
    "  duration: expected 0:25:30, found nothing",
    '  the row has a problem: Zeit: found "25:30", expected 1:02:03',
    "1 of 3 tests fails.",
    "",
  ]);
  const lines = jsonLines((await mapTest(wrong, "--json")).out);
  expect(lines).toMatchObject([
    {
      type: "mapping-test",
      test: 1,
      passed: false,
      differences: [
        { workout: 1, value: "distance", expected: "5.2 km", found: "5.2 mi" },
        { workout: 1, value: "duration", expected: "0:25:30", found: "nothing" },
      ],
    },
    { test: 2, passed: true, differences: [] },
    { test: 3, passed: true, differences: [] },
  ]);
});

test("map test names the rules and patterns that no golden row fits", async () => {
  const words = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Did: { split: ["(?P<distance>[0-9]+) km", "(?P<notes>.*)"], parts: { distance: { unit: km } } }
rows:
  - { when: { column: Did, matches: "^off" }, skip: rest day }
  - { when: { column: Did, matches: "^ill" }, skip: ill }
tests:
  - cells: { Date: 2014-03-03, Did: 5 km }
    gives: { distance: 5 km }
  - cells: { Date: 2014-03-04, Did: off }
    gives: skipped
`;
  expect((await mapTest(words)).out).toBe(
    "No golden row fits rows.1 (line 8). Add one that does, or look whether it is as you mean.\nAll 2 tests pass.\n",
  );
});

test("a golden row of several workouts names each, and a row of another number says so", async () => {
  const weeks = `version: 1
dates: { order: iso }
layout: { week: { km: [Mo, Di, Mi, Do, Fr, Sa, So] } }
columns:
  Woche: { field: date }
  km: { field: distance, unit: km }
tests:
  - cells: { Woche: 2014-03-03, Mo: 5, Mi: 8 }
    gives: [{ date: 2014-03-03, distance: 5 km }, { date: 2014-03-05, distance: 8 km }]
  - cells: { Woche: 2014-03-03, Mo: 5, Mi: 8 }
    gives: { date: 2014-03-03 }
`;
  const ran = await mapTest(weeks);
  expect(ran.code).toBe(7);
  expect(ran.out).toBe("Test 2:\n  rows: expected 1 workout, found 2 workouts\n1 of 2 tests fails.\n");
});

const WORDS = `version: 1
dates: { order: iso, zone: local }
columns:
  Date: { field: datetime }
  Off: { field: offset }
  Dist: { field: distance, unitColumn: U }
  Sport: { field: activity }
  Sky: { field: conditions }
  Split *: { field: lap, format: mm:ss }
`;

test("map test shows what can't be read in a row whose named values are right", async () => {
  const ran = await mapTest(`${WORDS}tests:
  - cells: { Date: 2014-03-01, Dist: "5", U: parsec, Sport: Quidditch, Sky: hail, Split 2: "x" }
    gives: { date: 2014-03-01 }
`);
  expect(ran.code).toBe(0);
  expect(ran.out.split("\n")).toEqual([
    "Test 1: passes",
    '  the row has a problem: Dist: found "5", expected a number with its unit of distance; the column "U" is "parsec"',
    '  the row has a problem: Split 2: found "x", expected 45:30',
    '  the row has a problem: activity: found "Quidditch", expected a word that logferry knows, or one of values.activity',
    '  the row has a problem: weather: found "hail", expected a word that logferry knows, or one of values.conditions',
    "The test passes.",
    "",
  ]);
});

test("map test compares an offset by its meaning, and takes a list of conditions in any order", async () => {
  const ran = await mapTest(`${WORDS}tests:
  - cells: { Date: "2014-03-01 18:05", Off: "UTC+5:30", Sky: "windy, clear" }
    gives: { offset: "+05:30", conditions: [clear, windy] }
`);
  expect(ran).toMatchObject({ code: 0, out: "The test passes.\n" });
});

test("map test names its own file in the advice about a row", async () => {
  const ran = await mapTest(`${WORDS}tests:
  - cells: { Date: "2014-07-01T23:30:00+02:00" }
    gives: { date: 2014-07-01 }
`);
  expect(ran.code).toBe(7);
  expect(ran.out).toContain("say dates.zone: offset in log.map.yaml, which reads this date, and plan again");
});

test.each([
  [
    `${WORDS}tests:\n  - cells: { Date: 2014-03-01, kmm: 5 }\n    gives: { date: 2014-03-01 }\n`,
    5,
    'FILE line 11: tests.0.cells: the mapping has no column "kmm"',
  ],
  [MAPPING.split("tests:")[0] ?? "", 2, "Cannot test FILE: it has no tests."],
  [MAPPING.replace("gives: skipped", "gives: { km: 5 }"), 5, "line 16: tests.1.gives"],
  [MAPPING.replace("field: avgHR", "field: pulse"), 5, "line 9: columns.Puls.field: expected id, "],
])("map test refuses a mapping that it can't test", async (text, code, message) => {
  const ran = await mapTest(text);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(message);
});

test("map test of a file that isn't there says so", async () => {
  using home = emptyHome();
  const ran = await runCli(home.path, ["map", "test", "gone.yaml"]);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("Cannot read the mapping file gone.yaml") });
});

test.each(["runs.csv.map.yaml", "runs.map.yaml"])(
  "map test of a table names %s, which lies beside it",
  async (name) => {
    using home = emptyHome();
    const table = join(home.path, "runs.csv");
    writeFileSync(table, "Date,km\n2014-03-01,5\n");
    writeFileSync(join(home.path, name), MAPPING);
    const ran = await runCli(home.path, ["map", "test", table]);
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Type: logferry map test ${join(home.path, name)}`),
    });
  },
);
