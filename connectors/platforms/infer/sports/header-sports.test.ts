import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

test.each([
  ["is a question where many rows have no such distance", ["Push,63,", "Push,64,3", "Legs,73,2", "Pull,55,", "Legs,61,"], true],
  ["is that of all rows where nearly all have one", ["easy,63,12", "easy,64,13", "hills,73,12", "long,99,21", "easy,61,11"], false],
])("the sport in the header of the distance %s", async (_, rows, isAsked) => {
  const lines = ["Date,Workout,Minutes,Run (km)", ...rows.map((row, at) => `2024-03-1${at},${row}`)];
  const proposal = await proposalFor(lines.join("\n"), new Map());
  const open = proposal.choices.filter(isOpen).map(({ place }) => place);
  expect(open.includes("defaults.activity")).toBe(isAsked);
}); // biome-ignore format: a table

test("Runs and Rides above two tables side by side are their sports", async () => {
  const rows = [1, 2, 3, 4].map((at) => `2024-03-1${at},${8 + at},0:4${at}:00,,2024-03-1${at},${28 + at},1:0${at}:00`);
  const lines = ["Runs,,,,Rides,,", "Date,Km,Time,,Date,Km,Time", ...rows];
  const proposal = await proposalFor(lines.join("\n"), new Map());
  expect(proposal.choices.filter(isOpen)).toEqual([]);
  expect(JSON.stringify(proposal.draft.groupSports)).toMatch(/run.*bike/);
});
