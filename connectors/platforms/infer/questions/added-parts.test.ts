import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** What is proposed for a table of these lines, and the distances that are loaded so. */
async function infer(lines: readonly string[], answers: readonly (readonly [string, string])[] = []) {
  const files = { "log.csv": `${lines.join("\n")}\n` };
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(answers), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const open = proposal.choices.filter(isOpen).map(({ place }) => place);
  const whole = memoryArchive("log", { ...files, "log.map.yaml": writeMapping(proposal, "log.csv") });
  const read = async () =>
    (await readAll(csv, whole)).readings.flatMap((one) => (one.kind === "workout" ? [one.value.distance] : []));
  return {
    columns: Object.fromEntries(proposal.draft.columns),
    open,
    distances: open.length === 0 ? await read() : [],
  };
}

const ROWS = ["2,5.3,1.5,0:44:44,run", "2,6.6,1.5,0:51:21,run", "2,8.5,1.5,1:01:00,run", "5.5,,,0:27:10,run"].map(
  (row, at) => `2019-03-0${at + 1},${row}`,
);

const SUMS = [8.8, 10.1, 12, 5.5];

test.each([
  ["with a unit in each header", "Warm up km,Main km,Cool down km", []],
  ["with a unit in brackets", "Einlaufen (km),Hauptteil (km),Auslaufen (km)", []],
  ["of swimmers", "Warm up (km),Main set (km),Swim down (km)", []],
  ["with names of their own for the middle", "Warm-up km,Intervals km,Cool-down km", []],
  ["in Spanish", "Calentamiento (km),Principal (km),Enfriamiento (km)", []],
  ["in Portuguese", "Aquecimento (km),Parte principal (km),Volta à calma (km)", []],
  ["with a word for the middle that nobody knows", "Warm up (km),Threshold (km),Cool down (km)", []],
  ["without a unit, which a person says once", "WU,Main,CD", [["columns.Main.unit", "km"]]],
] as const)("parts of a workout without a column for their sum are added up: %s", async (_, header, answers) => {
  const { columns, open, distances } = await infer([`Date,${header},Time,Sport`, ...ROWS], answers);
  const part = { field: "distance", unit: "km", add: true };
  expect(Object.values(columns).slice(1, 4)).toEqual([part, part, part]);
  expect(open).toEqual([]);
  expect(distances).toEqual(SUMS.map((value) => ({ value, unit: "km" })));
});

test("a distance beside the parts is that of the whole", async () => {
  const { columns, distances } = await infer([
    "Date,Distance km,Warm up km,Cool down km,Time,Sport",
    ...["8.8,2,1.5,0:44:44,run", "10.1,2,1.5,0:51:21,run", "12,2,1.5,1:01:00,run"].map(
      (row, at) => `2019-03-0${at + 1},${row}`,
    ),
  ]);
  expect(columns["Distance km"]).toEqual({ field: "distance", unit: "km" });
  expect(distances.map((one) => one?.value)).toEqual([8.8, 10.1, 12]);
});

test.each([
  "Einlaufen km,Haupt km,Auslaufen km,Gesamt km,Zeit",
  "Einlaufen (km),Hauptlauf (km),Auslaufen (km),Summe,Dauer",
  "Inlopen km,Kern km,Uitlopen km,Totaal km,Tijd",
  "Rozgrzewka km,Część główna km,Schłodzenie km,Razem km,Czas",
  "Échauffement km,Corps de séance km,Retour au calme km,Total km,Temps",
])("the column that adds up the parts is the distance: %s", async (header) => {
  const rows = ["2,5.3,1.5,8.8,0:44:44,run", "2,6.6,1.5,10.1,0:51:21,run", "2,8.5,1.5,12,1:01:00,run"];
  const { distances, open } = await infer([`Date,${header},Sport`, ...rows.map((row, at) => `2019-03-0${at + 1},${row}`)]);
  expect(open).toEqual([]);
  expect(distances.map((one) => one?.value)).toEqual([8.8, 10.1, 12]);
}); // biome-ignore format: a table

test("a person may say that a part doesn't count", async () => {
  const answers = [
    ["columns.Warm up km.field", "unsupported"],
    ["columns.Cool down km.field", "unsupported"],
  ] as const;
  const { distances } = await infer(["Date,Warm up km,Main km,Cool down km,Time,Sport", ...ROWS.slice(0, 3)], answers);
  expect(distances.map((one) => one?.value)).toEqual([5.3, 6.6, 8.5]);
});

test("the time of a part alone is no duration without a question", async () => {
  const rows = ["10:00,25:10,8:00", "10:00,31:20,8:10", "12:00,22:40,9:00", "11:10,20:30,10:00"];
  const { open } = await infer([
    "Date,Warm up time,Main time,Cool down time,km,Sport",
    ...rows.map((row, at) => `2019-03-0${at + 1},${row},${9 + at},run`),
  ]);
  expect(open).toContain("columns.Main time.field");
});
