/** Tables from outside this project, read with the mapping files of docs/presets.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { csv } from "../../connectors/platforms/index.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { presets } from "../support/presets.ts";
import { SAMPLES } from "../support/shared.ts";

test.each([
  ["Peloton, as programs save it", "peloton/sejaldua-api-dump.csv"],
  ["A run a row, by hand", "hand-kept/naimjamalludin-running_log.csv"],
])("%s: each row of the sample is a workout", async (name, sample) => {
  const preset = presets().find(({ title }) => title === name);
  const table = readFileSync(join(SAMPLES, sample));
  const rows = table.toString("utf8").trim().split("\n").length - 1;
  const archive = memoryArchive("folder", { "a.csv": table, "a.csv.map.yaml": Buffer.from(preset?.mapping ?? "") });
  const { readings, issues } = await readAll(csv, archive);
  expect(issues).toEqual([]);
  expect(readings.filter(({ kind }) => kind === "workout").length).toBe(rows);
  expect(
    readings.flatMap((each) => (each.kind === "workout" ? (each.value.activity ?? each.value.sport) : [])),
  ).not.toContain(undefined);
});
