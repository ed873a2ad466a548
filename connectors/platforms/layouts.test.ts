import { expect, test } from "vitest";
import { fixtureCases, openCase } from "../../test/suites/fixture-cases.ts";
import { connectorNamed, exportWithoutWorkouts } from "../registry.ts";

test.each([
  ["adidas-running/until-2020", /layout until 2020$/],
  ["adidas-running/since-2021", /layout since 2021$/],
  ["apple-health/", /layout export\.xml$/],
  ["fitbod/days", /layout of 2019$/],
  ["fitbod/kilograms", /layout since 2020$/],
  ["huawei/days-2020", /layout days$/],
  ["huawei/flat-2024", /layout activities$/],
  ["huawei/hitrack", /layout HiTrack$/],
  ["polar/new-layout", /layout with timezoneOffsetMinutes$/],
  ["polar/old-layout", /layout of version 1\.\d$/],
  ["runalyze/backup-3", /layout of version 3\.2$/],
  ["runalyze/backup-4", /layout of version 4\.3$/],
  ["runalyze/table", /layout of runalyze\.com$/],
  ["samsung/prefixed", /layout with long names of columns$/],
  ["sporttracks/fitlog", /layout fitlog$/],
  ["suunto/movescount", /layout Movescount$/],
  ["tomtom/watch", /layout of the watch$/],
])("the layout of %s is named", async (name, layout) => {
  const found = fixtureCases().find((each) => `${each.connector}/${each.name}`.startsWith(name));
  const archive = await openCase(found ?? expect.unreachable(`there is no case ${name}`));
  const match = await connectorNamed(found?.connector ?? "")?.identify(archive);
  await archive.close();
  expect(match?.saw).toMatch(layout);
});

test("the files beside the workouts of an export show no other platform", async () => {
  const shown: string[] = [];
  for (const each of fixtureCases()) {
    const archive = await openCase(each);
    const rest = exportWithoutWorkouts(archive);
    await archive.close();
    if (rest === undefined) continue;
    expect(rest.connector.name).toBe(each.connector);
    shown.push(each.connector);
  }
  expect(new Set(shown)).toContain("garmin");
});
