import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { identifyArchive } from "../../registry.ts";
import { strong } from "./table.ts";

const HEADER =
  "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE";
const RUN = "2024-05-04 18:00:00,Legs,45m,Running (Treadmill),1,0.0,0.0,2.0,720.0,,,";

async function read(
  distanceUnits: readonly UnitOf<"distance">[],
  usesGiven = (_: string) => {},
): Promise<readonly Reading[]> {
  const archive = memoryArchive("a", { "strong.csv": `${HEADER}\n${RUN}\n` });
  const context = {
    signal: new AbortController().signal,
    report: () => {},
    sports: new Map(),
    distanceUnits,
    usesGiven,
  };
  const readings: Reading[] = [];
  for await (const reading of strong.read(archive, context)) readings.push(reading);
  return readings;
}

test("a person says the unit of the distances of all sets, for the workout and in its words", async () => {
  const [asked, ...others] = await read([]);
  expect(asked).toMatchObject({
    issue: { rule: "table/unknown-unit", expected: expect.stringContaining("--distance-unit km") },
  });
  expect(others).toEqual([]);
  const used = new Set<string>();
  expect(await read(["mi", "yd"], (unit) => used.add(unit))).toMatchObject([
    { value: { distance: { unit: "mi", value: 2 }, notes: "Running (Treadmill): 2 mi in 720 s" } },
  ]);
  expect(used).toEqual(new Set(["mi"]));
});

test("a table without a header is known with the duration that newer apps write behind its cells", async () => {
  const rows = [1, 2].map((set) => `2023-01-03 18:31:00;Legs;Squat (Barbell);${set};60.0;kg;8;;0.0;km;0;;;1h 21m`);
  const archive = memoryArchive("a", { "strong.csv": `${rows.join("\n")}\n` });
  expect((await identifyArchive(archive)).connector).toBe(strong);
  const { readings } = await readAll(strong, archive);
  expect(readings).toMatchObject([{ value: { duration: 4860, notes: "Squat (Barbell): 2×8 @ 60 kg" } }]);
});
