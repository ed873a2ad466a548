import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The notes that are loaded with the mapping that is proposed for a table. */
async function notesOf(lines: readonly string[]) {
  const files = { "running.csv": `${lines.join("\n")}\n` };
  const archive = memoryArchive("log", files);
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const whole = memoryArchive("log", { ...files, "running.map.yaml": writeMapping(proposal, table.path) });
  return (await readAll(csv, whole)).readings.flatMap((one) => (one.kind === "workout" ? [one.value.notes] : []));
}

/** The days that are loaded and left out with the mapping that is proposed for a table, and later rows under it. */
async function readings(lines: readonly string[], later: readonly string[] = []) {
  const archive = memoryArchive("log", { "running.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  expect(proposal.choices.filter(isOpen)).toEqual([]);
  const whole = memoryArchive("log", {
    "running.csv": `${[...lines, ...later].join("\n")}\n`,
    "running.map.yaml": writeMapping(proposal, table.path),
  });
  const read = (await readAll(csv, whole)).readings;
  return {
    loaded: read.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : [])),
    skipped: read.flatMap((one) => (one.kind === "set-aside" ? [`${one.origin.locator}: ${one.issue?.found}`] : [])),
  };
}

test.each([
  ["the notes", "Date,km,Time,Notes"],
  ["the kind of training", "Date,km,Time,Workout"],
])("a row with the word for rest in %s and a distance or a duration is a workout", async (_, header) => {
  const { loaded, skipped } = await readings(
    [
      header,
      "2024-03-01,10,0:50:00,easy",
      "2024-03-02,,,rest",
      "2024-03-03,8,0:41:00,rest",
      "2024-03-04,,0:30:00,rest",
      "2024-03-05,12,1:00:00,tempo",
      "2024-03-06,0,0:00:00,rest",
    ],
    ["2024-03-07,5,,rest", "2024-03-08,,,rest"],
  );
  expect(loaded).toEqual(["2024-03-01", "2024-03-03", "2024-03-04", "2024-03-05", "2024-03-07"]);
  expect(skipped).toEqual(["line 3: rest day", "line 7: rest day", "line 9: rest day"]);
});

test("notes that hold nothing but the word for rest are loaded", async () => {
  const table = [
    "Date,km,Time,Notes",
    "2024-03-01,10,0:50:00,rest",
    "2024-03-03,8,0:41:00,",
    "2024-03-05,12,1:00:00,rest",
  ];
  expect(await notesOf(table)).toEqual(["rest", undefined, "rest"]);
});

test("the word for rest in the place of the distance leaves a duration a workout", async () => {
  const { loaded, skipped } = await readings(
    ["Date,km,Time", "2024-03-01,10,0:50:00", "2024-03-02,off,", "2024-03-05,12,1:00:00"],
    ["2024-03-06,off,0:45:00"],
  );
  expect(loaded).toEqual(["2024-03-01", "2024-03-05", "2024-03-06"]);
  expect(skipped).toEqual(["line 3: rest day"]);
});

test.each([
  ["below the header, in brackets", ",(km),(min),(bpm)"],
  ["with one for the date", "(d),(km),(min),(bpm)"],
])("a row of units is left out: %s", async (_, units) => {
  const rows = ["2019-03-01,10,50,140,run", "2019-03-03,12,61,145,run", "2019-03-05,8,40,141,run"];
  const { loaded, skipped } = await readings(["Date,Dist,Time,HR,Sport", `${units},`, ...rows]);
  expect(loaded).toEqual(["2019-03-01", "2019-03-03", "2019-03-05"]);
  expect(skipped).toEqual(["line 2: units"]);
});

test("a row of zeros is a day of rest, also where a workout may lack its distance", async () => {
  const { loaded, skipped } = await readings([
    "Date,Km,Time,Sport",
    ...["01,5,0:25:10,run", "02,0,0,", "03,0,0:40:10,weight", "04,7,0:36:05,run", "05,,0:31:20,run", "06,0,0,"].map(
      (row) => `2019-03-${row}`,
    ),
  ]);
  expect(loaded).toEqual(["2019-03-01", "2019-03-03", "2019-03-04", "2019-03-05"]);
  expect(skipped).toEqual(["line 3: nothing done", "line 7: nothing done"]);
});
