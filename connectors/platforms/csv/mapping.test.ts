import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_MORE, timesTheWork } from "../../../test/support/growth.ts";
import { parseMapping } from "./mapping.ts";

function errorsOf(source: string): readonly string[] {
  const parsed = parseMapping("log.map.yaml", source);
  return "errors" in parsed ? parsed.errors : [];
}

const sound = "version: 1\ndates: { order: iso }\ncolumns:\n  Date: { field: date }\n";

test("the example of the README is sound", () => {
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  const example = readme.split("```yaml")[1]?.split("```")[0] ?? "";
  expect(example).toContain("columns:");
  expect(errorsOf(example)).toEqual([]);
});

test("a question that nobody answered is an error of its own, with its line", () => {
  expect(
    errorsOf(
      "version: 1\nfile: { sheet: ASK }\ndates: { order: iso }\ncolumns:\n  km: { field: distance, unit: ASK }\n",
    ),
  ).toEqual([
    "log.map.yaml line 2: file.sheet: a question is open: put one of the words behind it in place of ASK. Words in braces replace the braces around it, too",
    "log.map.yaml line 5: columns.km.unit: a question is open: put one of the words behind it in place of ASK. Words in braces replace the braces around it, too",
  ]);
  // In quotation marks it is a text.
  expect(
    errorsOf(
      `${sound}values: { activity: { x: run } }\nrows:\n  - when: { column: Date, matches: "ASK" }\n    skip: asked\n`,
    ),
  ).toEqual([]);
});

test.each(["", "# nothing yet\n", "- Date\n", "Date,km\n", "PK\u0003\u0004"])(
  "a file that holds %j is told what a mapping file is, and how to have one",
  (source) => {
    expect(errorsOf(source)).toEqual([
      "log.map.yaml line 1: expected a mapping file, which begins with version: 1 and has columns. To have one proposed: logferry map infer TABLE",
    ]);
  },
);

test("what is left out has its default", () => {
  expect(parseMapping("log.map.yaml", sound)).toMatchObject({
    mapping: {
      version: 1,
      file: { encoding: "auto", delimiter: "auto", decimal: ".", skip: 0, header: true, skipEnd: 0, nulls: [] },
      dates: { order: "iso", twoDigitYearPivot: 70, zone: "local" },
      columns: { Date: { field: "date" } },
      layout: {},
      tests: [],
      join: {},
      defaults: {},
      rows: [],
      values: { activity: {}, type: {}, conditions: {}, course: {}, equipment: {} },
      missingColumns: "fail",
      unknownColumns: "report",
    },
  });
});

test.each([
  [
    "  Miles: { field: distance, unit: miles }",
    'line 5: columns.Miles.unit: expected mi, km, m or yd, found "miles"; did you mean "mi"?',
  ],
  ["  Miles: { field: distance }", "line 5: columns.Miles.unit: expected mi, km, m or yd, or unitColumn instead"],
  [
    "  Miles: { field: distance, unit: mi, unitColumn: U }",
    "line 5: columns.Miles.unit: expected mi, km, m or yd, or unitColumn instead",
  ],
  ["  Time: { field: duration }", "line 5: columns.Time.format: duration needs a format"],
  [
    "  Time: { field: duration, format: [h:mm, mm:ss] }",
    "line 5: columns.Time.format: h:mm and mm:ss can't be told apart: hoursBelow says up to which number before the colon it is hours",
  ],
  [
    "  Time:\n    field: duration\n    format: [minutes, hours]",
    "line 7: columns.Time.format: minutes and hours can't be told apart",
  ],
  ["  HR: { field: avgHR, unit: bpm }", "line 5: columns.HR.unit: avgHR takes no unit"],
  ["  HR: { field: avgHR, feild: x }", 'line 5: columns.HR.feild: no such key; did you mean "field"?'],
  ["  Day: { field: date }", "line 5: columns.Day: date is Date and Day: only one column can be it"],
  [
    "  H: { field: duration.hours }\n  T: { field: duration, format: minutes }",
    "line 3: columns: expected either duration or its parts",
  ],
  ["unknown: 1", "line 5: unknown: no such key"],
  [
    "values: { activity: { Laufen: running } }",
    'line 5: values.activity.Laufen: expected run, bike, swim, walk, hike, elliptical, weight, row, ski, yoga or other, found "running"; did you mean "run"?',
  ],
  [
    "rows:\n  - when: { column: Date, matches: '(' }\n    skip: x",
    'line 6: rows.0.when.matches: expected a regular expression, found "(": missing closing )',
  ],
  [
    "rows:\n  - when: { column: Date, matches: 'a{1001}' }\n    skip: x",
    'line 6: rows.0.when.matches: expected at most 1000 repetitions, those within one another multiplied, found "{1001}"',
  ],
  [
    "rows:\n  - when: { column: Date, matches: a, and: [{ column: Time, matches: '(' }] }\n    skip: x",
    'line 6: rows.0.when.and.0.matches: expected a regular expression, found "(": missing closing )',
  ],
  ["rows:\n  - when: { column: Date, matches: a }", "line 6: rows.0: expected one of skip, hold or set"],
  ["rows:\n  - when: { column: Date, matches: a }\n    set: { shoe: x }", "line 7: rows.0.set.shoe: no such key"],
  ["  __proto__: { field: name }", "line 5: __proto__: not a name that can be used"],
  ["  Date: { field: name }", "line 5: a name stands here for the second time: keep one of its lines"],
])("an error names file, line and key: %s", (more, error) => {
  expect(errorsOf(`${sound}${more}\n`)).toContain(`log.map.yaml ${error}`);
});

test.each([
  ["  Miles: { field: distnace, unit: mi }", "columns.Miles.field", 'found "distnace"; did you mean "distance"?'],
  ["  Miles: { field: furlongs, unit: mi }", "columns.Miles.field", 'found "furlongs"'],
  ["  Miles: { field: Distance, unit: mi }", "columns.Miles.field", 'found "Distance"; did you mean "distance"?'],
  [
    "  Time: { field: duration, format: [h:mm:ss, mm:s] }",
    "columns.Time.format",
    'found "mm:s"; did you mean "mm:ss"?',
  ],
  ["  Miles: { field: distance, unit: kn }", "columns.Miles.unit", 'found "kn"; did you mean "km"?'],
  ["  kg: { field: weight, unit: kilograms }", "columns.kg.unit", 'found "kilograms"; did you mean "kg"?'],
  ["  km: { field: distance, unit: { rnu: km } }", "columns.km.unit.rnu", 'found "rnu"; did you mean "run"?'],
  ["defaults: { activity: runing }", "defaults.activity", 'found "runing"; did you mean "run"?'],
  ["values: { activity: { Rad: Radfahren } }", "values.activity.Rad", 'found "Radfahren"; did you mean "bike"?'],
  ["file: { delimiter: semicolons }", "file.delimiter", 'found "semicolons"; did you mean "semicolon"?'],
  ["values: { type: { Renn: raec } }", "values.type.Renn", 'found "raec"; did you mean "race"?'],
])("%s says what was found, and the nearest word", (line, key, words) => {
  const [error = "", ...more] = errorsOf(`${sound}${line}\n`);
  expect(error).toMatch(new RegExp(`^log\\.map\\.yaml line 5: ${key.replaceAll(".", "\\.")}: expected `));
  expect(error.endsWith(`, ${words}`)).toBe(true);
  expect(more).toEqual([]);
});

test.each([
  ['";"', "semicolon"],
  ['","', "comma"],
  ['"|"', "pipe"],
  ['"\\t"', "tab"],
])("the delimiter %s is the word %s", (mark, word) => {
  const parsed = parseMapping("log.map.yaml", `${sound}file: { delimiter: ${mark} }\n`);
  expect("mapping" in parsed && parsed.mapping.file.delimiter).toBe(word);
});

test.each([
  [sound.replace("version: 1", "version: 2"), "line 1: version: expected 1, found 2"],
  [sound.replace("version: 1\n", ""), "line 1: version: expected 1, found nothing"],
  [sound.replace("{ order: iso }", "iso"), 'line 2: dates: expected a block of keys, found "iso"'],
  [
    `${sound}  T: { field: duration, format: [h:mm, mm:ss], hoursBelow: ten }\n`,
    'line 5: columns.T.hoursBelow: expected a whole number from 1 to 59, found "ten"',
  ],
  [
    `${sound}  T: { field: duration, format: [h:mm, mm:ss], hoursBelow: 60 }\n`,
    "line 5: columns.T.hoursBelow: expected a whole number from 1 to 59, found 60",
  ],
  [
    `${sound}  km: { field: distance, unit: [km] }\n`,
    "line 5: columns.km.unit: expected text, a number or a block of keys, found a list",
  ],
  [`${sound}  km: [x]\n`, "line 5: columns.km: expected a block of keys, found a list"],
  [`${sound}  km:\n`, "line 5: columns.km: expected a block of keys, found nothing"],
  [
    `${sound}  km: { field: distance, unit: km, per: 0 }\n`,
    "line 5: columns.km.per: expected a number above 0, found 0",
  ],
  [
    `${sound}  RPE: { field: effort, scale: 1-5 }\n`,
    'line 5: columns.RPE.scale: expected a scale like 1..5 -> 1..10, found "1-5"',
  ],
  [`${sound}file: { header: "no" }\n`, 'line 5: file.header: expected true or false, found "no"'],
  [`${sound}file: { skip: -1 }\n`, "line 5: file.skip: expected a whole number from 0 to 100000, found -1"],
  [
    `${sound}values: { conditions: { Regen: "a b" } }\n`,
    'line 5: values.conditions.Regen: expected a word of at most 40 letters and digits, found "a b"',
  ],
  [
    `${sound}layout: { repeat: { km: [One], Time: [A, B] } }\n`,
    "line 5: layout.repeat.km: expected at least 2 in the list, found 1",
  ],
  [`${sound}layout: { repeat: { km: One } }\n`, 'line 5: layout.repeat.km: expected a list, found "One"'],
])("a value that can't be used has one message, with what was found and what is allowed: %s", (source, error) => {
  expect(errorsOf(source)).toEqual([`log.map.yaml ${error}`]);
});

test.each([
  ["colums: {}", 'colums: no such key; did you mean "columns"?'],
  ["layout: { wek: {} }", 'layout.wek: no such key; did you mean "week"?'],
  [
    'rows: [{ when: { column: Date, match: "x" }, skip: x }]',
    'rows.0.when.match: no such key; did you mean "matches"?',
  ],
  [
    'rows: [{ when: { column: Date, matches: "x" }, set: { distnace: 5 } }]',
    'rows.0.set.distnace: no such key; did you mean "distance"?',
  ],
  ["tests: [{ cells: { Date: 1 }, givs: skipped }]", 'tests.0.givs: no such key; did you mean "gives"?'],
  ["file: { sheat: 1 }", 'file.sheat: no such key; did you mean "sheet"?'],
])("the key of %s has the nearest word beside it", (line, message) => {
  expect(errorsOf(`${sound}${line}\n`)).toContain(`log.map.yaml line 5: ${message}`);
});

test("an empty file, a list and a broken one are errors with a line", () => {
  for (const source of ["", "- 1\n", "a: [\n", "{", "&a [*a, *a]"])
    expect(errorsOf(source)[0]).toMatch(/^log\.map\.yaml line \d+: /);
});

test("aliases of aliases are refused before they are written out", async () => {
  const layered = (count: number) => {
    const layers = Array.from(
      { length: count },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(", ")}]`,
    );
    return `l0: &l0 [x, x]\n${layers.join("\n")}\n`;
  };
  expect(errorsOf(layered(12))).not.toEqual([]);
  // The twelfth layer, written out, is 6,561 times as long as the eighth.
  expect(
    await timesTheWork(
      () => errorsOf(layered(12)),
      () => errorsOf(layered(8)),
    ),
  ).toBeLessThanOrEqual(NO_MORE);
});

test("a pattern may have 200 characters and no more", () => {
  const withPattern = (length: number) =>
    errorsOf(`${sound}rows:\n  - when: { column: Date, matches: "${"a".repeat(length)}" }\n    skip: x\n`);
  expect([199, 200].flatMap(withPattern)).toEqual([]);
  expect(withPattern(201)).toEqual(["log.map.yaml line 6: rows.0.when.matches: expected at most 200 characters"]);
});

test("a name with terminal commands in it is spelt out", () => {
  expect(errorsOf(`${sound}  "a\\e[2Jb": { field: nothing }\n`)[0]).toContain("columns.a\\x1b[2Jb.field");
});

test("a mapping of an earlier version says beyond, which is unsupported", () => {
  const columnOf = (field: string) =>
    parseMapping("log.map.yaml", `${sound}  Calories: { field: ${field}, label: calories, unit: kcal }\n`);
  expect(JSON.stringify(columnOf("beyond"))).toBe(JSON.stringify(columnOf("unsupported")));
  expect(columnOf("beyond")).toMatchObject({ mapping: { columns: { Calories: { field: "unsupported" } } } });
});
