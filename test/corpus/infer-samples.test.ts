/** Spreadsheets from outside this project, with the mapping files that `logferry map infer` proposes. What is expected was typed from the files by hand. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOpen, proposeMapping } from "../../pipelines/sources/propose-mapping.ts";
import { SAMPLES } from "../support/shared.ts";

const propose = (path: string, answers: Record<string, string> = {}) =>
  proposeMapping(join(SAMPLES, path), {
    ...{ answers: new Map(Object.entries(answers)), today: "2026-01-01", open: {} },
    context: { signal: new AbortController().signal, sports: new Map() },
  });

test("a log kept by hand is read whole without a question", async () => {
  const { draft, choices, preview } = await propose("hand-kept/naimjamalludin-running_log.csv");
  expect(choices.filter(isOpen)).toEqual([]);
  expect(draft.order).toBe("dmy");
  expect(Object.fromEntries(draft.columns)).toEqual({
    date: { field: "date" },
    distance_km: { field: "distance", unit: "km" },
    time_mmss: { field: "duration", format: ["mm:ss"] },
  });
  expect(preview.counts).toEqual({ workouts: 346, leftOut: 0, rejected: 0 });
  expect(preview.workouts[0]).toMatchObject({
    ...{ start: { date: "2021-05-12" }, distance: { unit: "km", value: 3 }, duration: 1199, activity: "run" },
  });
});

test("of Peloton's workouts, the unit of the account is the only question", async () => {
  const { draft, choices, preview } = await propose("peloton/sejaldua-api-dump.csv");
  expect(choices.filter(isOpen).map(({ place }) => place)).toEqual(["columns.distance.unit"]);
  expect(Object.fromEntries(draft.columns)).toMatchObject({
    ...{ timestamp: { field: "datetime" }, fitness_discipline: { field: "activity" }, title: { field: "name" } },
    ...{ duration: { field: "duration", format: ["seconds"] }, calories: { field: "unsupported" } },
  });
  expect(preview.counts).toEqual({ workouts: 200, leftOut: 0, rejected: 0 });
});

test("a table of a platform needs no mapping file", async () => {
  await expect(propose("hevy/mouadja02-workout_data.csv")).rejects.toThrow(/No mapping file is needed: .* Hevy export/);
});
