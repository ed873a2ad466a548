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

test("a sealed token that the log refuses leads to sealing a new one, and not to the place that the roster names", async () => {
  const [athlete] = await team(97, 1);
  if (athlete === undefined) throw new Error("no athlete");
  const identity = await generateX25519Identity();
  const key = join(rehearsal.folder, "sealing.key");
  writeFileSync(key, `${identity}\n`, { mode: 0o600 });
  const roster = writeRoster(join(rehearsal.folder, "refused.csv"), [rowOf(athlete)]);
  const recipient = ["--recipient", await identityToRecipient(identity)];
  const run = (...words: readonly string[]) => rehearsal.run(words, { env });
  expect((await run("batch", roster, "--detach", ...recipient)).code).toBe(0);
  await rehearsal.service.operator.revoke(athlete.userId, "");
  await run("worker", "--until-empty", "--identity", key);
  const { out } = await run("batch", "status", roster);
  expect(out).toContain("Put a new one where the roster says, then run the same batch with --recipient");
  expect(out).not.toContain("Put a new token where the roster says");

  const next = await rehearsal.service.operator.addToken(athlete.userId);
  writeFileSync(athlete.tokenFile, next);
  expect((await run("batch", roster, "--detach", ...recipient)).code).toBe(0);
  await run("worker", "--until-empty", "--identity", key);
  expect(await logOf({ ...athlete, token: next })).toEqual(athlete.runs);
});
