/** A file of a script that asked Peloton's service. It is not the list that the website gives. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { SAMPLES } from "../support/shared.ts";

test("a script's own table is a spreadsheet, and no list of Peloton's", async () => {
  const bytes = readFileSync(join(SAMPLES, "peloton", "sejaldua-api-dump.csv"));
  const archive = memoryArchive("peloton", { "ann_workouts.csv": bytes });
  await expect(identifyArchive(archive)).rejects.toThrow(/it is no export of the/);
});
