/** Files of two Wahoo bike computers. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { deviceFiles } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const sample = (name: string) => readFileSync(join(SAMPLES, "wahoo", name));
const ELEMNT = "2019-02-17-062644-ELEMNT-297E-195-0.fit";
const BOLT = "wahoo-element-bolt.fit";

test("a folder of their files is one of device files by Wahoo, and begins when the session did", async () => {
  const archive = memoryArchive("exports", { [ELEMNT]: sample(ELEMNT), [BOLT]: sample(BOLT) });
  const { connector, evidence } = await identifyArchive(archive);
  expect(connector).toBe(deviceFiles);
  expect(evidence.saw).toBe("2 files of FIT, GPX, TCX or KML, the first one by Wahoo");
  const { readings } = await readAll(deviceFiles, archive);
  const [first] = readings;
  expect(readings).toHaveLength(2);
  // The first position came 44 minutes later. The athlete's clock was eight hours ahead.
  expect(first?.kind === "workout" && first.value).toMatchObject({
    activity: "bike",
    start: { instant: Date.UTC(2019, 1, 17, 6, 26, 44), offsetMinutes: 480 },
  });
});
