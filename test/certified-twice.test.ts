/** A workout that is in the log twice since the run: the certificate looks at the log itself. */
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { told } from "./support/promotions.ts";
import { someRuns } from "./support/small-sources.ts";

test("a workout that somebody saved once more after the run keeps the account open, also without another verification", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  expect((await world.import()).code).toBe(0);
  expect((await world.run(["verify"])).code).toBe(0);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: true });

  const [first] = await world.listed("/rest/logs/me/workouts");
  const address = (path: string) => `${world.service.url}${path}?access_token=${world.token}`;
  const found = await (await fetch(address(`/rest/logs/me/workouts/${first?.id}`))).json();
  const { activityID, workoutID, date, timeOfDay, details, notes } = (
    found as { data: { workout: Record<string, unknown> } }
  ).data.workout;
  const body = { activityID, workoutID, date, time: timeOfDay, details, notes };
  const saved = await fetch(address("/rest/logs/me/workouts"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(saved.ok, JSON.stringify(body)).toBe(true);

  const { ran, read } = await certified(world);
  expect(read.verdict, told(ran)).toMatchObject({ canClose: false, obstacles: [{ code: "more-than-once", count: 1 }] });
  expect(ran.code).toBe(3);
});
