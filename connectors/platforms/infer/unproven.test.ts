import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, isOpen } from "./infer.ts";

async function choicesOf(lines: readonly string[]) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  return new Map(proposal.choices.map((choice) => [choice.place, choice]));
}

test("pounds and degrees behind the numbers of other columns prove miles", async () => {
  const days = ["03/05", "03/09", "03/13", "03/16", "03/21", "03/24"];
  const lines = days.map((day, at) => `${day}/2014,${5 + at},0:${45 + 2 * at}:00,165 lbs,55F`);
  const unit = (await choicesOf(["Date,Dist,Time,Weight,Temp", ...lines])).get("columns.Dist.unit");
  expect(unit).toMatchObject({ value: "mi", why: expect.stringContaining('the column "Weight"') });
});

test("an order of dates that nothing shows has no usual answer", async () => {
  const lines = ["04/11", "01/05", "06/07", "02/08"].map((day) => `${day}/2014,10,0:55:00`);
  const order = (await choicesOf(["Date,Run km,Time", ...lines])).get("dates.order");
  expect(order && isOpen(order) && order.isUnproven).toBe(true);
});

test.each([
  ["Schritte", "walk", ["Datum;Schritte;km;Minuten", "01.03.2020;8690;6,3;72", "02.03.2020;14283;10,3;118"]],
  ["Split /500m", "row", ["Date,Meters,Time,Split /500m", "2022-10-03,2000,7:12,1:48.1", "2022-10-05,5000,19:24,1:56.5"]],
  ["Rower", "row", ["Date,Rower,Time,Rest", "2022-10-03,2000,7:12,a", "2022-10-05,5000,19:24,b"]],
  ["Rower", "bike", ["Data;Dystans;Czas;Rower", "2022-10-03;25;1:01:00;Merida", "2022-10-05;30;1:11:00;Merida"]],
  ["Bike", "bike", ["Date,Time,Speed,Bike", "2020-06-01,1:57:00,24.3,Trek", "2020-06-03,2:10:00,23.7,Trek"]],
  ["Bahnen", "swim", ["Datum;Bahnen;Minuten", "1.11.2022;80;47", "4.11.2022;40;24"]],
])("a column %s puts %s in front of the sports that are asked for", async (header, sport, lines) => {
  const choice = (await choicesOf(lines)).get("defaults.activity");
  expect(choice?.options?.[0]?.value).toBe(sport);
  expect(choice).toMatchObject({ value: sport, why: expect.stringContaining(`the column "${header}" speaks for ${sport}`) });
}); // biome-ignore format: a table

test.each([
  ["watts alone say nothing of the sport", "Watts", ["10,0:52:00,280", "8,0:41:00,291"], "run"],
  ["watts with the speeds of rides do", "Watts", ["30,1:02:00,180", "28,1:01:00,191"], "bike"],
  ["marches with the speeds of swims are walks", "Load", ["12.1,2:25:00,20", "13,2:40:00,30"], "walk"],
  ["a pool with the speeds of rides doesn't", "Pool", ["30,1:02:00,x", "28,1:01:00,y"], "bike"],
])("the first sport that is asked for: %s", async (_, header, cells, sport) => {
  const lines = cells.map((line, at) => `2024-03-0${at + 1},${line}`);
  expect((await choicesOf([`Date,km,Time,${header}`, ...lines])).get("defaults.activity")?.value).toBe(sport);
});

const RUNS = ["10,0:52:00", "8,0:41:00", "12,1:03:00", "9,0:46:00", "7,0:36:00", "11,0:58:00"];
const RIDES = ["30,1:02:00", "28,1:01:00", "41,1:22:00"];
const days = (rows: readonly string[]) => rows.map((row, at) => `2024-03-${at + 10},${row}`);

test.each([
  ["notes name another one", "Notes", [...RUNS.map((row) => `${row},easy run`), ...["bike ride", "walk", "bike ride"].map((text, at) => `${RUNS[at]},${text}`)], 'names another sport in 3 of 9 rows, such as "bike ride" and "walk"'],
  ["letters part the rows", "Type", [...RUNS.map((row) => `${row},R`), ...RIDES.map((row) => `${row},B`)], 'parts the rows: those with "B" can\'t be runs, and those with "R" can'],
  ["numbers part the rows", "Kind", [...RUNS.map((row) => `${row},1`), ...RIDES.map((row) => `${row},2`)], 'parts the rows: those with "2" can\'t be runs, and those with "1" can'],
])("the sport has no usual answer where %s", async (_, header, rows, why) => {
  const choice = (await choicesOf([`Date,km,Time,${header}`, ...days(rows)])).get("defaults.activity");
  expect(choice).toMatchObject({ isUnproven: true, why: expect.stringContaining(`the column "${header}" ${why}`) });
}); // biome-ignore format: a table

test("the sport has its usual answer beside letters that part nothing, and beside a note of another sport", async () => {
  const rows = RUNS.map((row, at) => `${row},${at % 2 === 0 ? "A" : "B"},${at === 3 ? "walk" : "easy"}`);
  const choice = (await choicesOf(["Date,km,Time,Route,Notes", ...days(rows)])).get("defaults.activity");
  expect([choice?.value, choice?.isUnproven]).toEqual(["run", undefined]);
});

test.each([
  ["Miles", [98.4, 99.4, 97.1], "asks, kg first"],
  ["Miles", [89, 90, 91], "asks, kg first"],
  ["Miles", [99.5, 100.4, 101], "asks, kg first"],
  ["km", [98.4, 99.4, 97.1], "says kg"],
  ["Miles", [84, 85, 86], "says kg"],
  ["km", [143, 144, 146], "asks, lb first"],
  ["Miles", [143, 144, 146], "says lb"],
  ["km", [163, 164, 166], "says lb"],
])("below %s, of body weights such as %j the proposal %s", async (unit, weights, expected) => {
  const lines = weights.map((weight, at) => `2021-01-0${at + 3},${5 + at},0:${45 + 9 * at}:00,${weight}`);
  const weight = (await choicesOf([`Date,${unit},Time,Weight`, ...lines])).get("columns.Weight.unit");
  expect(weight && (isOpen(weight) ? `asks, ${weight.value} first` : `says ${weight.value}`)).toBe(expected);
});

test("numbers of an incline name no other sport, so the sport has its usual answer", async () => {
  const rows = RUNS.map((row, at) => `${row},${at % 2}`);
  const choice = (await choicesOf(["Date,km,Time,Incline", ...days(rows)])).get("defaults.activity");
  expect(choice).toMatchObject({ value: "run", why: "nothing in the table says it" });
  expect(choice?.isUnproven).toBeUndefined();
});
