import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { connectorNamed } from "../../registry.ts";

const FITNOTES = `Date,Exercise,Category,Weight (lbs),Reps,Distance,Distance Unit,Time
2022-05-01,Running (Treadmill),Cardio,,,5280,ft,0:09:21
`;
const FITBIT = JSON.stringify([
  {
    ...{ logId: 1, activityName: "Swim", startTime: "05/01/22 08:00:00", logType: "tracker", activeDuration: 600_000 },
    ...{ distance: 500, distanceUnit: "Yard" },
  },
]);

test.each([
  ["fitnotes", "FitNotes_Export.csv", FITNOTES, { unit: "m", value: 1609.344 }],
  ["fitbit", "exercise-0.json", FITBIT, { unit: "yd", value: 500 }],
])("%s: a distance in the table's own word for feet or yards is read", async (name, path, text, distance) => {
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const found: unknown[] = [];
  for await (const reading of connectorNamed(name)?.read(memoryArchive("a", { [path]: text }), context) ?? [])
    found.push(reading.kind === "workout" ? reading.value.distance : reading);
  expect(found).toEqual([distance]);
});
