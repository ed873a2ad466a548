import { describe, expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The questions about a table with their answers in order, and the workouts that it gives with answers to all of them. */
async function load(lines: readonly string[], answers: Record<string, string> = {}) {
  const files = { "log.csv": `${lines.join("\n")}\n` };
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await inferMapping(archive, entry, told, "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const open = proposal.choices.filter(isOpen);
  const text = writeMapping(proposal, "log.csv");
  const { readings } = open.length > 0 ? { readings: [] } : await readAll(csv, memoryArchive("log", { ...files, "log.map.yaml": text }));
  return {
    text,
    open: open.map(({ place, options, isUnproven }) => [place, isUnproven ? "no usual answer" : options[0]?.value, options.map(({ value }) => value).join(" ")]),
    workouts: readings.flatMap((one) => {
      if (one.kind !== "workout") return [];
      const { start, distance, duration, health, notes } = one.value;
      return [[start.date, distance?.value, duration, health?.avgHR, health?.maxHR, notes].filter((value) => value !== undefined).join(" ")];
    }),
  };
} // biome-ignore format: a helper

const PAIRS = [
  "2022-01-03,8,0:45:00,5.6,0:25:26,easy",
  "2022-01-05,11,1:00:00,9,0:50:12,",
  "2022-01-07,12,1:10:00,13.4,1:21:10,hills",
];
const SECOND = ["2022-01-03 5.6 1526 easy", "2022-01-05 9 3012", "2022-01-07 13.4 4870 hills"];

describe("words in the row above the header", () => {
  test.each([
    ["Date,Planned,,Actual,,Notes", ",km,time,km,time,"],
    ["Fecha,Previsto,,Realizado,,Notas", ",km,tiempo,km,tiempo,"],
    ["Datum,Vorgabe Trainer,,Absolviert,,", ",km,Zeit,km,Zeit,Notiz"],
    ["Datum,Soll,,Ist,,Notiz", ",km,Zeit,km,Zeit,"],
    ["Datum,Schema,,Gelopen,,", ",km,tijd,km,tijd,Notitie"],
  ])("%s: the plan is left, and each row is one workout", async (above, header) => {
    const { open, workouts } = await load([above, header, ...PAIRS]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(SECOND);
  });

  test.each([
    ["Date,Anna,,Ben,,Notes", "no usual answer", "Anna Ben all"],
    ["Date,Katrin,,Ich,,Notes", "Ich", "Ich Katrin all"],
    ["Date,2021,,2022,,Notes", "no usual answer", "2021 2022"],
  ])("%s are a question, and the answer decides which columns are loaded", async (above, first, values) => {
    const table = [above, ",km,time,km,time,", ...PAIRS];
    const asked = await load(table);
    expect(asked.open).toEqual([["layout.repeat", first, values]]);
    expect(asked.text).toContain("  repeat: ASK  # CHECK: without the line");
    const [, , , second = ""] = above.split(",");
    expect((await load(table, { "layout.repeat": second })).workouts).toEqual(SECOND);
    const all = await load(table, { "layout.repeat": "all" });
    expect(all.workouts).toHaveLength(values.endsWith("all") ? 6 : 0);
  });

  test("years in the headers are a question, and complete the dates", async () => {
    const table = ["Day,2021 run km,2021 time,2022 run km,2022 time", ...PAIRS.map((row) => `${Number(row.slice(8, 10)) + 12}/01${row.slice(10).replace(/,[a-z]*$/, "")}`)];
    expect((await load(table)).open).toEqual([["layout.repeat", "no usual answer", "2021 2022"]]);
    const { open, workouts } = await load(table, { "layout.repeat": "2021" });
    expect(open).toEqual([]);
    expect(workouts).toEqual(["2021-01-15 8 2700", "2021-01-17 11 3600", "2021-01-19 12 4200"]);
  }); // biome-ignore format: a table

  test.each([
    ["Fecha,Ruta,Salida,,Pulso,,Notas", ",,Km,Tiempo,Medio,Máximo,"],
    ["Date,Route,Run,,Heart rate,,Notes", ",,km,time,avg,max,"],
  ])("%s: the lower row is the header, and a measure names the columns below it", async (above, header) => {
    const rows = ["2021-02-01,Park,12,1:02:57,142,171,", "2021-02-02,Park,8,0:43:10,138,160,hot", "2021-02-05,Lake,15,1:20:00,144,175,"];
    const { open, workouts } = await load([above, header, ...rows]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(["2021-02-01 12 3777 142 171", "2021-02-02 8 2590 138 160 hot", "2021-02-05 15 4800 144 175"]);
  }); // biome-ignore format: a table

  test.each([
    ["a title", "My training plan,,,", "Date,km,time,Notes"],
    ["two titles", "Trainingsplan 2021,,,Bob", "Datum,km,Zeit,Notiz"],
  ])("%s is no word for columns", async (_, above, header) => {
    const { open, workouts } = await load([above, header, ...PAIRS.map((row) => row.replace(/,[\d.]+,[\d:]+,/, ","))]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(SECOND);
  });

  test("numbers are workouts of one athlete", async () => {
    const { open, workouts } = await load(["Date,Session 1,,Session 2,,", ",km,time,km,time,", ...PAIRS.map((row) => row.replace(/[a-z]+$/, ""))]);
    expect(open).toEqual([]);
    expect(workouts).toHaveLength(6);
  });
}); // biome-ignore format: a table
