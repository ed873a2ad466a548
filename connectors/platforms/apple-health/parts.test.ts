import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { appleHealth } from "./table.ts";

const part = (minutes: number, statistics: string) =>
  `<WorkoutActivity startDate="2023-07-02 07:00:00 +0200" duration="${minutes}" durationUnit="min">${statistics}</WorkoutActivity>`;
const sum = (of: string, value: number, unit: string) =>
  `<WorkoutStatistics type="HKQuantityTypeIdentifierDistance${of}" sum="${value}" unit="${unit}"/>`;

async function workoutOf(inside: string) {
  const attributes =
    'duration="131" durationUnit="min" sourceName="W" startDate="2023-07-02 07:00:00 +0200" endDate="2023-07-02 09:11:00 +0200"';
  const xml = `<HealthData><Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" ${attributes}>${inside}</Workout></HealthData>`;
  const archive = memoryArchive("export.zip", { "export.xml": xml });
  const context = { sports: new Map([["swim bike run", "other"]] as const) };
  const { readings } = await readAll(appleHealth, archive, context);
  return readings[0]?.kind === "workout" ? readings[0].value : undefined;
}

test("the parts of a triathlon are its intervals, and add up to its distance", async () => {
  const parts = [
    part(25, sum("Swimming", 1640, "yd")),
    part(1.5, ""),
    part(60, sum("Cycling", 40, "km")),
    part(44.5, sum("WalkingRunning", 10, "km")),
  ];
  const workout = await workoutOf(parts.join(""));
  expect(workout?.duration).toBe(7860);
  expect(workout?.distance).toEqual({ unit: "m", value: 51_499.616 });
  expect(JSON.stringify(workout?.intervalSet)).toMatch(/1640.*1500.*90.*40.*3600.*10.*2670/);
});

test("one part repeats its workout and adds nothing", async () => {
  const workout = await workoutOf(part(131, sum("Cycling", 40, "km")));
  expect(workout).not.toHaveProperty("distance");
  expect(workout).not.toHaveProperty("intervalSet");
});
