import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { whoop } from "./table.ts";

const ZONES = [1, 2, 3, 4, 5].map((zone) => `HR Zone ${zone} %`).join();
const WORKOUTS = [
  `Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),${ZONES},GPS enabled\n`,
  "2026-01-04 23:12:00,2026-01-05 23:00:00,UTC+03:00,2026-01-05 08:00:00,2026-01-05 08:30:00,30,Running,9.1,310,171,150,5,15,40,30,8,false\n",
].join("");

test("resting heart rates whose night has no end are counted, and given to no day", async () => {
  const cycles = (header: string, cell: string) =>
    `Cycle start time,Cycle end time,Resting heart rate (bpm)${header}\n2026-01-04 23:12:00,2026-01-05 23:00:00,52${cell}\n`;
  const read = (text: string) =>
    readAll(whoop, memoryArchive("w", { "workouts.csv": WORKOUTS, "physiological_cycles.csv": text }));
  const without = await read(cycles("", ""));
  expect(without.readings).toMatchObject([{ value: { health: { avgHR: 150, maxHR: 171 } } }]);
  expect(without.readings).not.toHaveProperty("0.value.health.restHR");
  expect(without.issues).toMatchObject([
    { rule: "table/left-of-days", found: "resting heart rates without the column Wake onset: 1" },
  ]);
  const known = await read(cycles(",Wake onset", ",2026-01-05 06:12:00"));
  expect(known.readings).toMatchObject([{ value: { health: { restHR: 52 } } }]);
  expect(known.issues).toEqual([]);
});
