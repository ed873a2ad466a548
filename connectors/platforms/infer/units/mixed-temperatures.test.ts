import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { keepPlausibleValues } from "../../../../transforms/steps/keep-plausible-values.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** A table with a temperature a row, and the proposal for it. */
async function infer(temperatures: readonly string[], header = "Temp", answers: readonly [string, string][] = []) {
  const day = (at: number) => new Date(Date.UTC(2019, 0, 1 + 3 * at)).toISOString().slice(0, 10);
  const rows = temperatures.map((cell, at) => `${day(at)},${6 + (at % 5)},0:4${at % 10}:30,${cell}`);
  const table = `Date,km,Time,${header}\n${rows.join("\n")}\n`;
  const archive = memoryArchive("log", { "log.csv": table });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(
    archive,
    entry,
    new Map([["defaults.activity", "run"], ...answers]),
    "2026-03-01",
  );
  if ("problem" in proposal) throw new Error(proposal.problem);
  const unit = proposal.choices.find(({ place }) => place === `columns.${header}.unit`);
  const files = { "log.csv": table, "log.csv.map.yaml": writeMapping(proposal, "log.csv") };
  return { unit, isAsked: unit !== undefined && isOpen(unit), read: () => readAll(csv, memoryArchive("log", files)) };
}

const celsius = (count: number) => Array.from({ length: count }, (_, at) => String(10 + (at % 8)));
const fahrenheit = (count: number) => Array.from({ length: count }, (_, at) => String(50 + (at % 14)));
/** A year of weather, the coldest day first. */
const year = (count: number, mean: number, by: number) =>
  Array.from({ length: count }, (_, at) => Math.round(mean - by * Math.cos((at / count) * 2 * Math.PI) + (at % 7) - 3));

test.each([
  ["Celsius for years, then Fahrenheit", [...celsius(50), ...fahrenheit(30)], "the numbers are 10 to 17 or 50 to 63"],
  ["Fahrenheit first", [...fahrenheit(30), ...celsius(50)], "the numbers are 10 to 17 or 50 to 63"],
  ["two rows alone", [...celsius(50), "60", "61"], "10 to 17 or 60 to 61"],
  ["every fourth row", celsius(60).map((cell, at) => (at % 4 === 0 ? "57" : cell)), "11 to 17 or 57 to 57"],
  [
    "seasons in both",
    [...year(100, 16, 12), ...year(100, 61, 22)].map(String),
    "from the row with 36 on the numbers are higher",
  ],
])("temperatures in two units are a question that no answer is printed for: %s", async (_, cells, says) => {
  const { unit, isAsked } = await infer(cells);
  expect(isAsked).toBe(true);
  expect(unit).toMatchObject({ isUnproven: true, why: expect.stringContaining(says) });
});

test.each([
  ["a year in Fahrenheit", year(120, 52, 26).map(String), "F"],
  ["a year in Celsius", year(120, 10, 12).map(String), "C"],
])("%s is no question", async (_, cells, value) => {
  const { unit, isAsked } = await infer(cells);
  expect([isAsked, unit?.value]).toEqual([false, value]);
});

test("the other unit in each of its cells answers the question, and both are read", async () => {
  const { unit, isAsked, read } = await infer([...celsius(50), ...fahrenheit(30).map((cell) => `${cell} F`)]);
  expect([isAsked, unit?.value]).toEqual([false, "C"]);
  const values = (await read()).readings.flatMap((one) =>
    one.kind === "workout" ? [one.value.weather?.temperature] : [],
  );
  expect([values[0], values[50]]).toEqual([
    { unit: "C", value: 10 },
    { unit: "F", value: 50 },
  ]);
});

test("a typed temperature that no weather has is left out and named, whatever its header and you say", async () => {
  const { read } = await infer([...celsius(20), "63", "40"], "Temp (C)", [["columns.Temp (C).unit", "C"]]);
  const found: (string | undefined)[] = [];
  const kept = (await read()).readings.flatMap((one) => {
    const { value } = keepPlausibleValues(one as Parameters<typeof keepPlausibleValues>[0], (issue) =>
      found.push(issue.found),
    ) as {
      value: { weather?: { temperature?: { value: number } } };
    };
    return value.weather?.temperature?.value ?? "none";
  });
  expect(found).toEqual(["63"]);
  expect(kept.slice(-2)).toEqual(["none", 40]);
});
