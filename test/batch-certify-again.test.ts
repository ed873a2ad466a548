/** A certificate of a batch whose log was edited after the load: the same batch leaves the edit, and the next certificate says yes. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, rowOf, writeRoster } from "./support/team.ts";
import { changeWorkout } from "./support/typed-workout.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

test.each(["the same batch", "an import by hand"])("an edit in the log is kept by %s, and certified", async (how) => {
  const folder = join(rehearsal.folder, how.replaceAll(" ", "-"));
  const ana = await addMember(rehearsal.service, join(folder, "team"), how === "the same batch" ? 1 : 2);
  const { url } = rehearsal.service;
  const roster = writeRoster(join(folder, "roster.csv"), [{ ...rowOf(ana), url }]);
  const words = ["batch", roster, "--report", join(folder, "results"), "--certify"];
  const yes = "1 certificate was written, and 1 says yes.";
  expect((await rehearsal.run(words)).out).toContain(yes);

  const read = async (path: string) => {
    const answer = await fetch(`${url}/rest/logs/me/workouts${path}access_token=${ana.token}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  const { entries } = (await read("?")) as { entries: { id: string }[] };
  const id = entries[0]?.id ?? "";
  const { timeOfDay: time, ...rest } = (await read(`/${id}?`)).workout as Record<string, unknown>;
  const details = { ...(rest.details as object), duration: 1_234 };
  await changeWorkout({ service: rehearsal.service, token: ana.token }, id, { ...rest, time, details });
  expect((await rehearsal.run(words)).out).toContain("1 certificate was written, and 0 say yes.");

  if (how === "an import by hand") {
    const { out } = await rehearsal.run(["batch", "status", roster, "--json"]);
    const [journal] = /[^"]+\.journal\.db/.exec(out) ?? [];
    expect(journal).toBeDefined();
    const own = ["--journal", journal ?? "", "--url", url, "--token-file", ana.tokenFile];
    expect((await rehearsal.run(["import", ana.archive, ...own])).code).toBe(0);
  }
  const again = await rehearsal.run(words);
  expect(again.out, again.err).toContain(yes);
  const kept = (await read(`/${id}?`)).workout as { details: { duration: number } };
  expect(kept.details.duration).toBe(1_234);
});
