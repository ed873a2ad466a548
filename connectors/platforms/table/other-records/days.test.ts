import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";
import { json } from "../sources/json-source.ts";

const example = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["When", "Sport"]),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["When", "datetime"],
        ["Sport", "activity"],
        ["Rest", "restHR"],
        ["UTC", "instant"],
      ],
    },
  ],
  days: [
    {
      from: json({ files: /weights\.json$/, knownBy: ["day"], lists: [["*"]] }),
      columns: [
        ["day", "day"],
        ["grams", "weight", { unit: "kg", per: 1000, zero: "none" }],
      ],
    },
    {
      from: csv("pulse.csv", ["Day", "Resting"]),
      columns: [
        ["Day", "day", { read: (text) => text.slice(0, 10) }],
        [["Resting", "Estimated"], "restHR"],
      ],
    },
  ],
  leaves: { "weights.json": "the rest of it", "pulse.csv": "the rest of it" },
});

async function read(rows: readonly string[], files: Readonly<Record<string, string>>) {
  const table = ["When,Sport,Rest,UTC", ...rows, ""].join("\n");
  const { readings, issues } = await readAll(example, memoryArchive("a.zip", { "log.csv": table, ...files }));
  const workouts = readings.map((reading) => (reading.kind === "workout" ? reading.value : undefined));
  return {
    health: workouts.map((workout) => workout?.health),
    possible: workouts.map((workout) => workout?.possibleDays),
    issues: issues.map(({ rule, severity, found }) => [severity, rule, found]),
  };
}

const weights = (...days: readonly object[]) => ({ "weights.json": JSON.stringify(days) });
const PULSE = { "pulse.csv": "Day,Resting,Estimated\n2024-05-04T00:00:00,51,60\n2024-05-05,,48\n2024-05-06,0,\n" };

test("the weight and the resting heart rate of a day join its workouts, and only theirs", async () => {
  const days = weights({ day: "2024-05-04", grams: 70_250 }, { day: "2024-05-05" });
  const rows = ["2024-05-04 07:00,run,,", "2024-05-05 07:00,run,,", "2024-05-07 07:00,run,,"];
  const { health, issues } = await read(rows, { ...days, ...PULSE });
  expect(health).toEqual([{ weight: { unit: "kg", value: 70.25 }, restHR: 51 }, { restHR: 48 }, undefined]);
  expect(issues).toEqual([["warning", "table/bad-number", "0"]]);
});

test("a workout's own value wins, and of several values of a day the last one", async () => {
  const days = weights({ day: "2024-05-04", grams: 80_000 }, { day: "2024-05-04", grams: 70_000 });
  const { health } = await read(["2024-05-04 07:00,run,44,"], { ...days, ...PULSE });
  expect(health).toEqual([{ weight: { unit: "kg", value: 70 }, restHR: 44 }]);
});

test("a workout whose day depends on its zone gets the values of each day that it may be", async () => {
  const days = weights({ day: "2024-05-04", grams: 70_000 }, { day: "2024-05-06", grams: 71_000 });
  const { health, possible } = await read([",run,,2024-05-04T20:00:00Z", ",run,,2024-05-09T20:00:00Z"], days);
  expect(health).toEqual([undefined, undefined]);
  expect(possible).toEqual([[{ date: "2024-05-04", weight: { unit: "kg", value: 70 } }], undefined]);
});

test("what can't be read is reported, and the workouts go on", async () => {
  const { health, issues } = await read(["2024-05-04 07:00,run,,"], {
    ...weights({ day: "May 4", grams: 70_000 }, { grams: 1 }, { day: "2024-05-04", grams: "much" }),
    "pulse.csv": "Day,Resting\n2024-05-04,5x\n",
  });
  expect(health).toEqual([undefined]);
  expect(issues).toEqual([
    ["warning", "table/bad-date", "May 4"],
    ["warning", "table/not-a-record", undefined],
    ["warning", "table/bad-number", "much"],
    ["warning", "table/bad-number", "5x"],
  ]);
});
