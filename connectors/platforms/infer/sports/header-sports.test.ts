import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping, isOpen } from "../infer.ts";

test.each([
  ["is a question where many rows have no such distance", ["Push,63,", "Push,64,3", "Legs,73,2", "Pull,55,", "Legs,61,"], true],
  ["is that of all rows where nearly all have one", ["easy,63,12", "easy,64,13", "hills,73,12", "long,99,21", "easy,61,11"], false],
])("the sport in the header of the distance %s", async (_, rows, isAsked) => {
  const lines = ["Date,Workout,Minutes,Run (km)", ...rows.map((row, at) => `2024-03-1${at},${row}`)];
  const archive = memoryArchive("log", { "log.csv": lines.join("\n") });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const open = proposal.choices.filter(isOpen).map(({ place }) => place);
  expect(open.includes("defaults.activity")).toBe(isAsked);
}); // biome-ignore format: a table

test("Runs and Rides above two tables side by side are their sports", async () => {
  const rows = [1, 2, 3, 4].map((at) => `2024-03-1${at},${8 + at},0:4${at}:00,,2024-03-1${at},${28 + at},1:0${at}:00`);
  const lines = ["Runs,,,,Rides,,", "Date,Km,Time,,Date,Km,Time", ...rows];
  const archive = memoryArchive("log", { "log.csv": lines.join("\n") });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  expect(proposal.choices.filter(isOpen)).toEqual([]);
  expect(JSON.stringify(proposal.draft.groupSports)).toMatch(/run.*bike/);
});
