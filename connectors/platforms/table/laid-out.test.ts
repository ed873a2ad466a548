import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./csv-source.ts";
import { laidOut } from "./laid-out.ts";
import { platform } from "./platform.ts";

const weeks = platform({
  name: "weeks",
  title: "Weeks export",
  howToGet: "Ask.",
  workouts: [
    {
      from: laidOut(csv("weeks.csv", ["Week", "Mo"]), {
        order: "iso",
        date: "Week",
        texts: ["Notes"],
        layout: { continued: true, week: { km: ["Mo", "Tu", "We", "Th", "Fr", null, null] } },
      }),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["Week", "date"],
        ["km", "distance", { unit: "km" }],
        ["Notes", "notes"],
      ],
    },
  ],
  leaves: {},
});

test("the table of a platform may have the layout that a mapping file may have", async () => {
  const table = "Week,Mo,Tu,We,Th,Fr,Notes\n2014-03-03,5,,8,,,good\n,,,,,,week\n";
  const archive = memoryArchive("export", { "weeks.csv": table });
  expect(await weeks.identify(archive)).toMatchObject({ strength: "exact" });
  const { readings } = await readAll(weeks, archive);
  expect(readings.map((reading) => (reading.kind === "workout" ? reading.value : reading))).toEqual([
    { start: { date: "2014-03-03" }, distance: { unit: "km", value: 5 }, notes: "good\nweek" },
    { start: { date: "2014-03-05" }, distance: { unit: "km", value: 8 }, notes: "good\nweek" },
  ]);
});
