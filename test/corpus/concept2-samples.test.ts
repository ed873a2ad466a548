/** Two seasons of a Concept2 Logbook from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { concept2 } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const NAMES = ["concept2-season-2018.csv", "concept2-season-2021.csv"];

test("two seasons give a workout for each row, and nothing of them is missed", async () => {
  const texts = NAMES.map((name) => readFileSync(join(SAMPLES, "concept2", name), "utf8"));
  const archive = memoryArchive("rows", Object.fromEntries(NAMES.map((name, at) => [name, texts[at] ?? ""])));
  expect((await identifyArchive(archive)).connector).toBe(concept2);
  const { readings, issues } = await readAll(concept2, archive);
  expect(issues).toEqual([]);
  const rows = texts.map((text) => text.trim().split("\n").length - 1);
  expect(readings).toHaveLength(rows.reduce((sum, count) => sum + count, 0));
  expect(readings[0]).toMatchObject({
    kind: "workout",
    key: "concept2:workout:33440134",
    value: {
      activity: "row",
      name: "10x0:30/1:00r row",
      start: { date: "2018-04-22", time: "10:24:00" },
      duration: 300,
      distance: { unit: "m", value: 1497 },
      unsupported: expect.arrayContaining([
        { field: "rest", value: "600 s" },
        { field: "stroke rate", value: "30 a minute" },
        { field: "drag factor", value: "147" },
      ]),
    },
  });
  expect(readings.find(({ key }) => key === "concept2:workout:51745569")).toMatchObject({
    value: { duration: 1801.7, distance: { unit: "m", value: 7075 }, health: { avgHR: 164 } },
  });
});
