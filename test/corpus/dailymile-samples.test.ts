/** dailymile entries from outside this project, read whole. The expected values were typed from the file by hand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { dailymile } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("an exporter's table and a route give their entries, and nothing of them is missed", async () => {
  const folder = join(SAMPLES, "dailymile");
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  const archive = memoryArchive("dailymile", Object.fromEntries(files));
  expect((await identifyArchive(archive)).connector).toBe(dailymile);
  const { readings, issues } = await readAll(dailymile, archive);
  expect(issues.filter(({ severity }) => severity !== "info")).toEqual([]);
  const workouts = readings.filter(({ kind }) => kind === "workout");
  expect(workouts[0]).toMatchObject({
    key: "dailymile:workout:1980554",
    value: {
      activity: "run",
      name: "Hogtown Creek Greenway",
      start: { instant: Date.UTC(2010, 4, 22, 16), untimed: "at midnight or noon" },
      distance: { unit: "mi", value: 1.5 },
      notes: "Brand new shoes and this is what I get.",
      unsupported: [
        { field: "felt", value: "injured" },
        { field: "calories", value: "165 kcal" },
      ],
    },
  });
  expect(workouts[1]).toMatchObject({
    value: {
      start: { instant: Date.UTC(2010, 4, 25, 4), untimed: "at midnight or noon" },
      equipment: ["dailymile:equipment:barefoot"],
    },
  });
  expect(readings.filter(({ kind }) => kind === "course")).toHaveLength(1);
});
