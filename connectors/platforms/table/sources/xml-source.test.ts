import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { zipBytes } from "../../../../test/support/zip-bytes.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { xml } from "./xml-source.ts";

const example = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: xml({
        files: /\.xml$/,
        path: ["log", "run"],
        knownBy: ["at"],
        completes: (run) => ({ ...run, double: String(2 * Number(run.km)) }),
      }),
      dates: { order: "iso", zone: "offset" },
      columns: [
        ["at", "datetime"],
        ["where", "position"],
        ["double", "distance", { unit: "km" }],
        ["km", "ignore"],
      ],
      sport: "run",
    },
  ],
  leaves: {},
});

async function read(...runs: readonly string[]) {
  const bytes = Buffer.from(`<log>${runs.join("")}</log>`);
  const { readings } = await readAll(example, memoryArchive("e", { "a.xml": bytes }));
  return readings.map((each) => (each.kind === "workout" ? each.value : undefined));
}

test("members that follow from others are added to each element", async () => {
  expect(await read('<run at="2024-07-01T10:00:00Z" km="5"/>')).toMatchObject([
    { distance: { unit: "km", value: 10 } },
  ]);
});

test("the first position of a row with an instant stands beside it, for its zone", async () => {
  const instant = Date.UTC(2024, 6, 1, 10);
  const starts = (
    await read(
      '<run at="2024-07-01T10:00:00Z" where="48.2 16.37"/>',
      '<run at="2024-07-01T12:00:00+02:00" where="-33.9 151.2"/>',
      '<run at="2024-07-01T10:00:00Z" where="0 0"/>',
      '<run at="2024-07-01T10:00:00Z" where="91 16"/>',
      '<run at="2024-07-01T10:00:00Z" where="48.2"/>',
    )
  ).map((workout) => workout?.start);
  expect(starts).toEqual([
    { instant, position: { lat: 48.2, lon: 16.37 } },
    { date: "2024-07-01", time: "12:00:00", instant, offsetMinutes: 120, position: { lat: -33.9, lon: 151.2 } },
    { instant },
    { instant },
    { instant },
  ]);
});

test("a zip under the name of an XML file is not read, although its bytes hold the text of its files", async () => {
  const content = Buffer.from('<log><run at="2024-07-01T10:00:00Z" km="5"/></log>');
  const zip = zipBytes([{ name: "a.xml", content, stored: true }]);
  expect(await example.identify(memoryArchive("e", { "a.xml": content }))).toBeDefined();
  expect(await example.identify(memoryArchive("e", { "a.xml": zip }))).toBeUndefined();
});
