import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { CONNECTORS } from "../../registry.ts";
import { csv } from "../csv/connector.ts";
import { parseMapping } from "../csv/mapping.ts";
import { garmin } from "../garmin/table.ts";
import { runkeeper } from "../runkeeper/table.ts";

const shown = await Promise.all(
  CONNECTORS.map(async ({ name, mappings }) => ({ name, mappings: (await mappings?.()) ?? [] })),
);

test.each(
  shown.flatMap(({ name, mappings }) => mappings.map(({ text }, index) => ({ name: `${name} ${index + 1}`, text }))),
)("the table of $name is a sound mapping file, but for its open questions, or its date is a comment", ({ text }) => {
  // What the output cuts can't be read back. Each open question keeps the file from being used.
  const cut = text.split("\n").filter((line) => line.length > 1_000);
  expect(cut).toEqual([]);
  const open = text.split("unit: ASK").length - 1;
  const asked = parseMapping("shown.map.yaml", text);
  if (open > 0)
    expect(asked).toMatchObject({ errors: expect.arrayContaining([expect.stringContaining("a question is open")]) });
  const parsed = parseMapping("shown.map.yaml", answered(text));
  // What can't be used says so in its head.
  expect("errors" in parsed).toBe(
    text.includes("this can't be used as it is: give one column the field date or datetime."),
  );
  if ("errors" in parsed)
    expect(parsed.errors).toEqual([expect.stringMatching(/columns: expected one column with field date or datetime/)]);
});

/** The mapping file with a unit of the right kind for each question. */
function answered(text: string): string {
  return text.replaceAll(/unit: ASK([^#]*# ([^,?]+))/g, "unit: $2$1");
}

test("the unit that Garmin's list doesn't say is a question with its answers behind it", async () => {
  const [, list] = (await garmin.mappings?.()) ?? [];
  const [line] = /^ {2}Distance: .*$/m.exec(list?.text ?? "") ?? [];
  expect(line).toMatch(/\{ field: distance, unit: ASK, .* # mi, km, m, yd\? No header says the unit\./);
  expect(list?.text).toContain("# logferry reads this export without a mapping file. Use this one for a table");
  // A name that the code breaks over two lines is one name.
  expect(list?.text).toMatch(/Średnie\s+odchylenie do długości, Relación vertical media/);
});

test("a table with nothing but the start of its workouts is read by each of them that misses no columns", async () => {
  for (const { name, mappings } of shown)
    for (const { text } of mappings) {
      const parsed = parseMapping("shown.map.yaml", answered(text));
      if ("errors" in parsed || parsed.mapping.missingColumns !== "ignore") continue;
      const starts = Object.entries(parsed.mapping.columns).filter(([, { field }]) => STARTS.has(String(field)));
      const header = `${starts.map(([column]) => `"${column.replaceAll('"', '""')}"`).join(",")}\n`;
      const archive = memoryArchive("log", { "log.csv": header, "log.map.yaml": answered(text) });
      await expect(readAll(csv, archive), name).resolves.toHaveProperty("readings", []);
    }
});

const STARTS: ReadonlySet<string> = new Set(["date", "datetime", "instant", "time", "offset"]);

test("a table of Runkeeper is read alike by its own table and by the mapping file shown", async () => {
  const [first] = (await runkeeper.mappings?.()) ?? [];
  const table = [
    "Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Friend's Tagged,Notes,GPX File",
    "a1,2014-03-01 18:05:11,Running,Prater,10.5,45:10,4:18,13.95,640.0,12.0,150,,felt good,",
    "a2,2014-03-02 07:00:00,Cycling,,0.00,1:10:00,,,,,,,,",
  ].join("\n");
  const own = await readAll(runkeeper, memoryArchive("export", { "cardioActivities.csv": table }));
  const mapped = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": first?.text ?? "" }));
  const valuesOf = ({ readings }: typeof own) =>
    readings.flatMap((reading) => (reading.kind === "workout" ? [{ ...reading.value, course: undefined }] : []));
  expect(valuesOf(mapped)).toEqual(valuesOf(own));
  expect(valuesOf(mapped)).toMatchObject([
    { activity: "run", start: { date: "2014-03-01", time: "18:05:11" }, distance: { unit: "km", value: 10.5 } },
    { activity: "bike", duration: 4200 },
  ]);
});

test("a mapping file shown is read as somebody changed it: another name of a column, another unit, a value that is left", async () => {
  const [first] = (await runkeeper.mappings?.()) ?? [];
  const edits = [
    ["Distance (km): { field: distance, unit: km, zero: none }", "Strecke: { field: distance, unit: mi, zero: none }"],
    ["Notes: { field: notes }", 'Notes: { field: ignore, why: "private" }'],
  ] as const;
  const edited = edits.reduce((text, [shownLine, line]) => {
    expect(text).toContain(shownLine);
    return text.replace(shownLine, line);
  }, first?.text ?? "");
  const table = "Date,Type,Strecke,Duration,Notes\n2014-03-01 18:05:11,Running,6.2,45:10,felt good\n";
  const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": edited }));
  const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(workout).toMatchObject({ distance: { unit: "mi", value: 6.2 }, duration: 2710 });
  expect(workout?.notes).toBeUndefined();
});

test("each word that a table and a mapping file share is documented", () => {
  const readme = readFileSync(join(import.meta.dirname, "../csv/README.md"), "utf8");
  for (const word of ["also", "optional", "otherwise", "zero", "per", "decimal", "expected", "missingColumns"])
    expect(readme).toContain(word);
});
