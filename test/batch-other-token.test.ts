/** Tokens that tell nothing of their owners, and change places or are changed while a batch is under way: nothing may reach another person's log. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { zipBytes } from "../fixtures/make/zip.ts";
import { passOn, startServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, daysOf, type Member, madeRun, rowOf, writeRoster } from "./support/team.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const logOf = ({ token }: Pick<Member, "token">) => daysOf({ url: rehearsal.service.url, token });

/** Athletes whose token files hold tokens without private information. */
async function nameless(first: number, count: number): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let number = first; number < first + count; number++) {
    const member = await addMember(rehearsal.service, join(rehearsal.folder, "team"), number);
    writeFileSync(member.tokenFile, await blindToken(member));
    members.push(member);
  }
  return members;
}

const blindToken = ({ userId }: Member) => rehearsal.service.operator.addToken(userId, { readsProfile: false });

const trust = (members: readonly Member[]) => members.flatMap(({ name }) => ["--trust", name]);

/** A way to the log that does something at the first workout that is sent. */
async function wayThat(acts: () => void | Promise<void>): Promise<string> {
  let isDone = false;
  const way = await startServer(async (request) => {
    if (!isDone && request.method === "POST" && request.path.includes("workouts")) {
      isDone = true;
      await acts();
    }
    return passOn(rehearsal.service.url, request);
  });
  onTestFinished(() => way.close());
  return way.url;
}

test("a log that opens with another token at the load than at the check gets nothing, where neither tells its owner", async () => {
  const [ana, ben, cy] = (await nameless(41, 3)) as [Member, Member, Member];
  // Ben's file has Cy's token as soon as Ana's first workout is sent.
  const url = await wayThat(() => copyFileSync(cy.tokenFile, ben.tokenFile));
  const roster = writeRoster(
    join(rehearsal.folder, "swapped.csv"),
    [ana, ben].map((one) => ({ ...rowOf(one), url })),
  );
  const ran = await rehearsal.run(["batch", roster, "--parallel", "1", ...trust([ana, ben])]);
  expect(ran.code, ran.out).toBe(3);
  expect(ran.out + ran.err).toContain("the access token is not the one of the check, neither tells whose log it opens");
  expect(await logOf(ana)).toEqual(ana.runs);
  expect(await logOf(ben)).toEqual([]);
  expect(await logOf(cy)).toEqual([]);
});

test("a token that opens a named person's log only at the load holds the athlete, and its advice is not about journals", async () => {
  const [ana, ben, cy] = [
    await addMember(rehearsal.service, join(rehearsal.folder, "team"), 44),
    await addMember(rehearsal.service, join(rehearsal.folder, "team"), 45),
    await addMember(rehearsal.service, join(rehearsal.folder, "team"), 46),
  ];
  const url = await wayThat(() => copyFileSync(cy.tokenFile, ben.tokenFile));
  const roster = writeRoster(
    join(rehearsal.folder, "named.csv"),
    [ana, ben].map((one) => ({ ...rowOf(one), url })),
  );
  const ran = await rehearsal.run(["batch", roster, "--parallel", "1"]);
  expect(ran.code, ran.out).toBe(3);
  expect(ran.err).toContain(`${ben.name}: held: the token opens the log of "${cy.screenName}" <`);
  expect(ran.err).not.toContain("journal");
  expect(await logOf(cy)).toEqual([]);
});

test("a new token of the same person goes on, where the log has what the check saw", async () => {
  const [ana, ben] = (await nameless(51, 2)) as [Member, Member];
  const before = await rehearsal.run(["import", ben.archive, "--url", rehearsal.service.url, "--token-file", ben.tokenFile, "--journal", join(rehearsal.folder, "before.db")]); // biome-ignore format: one line
  expect(before.code, before.err).toBe(0);
  const runs = [0, 1, 2].map((index) => madeRun(52, index));
  writeFileSync(ben.archive, zipBytes(runs.map(({ bytes }, index) => ({ name: `run-52-${index}.fit`, bytes }))));
  const next = await blindToken(ben);
  const url = await wayThat(() => writeFileSync(ben.tokenFile, next));
  const roster = writeRoster(
    join(rehearsal.folder, "renewed.csv"),
    [ana, ben].map((one) => ({ ...rowOf(one), url })),
  );
  const ran = await rehearsal.run(["batch", roster, "--parallel", "1", ...trust([ana, ben])]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await logOf(ben)).toEqual(runs.map(({ date, metres }) => ({ date, metres })));
});

test("a later batch holds an athlete whose loaded records are all gone from a log without a name", async () => {
  const [ana, ben] = (await nameless(61, 2)) as [Member, Member];
  const roster = writeRoster(join(rehearsal.folder, "later.csv"), [rowOf(ana)]);
  const first = await rehearsal.run(["batch", roster, ...trust([ana])]);
  expect(first.code, first.out).toBe(0);
  const runs = [0, 1, 2].map((index) => madeRun(61, index));
  writeFileSync(ana.archive, zipBytes(runs.map(({ bytes }, index) => ({ name: `run-61-${index}.fit`, bytes }))));
  copyFileSync(ben.tokenFile, ana.tokenFile);
  const ran = await rehearsal.run(["batch", roster, ...trust([ana])]);
  expect(ran.code, ran.out).toBe(3);
  expect(ran.out + ran.err).toContain("none of the 2 records that logferry had put into the log are in this one");
  expect(await logOf(ben)).toEqual([]);
});

test("of two loads that reach one log by other tokens and other names, the one that comes later sends one workout alone", async () => {
  const [ana] = (await nameless(71, 1)) as [Member];
  const [roster, later] = [join(rehearsal.folder, "ana.csv"), join(rehearsal.folder, "a-n-other.csv")];
  writeRoster(roster, [rowOf(ana)]);
  const url = await wayThat(async () => {
    const first = await rehearsal.run(["batch", roster, "--trust", ana.name]);
    expect(first.code, first.out + first.err).toBe(0);
  });
  const tokenFile = join(rehearsal.folder, "made-anew.txt");
  writeFileSync(tokenFile, await blindToken(ana), { mode: 0o600 });
  writeRoster(later, [{ ...rowOf({ ...ana, tokenFile }), athlete: "A. N. Other", url }]);
  const ran = await rehearsal.run(["batch", later, "--trust", "A. N. Other"]);
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out + ran.err).toContain("somebody else puts workouts into this log at the same moment");
  expect(await logOf(ana)).toHaveLength(ana.runs.length + 1);
  const again = await rehearsal.run(["batch", later, "--trust", "A. N. Other"]);
  expect(again.out + again.err).not.toContain("somebody else");
  expect(await logOf(ana)).toHaveLength(ana.runs.length + 1);
});
