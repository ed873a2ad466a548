import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { connectorNamed } from "../../registry.ts";

const SPAN = "2022-01-02 15:05:17 - 2022-01-02 16:12:32";

async function read(...lines: readonly string[]) {
  const rules: string[] = [];
  const archive = memoryArchive("a", { "workouts.csv": `${lines.join("\n")}\n` });
  const report = ({ rule }: { readonly rule: string }) => rules.push(rule);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  const values: unknown[] = [];
  for await (const reading of connectorNamed("health-export")?.read(archive, context) ?? [])
    values.push(reading.kind === "workout" ? reading.value : reading);
  return { values, rules };
}

test.each([
  ["in quotes between commas", ",", '"'],
  ["between semicolons", ";", ""],
])("decimal commas %s are read, also where each distance has three digits behind it", async (_how, between, quote) => {
  const quoted = (number: string) => `${quote}${number}${quote}`;
  const { values, rules } = await read(
    ["Date", "Activity", "Distance(km)", "Duration(Seconds)", "Heart rate: Average(count/min)"].join(between),
    [SPAN, "Running", quoted("10,371"), quoted("4015,067"), quoted("143,918")].join(between),
  );
  expect(values).toMatchObject([
    { distance: { unit: "km", value: 10.371 }, duration: 4015.067, health: { avgHR: 144 } },
  ]);
  expect(rules).toEqual(["table/decimal-comma"]);
});

test("a comma that nothing shows to be a decimal one stays one between thousands", async () => {
  const { values, rules } = await read("Date;Activity;Distance(km);Duration(Seconds)", `${SPAN};Running;10,371;4015`);
  expect(values).toMatchObject([{ distance: { unit: "km", value: 10_371 } }]);
  expect(rules).not.toContain("table/decimal-comma");
});

test("a point in a number forbids decimal commas between commas", async () => {
  const { values } = await read("Date,Activity,Distance(km),Duration(Seconds)", `${SPAN},Running,10.5,"4,015"`);
  expect(values).toMatchObject([{ distance: { unit: "km", value: 10.5 } }]);
});
