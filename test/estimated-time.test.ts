import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { addMember, rowOf, writeRoster } from "./support/team.ts";
import { longTest, test } from "./support/tier-tests.ts";

// logferry asks a log on this machine as fast as it answers. A plan estimates a time only when a pace is set.

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** Commands of somebody who logged in once, without an address or a pace. */
async function loggedIn() {
  const home = emptyHome();
  const words = ["login", "--url", rehearsal.service.url, "--no-keyring"];
  const login = await runCli(home.path, words, { env: { LOGFERRY_TOKEN: rehearsal.token } });
  expect(login.code, login.err).toBe(0);
  return { home, run: (...more: string[]) => runCli(home.path, more), sheet: writeSheet(home.path, someRuns(8)) };
}

const COSTS = /It takes .* requests.*/;

test("for a log on this machine a plan says how many requests it takes, and promises no time", async () => {
  const { home, run, sheet } = await loggedIn();
  using _home = home;
  const planned = await run("plan", sheet);
  expect(COSTS.exec(planned.out)?.[0]).toMatch(/^It takes \d+ requests\.$/);
  const asJson = jsonLines((await run("plan", sheet, "--json")).out).find(({ type }) => type === "plan");
  expect(Object.keys(asJson?.cost as object)).not.toContain("seconds");
  for (const words of [["apply", "-n"], ["status"]])
    expect(COSTS.exec((await run(...words)).out)?.[0], words.join(" ")).toMatch(/^It takes \d+ requests\.$/);
  expect((await run("import", sheet, "-n")).out).toMatch(/\nIt takes \d+ requests\.\n/);
});

test("with --rate it says how long that takes, on this machine too", async () => {
  const { home, run, sheet } = await loggedIn();
  using _home = home;
  expect((await run("plan", sheet, "--rate", "4")).out).toMatch(
    /\nIt takes \d+ requests, about \d+ s at 4 a second\.\n/,
  );
});

longTest(
  "a batch promises no time for logs on this machine, unless --host-rate says how fast they are asked",
  async () => {
    using home = emptyHome();
    const member = await addMember(rehearsal.service, join(home.path, "team"), 1);
    const roster = writeRoster(join(home.path, "roster.csv"), [rowOf(member)], ";");
    const words = ["batch", roster, "-n", "--url", rehearsal.service.url];
    expect((await runCli(home.path, words)).out).toMatch(/^1 athlete to carry over: \d+ requests\.$/m);
    expect((await runCli(home.path, [...words, "--host-rate", "2"])).out).toMatch(
      /^1 athlete to carry over: \d+ requests, about .* at 2 a second for all together\.$/m,
    );
  },
);
