import { describe, expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** What comes of a table of these lines with the proposal for it: its questions, what was left, and its workouts and gear. */
async function load(lines: readonly string[]) {
  const text = `${lines.join("\n")}\n`;
  const archive = memoryArchive("log", { "log.csv": text });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
  if ("problem" in proposal) return { refused: `${proposal.problem}. ${proposal.next}` };
  const mapping = writeMapping(proposal, entry.path);
  const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": text, "log.map.yaml": mapping }));
  return {
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
    fields: Object.fromEntries([...proposal.draft.columns].map(([name, { field }]) => [name, field])),
    workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])),
    gear: readings.filter(({ kind }) => kind === "equipment").length,
  };
}

/** Rows with a date each, of every third day. */
const dated = (count: number, row: (at: number) => string) =>
  Array.from(
    { length: count },
    (_, at) => `${new Date(Date.UTC(2021, 0, 3 + 3 * at)).toISOString().slice(0, 10)},${row(at)}`,
  );

describe("a heart rate of 0", () => {
  test.each([
    ["a third", 3],
    ["half", 2],
  ])("in %s of the rows was not measured there, and the column is the heart rate", async (_, each) => {
    const rows = dated(60, (at) => `${6 + (at % 5)},0:4${at % 5}:00,${at % each === 0 ? 0 : 128 + (at % 30)}`);
    const { open, fields, workouts } = await load(["Date,km,Time,Avg HR", ...rows]);
    expect([open, fields?.["Avg HR"]]).toEqual([[], "avgHR"]);
    expect(workouts?.slice(0, 2).map(({ health }) => health?.avgHR)).toEqual([undefined, 129]);
  });

  test("in most rows leaves it open what the column is", async () => {
    const rows = dated(60, (at) => `${6 + (at % 5)},0:4${at % 5}:00,${at % 4 === 0 ? 140 + (at % 9) : 0}`);
    expect((await load(["Date,km,Time,Avg HR", ...rows])).fields?.["Avg HR"]).toBe("unsupported");
  });
});

describe("shoes with their mileage", () => {
  const PAIRS = ["Pegasus", "Kayano 14"];

  test.each([
    ["in brackets", (pair: string, far: number) => `${pair} (${far} km)`],
    ["behind a hyphen", (pair: string, far: number) => `${pair} - ${far}`],
    ["with a mark of thousands", (pair: string, far: number) => `"${pair} (1,${far} mi)"`],
  ])("%s are as many as there are names", async (_, written) => {
    const rows = dated(40, (at) => `6.2,0:36:28,${written(PAIRS[at % 2] ?? "", 100 + 7 * at)}`);
    const { open, workouts, gear } = await load(["Date,km,Time,Shoes", ...rows]);
    expect([open, workouts?.length, gear]).toEqual([[], 40, 2]);
    expect(new Set(workouts?.flatMap(({ equipment = [] }) => equipment)).size).toBe(2);
    expect(workouts?.[1]?.notes).toContain("107");
  });

  test("are not models of shoes, whose numbers come again", async () => {
    const rows = dated(40, (at) => `6.2,0:36:28,Pegasus ${33 + Math.floor(at / 8)}`);
    expect((await load(["Date,km,Time,Shoes", ...rows])).gear).toBe(5);
  });
});

describe("Unix times", () => {
  const rows = (factor: number) => Array.from({ length: 5 }, (_, at) => `${(1_609_657_200 + 259_200 * at) * factor}`);

  test.each([
    ["date", 1, "seconds", "=A2/86400+25569"],
    ["start_time", 1000, "milliseconds", "=A2/86400000+25569"],
  ])("below %s are named with the way on", async (header, factor, unit, formula) => {
    const { refused } = await load([
      `${header},distance_m,duration_s`,
      ...rows(factor).map((time) => `${time},6200,2188`),
    ]);
    expect(refused).toContain(`the column "${header}" has Unix times, the ${unit} since 1970`);
    expect(refused).toContain("is 2021-01-03 07:00 in UTC");
    expect(refused).toContain(formula);
  });

  test("are none before 2005 and after today", async () => {
    for (const factor of [0.6, 1.2]) {
      const times = rows(1).map((time) => `${Math.round(Number(time) * factor)},6200,2188`);
      expect((await load(["date,distance_m,duration_s", ...times])).refused).toContain("no dates can be read, such as");
    }
  });
});
