import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { samsung } from "./table.ts";

/** A table as Samsung writes it: a line with its name, and a comma too many in each row. */
function table(title: string, header: string, rows: readonly string[]): string {
  return `${title},6320001,17\n${header}\n${rows.map((row) => `${row},\n`).join("")}`;
}

/** Three runs in India: one at one in the morning of the 25th, when it is still the 24th in UTC. */
const EXERCISES = table(
  "com.samsung.shealth.exercise",
  "datauuid,start_time,time_offset,exercise_type,duration,distance,total_calorie,live_data_internal",
  [
    "a1,2019-09-24 19:30:00.000,UTC+0530,1002,1800000,5000,350,a1.live_data_internal.json",
    "a2,2019-09-25 12:00:00.000,UTC+0530,1002,1800000,5000,,",
    "a3,2019-09-26 12:00:00.000,UTC+0530,1002,1800000,5000,,",
  ],
);

async function workoutsOf(files: Readonly<Record<string, string>>): Promise<readonly Workout[]> {
  const archive = memoryArchive("a", { "com.samsung.shealth.exercise.20270101120000.csv": EXERCISES, ...files });
  const { readings, issues } = await readAll(samsung, archive);
  expect(issues).toEqual([]);
  return readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
}

test("a temperature in a scale that nobody established isn't loaded as Celsius, and is counted by its name", async () => {
  const [first, second, third] = await workoutsOf({
    "com.samsung.shealth.exercise.weather.20270101120000.csv": table(
      "com.samsung.shealth.exercise.weather",
      "exercise_id,temperature,temperature_scale,wind_speed,wind_speed_unit,wind_direction,icon_info_id",
      ["a1,20.0,1,13.0,km/h,40.NE,2", "a2,41.0,2,,,,2", "a3,9.5,,,,,2"],
    ),
  });
  expect(first?.weather).toEqual({ temperature: { unit: "C", value: 20 } });
  expect(first?.unsupported).toEqual([
    { field: "wind", value: "13.0 km/h" },
    { field: "wind direction", value: "40.NE" },
    { field: "calories with those at rest", value: "350 kcal" },
    { field: "pauses and laps", value: "a1.live_data_internal.json" },
  ]);
  expect(second?.weather).toBeUndefined();
  expect(second?.unsupported).toEqual([{ field: "temperature in an unknown unit", value: "41.0, scale 2" }]);
  expect(third?.weather).toEqual({ temperature: { unit: "C", value: 9.5 } });
});

test("a workout has the weight of its day on the owner's clock", async () => {
  const weights = await workoutsOf({
    "com.samsung.health.weight.20270101120000.csv": table(
      "com.samsung.health.weight",
      "start_time,weight,body_fat,skeletal_muscle_mass,time_offset,datauuid",
      ["2019-09-24 22:54:00.000,72.4,,,UTC+0530,w1", "2019-09-26 21:00:00.000,71.0,,,UTC+0530,w2"],
    ),
  });
  expect(weights.map(({ health }) => health)).toEqual([
    { weight: { unit: "kg", value: 72.4 } },
    { weight: { unit: "kg", value: 72.4 } },
    undefined,
  ]);
});
