import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { fitnotes } from "./table.ts";

// Rows without a comment have one cell less than the header. So a comma in a name makes a row that has as many.
const HEADER = "Date,Exercise,Category,Weight (lbs),Reps,Distance,Distance Unit,Time,Comment";

async function read(...rows: readonly string[]) {
  const archive = memoryArchive("a", { "FitNotes_Export.csv": [HEADER, ...rows, ""].join("\n") });
  return (await readAll(fitnotes, archive)).readings;
}

test.each([
  ["Overhead Press (Each Side, Dumbbells),Shoulders,40.0,5,,,", "Overhead Press (Each Side, Dumbbells): 1×5 @ 40 lb"],
  ["Press, seated, slow,My own,40.0,5,,,", "Press, seated, slow: 1×5 @ 40 lb"],
  ["Barbell Squat,Legs,135.0,8,,,", "Barbell Squat: 1×8 @ 135 lb"],
])("the set %s has a name with its commas, and a number as its weight", async (row, words) => {
  const [first, ...others] = await read("2019-01-10,Curl,My own,20.0,8,,,", `2019-01-11,${row}`);
  expect([first, ...others]).toMatchObject([{ kind: "workout" }, { value: { notes: words } }]);
});

test("a row whose category isn't known is rejected, and no word becomes a weight", async () => {
  expect(await read("2019-01-10,Press, seated,Unknown,40.0,5,,,")).toMatchObject([
    { kind: "set-aside", issue: { rule: "table/row-width" } },
  ]);
});

test("in a table with moved columns, a row that a comma shifted is rejected, and the others are read", async () => {
  const moved = "Comment,Time,Distance Unit,Distance,Reps,Weight Unit,Weight,Category,Exercise,Date";
  const rows = [
    "good,,,,8,kgs,60.0,Chest,Bench Press,2025-04-29",
    ",,,5,kgs,8.0,Shoulders, Dumbbells),Press (Each Side,2025-04-30",
  ];
  const archive = memoryArchive("a", { "FitNotes_Export.csv": [moved, ...rows, ""].join("\n") });
  expect((await readAll(fitnotes, archive)).readings).toMatchObject([
    { value: { notes: "Bench Press: 1×8 @ 60 kg\ngood" } },
    { kind: "set-aside", issue: { rule: "table/row-width" } },
  ]);
});
