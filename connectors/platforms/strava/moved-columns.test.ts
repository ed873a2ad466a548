import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { strava } from "./table.ts";

// A newer export may have its columns in any order, and more of them. Each value is the right one, or the file is named and its rows wait.

type Column = readonly [name: string, ...cells: string[]];

const ROWS = [
  [
    "1612345678",
    "May 4, 2019, 5:10:05 AM",
    "Dawn",
    "Run",
    "slow",
    "3600",
    "10.25",
    "false",
    "Racer",
    "activities/7.gpx",
  ],
  ["1612345679", "May 5, 2019, 5:10:05 AM", "Dusk", "Ride", "", "7201", "41.5", "true", "Stahlross", ""],
] as const;

const columnsOf = (header: string, metres = false): readonly Column[] =>
  header.split(",").map((name, index) => {
    const cells = ROWS.map((row) => row[index] ?? "");
    return [name, ...(metres && index === 6 ? ["10250.0", "41500.0"] : cells)];
  });

const ENGLISH =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename";
const GERMAN =
  "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,Pendeln,Aktivitätsausrüstung,Dateiname";
const OF_2018 = "id,date,name,type,description,elapsed_time,distance,commute,gear,filename";
const UNKNOWN = "tunnus,päivä,nimi,laji,kuvaus,aika,matka,työmatka,varuste,tiedosto";

const EFFORT: Column = ["Relative Effort", "41", "120"];
const ADDED: readonly Column[] = [
  ["Mood", "4", "5"],
  ["Ascent", "120.5", "610.25"],
  ["Place", "Graz", "Wien"],
  ["Uploaded", "May 9, 2019, 5:10:05 AM", "May 9, 2019, 5:10:05 AM"],
];

const csv = (columns: readonly Column[]) =>
  [0, 1, 2].map((row) => `${columns.map((column) => `"${column[row] ?? ""}"`).join(",")}\n`).join("");

const swapped = (columns: readonly Column[]) =>
  columns.flatMap((one, first) =>
    columns.slice(first + 1).map((other, rest) => columns.with(first, other).with(first + 1 + rest, one)),
  );

const inserted = (columns: readonly Column[]) =>
  ADDED.flatMap((column) => [...columns.keys(), columns.length].map((place) => columns.toSpliced(place, 0, column)));

async function read(columns: readonly Column[]) {
  const files = { "activities.csv": csv(columns), "shoes.csv": "a,b,c\n" };
  const { readings, issues } = await readAll(strava, memoryArchive("export.zip", files));
  const workouts = readings.flatMap((one) => (one.kind === "workout" ? [one.value] : []));
  return {
    values: workouts.map(({ name, activity, start, duration, distance, notes }) => [
      ...[name, activity, start.instant, duration],
      ...[distance?.unit === "km" ? (distance.value ?? 0) * 1000 : distance?.value, notes ?? ""],
    ]),
    waiting: readings.filter(({ kind }) => kind === "set-aside").length,
    named: issues.filter(({ rule }) => rule === "strava/unknown-column").map(({ found }) => found),
    rules: new Set(issues.map(({ rule }) => rule)),
  };
}

const RIGHT = [
  ["Dawn", "run", Date.UTC(2019, 4, 4, 5, 10, 5), 3600, 10_250, "slow"],
  ["Dusk", "bike", Date.UTC(2019, 4, 5, 5, 10, 5), 7201, 41_500, ""],
];

test.each([
  ["2018", columnsOf(OF_2018, true)],
  ["2019", columnsOf(ENGLISH)],
  ["2019 in German", columnsOf(GERMAN)],
  ["2020", columnsOf(ENGLISH).toSpliced(7, 0, EFFORT)],
])("an export of %s is read by its names in any order, and a new column is named", async (_, columns) => {
  expect((await read(columns)).values).toEqual(RIGHT);
  for (const table of swapped(columns)) {
    const { values, rules } = await read(table);
    expect([values, rules.has("strava/unknown-columns")], table.map(([name]) => name).join()).toEqual([RIGHT, false]);
  }
  for (const table of inserted(columns)) {
    const { values, named } = await read(table);
    const header = table.map(([name]) => name).join();
    expect(values, header).toEqual(RIGHT);
    expect(named, header).toEqual([expect.stringMatching(/^column \d+, (Mood|Ascent|Place|Uploaded)$/)]);
  }
});

test("an old export in an unknown language has the right values by its places, or waits", async () => {
  const columns = columnsOf(UNKNOWN);
  const { values, rules } = await read(columns);
  expect([values, rules.has("strava/unknown-language")]).toEqual([RIGHT, true]);
  // Nothing tells a text from another one: names, sports, descriptions and gear. The remark on the language stands for them.
  const texts = new Set(["nimi", "laji", "kuvaus", "varuste"]);
  const isOfTexts = (table: readonly Column[]) =>
    table.every(([name], index) => name === columns[index]?.[0] || texts.has(name));
  for (const table of [...inserted(columns), ...swapped(columns).filter((each) => !isOfTexts(each))]) {
    const found = await read(table);
    const header = table.map(([name]) => name).join();
    if (found.values.length > 0) expect.soft(found.values, header).toEqual(RIGHT);
    else expect(found.waiting, header).toBeGreaterThan(0);
  }
});
