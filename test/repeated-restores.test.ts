import { join } from "node:path";
import { expect, test } from "vitest";
import { heldBy, openWorld } from "./matrix/world.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";

test("what a restore named as there twice is named again by an equal one, until it is gone", async () => {
  await using world = await openWorld();
  await world.import();
  const repository = join(world.folder, "repository");
  expect((await world.run(["backup", "--repository", repository])).code).toBe(0);

  await using empty = await openWorld({ runs: [], databaseFile: true });
  await using proxy = await startRepeatingProxy(empty.service.url, (method, path, index) =>
    method === "POST" && path === "/rest/logs/me/workouts" && index === 2 ? "twice" : "once",
  );
  const words = ["restore", "latest", "--repository", repository, "--into", "demo"];
  for (const which of ["first", "second", "third"]) {
    const ran = await empty.run(words, { env: { LOGFERRY_URL: proxy.url } });
    expect(ran.code, which + ran.out + ran.err).toBe(7);
    expect(ran.out, which).toContain("It holds 1 more than it should");
    expect(ran.out, which).not.toContain("each once");
    expect(await heldBy(empty)).toHaveLength(7);
  }
  const ids = (await empty.listed("/rest/logs/me/workouts")).map(({ id }) => String(id));
  const { out: named } = await empty.run(words, { env: { LOGFERRY_URL: proxy.url } });
  const extra = ids.find((id) => named.includes(id));
  deleteWorkout(join(empty.folder, "service.db"), String(extra));
  const after = await empty.run(words, { env: { LOGFERRY_URL: proxy.url } });
  expect(after.code, after.out + after.err).toBe(0);
  expect(after.out).toContain("each once");
});
