/** A journal that a newer logferry opened last: an older worker leaves its athlete to a newer one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { zipBytes } from "../fixtures/make/zip.ts";
import { asked, env, logOf, ofType, rehearsal, team, useFleet } from "./support/fleet.ts";
import { madeRun, rowOf, writeRoster } from "./support/team.ts";

useFleet();

test("an athlete whose journal is of a newer version waits for a newer worker, and an older one says so once", async () => {
  const [one] = await team(81, 1);
  if (one === undefined) throw new Error("no athlete");
  const roster = writeRoster(join(rehearsal.folder, "newer.csv"), [rowOf(one)]);
  const run = (...words: readonly string[]) => rehearsal.run(words, { env });
  const work = () => run("worker", "--until-empty");
  expect((await run("batch", roster, "--detach")).code).toBe(0);
  expect((await work()).code).toBe(0);
  const [{ version } = {}] = await asked(env.LOGFERRY_FLEET ?? "", "SELECT version FROM logferry_fleet.journals");
  const setVersion = (number: number) =>
    asked(env.LOGFERRY_FLEET ?? "", `UPDATE logferry_fleet.journals SET version = ${number}`);

  await setVersion(Number(version) + 1);
  const files = [0, 1, 2].map((index) => ({ name: `run-81-${index}.fit`, bytes: madeRun(81, index).bytes }));
  writeFileSync(one.archive, zipBytes(files));
  expect((await run("batch", roster, "--detach")).code).toBe(0);
  const older = await work();
  const says = `${one.name}: Cannot open the journal: it was made by a newer logferry. Update logferry. It is left to a newer worker`;
  expect(older.err.split(says)).toHaveLength(2);
  const waiting = await run("batch", "status", roster, "--json");
  expect(ofType(waiting.out, "athlete")).toMatchObject([{ step: "check" }]);

  await setVersion(Number(version));
  // Half a minute later.
  await asked(env.LOGFERRY_FLEET ?? "", "UPDATE logferry_queue.job SET start_after = now() WHERE state < 'active'");
  const worked = await work();
  expect(worked.code, worked.out + worked.err).toBe(0);
  expect(ofType((await run("batch", "status", roster, "--json")).out, "athlete")).toMatchObject([
    { status: "verified" },
  ]);
  expect(await logOf(one)).toHaveLength(3);
});
