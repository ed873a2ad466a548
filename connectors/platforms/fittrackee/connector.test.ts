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

test("of a pod and a shoe, the shoe is the gear of a run, whichever stands first", async () => {
  const [first] = JSON.parse(readFileSync(WORKOUTS, "utf8"));
  const [pod, shoe] = [
    { id: "e2", label: "Pod" },
    { id: "e1", label: "Speedgoat" },
  ];
  const orders = [
    [pod, shoe],
    [shoe, pod],
  ];
  const workouts = orders.map((equipments, index) => ({ ...first, id: `w${index}`, sport_label: "Trail", equipments }));
  const types = [
    { ...shoe, is_active: true, equipment_type: { label: "Shoe" } },
    { ...pod, is_active: true, equipment_type: { label: "Misc" } },
  ];
  const { readings } = await readAll(
    fittrackee,
    memoryArchive("x.zip", {
      "user_workouts_data.json": JSON.stringify(workouts),
      "user_equipments_data.json": JSON.stringify(types),
    }),
  );
  const gear = readings.flatMap((each) => (each.kind === "workout" ? [each.value.equipment] : []));
  const inOrder = ["fittrackee:equipment:e1", "fittrackee:equipment:e2"];
  expect(gear).toEqual([inOrder, inOrder]);
});
