/** A fleet as its people have it: a batch that puts athletes into the queue, and workers that carry them over. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, daysOf, type Member, rowOf, writeRoster } from "./support/team.ts";

let rehearsal: Rehearsal;
let env: Record<string, string>;
beforeAll(async () => {
  rehearsal = await rehearse();
  env = { LOGFERRY_FLEET: await (await fetch(inject("newDatabases"))).text() };
});
afterAll(() => rehearsal.close());

const logOf = ({ token }: Member) => daysOf({ url: rehearsal.service.url, token });
const ofType = (out: string, type: string) => jsonLines(out).filter((line) => line.type === type);

async function team(from: number, count: number): Promise<readonly Member[]> {
  const made: Member[] = [];
  for (let number = from; number < from + count; number++)
    made.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number));
  return made;
}

test("a worker carries each athlete's runs into their own log, and the batch and its status say so", async () => {
  const members = await team(1, 3);
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
  const run = (...words: string[]) => rehearsal.run(words, { env });

  const put = await run("batch", roster, "--detach");
  expect(put.code, put.err).toBe(0);
  expect(put.out).toContain("3 athletes put into the fleet");
  // The same roster again makes no second job of an athlete who waits.
  expect((await run("batch", roster, "--detach")).out).toContain("0 athletes put into the fleet; 3 wait");

  const worked = await run("worker", "--until-empty");
  expect(worked.code, worked.err).toBe(0);
  expect(worked.err).toBe("");
  for (const member of members) expect(await logOf(member)).toEqual(member.runs);
  const status = await run("batch", "status", roster, "--json");
  expect(ofType(status.out, "batch")).toMatchObject([{ athletes: 3, statuses: { verified: 3 } }]);
}, 120_000);
