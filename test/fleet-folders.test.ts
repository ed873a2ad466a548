/** Workers whose `--archives` folders differ: one checks an athlete, and another one loads them. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, test } from "vitest";
import { sealToken } from "../pipelines/fleet/sealed-tokens.ts";
import { asked, env, logOf, rehearsal, team, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

test("an athlete whom one worker checked is loaded by another one, from its own folder", async () => {
  const members = await team(101, 2);
  const [ana, ben] = members;
  if (ana === undefined || ben === undefined) throw new Error("no athletes");
  const at = (name: string) => join(rehearsal.folder, name);
  for (const folder of ["here/exports", "there/exports", "rosters"]) mkdirSync(at(folder), { recursive: true });
  for (const { archive, screenName } of members)
    for (const folder of ["here", "there"]) copyFileSync(archive, at(`${folder}/exports/${screenName}.zip`));
  const keys = await Promise.all(
    ["here", "there"].map(async (name) => {
      const identity = await generateX25519Identity();
      writeFileSync(at(`${name}.key`), `${identity}\n`, { mode: 0o600 });
      return { file: at(`${name}.key`), recipient: await identityToRecipient(identity) };
    }),
  );
  const [here, there] = keys as [(typeof keys)[0], (typeof keys)[0]];
  const roster = writeRoster(
    at("rosters/team.csv"),
    members.map((one) => ({ ...rowOf(one), archives: `exports/${one.screenName}.zip` })),
  );
  const sql = (text: string) => asked(env.LOGFERRY_FLEET ?? "", text);
  const run = (...words: readonly string[]) => rehearsal.run(words, { env });
  const put = await run("batch", roster, "--detach", "--recipient", here.recipient, "--recipient", there.recipient);
  expect(put.code, put.err).toBe(0);
  // Ben's token opens only for the second worker, so Ana waits for it once she is checked.
  const sealed = (await sealToken(ben.token, [there.recipient])).toString("hex");
  await sql(`UPDATE logferry_fleet.tokens SET sealed = '\\x${sealed}' WHERE key LIKE 'athlete-102-%'`);
  const first = await run("worker", "--until-empty", "--identity", here.file, "--archives", at("here"));
  expect(first.code, first.out + first.err).toBe(3);
  rmSync(at("here"), { recursive: true });
  // Ben's job would wait for half a minute.
  await sql("UPDATE logferry_queue.job SET start_after = now() WHERE state < 'active'");
  const second = await run("worker", "--until-empty", "--identity", there.file, "--archives", at("there"));
  expect(second.code, second.out + second.err).toBe(0);
  for (const one of members) expect(await logOf(one), second.out + second.err).toEqual(one.runs);
});
