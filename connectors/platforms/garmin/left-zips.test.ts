import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { garmin } from "./table.ts";

const FOLDER = "DI_CONNECT/DI-Connect-Fitness/jo@mail.example";
const activities = [{ activityId: 1, activityType: "running", startTimeLocal: 1772115185000, duration: 3386583 }];

async function unread(files: Readonly<Record<string, string>>) {
  const page = JSON.stringify([{ summarizedActivitiesExport: activities }]);
  const archive = memoryArchive("g.zip", { [`${FOLDER}_0_summarizedActivities.json`]: page, ...files });
  const { issues } = await readAll(garmin, archive);
  return issues.filter(({ rule, severity }) => rule === "garmin/other-files" && severity !== "info");
}

test("the zips of plans and scores beside the activities are left, but for what looks like activities, and any other zip is named", async () => {
  const inZip = (zip: string, name: string) => `${FOLDER}_${zip}_Part1.zip!/${name}`;
  const day = JSON.stringify([{ day: "2026-02-26", score: 41 }]);
  expect(
    await unread({
      [inZip("AdaptiveCoachingSchedule", "schedule.json")]: day,
      [inZip("PrimaryTrainingBackup", "2026-02.json")]: day,
    }),
  ).toEqual([]);
  const likeActivities = JSON.stringify([{ summarizedActivitiesExport: activities }]);
  expect(await unread({ [inZip("PrimaryTrainingBackup", "2026-02.json")]: likeActivities })).toHaveLength(1);
  expect(await unread({ [inZip("SomethingElse", "2026-02.json")]: day })).toHaveLength(1);
});
