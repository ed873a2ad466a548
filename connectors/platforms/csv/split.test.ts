import { expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { readMapped } from "../../../test/support/mapped-lines.ts";
import { parseMapping } from "./mapping.ts";

const DAY = "Date: { field: date }";
const WORKOUT = [
  "Workout:",
  '  split: "(?P<distance>[0-9.]+) *mi *(?P<type>easy|tempo)? *(?P<notes>.*)"',
  "  parts: { distance: { unit: mi } }",
];

function errorsOf(lines: readonly string[]): readonly string[] {
  const source = ["version: 1", "dates: { order: iso }", "columns:", ...[DAY, ...lines].map((line) => `  ${line}`)];
  const parsed = parseMapping("m.yaml", `${source.join("\n")}\n`);
  return "errors" in parsed ? parsed.errors : [];
}

test("a text is taken apart into distance, type and notes, and a text that doesn't fit is reported", async () => {
  const { values, issues } = await readMapped(
    ["Date,Workout", "2014-03-01,5 mi easy w/ Bob", "2014-03-02,10.5mi", "2014-03-03,rest", "2014-03-04,"],
    [DAY, ...WORKOUT],
  );
  expect(values.map(({ distance, type, notes }) => [distance, type, notes])).toEqual([
    [{ unit: "mi", value: 5 }, "easy", "w/ Bob"],
    [{ unit: "mi", value: 10.5 }, undefined, undefined],
    [undefined, undefined, "rest"],
    [undefined, undefined, undefined],
  ]);
  expect(issues).toMatchObject([
    {
      severity: "warning",
      rule: "csv/no-match",
      field: "Workout",
      found: "rest",
      expected: 'a text that the split of "Workout" fits',
      origin: { locator: "line 4" },
    },
  ]);
});

test("of several patterns the first that fits counts, so the last may take any text as notes", async () => {
  const { values, issues } = await readMapped(
    ["Date,Workout", "2014-03-01,5 km in 25:30", "2014-03-02,hills"],
    [
      DAY,
      "Workout:",
      "  split:",
      '    - "(?P<km>[0-9.]+) km in (?P<time>[0-9:]+)"',
      '    - "(?P<notes>.*)"',
      "  parts:",
      "    km: { field: distance, unit: km }",
      "    time: { field: duration, format: mm:ss }",
    ],
  );
  expect(values.map(({ distance, duration, notes }) => [distance?.value, duration, notes])).toEqual([
    [5, 1530, undefined],
    [undefined, undefined, "hills"],
  ]);
  expect(issues).toEqual([]);
});

test("the days of a week a row may be texts to take apart", async () => {
  const { values } = await readMapped(
    ["Week,Mon,Tue,Wed,Thu,Fri,Sat,Sun", "2014-03-03,4 mi easy,,6 mi,,,,10 mi long way"],
    ["Week: { field: date }", ...WORKOUT],
    { more: "layout: { week: { Workout: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] } }" },
  );
  expect(values.map(({ start, distance, type, notes }) => [start.date, distance?.value, type, notes])).toEqual([
    ["2014-03-03", 4, "easy", undefined],
    ["2014-03-05", 6, undefined, undefined],
    ["2014-03-09", 10, undefined, "long way"],
  ]);
});

test("a text that no pattern fits is a note, and a distance in it is a value that is lost", async () => {
  const lines = ["Date,Workout,Time", ...["5 mi easy", "6 mi", "7 mi", "8 mi", "8 km incl. 6x400m", "tired", "-"].map((text, at) => `2014-03-0${at + 1},${text},0:4${at}:00`)];
  const { values } = await readMapped(lines, [DAY, ...WORKOUT, 'Time: { field: duration, format: "h:mm:ss" }']);
  expect(values.slice(4, 6).map(({ notes }) => notes)).toEqual(["8 km incl. 6x400m", "tired"]);
  expect(values.slice(4).map(({ unsupported = [] }) => unsupported)).toEqual([
    [{ field: "distance", value: "8 km incl. 6x400m", isUnread: true }],
    [],
    [],
  ]);
}); // biome-ignore format: long calls

test("where most cells of a column don't fit, its rows wait", async () => {
  const { values } = await readMapped(
    ["Date,Workout", "2014-03-01,5 km", "2014-03-02,6 km", "2014-03-03,7 km", "2014-03-04,3 mi"],
    [DAY, ...WORKOUT],
  );
  expect(values.map(({ doubts }) => doubts?.[0]?.issue)).toEqual(
    Array(4).fill(
      expect.objectContaining({
        rule: "csv/unreadable-column",
        found: '3 of 4 cells of the column "Workout" can\'t be read, such as "5 km"',
        expected: expect.stringContaining("say how columns.Workout is written in log.map.yaml"),
      }),
    ),
  );
});

test("a row keeps its key when its text is taken apart otherwise", async () => {
  const lines = ["Date,Workout", "2014-03-01,5 mi easy", "2014-03-02,rest"];
  const first = await readMapped(lines, [DAY, ...WORKOUT]);
  const later = await readMapped(lines, [DAY, "Workout:", '  split: "(?P<notes>.*)"']);
  expect(later.workouts.map(({ key }) => key)).toEqual(first.workouts.map(({ key }) => key));
});

test("a pattern that would run away in a common engine costs by the number of rows", async () => {
  const sheet = (rows: number) => ["Date,Workout", ...Array(rows).fill(`2014-03-01,${"a".repeat(60)}b`)];
  const split = [DAY, "Workout:", '  split: "(?P<notes>(a+)+)"'];
  expect(await growth(sheet, (lines) => readMapped(lines, split), 100)).toBeLessThanOrEqual(LINEAR);
});

test.each(["(?P<notes>.{0,1000}.{0,1000}.{0,1000}x)", "(?P<notes>(a?){1000}a{1000})"])(
  "the pattern %s, which is slow on long cells, is refused with what to write instead",
  (source) => {
    expect(errorsOf([`W: { split: "${source}" }`])).toEqual([
      expect.stringMatching(
        /^m\.yaml line 5: columns\.W\.split\.0: expected a smaller pattern: it has \d{4} steps, and may have 500\. A repetition counts as often as it may repeat, so write \* or \+ instead of a count such as \{0,1000\}$/,
      ),
    ]);
  },
);

test.each([
  [["W: { unit: km }"], "line 5: columns.W.field: expected a field, or split"],
  [["W: { field: notes, parts: {} }"], "line 5: columns.W.parts: parts go with split"],
  [['W: { split: "([0-9]+)" }'], "line 5: columns.W.split: expected a named group, such as (?P<distance>[0-9.]+)"],
  [
    ['W: { split: "(?P<distance>[0-9]+" }'],
    'expected a regular expression, found "(?P<distance>[0-9]+": missing closing )',
  ],
  [['W: { split: "(?P<km>[0-9]+)" }'], "columns.W.parts.km: expected which field it is, such as { field: notes }"],
  [
    ['W: { split: "(?P<distance>[0-9]+)" }'],
    "columns.W.parts.distance.unit: expected mi, km, m or yd, or unitColumn instead",
  ],
  [
    ["W:", '  split: "(?P<notes>.*)"', "  parts: { name: { field: name } }"],
    "line 7: columns.W.parts.name: split has no group of this name: notes",
  ],
  [
    ['W: { split: "(?P<notes>.*)", field: notes }'],
    "columns.W.field: a column with split takes no field: say it in its parts",
  ],
  [['W: { split: "(?P<date>.*)" }'], "line 3: columns: expected one column with field date or datetime, found 2"],
])("the mistake in %j names file, line and key", (lines, message) => {
  expect(errorsOf(lines)[0]).toContain(message);
});
