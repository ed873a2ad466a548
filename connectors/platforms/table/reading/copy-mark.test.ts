import { describe, expect, test } from "vitest";
import { fixtureCases, openCase, readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { fitbit, garmin, polar } from "../../index.ts";
import { withoutCopyMark } from "./copy-mark.ts";

test.each([
  ["a/x_0_summarizedActivities (1).json", "a/x_0_summarizedActivities.json"],
  ["Kopie von exercise-0.json", "exercise-0.json"],
  ["Copy of a/training - Copy.json.gz", "Copy of a/training.json.gz"],
  ["activities - Kopie.csv", "activities.csv"],
  ["Copy of activities copy.csv", "activities.csv"],
  ["a/exercise-0 2.json", "a/exercise-0.json"],
  ["exercise-12.json", "exercise-12.json"],
  ["2024-05-04 run (3) at noon.json", "2024-05-04 run (3) at noon.json"],
  ["a (1)/b.json", "a (1)/b.json"],
  ["copy.json", "copy.json"],
])("the copy %s was %s", (copy, was) => {
  expect(withoutCopyMark(copy)).toBe(was);
});

describe("an export whose files a drive renamed gives every workout", () => {
  test.each([
    [garmin, "account-export-in-a-folder"],
    [polar, "new-layout"],
    [fitbit, "my-fitbit-data"],
  ])("of $0.name", async (connector, layout) => {
    const found = fixtureCases().find(({ connector: of, name }) => of === connector.name && name === layout);
    if (found === undefined) throw new Error("There is no such fixture");
    const archive = await openCase(found);
    const files: Record<string, Uint8Array> = {};
    for (const entry of archive.entries())
      files[entry.path.replace(/(\.[^./]+)$/, " (1)$1")] = await archive.read(entry);
    const read = async (from: typeof archive) =>
      (await readAll(connector, from)).readings.flatMap((reading) =>
        reading.kind === "workout" ? [{ ...reading.value, track: reading.value.track?.sha256 }] : [],
      );
    const workouts = await read(archive);
    expect(workouts.length).toBeGreaterThan(2);
    expect(await read(memoryArchive("renamed", files))).toEqual(workouts);
    await archive.close();
  });
});
