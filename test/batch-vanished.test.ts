/** One workout that vanishes from the log while a batch still loads: nobody deletes it on purpose in these minutes. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { passOn, startServer } from "./support/http-server.ts";
import { rehearse } from "./support/rehearsal.ts";
import { addMember, rowOf, writeRoster } from "./support/team.ts";

test("a single workout that vanishes during the load is a difference, and the batch doesn't end well", async () => {
  const rehearsal = await rehearse();
  onTestFinished(() => rehearsal.close());
  const member = await addMember(rehearsal.service, join(rehearsal.folder, "team"), 1, { runs: 4 });
  let [imports, isDeleted] = [0, false];
  // A log behind which somebody takes a workout out once all four are there.
  const way = await startServer(async (request) => {
    const { method, path } = request;
    const { url } = rehearsal.service;
    if (method === "POST") imports++;
    if (method === "GET" && path === "/rest/logs/me/workouts" && imports >= 4 && !isDeleted) {
      isDeleted = true;
      const listed = await fetch(`${url}${path}?access_token=${member.token}`);
      const { data } = (await listed.json()) as { data: { entries: { id: string }[] } };
      deleteWorkout(join(rehearsal.folder, "service.db"), String(data.entries[0]?.id));
    }
    return passOn(url, request);
  });
  onTestFinished(() => way.close());
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [rowOf(member)]);
  const ran = await rehearsal.run(["batch", roster, "--json"], { env: { LOGFERRY_URL: way.url } });
  expect(isDeleted).toBe(true);
  const results = jsonLines(ran.out).filter(({ type, phase }) => type === "athlete" && phase === "result");
  expect(results, ran.out + ran.err).toMatchObject([
    { status: "differs", why: expect.stringContaining("1 no longer in the log") },
  ]);
  expect(ran.code).toBe(3);
});
