/** Two rosters of a fleet reach one log by two names of its host, such as an inner and an outer one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asked, env, logOf, openWay, rehearsal, team, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

/** The rows of accounts and persons. Whoever works on a log holds them, whatever the log is called there. */
async function accountsHeld(): Promise<readonly string[]> {
  const held = await asked(env.LOGFERRY_FLEET ?? "", "SELECT * FROM logferry_fleet.journals");
  return held.map((row) => JSON.stringify(row)).filter((row) => row.includes('"account '));
}

test("an athlete of two rosters is loaded by one at a time, and nothing is there twice", async () => {
  const athletes = await team(81, 1);
  const way = await openWay();
  for (const [name, url] of [
    ["inner", rehearsal.service.url],
    ["outer", way.url],
  ] as const) {
    const rows = athletes.map((athlete) => ({ ...rowOf(athlete), athlete: `${athlete.name} ${name}`, url }));
    const roster = writeRoster(join(rehearsal.folder, `${name}.csv`), rows);
    const put = await rehearsal.run(["batch", roster, "--detach"], { env });
    expect(put.code, put.out + put.err).toBe(0);
  }
  const ran = await rehearsal.run(["worker", "--until-empty", "--parallel", "8"], { env });
  expect(ran.code, ran.out + ran.err).toBe(0);
  for (const athlete of athletes) expect(await logOf(athlete)).toHaveLength(2);
  expect(await accountsHeld()).toHaveLength(2 * athletes.length);
});

test("a token that tells nothing of its owner holds the person of its row", async () => {
  const [athlete] = await team(91, 1);
  if (athlete === undefined) throw new Error("no athlete");
  const way = await openWay();
  const before = await accountsHeld();
  const tokenFile = join(rehearsal.folder, "without-profile.txt");
  const silent = await rehearsal.service.operator.addToken(athlete.userId, { readsProfile: false });
  writeFileSync(tokenFile, silent, { mode: 0o600 });
  for (const [name, url, file] of [
    ["telling", rehearsal.service.url, athlete.tokenFile],
    ["silent", way.url, tokenFile],
  ] as const) {
    const row = { ...rowOf({ ...athlete, tokenFile: file }), athlete: name, url };
    const roster = writeRoster(join(rehearsal.folder, `${name}.csv`), [row]);
    const put = await rehearsal.run(["batch", roster, "--detach", "--trust", name], { env });
    expect(put.code, put.out + put.err).toBe(0);
  }
  await rehearsal.run(["worker", "--until-empty", "--parallel", "8"], { env });
  expect(await logOf(athlete)).toHaveLength(2);
  // The account of each token, and one person.
  expect((await accountsHeld()).length - before.length).toBe(3);
});

test("the status of two athletes whose screen names changed places is the one that the batch printed", async () => {
  const [ana, ben] = await team(121, 2);
  if (ana === undefined || ben === undefined) throw new Error("no athletes");
  const path = join(rehearsal.folder, "places.csv");
  const run = (...words: readonly string[]) => rehearsal.run(words, { env });
  writeRoster(path, [rowOf(ana), rowOf(ben)]);
  expect((await run("batch", path, "--detach")).code).toBe(0);
  expect((await run("worker", "--until-empty")).code).toBe(0);
  writeRoster(path, [
    { ...rowOf(ana), "screen-name": ben.screenName },
    { ...rowOf(ben), "screen-name": ana.screenName },
  ]);
  expect((await run("batch", path, "--detach")).code).toBe(0);
  await run("worker", "--until-empty");
  const { out } = await run("batch", "status", path);
  expect(out).toContain("2 athletes: 2 held.");
  expect(out).toContain(`${ana.name}: held: the token opens the log of "${ana.screenName}"`);
});
