import { describe, expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The proposal for a table of these lines: its questions with their answers, its columns, and the reason of a refusal. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await inferMapping(archive, entry, told, "2026-03-01");
  if ("problem" in proposal)
    return { refused: `${proposal.problem}. ${proposal.next}`, open: {}, columns: {}, why: () => "", text: "" };
  const { choices, draft } = proposal;
  return {
    ...{ refused: undefined, columns: Object.fromEntries(draft.columns), text: writeMapping(proposal, "log.csv") },
    open: Object.fromEntries(choices.filter(isOpen).map(({ place, options }) => [place, options.map(({ value }) => value)])),
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
  };
} // biome-ignore format: a helper

/** The workouts that come of a table with the proposal for it, and the rules of the rows that wait. */
async function load(lines: readonly string[], answers: Record<string, string> = {}) {
  const { text } = await infer(lines, answers);
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": text });
  const { readings } = await readAll(csv, archive);
  return {
    workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])),
    waiting: readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.issue.rule] : [])),
  };
}

/** Rows with a date each, from 10 March 2024. */
const dated = (rows: readonly string[]) => rows.map((row, at) => `2024-03-${String(at + 10)},${row}`);

describe("rows with more cells than the header", () => {
  test.each([
    ["Date,km,Time", ["8,3,0:37:43", "10,2,0:54:25", "10,0:58:25"], "2 of 3 rows", "A comma within a number"],
    ["Date,Time,km", ["0:37:43,8,3", "0:54:25,10,2", "0:58:25,10"], "2 of 3 rows", "A comma within a number"],
    ["Date,km,Time", ["8,0:37:43,sunny", "9,0:54:25,", "9,0:58:25,"], "1 of 3 rows", "the last column has no header"],
  ])("below %s are refused with the way on", async (header, rows, count, why) => {
    const { refused } = await infer([header, ...dated(rows)]);
    expect(refused).toContain(`${count} have more cells than the header, such as line 2`);
    expect(refused).toContain(why);
    expect(refused).toContain("Save it once more with a semicolon");
  });

  test("are told of where they are few, and wait instead of losing a cell", async () => {
    const rows = [...Array.from({ length: 19 }, () => "8.3,0:37:43"), "8,3,0:37:43"];
    const lines = ["Date,km,Time", ...dated(rows)];
    expect((await infer(lines)).why("file.delimiter")).toContain("1 of 20 rows have more cells than the header");
    const { workouts, waiting } = await load(lines);
    expect([workouts.length, waiting]).toEqual([19, ["csv/extra-cells"]]);
  });
});
