import { expect, test } from "vitest";
import type { UnitOf } from "../../../../transforms/units.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { connectorNamed } from "../../../registry.ts";

const WHOOP = (distance: string) =>
  `Workout start time,Workout end time,Activity name,Activity Strain,${distance}
2024-06-24 08:08:18,2024-06-24 08:40:18,Running,10,3.1
`;
const GCEXPORT = `Start Time,Activity ID,Activity Name,Duration (h:m:s),Activity Type,Distance (mi)
2019-03-31T03:15:00+02:00,111,Run,00:30:00,running,3.1
`;
const STRONG = (
  unit: string,
) => `Date,Workout Name,Duration (sec),Exercise Name,Set Order,Weight (lbs),Reps,Distance (${unit}),Seconds
2021-02-10 16:46:13,Evening,1500,Running (Treadmill),1,,,3.1,1500
`;
const FITBOD = `Date,Exercise,Reps,Weight(lbs),Duration(s),Distance(mi),isWarmup
2022-03-27 00:30:49 +0000,Running,0,0.0,1800.0,3.1,false
2022-03-28 00:30:49 +0000,Bench Press,5,132.5,0.0,0.0,false
`;

const ZEPP = (distance: string) =>
  `type,startTime,sportTime(s),maxPace(/meter),minPace(/meter),${distance},avgPace(/meter),calories(kcal)
1,2025-11-02 05:40:10+0000,1805,0.61,0.29,3.1,0.3608,341.0
`;

async function read(name: string, table: string, distanceUnits: readonly UnitOf<"distance">[] = []) {
  const file = { whoop: "workouts.csv", garmin: "activities.csv", strong: "strong.csv" }[name] ?? "WorkoutExport.csv";
  const rules: string[] = [];
  const values: unknown[] = [];
  const notes: (string | undefined)[] = [];
  const report = ({ rule }: { readonly rule: string }) => rules.push(rule);
  const context = { signal: new AbortController().signal, report, sports: new Map(), distanceUnits };
  for await (const reading of connectorNamed(name)?.read(memoryArchive("a", { [file]: table }), context) ?? []) {
    values.push(
      reading.kind === "workout" ? reading.value.distance : reading.kind === "set-aside" && reading.issue.rule,
    );
    notes.push(reading.kind === "workout" ? reading.value.notes : undefined);
  }
  return { rules, values, notes };
}

test.each([
  ["whoop", WHOOP("Distance (miles)")],
  ["garmin", GCEXPORT],
  ["strong", STRONG("miles")],
  ["zepp", ZEPP("distance(mi)")],
])("%s: a known distance column in miles is read in miles, and isn't new", async (name, table) => {
  expect(await read(name, table)).toMatchObject({ rules: [], values: [{ unit: "mi", value: 3.1 }] });
});

test("files of one platform are read in the unit of the first, and a column in another one is new in the others", async () => {
  const archive = memoryArchive("a", {
    "SPORT/SPORT_1.csv": ZEPP("distance(km)"),
    "SPORT/SPORT_2.csv": ZEPP("distance(km)").replace("11-02", "11-03"),
    "SPORT/SPORT_3.csv": ZEPP("distance(mi)").replace("11-02", "11-04"),
  });
  const fields: unknown[] = [];
  const report = ({ field }: { readonly field?: string }) => fields.push(field);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  const distances: unknown[] = [];
  for await (const reading of connectorNamed("zepp")?.read(archive, context) ?? [])
    distances.push(reading.kind === "workout" ? reading.value.distance : reading);
  expect(distances).toEqual([{ unit: "km", value: 3.1 }, { unit: "km", value: 3.1 }, undefined]);
  expect(fields).toEqual(["distance(mi)"]);
});

test("the sets of a gym table keep a weight and a distance in another unit than the known one", async () => {
  const { rules, values, notes } = await read("fitbod", FITBOD);
  expect(values).toEqual([{ unit: "mi", value: 3.1 }, undefined]);
  expect(notes[1]).toContain("132.5 lb");
  expect(rules).not.toContain("table/unknown-column");
});

test.each([
  ["whoop", WHOOP("Distance (furlongs)")],
  ["strong", STRONG("furlongs")],
  ["zepp", ZEPP("distance(furlongs)")],
])("%s: a distance in an unknown unit waits for the unit that a person says", async (name, table) => {
  expect((await read(name, table)).values).toEqual(["table/unknown-unit"]);
  expect((await read(name, table, ["km"])).values).toEqual([{ unit: "km", value: 3.1 }]);
});
