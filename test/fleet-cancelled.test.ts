/** Athletes whose tokens are sealed for a key that is lost. Nobody can load them, so a person cancels them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, test } from "vitest";
import { env, logOf, ofType, rehearsal, team, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

test("athletes whose key is lost end once they are cancelled, keep no worker from starting, and can be forgotten", async () => {
  const [lost, other] = await team(95, 2);
  if (lost === undefined || other === undefined) throw new Error("no athletes");
  const rosters = [lost, other].map((athlete) =>
    writeRoster(join(rehearsal.folder, `${athlete.screenName}.csv`), [rowOf(athlete)]),
  );
  const run = (...words: readonly string[]) => rehearsal.run(words, { env });
  const recipient = await identityToRecipient(await generateX25519Identity());
  expect((await run("batch", rosters[0] ?? "", "--detach", "--recipient", recipient)).code).toBe(0);
  const key = join(rehearsal.folder, "own.key");
  writeFileSync(key, `${await generateX25519Identity()}\n`, { mode: 0o600 });
  expect((await run("worker", "--until-empty", "--identity", key)).err).toContain("sealed for another age key");

  expect((await run("batch", "cancel", rosters[0] ?? "")).code).toBe(0);
  expect((await run("batch", rosters[1] ?? "", "--detach")).code).toBe(0);
  const worked = await run("worker", "--until-empty", "--identity", key);
  expect(worked.code, worked.out + worked.err).toBe(0);
  expect(await logOf(other)).toHaveLength(2);
  const status = await run("batch", "status", rosters[0] ?? "", "--json");
  expect(ofType(status.out, "athlete")).toMatchObject([{ status: "stopped", step: "done" }]);
  const forgotten = await run("batch", "forget", rosters[0] ?? "", "--yes");
  expect(forgotten.code, forgotten.out + forgotten.err).toBe(0);
});
