import { expect, test } from "vitest";
import { watched } from "../../../test/suites/watched-archive.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { garmin } from "./table.ts";

test("what was used in which workout is read however many shoes are listed before it", async () => {
  const shoe = (gearPk: number) => ({
    gearPk,
    gearTypeName: "Shoes",
    gearStatusName: "active",
    gearModelName: "Ghost",
  });
  const gear = [
    {
      gearDTOS: Array.from({ length: 1500 }, (_, index) => shoe(index + 1)),
      gearActivityDTOs: { 7: [{ gearPk: 7, activityId: 70 }] },
    },
  ];
  const run = { activityId: 70, activityType: "running", startTimeLocal: "2025-02-06T17:06:03", duration: 1_800_000 };
  const archive = memoryArchive("a", {
    "x_gear.json": JSON.stringify(gear),
    "x_0_summarizedActivities.json": JSON.stringify([{ summarizedActivitiesExport: [run] }]),
  });
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const used: (readonly string[] | undefined)[] = [];
  // The file comes in chunks, as from a zip. The head of the file is one chunk.
  for await (const reading of garmin.read(watched(archive).archive, context))
    if (reading.kind === "workout") used.push(reading.value.equipment);
  expect(used).toEqual([["garmin:equipment:7"]]);
});
