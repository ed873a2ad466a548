import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import type { Archive } from "../../containers/archive.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { withEntries } from "../../containers/overlay.ts";
import { FatalError } from "../../errors.ts";
import { namedMapping } from "../table/mapping/mapping-files.ts";
import { csv } from "./connector.ts";

async function outcomeOf(archive: Archive, sports = new Map()) {
  const { readings, issues } = await readAll(csv, archive, { sports });
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading] : []));
  return { readings, issues, workouts, values: workouts.map(({ value }) => value), first: workouts[0]?.value };
}

/** Reads a table of comma-separated lines with the columns and other words of a mapping. */
function read(lines: string, columns: string, more = "") {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns:\n${columns.replaceAll(/^/gm, "  ")}\n${more}\n`;
  return outcomeOf(memoryArchive("log.csv", { "log.csv": lines, "log.map.yaml": mapping }));
}

const day = "Date: { field: date }";

test("every field has its place", async () => {
  const { first, readings } = await read(
    [
      "Date,Time,Sport,Kind,km,Dur,HR,Max,Rest,kg,F,Sky,Shoe,Where,Title,Note,RPE,Feel,Place,Of,AG,AGof,Min,Max age,kcal",
      "2014-03-01,18:05,Run,tempo,10.5,45:10,150,171,48,70.5,0,clear / windy,Pegasus,Prater,Hard,felt good,8,7,12,340,3,41,40,44,640",
    ].join("\n"),
    `${day}
Time: { field: time }
Sport: { field: activity }
Kind: { field: type }
km: { field: distance, unit: km }
Dur: { field: duration, format: mm:ss }
HR: { field: avgHR }
Max: { field: maxHR }
Rest: { field: restHR }
kg: { field: weight, unit: kg }
F: { field: temperature, unit: F }
Sky: { field: conditions, separator: / }
Shoe: { field: equipment }
Where: { field: course }
Title: { field: name }
Note: { field: notes }
RPE: { field: effort }
Feel: { field: quality }
Place: { field: fieldPlacement }
Of: { field: fieldSize }
AG: { field: groupPlacement }
AGof: { field: groupSize }
Min: { field: groupMinAge }
Max age: { field: groupMaxAge }
kcal: { field: unsupported, label: calories, unit: kcal }`,
  );
  expect(first).toEqual({
    activity: "run",
    sport: "Run",
    type: "tempo",
    start: { date: "2014-03-01", time: "18:05:00" },
    name: "Hard",
    notes: "felt good",
    course: "csv:course:prater",
    equipment: ["csv:equipment:pegasus"],
    distance: { unit: "km", value: 10.5 },
    duration: 2710,
    health: { avgHR: 150, maxHR: 171, restHR: 48, weight: { unit: "kg", value: 70.5 } },
    raceStats: {
      fieldPlacement: 12,
      fieldSize: 340,
      groupPlacement: 3,
      groupSize: 41,
      groupMinAge: 40,
      groupMaxAge: 44,
    },
    ratings: { effort: 8, quality: 7 },
    weather: { conditions: ["clear", "windy"], temperature: { unit: "F", value: 0 } },
    unsupported: [{ field: "calories", value: "640 kcal" }],
  });
  expect(readings.map(({ kind, key }) => [kind, key]).slice(0, 2)).toEqual([
    ["course", "csv:course:prater"],
    ["equipment", "csv:equipment:pegasus"],
  ]);
});

test("a date that can't be read rejects its row with file, line, column, what was found and what was expected", async () => {
  const { readings } = await read(
    "Date,km\n2014-13-01,5\n2014-03-01,6\n,7\n",
    `${day}\nkm: { field: distance, unit: km }`,
  );
  expect(readings).toMatchObject([
    {
      as: "quarantined",
      issue: {
        rule: "csv/bad-date",
        field: "Date",
        found: "2014-13-01",
        expected: "year-month-day",
        origin: { archive: "log.csv", entry: "log.csv", locator: "line 2" },
      },
    },
    { kind: "workout" },
    { as: "quarantined", issue: { rule: "csv/no-date", field: "Date", origin: { locator: "line 4" } } },
  ]);
});

test("any other cell that can't be read is reported and left out, and the row goes on", async () => {
  const { values, issues } = await read(
    'Date,At,km,HR,Dur\n2014-03-01,noonish,"12,4,1",fast,45\n',
    `${day}
At: { field: time }
km: { field: distance, unit: km }
HR: { field: avgHR }
Dur: { field: duration, format: mm:ss }`,
  );
  expect(values).toEqual([
    {
      start: { date: "2014-03-01" },
      unsupported: [
        { field: "distance", value: "12,4,1", isUnread: true },
        { field: "duration", value: "45", isUnread: true },
        { field: "avgHR", value: "fast", isUnread: "minor" },
      ],
    },
  ]);
  expect(issues.map(({ rule, field, found, origin }) => [rule, field, found, origin?.locator])).toEqual([
    ["csv/bad-time", "At", "noonish", "line 2"],
    ["csv/bad-number", "km", "12,4,1", "line 2"],
    ["csv/bad-duration", "Dur", "45", "line 2"],
    ["csv/bad-number", "HR", "fast", "line 2"],
  ]);
});

test.each(["n/a", "k.A.", "rest", "-", "0:00"])(
  "a distance or a time that says %s is none, and nothing is lost",
  async (none) => {
    const { values } = await read(
      `Date,km,Dur\n2014-03-01,${none},${none}\n`,
      `${day}\nkm: { field: distance, unit: km }\nDur: { field: duration, format: mm:ss }`,
    );
    expect(values).toMatchObject([{ start: { date: "2014-03-01" } }]);
    expect(values[0]).not.toHaveProperty("unsupported");
  },
);

test("rules skip rows, put words in the place of cells and empty them; the first that fits counts", async () => {
  const { readings, values } = await read(
    "Date,Miles\nTOTAL,23\n2014-03-01,off\n2014-03-02,S\n2014-03-03,5\n",
    `${day}\nMiles: { field: distance, unit: mi }`,
    `defaults: { activity: run }
rows:
  - { when: { column: Date, matches: "^total" }, skip: weekly total }
  - { when: { column: Miles, matches: "^(off|-)$" }, skip: rest day }
  - { when: { column: Miles, matches: "^S$" }, set: { activity: weight, distance: null } }`,
  );
  expect(readings.slice(0, 2)).toMatchObject([
    { as: "skipped", issue: { rule: "csv/skipped-row", found: "weekly total", origin: { locator: "line 2" } } },
    { as: "skipped", issue: { found: "rest day" } },
  ]);
  expect(values).toEqual([
    { activity: "weight", sport: "weight", start: { date: "2014-03-02" } },
    { activity: "run", start: { date: "2014-03-03" }, distance: { unit: "mi", value: 5 } },
  ]);
});

test("a pattern that would run away in a common engine costs by the number of rows", async () => {
  const sheet = (rows: number) => `Date\n${`${"a".repeat(60)}b\n`.repeat(rows)}`;
  const rule = 'rows: [{ when: { column: Date, matches: "^(a+)+$" }, skip: x }]';
  expect(await growth(sheet, (lines) => read(lines, day, rule), 200)).toBeLessThanOrEqual(LINEAR);
});

test("title lines, comments, blank rows and rows at the end are no workouts", async () => {
  const { workouts } = await read(
    "My log,,\n\n2014,,\nDate,km\n#draft,3\n2014-03-01,5\n,\n2014-03-02,6\nTotal,11\nMean,5.5\n",
    `${day}\nkm: { field: distance, unit: km }`,
    'file: { skip: 3, comment: "#", skipEnd: 2 }',
  );
  expect(workouts.map(({ origin, value }) => [origin.locator, value.distance?.value])).toEqual([
    ["line 6", 5],
    ["line 8", 6],
  ]);
});

test("a table without a header is read by the number of the column", async () => {
  const { values } = await read(
    "2014-03-01,5\n",
    `"1": { field: date }\n"2": { field: distance, unit: km }`,
    "file: { header: false }",
  );
  expect(values).toEqual([{ start: { date: "2014-03-01" }, distance: { unit: "km", value: 5 } }]);
});

test("a second column of one name is called by its number, and notes can be many", async () => {
  const { first } = await read(
    "Date,Note,Note\n2014-03-01,a,b\n",
    `${day}\nNote: { field: notes }\nNote#2: { field: notes, label: Later }`,
  );
  expect(first?.notes).toBe("a\nLater: b");
});

test("a unit in a column of its own is read row by row", async () => {
  const { values, issues } = await read(
    "Date,Dist,U\n2014-03-01,5,Mile\n2014-03-02,8,Kilometer\n2014-03-03,9,Furlong\n2014-03-04,900,25 yd\n",
    `${day}\nDist: { field: distance, unitColumn: U }`,
  );
  expect(values.map(({ distance }) => distance)).toEqual([
    { unit: "mi", value: 5 },
    { unit: "km", value: 8 },
    undefined,
    { unit: "yd", value: 900 },
  ]);
  expect(issues).toMatchObject([{ rule: "csv/bad-number", field: "Dist", found: "9" }]);
});

test("minutes and seconds in two columns are added up, also past 59", async () => {
  const { first } = await read(
    "Date,Min,Sec\n2014-03-01,45,167\n",
    `${day}\nMin: { field: duration.minutes }\nSec: { field: duration.seconds }`,
  );
  expect(first?.duration).toBe(2867);
});

test("a column that the mapping doesn't name is reported, ignored or refused, as it says", async () => {
  const lines = "Date,Pace\n2014-03-01,4:30\n";
  expect((await read(lines, day)).issues).toMatchObject([
    { rule: "csv/unmapped-column", field: "Pace", names: ["Pace: 1"] },
  ]);
  expect((await read(lines, day, "unknownColumns: ignore")).issues).toMatchObject([
    { rule: "csv/left-columns", severity: "info", names: ["Pace: 1"] },
  ]);
  const proposed = await read(lines, `${day}\nPace: { field: unsupported, label: Pace, proposed: true }`);
  expect(proposed.issues).toMatchObject([
    { rule: "csv/unconfirmed-columns", severity: "warning", found: "Pace: 1", names: ["Pace: 1"] },
  ]);
  expect(proposed.first?.unsupported).toEqual([{ field: "Pace", value: "4:30" }]);
  await expect(read(lines, day, "unknownColumns: fail")).rejects.toThrow(/column "Pace" has no field/);
});

test("a column that the table hasn't got is an error that names it and those there are", async () => {
  await expect(read("Date,Kilometres\n", `${day}\nkm: { field: distance, unit: km }`)).rejects.toThrow(
    /log\.map\.yaml.*columns: there is no column "km".*"Date", "Kilometres"/,
  );
});

test("a mapping file that is too large is told its own limit, which no option raises", async () => {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date } }\n${"# a remark\n".repeat(6000)}`;
  const archive = memoryArchive("log", { "log.csv": "Date\n2015-01-01\n", "log.csv.map.yaml": mapping });
  const problem = await readAll(csv, archive).catch((error: Error) => error.message);
  expect(problem).toBe(
    "Cannot use log.csv.map.yaml: it holds more than 64 KiB, and a mapping file may hold no more. Is it the mapping, and not a table?",
  );
});

test("a bad mapping stops with every error in it", async () => {
  const archive = memoryArchive("log", {
    "log.csv": "Date\n",
    "log.csv.map.yaml": "version: 1\ndates: { order: ydm }\ncolumns: { km: { field: dist } }\n",
  });
  const error = await readAll(csv, archive).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FatalError);
  expect(error).toMatchObject({
    message: expect.stringMatching(/line 2: dates\.order: expected iso/),
    more: [expect.stringMatching(/line 3: columns\.km\.field/)],
  });
});

test("two spellings are one course and one shoe where the mapping says so, and equipment gets the activity of its rows", async () => {
  const { readings } = await read(
    "Date,Sport,Where,With\n2014-03-01,run,Prater,NB\n2014-03-02,run,the prater,NB 880\n2014-03-03,bike,,Roadie\n",
    `${day}\nSport: { field: activity }\nWhere: { field: course }\nWith: { field: equipment }`,
    `values:
  course: { the prater: Prater }
  equipment:
    NB: { brandName: New Balance, modelName: 880 }
    NB 880: { brandName: New Balance, modelName: 880 }`,
  );
  expect(readings.flatMap((each) => (each.kind === "course" || each.kind === "equipment" ? [each.value] : []))).toEqual(
    [
      { name: "Prater" },
      { activity: "run", brandName: "New Balance", modelName: "880" },
      { activity: "bike", modelName: "Roadie" },
    ],
  );
  expect(readings.flatMap((each) => (each.kind === "workout" ? [each.value.equipment] : []))).toEqual([
    ["csv:equipment:new balance 880"],
    ["csv:equipment:new balance 880"],
    ["csv:equipment:roadie"],
  ]);
});

test("the default shoe is for rows of its activity", async () => {
  const { values } = await read(
    "Date,Sport\n2014-03-01,run\n2014-03-02,swim\n",
    `${day}\nSport: { field: activity }`,
    "defaults: { activity: run, equipment: Old pair }",
  );
  expect(values.map(({ equipment }) => equipment)).toEqual([["csv:equipment:old pair"], undefined]);
});

test("the words of the mapping come first, then the owner's, then the table; what none knows goes on without an activity", async () => {
  const archive = memoryArchive("log", {
    "log.csv": "Date,Sport\n2014-03-01,Laufband\n2014-03-02,Schlittern\n2014-03-03,Lauf\n2014-03-04,Quidditch\n",
    "log.map.yaml": `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date }, Sport: { field: activity } }\nvalues: { activity: { LAUFBAND: walk } }\n`,
  });
  const { values } = await outcomeOf(
    archive,
    new Map([
      ["schlittern", "ski"],
      ["laufband", "run"],
    ]),
  );
  expect(values.map(({ activity, sport }) => [activity, sport])).toEqual([
    ["walk", "Laufband"],
    ["ski", "Schlittern"],
    ["run", "Lauf"],
    [undefined, "Quidditch"],
  ]);
});

test("sorting the rows, moving the columns, renaming the file and changing an ignored column change no key", async () => {
  const columns = `${day}\nkm: { field: distance, unit: km }\nWeek: { field: ignore, why: a formula }`;
  const mapping = `version: 1\ndates: { order: iso }\ncolumns:\n${columns.replaceAll(/^/gm, "  ")}\n`;
  const keysOf = async (name: string, lines: string) => {
    const { workouts } = await outcomeOf(
      memoryArchive(name, { [`${name}.csv`]: lines, [`${name}.map.yaml`]: mapping }),
    );
    return workouts.map(({ key, value }) => `${value.start.date} ${value.distance?.value} ${key}`).sort();
  };
  const usual = await keysOf("log", "Date,km,Week\n2014-03-01,5,5\n2014-03-02,6,11\n2014-03-02,6,17\n");
  expect(new Set(usual).size).toBe(3);
  expect(await keysOf("renamed", "Week,km,Date\n1,6,2014-03-02\n2,5,2014-03-01\n3,6,2014-03-02\n")).toEqual(usual);
});

test("a row's own id is its key", async () => {
  const { workouts } = await read("Date,No\n2014-03-01,17\n", `${day}\nNo: { field: id }`);
  expect(workouts.map(({ key }) => key)).toEqual(["csv:workout:17"]);
});

test("a mapping that lies elsewhere is laid over the archive and is then the only one", async () => {
  const archive = memoryArchive("log", { "log.csv": "Date\n2014-03-01\n", "log.map.yaml": "broken: [" });
  const named = withEntries(archive, {
    [namedMapping("mine.yaml")]: `version: 1\ndates: { order: iso }\ncolumns: { ${day} }\n`,
  });
  expect((await outcomeOf(named)).values).toEqual([{ start: { date: "2014-03-01" } }]);
  const wrong = withEntries(archive, { [namedMapping("mine.yaml")]: "broken: [" });
  await expect(outcomeOf(wrong)).rejects.toThrow("Cannot use the mapping: mine.yaml line 1");
});

test("a table without a mapping beside one with is reported", async () => {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns: { ${day} }\n`;
  const archive = memoryArchive("logs", { "a.csv": "Date\n2014-03-01\n", "a.map.yaml": mapping, "b.csv": "Date\n" });
  expect((await outcomeOf(archive)).issues).toMatchObject([
    { severity: "warning", rule: "csv/other-files", found: "b.csv", names: ["b.csv"] },
  ]);
});

test("Windows-1252 and UTF-16 are read as the mapping says, also where the bytes don't tell", async () => {
  const mapping = (encoding: string) =>
    `version: 1\nfile: { encoding: ${encoding} }\ndates: { order: iso }\ncolumns: { ${day}, "Größe": { field: notes } }\n`;
  const lines = "Date,Größe\n2014-03-01,für\n";
  const archive = (encoding: string, bytes: Uint8Array) =>
    memoryArchive("log", { "log.csv": bytes, "log.map.yaml": mapping(encoding) });
  const utf16 = Buffer.from(lines, "utf16le");
  const windows = Buffer.from(lines, "latin1");
  expect((await outcomeOf(archive("utf-16le", utf16))).first?.notes).toBe("für");
  expect((await outcomeOf(archive("windows-1252", windows))).first?.notes).toBe("für");
  expect((await outcomeOf(archive("auto", windows))).first?.notes).toBe("für");
});

test("encoding, delimiter and line ends are told from the bytes, and a mapping can say them", async () => {
  const mapping = (file: string) =>
    `version: 1\nfile: { ${file} }\ndates: { order: iso }\ncolumns: { ${day}, "Größe": { field: notes } }\n`;
  const notesOf = async (bytes: Uint8Array, file: string) =>
    (await outcomeOf(memoryArchive("log", { "log.csv": bytes, "log.map.yaml": mapping(file) }))).values.map(
      ({ notes }) => notes,
    );
  const big = (text: string) => Buffer.from(text, "utf16le").swap16();
  const encodings: readonly (readonly [string, (text: string) => Uint8Array])[] = [
    ["utf-8", (text) => Buffer.from(text)],
    ["utf-8", (text) => Buffer.from(`\ufeff${text}`)],
    ["utf-16le", (text) => Buffer.from(text, "utf16le")],
    ["utf-16le", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["utf-16be", big],
    ["utf-16be", (text) => big(`\ufeff${text}`)],
    ["windows-1252", (text) => Buffer.from(text, "latin1")],
  ];
  const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" };
  for (const [encoding, encode] of encodings)
    for (const [name, delimiter] of Object.entries(delimiters))
      for (const end of ["\n", "\r\n", "\r"]) {
        const lines = ["Date,Größe", "2014-03-01,für", "2014-03-02,zwölf"].map((line) => line.replace(",", delimiter));
        const bytes = encode(lines.map((line) => line + end).join(""));
        for (const file of ["header: true", `encoding: ${encoding}, delimiter: ${name}`])
          expect(await notesOf(bytes, file), `${encoding} ${name} ${JSON.stringify(end)}`).toEqual(["für", "zwölf"]);
        const withMark = encode([`sep=${delimiter}`, ...lines].map((line) => line + end).join(""));
        expect(await notesOf(withMark, "header: true")).toEqual(["für", "zwölf"]);
      }
});

test("headers called like members of objects are headers", async () => {
  const { first } = await read(
    "Date,constructor,toString\n2014-03-01,a,b\n",
    `${day}\nconstructor: { field: name }\ntoString: { field: notes }`,
  );
  expect(first).toMatchObject({ name: "a", notes: "b" });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("watch files beside a spreadsheet are not read with it, and never passed over without a word", async () => {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns: { ${day} }\n`;
  const archive = memoryArchive("log", {
    "log.csv": "Date\n2014-03-01\n",
    "log.map.yaml": mapping,
    "run.gpx": "<gpx/>",
  });
  const { issues } = await outcomeOf(archive);
  expect(issues).toMatchObject([{ severity: "warning", rule: "csv/other-files", found: "run.gpx", count: 1 }]);
});

test("a row that stands in the table twice with its time of day is read once, however its cells are written", async () => {
  const timed = `${day}\nAt: { field: time }\nSport: { field: activity }\nkm: { field: distance, unit: km }\nNotes: { field: notes }`;
  const rows = [
    "Date,At,Sport,km,Notes",
    ...["2014-03-01,07:30,run,5.12,Hill", "2014-03-02,18:10,run,6,", "2014-03-01,07:30,Run,5.120,hill "],
    ...["2014-03-01,07:30,run,5.12,Track", "2014-03-03,,run,4,", "2014-03-03,,run,4,"],
  ].join("\n");
  const { values, readings } = await read(rows, timed);
  expect(values.map(({ notes }) => notes)).toEqual(["Hill", undefined, "Track", undefined, undefined]);
  const out = readings.flatMap((one) =>
    one.kind === "set-aside" ? [[one.as, one.issue.rule, one.origin.locator]] : [],
  );
  expect(out).toEqual([["skipped", "csv/repeated-row", "line 4"]]);
  expect((await read(rows, timed, "repeatedRows: workouts")).values).toHaveLength(6);
});
