import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { whoop } from "./table.ts";

const HEADER =
  "Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Activity name,Activity Strain";

// The words of exports that somebody measured: more-platforms 7. A band writes "Activity" where it found one by itself, so that word is asked for.
const WORDS = {
  run: "Running",
  walk: "Walking",
  bike: "Cycling, Spin, Assault Bike",
  swim: "Swimming",
  hike: "Hiking, Hiking/Rucking",
  row: "Rowing",
  ski: "Skiing",
  yoga: "Yoga",
  weight: "Weightlifting, Powerlifting, Functional Fitness, HIIT",
  other: "Golf, Lacrosse, Disc Golf, Manual Labor, Yard Work, Commuting, Gaming, Barry's",
  undefined: "Activity",
} as const;

test("each word of an export has its activity, and the others are asked for", async () => {
  const expected = Object.entries(WORDS).flatMap(([activity, words]) =>
    words.split(", ").map((word) => `${word}: ${activity}`),
  );
  const rows = expected.map((line, index) => {
    const day = `2024-06-${String(index + 1).padStart(2, "0")}`;
    return `${day} 00:00:00,,UTC-04:00,${day} 08:00:00,${day} 08:30:00,${line.split(": ")[0]},5`;
  });
  const archive = memoryArchive("a", { "workouts.csv": [HEADER, ...rows, ""].join("\n") });
  const { readings } = await readAll(whoop, archive);
  const read = readings.map((one) => one.kind === "workout" && `${one.value.sport}: ${one.value.activity}`);
  expect(read).toEqual(expected);
});

test("a distance behind the columns of another language is read by its name", async () => {
  const cells =
    "2024-06-01 00:00:00,,UTC-04:00,2024-06-01 08:00:00,2024-06-01 08:30:00,30,Running,5,300,150,140,1,2,3,4,5,true";
  const header = [...Array.from({ length: 17 }, (_, index) => `kol ${index}`), "Distancia (metros)"].join(",");
  const archive = memoryArchive("a", { "trening.csv": `${header}\n${cells},4210.5\n` });
  const { readings, issues } = await readAll(whoop, archive);
  expect(readings).toMatchObject([{ value: { distance: { unit: "m", value: 4210.5 } } }]);
  expect(issues).toMatchObject([
    { expected: expect.stringContaining("the first 17 columns are read by their places") },
  ]);
});
