import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping } from "../infer.ts";

async function propose(lines: readonly string[]) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  return inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
}

const DAYS = ["2024-03-10", "2024-03-12", "2024-03-13", "2024-03-15"];

test.each([
  ["Date,What,Value", (day: string, at: number) => [`${day},Distance,${8 + at}.5`, `${day},Time,0:5${at}:12`, `${day},HR,14${at}`], '"What"', '"Distance", "Time" and "HR"'],
  ["Date,Metric,Value,Unit", (day: string, at: number) => [`${day},distance,${8 + at}.5,km`, `${day},duration,5${at},min`], '"Metric"', '"distance" and "duration"'],
  ["Datum;Art;Wert", (day: string, at: number) => [`${day};Strecke;${8 + at},5`, `${day};Zeit;0:5${at}:12`], '"Art"', '"Strecke" and "Zeit"'],
] as const)("a table %s with a value a row is refused, with the pivot table that makes workouts of it", async (header, rowsOf, column, words) => {
  const found = await propose([header, ...DAYS.flatMap(rowsOf)]);
  expect(found).toMatchObject({
    problem: `a row seems to be one value of a workout, and no whole workout: the column ${column} says of each row which value it is, such as ${words}`,
  });
  expect("next" in found && found.next).toContain(`${column} for its columns`);
}); // biome-ignore format: a table

test.each([
  ["a date in its first cell", `Date,${DAYS.join(",")}`, ["Distance (km),8.5,9,10,7.5", "Time,0:50:12,0:53:00,1:00:05,0:45:11", "HR,140,141,150,139", "Weather,sun,rain,sun,wind"]],
  ["an empty first cell", `,${DAYS.join(",")}`, ["km,8.5,9,10,7.5", "Time,0:50:12,0:53:00,1:00:05,0:45:11"]],
  ["a title above it", `My runs\n,${DAYS.join(",")}`, ["km,8.5,9,10,7.5", "Time,0:50:12,0:53:00,1:00:05,0:45:11"]],
])("a table on its side with %s is refused, with the way to turn it", async (_, header, rows) => {
  const found = await propose([header, ...rows]);
  expect(found).toMatchObject({ next: expect.stringContaining("Paste special, Transpose") });
  expect("problem" in found && found.problem).toContain('the table lies on its side: its dates stand beside each other, such as "2024-03-10" and "2024-03-12"');
}); // biome-ignore format: a table

test.each([
  ["kinds of training that are also words for a pace", "Date,km,Time,Type", ["tempo", "long", "tempo", "easy"]],
  ["notes that are words of measures", "Date,km,Time,Notes", ["distance", "time", "distance", "hr"]],
])("a workout a row with %s is proposed as ever", async (_, header, words) => {
  const found = await propose([header, ...DAYS.map((day, at) => `${day},1${at}.2,0:5${at}:07,${words[at]}`)]);
  expect(found).not.toHaveProperty("problem");
});
