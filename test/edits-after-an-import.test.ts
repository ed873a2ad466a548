import { join } from "node:path";
import { expect, test } from "vitest";
import { expectDone, openWorld } from "./matrix/world.ts";
import { startConfusingProxy } from "./support/confusing-proxy.ts";
import { ANOTHER_RUN, copyDeviceFiles, ONE_RUN } from "./support/small-sources.ts";
import { changeWorkout } from "./support/typed-workout.ts";

// A workout with a device file is imported, read and saved. An entry of the log's list can't stand for the read: it has no ratings, weather, heart rates
// and intervals. The save writes over the whole record, so it would take away what the owner, or another program, added since the import.

const FILES = "/rest/logs/me/workouts/fit";

/** Fields that a watch's file doesn't fill. The list of workouts shows neither of the first two. */
const ADDED = {
  ratings: { effort: 7, quality: 8 },
  weather: { conditions: { windy: true }, temperature: { unit: "C", value: 11 } },
  raceStats: { fieldPlacement: 12, fieldSize: 340 },
} as const;

test("what the owner adds to a workout between its import and its save stays", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = copyDeviceFiles(join(world.folder, "watch"), [ONE_RUN, ANOTHER_RUN]);
  const made: string[] = [];
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => method === "POST" && path === FILES,
    async ({ body }) => {
      const { data } = JSON.parse(body) as { data: { ids: string[] } };
      for (const id of data.ids) {
        made.push(id);
        const { workout } = (await world.get(`/rest/logs/me/workouts/${id}`)) as { workout: Record<string, unknown> };
        const { timeOfDay: time, ...rest } = workout;
        await changeWorkout(world, id, { ...rest, time, ...ADDED });
      }
      return body;
    },
  );
  expectDone([await world.import({ env: { LOGFERRY_URL: proxy.url }, sources: [folder] })]);
  expect(made).toHaveLength(2);
  for (const id of made) expect(await world.get(`/rest/logs/me/workouts/${id}`)).toMatchObject({ workout: ADDED });
});
