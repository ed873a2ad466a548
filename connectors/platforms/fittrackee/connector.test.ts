import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { fittrackee } from "../index.ts";

const WORKOUTS = join(import.meta.dirname, "../../../fixtures/fittrackee/gpx-folder/archive/user_workouts_data.json");

test("without the list of gear, a single piece of gear has the label that the workout gives it", async () => {
  const list = JSON.parse(readFileSync(WORKOUTS, "utf8"));
  const [first] = list;
  const workouts = [{ ...first, equipments: [{ id: "kxT4a9", label: "Red Shoes" }] }];
  const { readings } = await readAll(
    fittrackee,
    memoryArchive("x.zip", { "user_workouts_data.json": JSON.stringify(workouts) }),
  );
  const gear = readings.flatMap((each) => (each.kind === "equipment" ? [each.value.modelName] : []));
  expect(gear).toEqual(["Red Shoes"]);
});
