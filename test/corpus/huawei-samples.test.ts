/** Recordings of a Huawei phone that nobody here wrote: lines without a sport or a total. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { SAMPLES } from "../support/shared.ts";

test.each(["HiTrack_1", "HiTrack_1551732120000155173259000030001"])("%s is taken for nobody's export", async (name) => {
  const archive = memoryArchive("phone", { [name]: readFileSync(join(SAMPLES, "huawei", name)) });
  await expect(identifyArchive(archive)).rejects.toMatchObject({ code: "source/unknown" });
});
