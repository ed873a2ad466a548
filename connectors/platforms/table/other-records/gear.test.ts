import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";

const shed = platform({
  name: "shed",
  title: "Shed export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Tag", "Schuh"]),
      dates: { order: "dmy", zone: "local" },
      decimal: ",",
      nulls: ["--"],
      columns: [
        ["Tag", "date"],
        ["Schuh", "equipment"],
        ["Sport", "activity"],
      ],
    },
  ],
  gear: {
    from: csv("shoes.csv", ["Nr", "Modell"]),
    columns: [
      ["Nr", "id"],
      ["Art", "kind"],
      ["Modell", "modelName"],
      ["Strecke", "distance", { unit: "km" }],
      ["Meilen", "distance", { unit: "mi", decimal: "float" }],
      ["Laenge", "distance"],
      ["Einheit", "distanceUnit"],
      ["Gekauft", "purchaseDate"],
      ["Abgelegt am", "status", { read: () => "yes" }],
    ],
    kinds: { Schuh: "run" },
    retired: "yes",
  },
  leaves: {},
});

const LOG = "Tag;Schuh\n01.03.2024; nr  A \n";

async function listed(...lines: readonly string[]) {
  const archive = memoryArchive("shed", { "log.csv": LOG, "shoes.csv": `${lines.join("\n")}\n` });
  const { readings, issues } = await readAll(shed, archive);
  const pieces = readings.flatMap((reading) => (reading.kind === "equipment" ? [reading.value] : []));
  return {
    distances: pieces.map(({ modelName, distance }) => [modelName, distance && `${distance.value} ${distance.unit}`]),
    issues: issues.map(({ rule, field, found, expected, origin }) => ({
      ...{ rule, field, found, expected, at: `${origin?.entry} ${origin?.locator}` },
    })),
  };
}

test("the mileage of a listed piece is read with the decimal mark of the table", async () => {
  expect(
    await listed("Nr;Art;Modell;Strecke", "1;Schuh;Pegasus;612,4", "2;Schuh;Ghost;1.234,5", "3;Schuh;Clifton;0"),
  ).toEqual({
    distances: [
      ["Pegasus", "612.4 km"],
      ["Ghost", "1234.5 km"],
      ["Clifton", undefined],
    ],
    issues: [],
  });
});

test("a mileage has the unit of its cell, of its column or of the column beside it", async () => {
  expect((await listed("Nr;Art;Modell;Strecke", "1;Schuh;Pegasus;380,5 mi")).distances).toEqual([
    ["Pegasus", "380.5 mi"],
  ]);
  expect((await listed("Nr;Art;Modell;Meilen", "1;Schuh;Pegasus;380.5")).distances).toEqual([["Pegasus", "380.5 mi"]]);
  expect((await listed("Nr;Art;Modell;Laenge;Einheit", "1;Schuh;Pegasus;612,4;km")).distances).toEqual([
    ["Pegasus", "612.4 km"],
  ]);
});

test("a mileage that can't be read is named, the table's word for none says nothing, and the piece stays", async () => {
  const lines = ["1;Schuh;Pegasus;viele", "2;Schuh;Ghost;-5", "3;Schuh;Clifton;--", "4;Schuh;Speedgoat;612.4"];
  expect(await listed("Nr;Art;Modell;Strecke", ...lines)).toEqual({
    distances: [
      ["Pegasus", undefined],
      ["Ghost", undefined],
      ["Clifton", undefined],
      ["Speedgoat", undefined],
    ],
    issues: [
      {
        rule: "table/bad-number",
        field: "Strecke",
        found: "viele",
        expected: "a number of km",
        at: "shoes.csv line 2",
      },
      { rule: "table/bad-number", field: "Strecke", found: "-5", expected: "a number of km", at: "shoes.csv line 3" },
      {
        rule: "table/bad-number",
        field: "Strecke",
        found: "612.4",
        expected: "a number of km",
        at: "shoes.csv line 5",
      },
    ],
  });
  const { issues } = await listed("Nr;Art;Modell;Laenge", "1;Schuh;Pegasus;612,4");
  expect(issues.map(({ field, expected }) => [field, expected])).toEqual([["Laenge", "a number with its unit"]]);
});

test("a row names a piece by its id in the list, and a day of retirement retires the piece", async () => {
  const list =
    "Nr;Art;Modell;Gekauft;Abgelegt am\nNR a;Schuh;Pegasus;2023-05-01;01.03.2024\nb;Schuh;Ghost;01.05.2023;\n";
  const { readings, issues } = await readAll(shed, memoryArchive("shed", { "log.csv": LOG, "shoes.csv": list }));
  expect(readings.map(({ kind, key }) => [kind, key])).toMatchObject([
    ["equipment", "shed:equipment:nr a"],
    ["equipment", "shed:equipment:b"],
    ["workout", expect.anything()],
  ]);
  expect(readings).toMatchObject([
    { value: { modelName: "Pegasus", purchaseDate: "2023-05-01", retired: true } },
    { value: { modelName: "Ghost" } },
    { value: { equipment: ["shed:equipment:nr a"] } },
  ]);
  expect(readings[1]).not.toMatchObject({ value: { retired: true } });
  expect(issues.map(({ rule, found }) => [rule, found])).toEqual([["table/bad-date", "01.05.2023"]]);
});

test("a word for none is no piece, neither in the list nor in rows, and a remark says how many workouts had it", async () => {
  const list = "Nr;Art;Modell\n1;Schuh;Pegasus\n2;Schuh;Kein Schuh\n";
  const log = "Tag;Schuh\n01.03.2024;1\n02.03.2024;2\n03.03.2024;Unbekannt\n04.03.2024;unbekannt\n";
  const { readings, issues } = await readAll(shed, memoryArchive("shed", { "log.csv": log, "shoes.csv": list }));
  expect(readings.flatMap(({ kind, key }) => (kind === "equipment" ? [key] : []))).toEqual(["shed:equipment:1"]);
  const worn = readings.flatMap((each) => (each.kind === "workout" ? [each.value.equipment] : []));
  expect(worn).toEqual([["shed:equipment:1"], undefined, undefined, undefined]);
  expect(issues.map(({ rule, found, count }) => [rule, found, count])).toEqual([
    ["table/placeholder-gear", "Kein Schuh", undefined],
    ["table/placeholder-gear", "Unbekannt", 2],
  ]);
});

test("a piece that a workout names by its id, and that the list lacks, is read under its id, and a remark names it", async () => {
  const list = "Nr;Art;Modell\n1;Schuh;Pegasus\n";
  const log = "Tag;Schuh;Sport\n01.03.2024;1;Laufen\n02.03.2024;5b2172b4;Laufen\n";
  const { readings, issues } = await readAll(shed, memoryArchive("shed", { "log.csv": log, "shoes.csv": list }));
  const pieces = readings.flatMap((each) => (each.kind === "equipment" ? [each.value.modelName] : []));
  expect(pieces).toEqual(["Pegasus", "5b2172b4"]);
  expect(issues.map(({ rule, found, origin }) => [rule, found, origin?.locator])).toEqual([
    ["table/unlisted-gear", "5b2172b4", "line 3"],
  ]);
});
