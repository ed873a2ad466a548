import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { identifyArchive } from "../../registry.ts";

const common = { start_time: 1_648_807_200_000, start_time_timezone_offset: 7_200_000, duration: 1_200_000 };
const of2020 = { ...common, id: "a", sport_type_id: "1", pause_duration: 0, distance: 4100 };
const since2021 = { ...common, id: "b", sport_type_id: "1", features: [] };

test.each([
  ["until 2020", of2020],
  ["since 2021", since2021],
])("an activity %s is known by its content, in a file of any name", async (_, activity) => {
  const archive = memoryArchive("a", { "0a1b2c3d.json": JSON.stringify(activity), "x/other.json": '{"a":1}' });
  const { connector } = await identifyArchive(archive);
  expect(connector.name).toBe("adidas-running");
  const found: unknown[] = [];
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  for await (const reading of connector.read(archive, context))
    if (reading.kind === "workout") found.push(reading.value);
  expect(found).toMatchObject([{ activity: "run", duration: 1200, start: { date: "2022-04-01", time: "12:00:00" } }]);
});
