/** Five years of an Attackpoint log from outside this project, read whole. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { attackpoint } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const NAME = "log-8425-2010-06-06-2015-06-06.csv";

test("a log of 775 rows gives its sessions, races and notes, and nothing of it is missed", async () => {
  const archive = memoryArchive(NAME, { [NAME]: readFileSync(join(SAMPLES, "attackpoint", NAME)) });
  expect((await identifyArchive(archive)).connector).toBe(attackpoint);
  const { readings, issues } = await readAll(attackpoint, archive);
  expect(issues).toEqual([]);
  const rows = readings.filter(({ kind }) => kind === "workout" || kind === "set-aside");
  // 775 rows, 93 of them notes and 16 races, as the notes about the sample count them.
  expect(rows).toHaveLength(775);
  expect(rows.filter(({ kind }) => kind === "set-aside")).toHaveLength(93);
  expect(readings.filter((one) => one.kind === "workout" && one.value.type === "race")).toHaveLength(16);
  expect(rows[0]).toMatchObject({
    value: {
      activity: "run",
      start: { date: "2010-11-01", time: "23:00:00" },
      duration: 2700,
      distance: { unit: "km", value: 8 },
      unsupported: expect.arrayContaining([{ field: "time at intensity 3", value: "00:45:00" }]),
    },
  });
  expect(rows.find((one) => one.kind === "workout" && one.value.start.date === "2011-08-21")).toMatchObject({
    value: {
      sport: "Orienteering",
      type: "race",
      duration: 2280,
      distance: { value: 5.5 },
      start: { time: "12:00:00" },
    },
  });
});
