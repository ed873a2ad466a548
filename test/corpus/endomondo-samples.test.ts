/** A workout of an Endomondo archive from outside this project. The expected values were typed from the file by hand. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openArchive } from "../../connectors/containers/open.ts";
import { endomondo } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("a hike of 2016 is read without a remark, every member of it mapped or knowingly left", async () => {
  const archive = await openArchive(join(SAMPLES, "endomondo"));
  expect((await identifyArchive(archive)).connector).toBe(endomondo);
  const { readings, issues } = await readAll(endomondo, archive);
  await archive.close();
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(1);
  expect(readings[0]).toMatchObject({
    kind: "workout",
    value: {
      activity: "hike",
      sport: "HIKING",
      start: { instant: Date.UTC(2016, 3, 29, 10, 30, 32) },
      distance: { unit: "km", value: 19.06885528564453 },
      duration: 41_170,
      unsupported: [
        { field: "calories", value: "3894 kcal" },
        { field: "elevation gain", value: "793 m" },
        { field: "elevation loss", value: "1284 m" },
        { field: "lowest elevation", value: "855 m" },
        { field: "highest elevation", value: "1958 m" },
        { field: "max speed", value: "29.7605 km/h" },
        { field: "hydration", value: "2.79814 l" },
        { field: "comments", value: "left out" },
      ],
    },
  });
});
