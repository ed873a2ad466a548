/** A batch that watches, while somebody forgets its athletes. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { asked, env, rehearsal, team, until, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

test("a batch whose athletes are forgotten meanwhile says so, and doesn't end well", async () => {
  const roster = writeRoster(join(rehearsal.folder, "forgotten.csv"), (await team(71, 2)).map(rowOf));
  const sql = (text: string) => asked(env.LOGFERRY_FLEET ?? "", text);
  const watching = rehearsal.run(["batch", roster], { env });
  await until(async () => {
    const found = await sql("SELECT to_regclass('logferry_fleet.athletes') IS NOT NULL AS is_there");
    return found[0]?.is_there === true && (await sql("SELECT 1 FROM logferry_fleet.athletes")).length === 2;
  });
  // As `batch forget --yes` does, in the moment before a worker could take them.
  await sql("DELETE FROM logferry_fleet.athletes");
  const ran = await watching;
  expect(ran.code, ran.out + ran.err).toBe(75);
  expect(ran.out + ran.err).toContain("somebody forgot them meanwhile, with logferry batch forget");
});
