import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Archive } from "../../containers/archive.ts";
import { memoryArchive } from "../../containers/memory.ts";
import type { ReadContext } from "../../contract.ts";
import { isoOfMillis } from "./cells/instants.ts";
import type { ColumnRow, Description, GearColumn } from "./description.ts";
import { platform } from "./platform.ts";
import { csv } from "./sources/csv-source.ts";
import { json } from "./sources/json-source.ts";

const DESCRIPTION: Description = {
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Id", ["When", "Wann"]]),
      dates: { order: "iso", zone: "local" },
      decimal: ",",
      nulls: ["--"],
      columns: [
        ["Id", "id"],
        [["When", "Wann"], "datetime"],
        ["Epoch", "instant", { read: isoOfMillis }],
        ["Sport", "activity"],
        ["cm", "distance", { unit: "m", per: 100, zero: "none" }],
        ["Energy", "unsupported", { label: "calories", unit: "kcal", per: 4.19 }],
        ["Pace", "ignore", { why: "follows" }],
      ],
      sports: { Ruck: "hike" },
      skips: (cellOf) => (cellOf("Sport") === "Rest" ? "a day of rest" : undefined),
    },
    {
      from: json({ files: /runs.*\.json$/, knownBy: ["when"], lists: [["*", "runs", "*"]] }),
      dates: { order: "iso", zone: "local" },
      sport: "run",
      columns: [
        ["id", "id"],
        ["when", "datetime"],
      ],
    },
  ],
  gear: {
    from: json({ files: /gear\.json$/, knownBy: ["no", "model"], lists: [["*", "gear", "*"]] }),
    columns: [
      ["no", "id"],
      ["sort", "kind"],
      ["make", "brandName", { read: (text) => (text === "Other" ? undefined : text) }],
      [["model", "called"], "modelName"],
      ["since", "purchaseDate"],
      ["state", "status"],
      ["km", "notes", { label: "wear limit", unit: "km", per: 1000 }],
      ["cost", "price"],
    ],
    kinds: { Shoes: "run" },
    retired: "gone",
    uses: {
      from: json({ files: /gear\.json$/, knownBy: ["no", "run"], lists: [["*", "uses", "{*}", "*"]] }),
      ...{ gear: "no", workout: "run" },
    },
  },
  leaves: { "photos/": "no place" },
};

const example = platform(DESCRIPTION);

async function read(archive: Archive): Promise<{ readings: Reading[]; issues: Issue[] }> {
  const [readings, issues]: [Reading[], Issue[]] = [[], []];
  const report = (issue: Issue) => issues.push(issue);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  for await (const reading of example.read(archive, context)) readings.push(reading);
  return { readings, issues };
}

const HEADER = "Id;Wann;Epoch;Sport;cm;Energy;Pace";

async function rowsOf(...rows: readonly string[]) {
  return read(memoryArchive("a.zip", { "log.csv": Buffer.from([HEADER, ...rows, ""].join("\n")) }));
}

test("a column's words are followed: other units, 0 for none, a local time beside an instant, a spelling of another language", async () => {
  // 5 a.m. UTC on 1 July 2024 is 1719810000000. The local time is half past ten, so the offset is 5 h 30 min east.
  const { readings, issues } = await rowsOf("7;2024-07-01 10:30:00;1719810000000;Ruck;577502,5;1692,768;9:00");
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    {
      key: "example:workout:7",
      origin: { entry: "log.csv", locator: "line 2" },
      value: {
        activity: "hike",
        sport: "Ruck",
        start: { date: "2024-07-01", time: "10:30:00", instant: 1_719_810_000_000, offsetMinutes: 330 },
        distance: { unit: "m", value: 5775.025 },
        unsupported: [{ field: "calories", value: "404,001909 kcal" }],
      },
    },
  ]);
});

test.each([
  ["no row contradicts it", "2024-07-03,0,", [undefined, []]],
  ["a row contradicts it", "2024-07-03,5,6", [5, ["another Distance (km) 6"]]],
])("a second column of one name fills rows where %s", async (shown, row, read) => {
  const runs = platform({
    ...DESCRIPTION,
    workouts: [
      {
        from: csv("log.csv", ["When"]),
        ...{ dates: { order: "iso", zone: "local" }, sport: "run" },
        columns: [
          ["When", "datetime"],
          ["Distance (km)", "distance", { unit: "km", zero: "none" }],
          ["Length", "distance", { unit: "km" }],
        ],
      },
    ],
  });
  const rows = ["2024-07-01,,4.21", "2024-07-02,5,5.0", row, "2024-07-04,,", "2024-07-05,0,8"];
  const table = ["When,Distance (km),Distance (km),Length,Length", ...rows.map((each) => `${each},,7`), ""].join("\n");
  const { readings, issues } = await readAll(runs, memoryArchive("a.zip", { "log.csv": table }));
  // A second length without a unit in its name may be in another unit, so its values are only counted.
  const unknown = "Length#2 7";
  expect(issues).toMatchObject([{ rule: "table/unknown-column", field: "Length#2" }]);
  const found = readings.flatMap((one) => (one.kind === "workout" ? [one.value] : []));
  const left = found.map(({ unsupported = [] }) => unsupported.map(({ field, value }) => `${field} ${value}`));
  const [distance, others] = read as [number | undefined, string[]];
  const first = shown.startsWith("no") ? [4.21, [unknown]] : [undefined, [unknown, "another Distance (km) 4.21"]];
  expect(found.map((one, index) => [one.distance?.value, left[index]])).toEqual([
    first,
    [5, [unknown]],
    [distance, [unknown, ...others]],
    [undefined, [unknown]],
    // A 0 says that there was none, which is an answer.
    [undefined, [unknown, "another Distance (km) 8"]],
  ]);
});

test("a mistyped unit of a distance, a weight or a temperature doesn't compile, and any unit of another value does", () => {
  const columns: readonly ColumnRow[] = [
    ["a", "distance", { unit: "km" }],
    ["b", "unsupported", { label: "speed", unit: "kn" }],
    // @ts-expect-error: kn is no unit of distances
    ["c", "distance", { unit: "kn" }],
    // @ts-expect-error: kilos are written kg
    ["d", "weight", { unit: "kilo" }],
    // @ts-expect-error: K is no unit of temperatures
    ["e", "temperature", { unit: "K" }],
  ];
  // @ts-expect-error: kn is no unit of a mileage
  const gear: GearColumn = ["f", "distance", { unit: "kn" }];
  expect([...columns, gear].map(([theirs]) => theirs)).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("what says nothing is absent, and a local time that no clock has at the row's instant is not believed", async () => {
  const { readings } = await rowsOf("8;2024-07-01 10:30:00;1719000000000;Ruck;0;--;");
  expect(readings.map(({ kind, key }) => [kind, key])).toEqual([["workout", "example:workout:8"]]);
  const value = readings[0]?.kind === "workout" ? readings[0].value : undefined;
  expect(value?.start).toEqual({ instant: 1_719_000_000_000 });
  expect([value?.distance, value?.unsupported]).toEqual([undefined, undefined]);
});

test("a row with 0 seconds and no distance lasted 0 s, though 0 stands for none, if it has nothing but a heart rate", async () => {
  const zero = "none" as const;
  const timed = platform({
    ...{ name: "timed", title: "Timed", howToGet: "Ask.", leaves: {} },
    workouts: [
      {
        from: csv("log.csv", ["Wann", "ms"]),
        dates: { order: "iso", zone: "local" },
        sport: "run",
        columns: [
          ["Wann", "datetime"],
          ["s", "duration", { format: ["seconds"], zero }],
          ["ms", "moving", { per: 1000, zero }],
          ["clock", "elapsed", { format: ["h:mm:ss"], zero }],
          ["m", "distance", { unit: "m", zero }],
          ["bpm", "avgHR", { zero }],
        ],
      },
    ],
  });
  const rows = [
    "0,0,0:00:00,0,148",
    ",0,,0,148",
    "0,,,,148",
    "0,0,0:00:00,5000,148",
    "0,0,0:00:00,0,",
    ",,,,148",
    "0,,0:10:00,0,148",
  ];
  const text = ["Wann,s,ms,clock,m,bpm", ...rows.map((row, i) => `2024-07-0${i + 1} 10:30:00,${row}`), ""].join("\n");
  const durations: unknown[] = [];
  const context = { signal: new AbortController().signal, report: () => undefined, sports: new Map() };
  for await (const reading of timed.read(memoryArchive("a.zip", { "log.csv": Buffer.from(text) }), context))
    durations.push(reading.kind === "workout" ? reading.value.duration : reading);
  expect(durations).toEqual([0, 0, 0, undefined, undefined, undefined, 600]);
});

test("a row of an id that was there, a row that is no workout and one without a date are rejected, each for its reason", async () => {
  const row = "7;2024-07-01 10:30:00;;Ruck;100000;;";
  const other = "7;2024-07-03 10:30:00;;Ruck;100000;;";
  const changed = "7;2024-07-01 10:30:00;;Ruck;120000;;";
  const { issues, readings } = await rowsOf(
    row,
    row,
    other,
    other,
    changed,
    "8;2024-07-02;;Rest;;;",
    "9;yesterday;;Ruck;;;",
  );
  expect(
    readings.map((reading) => (reading.kind === "set-aside" ? [reading.as, reading.issue.rule] : [reading.kind])),
  ).toEqual([
    // A later row of the same start has another distance: it is the same workout, as somebody changed it.
    ["skipped", "table/other-version"],
    ["skipped", "table/other-version"],
    // Another start: two workouts of one minute may have one id.
    ["workout"],
    ["skipped", "table/same-id"],
    ["workout"],
    ["skipped", "table/skipped-row"],
    ["quarantined", "table/bad-date"],
  ]);
  expect(readings.filter(({ kind }) => kind === "workout")).toMatchObject([
    { value: { start: { date: "2024-07-03" } } },
    { value: { start: { date: "2024-07-01" }, distance: { value: 1200 } } },
  ]);
  expect(readings[0]).toMatchObject({ left: [{ field: "distance of a row left out", value: "1000 m" }] });
  expect(issues.filter(({ rule }) => rule === "table/shared-id")).toMatchObject([{ found: "7", severity: "warning" }]);
});

test("an apostrophe that a spreadsheet program writes before a value is no part of it", async () => {
  const { readings } = await rowsOf("'9;'2024-07-01 10:30:00;;Ruck;'100000;;");
  expect(readings).toMatchObject([
    {
      key: "example:workout:9",
      value: { start: { date: "2024-07-01", time: "10:30:00" }, distance: { unit: "m", value: 1000 } },
    },
  ]);
});

test("the table is known by its header under another name, and what is neither read nor left is named", async () => {
  const archive = memoryArchive("a.zip", {
    "export/my log.csv": Buffer.from(`${HEADER};Mood\n7;2024-07-01 10:30:00;;Ruck;1;;;fine\n`),
    "export/photos/1.jpg": Buffer.from("x"),
    "export/odd.bin": Buffer.from("x"),
  });
  const saw = "export/my log.csv with 8 columns";
  expect(await example.identify(archive)).toEqual({ saw, strength: "exact", byContent: true });
  const { issues } = await read(archive);
  expect(issues.map(({ rule, field, found }) => [rule, field ?? found])).toEqual([
    ["table/unknown-column", "Mood"],
    ["example/other-files", "export/odd.bin"],
  ]);
});

const GEAR = [
  {
    gear: [
      ...[
        {
          no: 1,
          sort: "Shoes",
          make: "Nike",
          model: "Pegasus",
          since: "2024-01-31",
          state: "gone",
          km: 800_000,
          cost: 89.95,
        },
      ],
      ...[{ no: 2, sort: "Other", make: "Other", model: "", called: "Belt", since: "some day", colour: "red" }],
      ...[{ no: 3, sort: "Other", make: "Other", model: "Never used" }, { no: 4 }],
    ],
    uses: { 1: [{ no: 1, run: 70 }], 2: [{ no: 2, run: 70 }], 9: [{ no: 9, run: 70 }] },
  },
];

test("gear of a list comes first; what it is used in may be said by a workout alone, and nothing of it is lost", async () => {
  const runs = [{ runs: [{ id: 70, when: "2024-07-01 06:00:00" }] }];
  const archive = memoryArchive("a.zip", { "gear.json": JSON.stringify(GEAR), "runs_1.json": JSON.stringify(runs) });
  const { readings, issues } = await read(archive);
  const [pegasus, belt, nine] = ["example:equipment:1", "example:equipment:2", "example:equipment:9"];
  expect(readings.map(({ kind, key }) => [kind, key])).toEqual([
    ["equipment", pegasus],
    ["set-aside", "example:gear:table/not-a-record:gear.json:record 4"],
    ["equipment", belt],
    ["equipment", nine],
    ["workout", "example:workout:70"],
    ["set-aside", "example:equipment:3"],
  ]);
  expect(readings.flatMap((reading) => (reading.kind === "equipment" ? [reading.value] : []))).toEqual([
    {
      ...{ activity: "run", brandName: "Nike", modelName: "Pegasus", notes: "wear limit: 800 km", price: 89.95 },
      ...{ purchaseDate: "2024-01-31", retired: true },
    },
    { activity: "run", modelName: "Belt" },
    { activity: "run", modelName: "gear 9" },
  ]);
  expect(readings[4]).toMatchObject({ value: { equipment: [pegasus, belt, nine] } });
  expect(readings[5]).toMatchObject({ as: "skipped", issue: { rule: "table/equipment-without-activity" } });
  expect(issues.map(({ rule, field, found }) => [rule, field ?? found])).toEqual([
    ["table/bad-date", "some day"],
    ["table/unknown-column", "colour"],
    ["table/unlisted-gear", "gear 9"],
  ]);
});

test("rows of JSON files are given file by file: the first before the second file is opened", async () => {
  const page = (day: number) =>
    Buffer.from(JSON.stringify([{ runs: [{ when: `2024-07-0${day} 06:00:00`, mood: 1 }] }]));
  const inner = memoryArchive("a.zip", { "runs_1.json": page(1), "runs_2.json": page(2) });
  const opened: string[] = [];
  const archive: Archive = {
    ...inner,
    stream(entry, maxBytes) {
      opened.push(entry.path);
      return inner.stream(entry, maxBytes);
    },
  };
  const issues: Issue[] = [];
  const context = {
    signal: new AbortController().signal,
    report: (issue: Issue) => issues.push(issue),
    sports: new Map(),
  };
  const days: [string | undefined, boolean][] = [];
  for await (const reading of example.read(archive, context)) {
    const date = reading.kind === "workout" ? reading.value.start.date : undefined;
    days.push([date, opened.includes("runs_2.json")]);
  }
  expect(days).toEqual([
    ["2024-07-01", false],
    ["2024-07-02", true],
  ]);
  expect(issues.map(({ rule, field }) => [rule, field])).toEqual([["table/unknown-column", "mood"]]);
});

test.each([
  ["the cells of a row make its key", undefined],
  ["some cells of it do", (cellOf: (column: string) => string) => cellOf("Day")],
])("a row that a person mended brings its shoe along, where %s", async (_, sameBy) => {
  const shoes = platform({
    ...{ name: "shoes", title: "Shoes", howToGet: "-", leaves: {} },
    workouts: [
      {
        from: csv("log.csv", ["Day", "Shoe"]),
        dates: { order: "iso", zone: "local" },
        sport: "run",
        ...(sameBy && { sameBy }),
        columns: [
          ["Day", "date"],
          ["km", "distance", { unit: "km" }],
          ["Shoe", "equipment"],
        ],
      },
    ],
  });
  const readWith = async (fixes: ReadContext["fixes"] = new Map()) => {
    const context = { signal: new AbortController().signal, report: () => {}, sports: new Map(), fixes };
    const archive = memoryArchive("a", { "log.csv": "Day,km,Shoe\n2019-02-31,12,Hoka\n" });
    const readings: Reading[] = [];
    for await (const reading of shoes.read(archive, context)) readings.push(reading);
    return readings;
  };
  const [rejected] = await readWith();
  expect(rejected).toMatchObject({ kind: "set-aside", issue: { rule: "table/bad-date" } });
  const mended = await readWith(new Map([[rejected?.key ?? "", { date: "2019-02-28" }]]));
  expect(mended).toMatchObject([
    { kind: "equipment", key: "shoes:equipment:hoka" },
    { kind: "workout", value: { start: { date: "2019-02-28" }, equipment: ["shoes:equipment:hoka"] } },
  ]);
});
