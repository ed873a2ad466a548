import { describe, expect, test } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, writeMapping } from "../infer/infer.ts";
import { csv } from "./connector.ts";

// A table goes on after its mapping was made. Its columns stay, and what its title or its name says of them changes.

type Content = string | Uint8Array;

/** The mapping file that is proposed for a table. */
async function mappingOf(name: string, content: Content): Promise<string> {
  const archive = memoryArchive("log", { [name]: content });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  return writeMapping(proposal, name);
}

/** Days, distances and units of the workouts of a table. */
async function read(name: string, content: Content, mapping: string): Promise<readonly string[]> {
  const { readings } = await readAll(csv, memoryArchive("log", { [name]: content, "log.map.yaml": mapping }));
  return readings.flatMap((one) =>
    one.kind === "workout" ? [`${one.value.start.date} ${one.value.distance?.value} ${one.value.distance?.unit}`] : [],
  );
}

const titled = (title: string) =>
  `${title},,\nDate,Distance,Time\n13/03/2023,10.5,0:52:10\n15/03/2023,8.2,0:41:30\n18/03/2023,12,1:01:00\n`;
const ofYear = (title: string) => `${title},,\nDate,km,Time\n13/03,10.5,0:52:10\n15/03,8.2,0:41:30\n`;
const bare = "Date,km,Time\n13/03,10.5,0:52:10\n15/03,8.2,0:41:30\n";
const sheet = (name: string) =>
  packed(xlsxParts([{ name, rows: [["Date", "km", "Time"], ["13/03", "10.5", "0:52:10"], ["15/03", "8.2", "0:41:30"]] }])); // biome-ignore format: a table

test.each([
  ["My running log - distances in km", "My running log - distances in miles", "columns.Distance.unit is km"],
  ["My running log - distances in km", "My running log", "columns.Distance.unit is km"],
])("a table whose title said the unit, %s, is refused when it says: %s", async (before, now, takes) => {
  const mapping = await mappingOf("log.csv", titled(before));
  expect(mapping).toContain(`  restsOn: { title: ${before} }`);
  await expect(read("log.csv", titled(now), mapping)).rejects.toMatchObject({
    code: "csv/other-title",
    message: `Cannot use log.map.yaml: line 6: the title of log.csv was ${JSON.stringify(before)} when the mapping was made, and ${takes} because of it. Now it is ${JSON.stringify(now)}. Propose again: logferry map infer log.csv. If the mapping is still right, write the new words into file.restsOn.title`,
  });
});

test("a unit in the row above the header counts as a title", async () => {
  const table = (unit: string) => titled(",").replace(",,,", `,Run in ${unit},`);
  const mapping = await mappingOf("log.csv", table("km"));
  expect((await read("log.csv", table("km"), mapping))[0]).toBe("2023-03-13 10.5 km");
  await expect(read("log.csv", table("miles"), mapping)).rejects.toMatchObject({ code: "csv/other-title" });
});

test("a table whose title said the year is refused when it says the next one", async () => {
  const mapping = await mappingOf("log.csv", ofYear("Running 2022"));
  expect(await read("log.csv", ofYear("Running 2022"), mapping)).toEqual(["2022-03-13 10.5 km", "2022-03-15 8.2 km"]);
  await expect(read("log.csv", ofYear("Running 2023"), mapping)).rejects.toThrow(
    /the title of log\.csv was "Running 2022" when the mapping was made, and dates\.year is 2022 because of it\. Now it is "Running 2023"/,
  );
});

test("a workbook whose sheet was the year is refused when the sheet is another year", async () => {
  const mapping = await mappingOf("log.xlsx", sheet("2022"));
  expect(mapping).toContain('  restsOn: { sheet: "2022" }');
  expect(await read("log.xlsx", sheet("2022"), mapping)).toHaveLength(2);
  await expect(read("log.xlsx", sheet("2023"), mapping)).rejects.toThrow(/the name of a sheet of log\.xlsx was "2022"/);
});

test("a file that was called after the year is refused when it is called after another one, and not when it says none", async () => {
  const mapping = await mappingOf("log 2022.csv", bare);
  await expect(read("log 2023.csv", bare, mapping)).rejects.toThrow(/the name of the file was "log 2022\.csv"/);
  for (const name of ["log 2022.csv", "log 2022 (1).csv", "log.csv"])
    expect(await read(name, bare, mapping)).toEqual(["2022-03-13 10.5 km", "2022-03-15 8.2 km"]);
});

test("other words of a title may change, and so may the mapping", async () => {
  const unit = await mappingOf("log.csv", titled("Anna - distances in km"));
  expect(await read("log.csv", titled("Anna Berg, all in km"), unit)).toHaveLength(3);
  // The owner changed the unit in the mapping by hand, together with the title.
  const changed = unit.replace("unit: km", "unit: mi");
  expect((await read("log.csv", titled("Anna - distances in miles"), changed))[0]).toBe("2023-03-13 10.5 mi");
  const year = await mappingOf("log.csv", ofYear("Running 2022"));
  expect((await read("log.csv", ofYear("Running 2023"), year.replaceAll("2022", "2023")))[0]).toBe(
    "2023-03-13 10.5 km",
  );
});

test("a mapping made before titles were kept goes on, and one whose header says all keeps none", async () => {
  const old = (await mappingOf("log.csv", ofYear("Running 2022"))).replace(/ {2}restsOn: .*\n/, "");
  expect(await read("log.csv", ofYear("Running 2023"), old)).toHaveLength(2);
  expect(await mappingOf("log.csv", titled("Running 2023").replace("Distance", "km"))).not.toContain("restsOn");
});

describe("the line of units below the header", () => {
  const lines = (units: string) =>
    `Date,Distance,Time\n${units}\n2023-03-13,10.5,0:52:10\n2023-03-15,8.2,0:41:30\n2023-03-18,12,1:01:00\n`;
  const inSheet = (units: readonly string[]) =>
    packed(xlsxParts([{ name: "Log", rows: [["Date", "Distance", "Time"], [...units], ["2023-03-13", 10.5, "0:52:10"], ["2023-03-15", 8.2, "0:41:30"]] }])); // biome-ignore format: a table

  test.each([
    [",km,h:mm:ss", ",mi,h:mm:ss", '"km h:mm:ss"', '"mi h:mm:ss"'],
    [",mi,", ",min,", '"mi"', '"min"'],
    [",(km),", "2023-03-12,9,0:45:10", '"(km)"', '"2023-03-12 9 0:45:10"'],
  ])("a table with the units %s is refused when it says %s", async (before, now, was, is) => {
    const mapping = await mappingOf("log.csv", lines(before));
    expect((await read("log.csv", lines(before), mapping)).length).toBe(3);
    await expect(read("log.csv", lines(now), mapping)).rejects.toThrow(
      `the line of units of log.csv was ${was} when the mapping was made, and the columns have their units because of it. Now it is ${is}.`,
    );
  });

  test("a sheet of a workbook is refused in the same way", async () => {
    const mapping = await mappingOf("log.xlsx", inSheet(["", "km", "h:mm:ss"]));
    expect((await read("log.xlsx", inSheet(["", "km", "h:mm:ss"]), mapping)).length).toBe(2);
    await expect(read("log.xlsx", inSheet(["", "mi", "h:mm:ss"]), mapping)).rejects.toMatchObject({
      code: "csv/other-title",
    });
  });
});
