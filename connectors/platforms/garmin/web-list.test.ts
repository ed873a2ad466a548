import { expect, test } from "vitest";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import { memoryArchive } from "../../containers/memory.ts";
import type { ReadContext } from "../../contract.ts";
import { identifyArchive } from "../../registry.ts";
import { namedMapping } from "../table/mapping/mapping-files.ts";
import { garmin } from "./table.ts";

const HEADER = "Activity Type,Date,Favorite,Title,Distance,Time,Avg Run Cadence,Avg Stride Length,Steps";

async function read(
  rows: readonly string[],
  fixes = new Map(),
  more: Readonly<Record<string, string>> = {},
  distanceUnits?: readonly UnitOf<"distance">[],
) {
  const archive = memoryArchive("a", { "Activities.csv": [HEADER, ...rows, ""].join("\n"), ...more });
  const [readings, issues]: [Reading[], Issue[]] = [[], []];
  const used = new Set<string>();
  const context: ReadContext = {
    signal: new AbortController().signal,
    report: (issue) => issues.push(issue),
    sports: new Map(),
    ...{ fixes, distanceUnits },
    usesGiven: (unit) => used.add(unit),
  };
  for await (const reading of garmin.read(archive, context)) readings.push(reading);
  const distances = readings.map((reading) =>
    reading.kind === "workout"
      ? Object.values(reading.value.distance ?? {}).join(" ")
      : reading.kind === "set-aside" && reading.issue.rule,
  );
  return { readings, issues, distances, used };
}

const row = (type: string, distance: string, cells = "--,--,--", time = "00:31:24") =>
  `${type},2025-02-06 17:06:03,false,x,"${distance}",${time},${cells}`;

// Real people published these two rows: 4,808 steps of 1.15 m are 5.5 km, and 2,166 steps of 0.85 m are 1,841 m, or 1.14 mi.
const IN_NEW_ZEALAND = row("Running", "5.48", '153,1.15,"4,808"');
const IN_AMERICA = row("Treadmill Running", "1.16", '142,0.85,"2,166"', "00:15:11");

test("steps and strides show kilometres or miles, for the rows without steps too", async () => {
  const kilometres = await read([row("Cycling", "31.40"), IN_NEW_ZEALAND, row("Pool Swim", "1,200")]);
  expect(kilometres.distances).toEqual(["km 31.4", "km 5.48", "m 1200"]);
  const miles = await read([row("Cycling", "31.40"), IN_AMERICA, row("Pool Swim", "1,200"), row("Sackhüpfen", "800")]);
  expect(miles.distances).toEqual(["mi 31.4", "mi 1.16", "table/unknown-unit", "table/unknown-unit"]);
});

test("where nothing shows the unit, or rows contradict each other, a distance is rejected until somebody says it", async () => {
  const { readings, distances } = await read([row("Cycling", "31.40"), row("Yoga", "0.00")]);
  expect(distances).toEqual(["table/unknown-unit", ""]);
  const fixed = await read(
    [row("Cycling", "31.40"), row("Yoga", "0.00")],
    new Map([[readings[0]?.key ?? "", { distance: { unit: "mi", value: 31.4 } }]]),
  );
  expect([fixed.distances, fixed.issues]).toEqual([["mi 31.4", ""], []]);
  const both = await read([IN_NEW_ZEALAND, IN_AMERICA]);
  expect(both.distances).toEqual(["table/unknown-unit", "table/unknown-unit"]);
});

// A person says --distance-unit: of roads, and where these are miles also of pools.
test.each([
  [["km"], ["km 31.4", "m 1200", "table/unknown-unit"]],
  [["mi"], ["mi 31.4", "table/unknown-unit", "table/unknown-unit"]],
  [
    ["mi", "yd"],
    ["mi 31.4", "yd 1200", "table/unknown-unit"],
  ],
  [
    ["mi", "m"],
    ["mi 31.4", "m 1200", "table/unknown-unit"],
  ],
  [["yd"], ["table/unknown-unit", "yd 1200", "table/unknown-unit"]],
] as const)(
  "where a person says %j, the distances have these units, and a swim is never in kilometres",
  async (given, units) => {
    const rows = [row("Cycling", "31,40"), row("Schwimmbadschwimmen", "1.200"), row("Sackhüpfen", "800")];
    const { distances, used } = await read(rows, new Map(), {}, given);
    expect(distances).toEqual(units);
    expect(used).toEqual(new Set(given));
  },
);

test("yards are of swims alone: a row stays unknown until somebody says metres", async () => {
  const rows = [row("Pool Swim", "1,200"), row("Indoor Rowing", "2,000")];
  expect((await read(rows, new Map(), {}, ["mi", "yd"])).distances).toEqual(["yd 1200", "table/unknown-unit"]);
  expect((await read(rows, new Map(), {}, ["mi", "yd", "m"])).distances).toEqual(["yd 1200", "m 2000"]);
});

test.each([
  ["1.500,00", "1500 m", "yd"],
  ["1,500.50", "1500.5 m", "yd"],
  ["1,52", "1.52 km", "mi"],
])("the command for a swim of %s can be copied, and offers %s or %s", async (distance, likely, other) => {
  const { readings } = await read([row("Pool Swim", distance)], new Map(), {}, ["km"]);
  expect(readings).toMatchObject([
    { issue: { rule: "table/unit-of-row", expected: expect.stringContaining(`distance="${likely}" (or ${other})`) } },
  ]);
});

test("what steps and strides show wins over what a person says, and is reported", async () => {
  const rows = [row("Cycling", "31.40"), IN_AMERICA];
  const { distances, issues, used } = await read(rows, new Map(), {}, ["km"]);
  expect(used).toEqual(new Set());
  expect(distances).toEqual(["mi 31.4", "mi 1.16"]);
  expect(issues.map(({ rule }) => rule)).toEqual(["table/shown-unit"]);
});

test("a run on a track is in kilometres in every account, and shows nothing of the other rows", async () => {
  const track = row("Track Running", "5.00", '180,1.16,"4,300"', "00:24:00");
  expect((await read([row("Cycling", "31.40"), track], new Map(), {}, ["mi"])).distances).toEqual(["mi 31.4", "km 5"]);
  expect((await read([row("Cycling", "31.40"), track])).distances).toEqual(["table/unknown-unit", "km 5"]);
});

test("a row with decimals, for which no option says the unit, names the way to mend it", async () => {
  const { readings } = await read([row("Indoor Rowing", "3.87")], new Map(), {}, ["mi", "yd"]);
  expect(readings).toMatchObject([
    {
      issue: {
        found: "3.87",
        rule: "table/unit-of-row",
        expected: expect.stringContaining('--set distance="3.87 km"'),
      },
    },
  ]);
});

test("the question names the option that answers it, and the distance as the file has it", async () => {
  const { readings } = await read([row("Laufen", "5,81")]);
  expect(readings).toMatchObject([
    { issue: { found: "5,81", expected: expect.stringContaining("Say it for the whole list: --distance-unit km.") } },
  ]);
});

test("a mapping file says the unit of all rows: then the list is a spreadsheet", async () => {
  const list = [HEADER, row("Cycling", "31.40"), ""].join("\n");
  expect((await identifyArchive(memoryArchive("a", { "Activities.csv": list }))).connector).toBe(garmin);
  for (const mapping of ["a.map.yaml", namedMapping("mine.yaml")]) {
    const mapped = memoryArchive("a", { "Activities.csv": list, [mapping]: "version: 1" });
    expect((await identifyArchive(mapped)).connector.name, mapping).toBe("csv");
  }
});

test("beside the export of the account the list is not read: it has the same activities", async () => {
  const activity = { activityId: 1, activityType: "running", startTimeLocal: "2025-02-06T17:06:03", distance: 548_000 };
  const page = { "x_0_summarizedActivities.json": JSON.stringify([{ summarizedActivitiesExport: [activity] }]) };
  const { distances, issues } = await read([IN_NEW_ZEALAND], new Map(), page);
  expect(distances).toEqual(["m 5480"]);
  expect(issues.map(({ rule, found }) => [rule, found])).toEqual([["garmin/other-files", "Activities.csv"]]);
});

// The first columns of published lists: type, date, favourite, title, distance, calories, time, average and highest heart rate.
const LANGUAGES = {
  English: "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR,Running",
  German: "Aktivitätstyp,Datum,Favorit,Titel,Distanz,Kalorien,Zeit,Ø Herzfrequenz,Maximale Herzfrequenz,Laufen",
  Danish: "Aktivitetstype,Dato,Favorit,Titel,Distance,Kalorier,Tid,Gennemsnitlig puls,Maks. puls,Løb",
  Swedish: "Aktivitetstyp,Datum,Favorit,Namn,Distans,Kalorier,Tid,Medelpuls,Maxpuls,Löpning",
  Polish: "Typ aktywności,Data,Ulubiony,Tytuł,Dystans,Kalorie,Czas,Średnie tętno,Maksymalne tętno,Bieganie",
  Spanish:
    "Tipo de actividad,Fecha,Favorito,Título,Distancia,Calorías,Tiempo,Frecuencia cardiaca media,FC máxima,Carrera",
  Portuguese: "Tipo de atividade,Data,Favorito,Título,Distância,Calorias,Tempo,FC Média,FC máxima,Corrida",
  Hungarian: "Tevékenység típusa,Dátum,Kedvenc,Cím,Távolság,Kalóriaszám,Idő,Átlagos pulzusszám,Max. pulzus,Futás",
};

test.each(Object.entries(LANGUAGES))("a %s list is read, and its distances are asked for", async (_, line) => {
  const words = line.split(",");
  const run = `${words.at(-1)},2024-05-04 07:30:11,false,x,5.02,384,00:30:00.5,148,0`;
  const rest = `${words.at(-1)},2024-05-05 07:30:11,false,x,0.00,"1,384",00:30:00,--,--`;
  const list = [words.slice(0, -1).join(","), run, rest, ""].join("\r\n");
  const archive = memoryArchive("a", { "Activities(7).csv": list });
  expect((await identifyArchive(archive)).connector).toBe(garmin);
  const readings: Reading[] = [];
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  for await (const reading of garmin.read(archive, context)) readings.push(reading);
  expect(readings).toMatchObject([
    { as: "quarantined", issue: { rule: "table/unknown-unit", found: "5.02" } },
    { value: { activity: "run", name: "x", duration: 1800, start: { date: "2024-05-05", time: "07:30:11" } } },
  ]);
  expect(readings[1]).toMatchObject({ value: { unsupported: [{ field: "calories", value: "1384 kcal" }] } });
});

/** The columns of the list of 2025, in the order of a real header, with a value each, and the words that the value is left under. */
const FILLED = [
  ["Activity Type", "Running"],
  ["Date", "2025-05-01 18:05:00"],
  ["Favorite", "false"],
  ["Title", "x"],
  ["Distance", "10.01"],
  ["Calories", "777", "calories"],
  ["Time", "00:50:03"],
  ["Avg HR", "141"],
  ["Max HR", "171"],
  ["Aerobic TE", "3.3", "aerobic training effect"],
  ["Avg Run Cadence", "161", "average cadence"],
  ["Max Run Cadence", "181", "max cadence"],
  ["Avg Pace", "5:00"],
  ["Best Pace", "4:11", "best pace"],
  ["Total Ascent", "101", "elevation gain"],
  ["Total Descent", "102", "elevation loss"],
  ["Avg Stride Length", "1.24", "stride length"],
  ["Avg Vertical Ratio", "7.7", "vertical ratio"],
  ["Avg Vertical Oscillation", "8.8", "vertical oscillation"],
  ["Avg Ground Contact Time", "255", "ground contact time"],
  ["Avg GCT Balance", "49.9% L / 50.1% R", "ground contact balance"],
  ["Avg GAP", "4:59", "grade adjusted pace"],
  ["Normalized Power® (NP®)", "256", "normalized power"],
  ["Training Stress Score®", "66.6", "training stress score"],
  ["Avg Power", "244", "average power"],
  ["Max Power", "444", "max power"],
  ["Steps", "8020", "steps"],
  ["Min Temp", "12.0", "lowest temperature"],
  ["Decompression", "No"],
  ["Best Lap Time", "05:01.2", "best lap"],
  ["Number of Laps", "11", "number of laps"],
  ["Max Temp", "19.0", "highest temperature"],
  ["Avg Resp", "33", "average breaths"],
  ["Min Resp", "22", "lowest breaths"],
  ["Max Resp", "44", "highest breaths"],
  ["Moving Time", "00:49:00", "moving time"],
  ["Elapsed Time", "00:52:00", "elapsed time"],
  ["Min Elevation", "0", "lowest elevation"],
  ["Max Elevation", "303", "highest elevation"],
] as const;

test("each filled column of the list is in the log, counted by its name, or follows from distance and time", async () => {
  const text = `${FILLED.map(([name]) => name).join()}\n${FILLED.map(([, cell]) => cell).join()}\n`;
  const { readings } = await read([], new Map(), { "Activities.csv": text });
  const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  const left = (workout?.unsupported ?? []).map(({ field, value }) => `${field} ${value.split(" ")[0]}`);
  expect(left.toSorted()).toEqual(
    FILLED.flatMap(([, cell, label]) => (label === undefined ? [] : [`${label} ${cell.split(" ")[0]}`])).toSorted(),
  );
});

test("a list that was loaded when its other columns weren't counted keeps the keys of its rows", async () => {
  const [before, after] = await Promise.all(
    ["Avg Pace", "Best Pace"].map((name) =>
      read([], new Map(), { "Activities.csv": `${HEADER},${name}\n${IN_NEW_ZEALAND},4:11\n` }),
    ),
  );
  expect(after?.readings[0]?.key).toBe(before?.readings[0]?.key);
});
