/** Two rosters of a fleet reach one log by two names of its host, such as an inner and an outer one. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { asked, env, logOf, openWay, rehearsal, team, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

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
  // Whoever works on a log holds its account, whatever the log is called there.
  const held = await asked(env.LOGFERRY_FLEET ?? "", "SELECT * FROM logferry_fleet.journals");
  const accounts = held.map((row) => JSON.stringify(row)).filter((row) => row.includes('"account '));
  expect(accounts).toHaveLength(athletes.length);
});
