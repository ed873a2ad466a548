import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

const HEADER = "Date,km,Time";
const RUNS = ["2021-01-03,6.2,0:36:28", "2021-01-06,9.5,0:52:43", "2021-01-08,12.1,1:02:43"];
const WALKS = ["2021-01-03,3.7,0:40:53", "2021-01-07,5.5,0:58:56", "2021-01-09,6.9,1:11:24"];
const RIDES = ["2021-01-04,29.7,1:20:41", "2021-01-07,42.3,1:40:48", "2021-01-09,52.6,1:46:04"];

const of = (sport: string, rows: readonly string[]) => rows.map((row) => `${row.slice(0, 10)} ${sport}`);

/** Proposes a mapping for a table, and reads the table by it. */
async function proposedAndRead(lines: readonly string[]) {
  const table = { "training.csv": `${lines.join("\n")}\n` };
  const archive = memoryArchive("log", table);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const text = writeMapping(proposal, "training.csv");
  const { readings, issues } = await readAll(csv, memoryArchive("log", { ...table, "training.csv.map.yaml": text }));
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  const rejected = readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.issue.found] : []));
  return {
    ...{ text, rejected, issues, open: proposal.choices.filter(isOpen).map(({ place }) => place) },
    sports: workouts.map(({ start, activity }) => `${start.date} ${activity}`),
  };
}

test.each([
  ["a title above each header", ["RUNNING", HEADER, ...RUNS, "", "WALKING,,", HEADER, ...WALKS, "", "CYCLING,,", HEADER, ...RIDES], 2],
  ["one header above all titles", [HEADER, "Running,,", ...RUNS, "Walking,,", ...WALKS, "Cycling,,", ...RIDES], 0],
  ["titles of several words", ["My running log", HEADER, ...RUNS, "My walks,,", HEADER, ...WALKS, "All rides 2021,,", HEADER, ...RIDES], 2],
])("titles among the rows are the sport of the rows below them: %s", async (_, lines, headers) => {
  const { sports, rejected, issues, open, text } = await proposedAndRead(lines);
  expect(open).toEqual([]);
  expect(sports).toEqual([...of("run", RUNS), ...of("walk", WALKS), ...of("bike", RIDES)]);
  expect(rejected).toEqual(Array(headers).fill("header"));
  expect(issues).toEqual([]);
  expect(text).toContain("  sports: Sport  # ");
}); // biome-ignore format: a table

test.each([
  ["a title that is no sport", [HEADER, "Running,,", ...RUNS, "With the club,,", ...WALKS, "Cycling,,", ...RIDES]],
  ["rows above the first title, of a sport that nothing says", [HEADER, ...RUNS, "Walking,,", ...WALKS]],
  ["a sport alone in another column", [HEADER, "Running,,", ...RUNS, "Cycling,,", ...RIDES, ",,Walking", ...WALKS]],
])("titles are refused where a row may get a wrong sport: %s", async (_, lines) => {
  await expect(proposedAndRead(lines)).rejects.toThrow("titles among the rows say their sport");
}); // biome-ignore format: a table

test("another header below a title is refused, as it is without titles", async () => {
  const lines = ["RUNNING", HEADER, ...RUNS, "SWIMMING,,", "Date,m,Time", "2021-01-04,1300,0:26:29", "2021-01-07,2000,0:40:06"];
  await expect(proposedAndRead(lines)).rejects.toThrow('row 7 is another header: "m" where the first has "km"');
}); // biome-ignore format: a table
