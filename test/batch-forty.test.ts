/**
 * Forty athletes, five problems. One token is revoked, one archive is corrupt, one archive is somebody else's. One athlete's way to the log is slow.
 * The service turns one athlete away for longer than a run waits. The slow athlete is done like all others. The other four are explained, and no
 * record is in a wrong log. Once the causes are mended the same command does the rest. It sends no requests for athletes who are done.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import type { ScriptedServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, type Member, rowOf, wayTo, writeRoster, writeSomeonesExport } from "./support/team.ts";

const ATHLETES = 40;
const [REVOKED, CORRUPT, SWAPPED, OWNER, SLOW, LIMITED] = [7, 13, 21, 22, 29, 34];

/** Requests that get through for the athlete who is turned away: the preflight, and the first of the loading. */
const LET_THROUGH = 12;

let rehearsal: Rehearsal;
let ways: ScriptedServer[];
beforeEach(async () => {
  rehearsal = await rehearse();
  ways = [];
});
afterEach(async () => {
  for (const way of ways) await way.close();
  await rehearsal.close();
});

async function logOf({ token }: Member) {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  if (answer.status === 401) return undefined;
  const { data } = (await answer.json()) as {
    data: { entries: { date: string; details: { distance: { value: number } } }[] };
  };
  return data.entries
    .map(({ date, details }) => ({ date, metres: Math.round(details.distance.value * 1000) }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

test("36 of 40 are done and verified, 4 explained, nothing in a wrong log; mended, the rest is done and nobody else is asked", async () => {
  const team: Member[] = [];
  for (let number = 1; number <= ATHLETES; number++)
    team.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number));
  const member = (number: number) => team[number - 1] as Member;

  await rehearsal.service.operator.revoke(member(REVOKED).userId, "");
  const sound = readFileSync(member(CORRUPT).archive);
  writeFileSync(member(CORRUPT).archive, sound.subarray(0, sound.length / 2));
  const foreign = writeSomeonesExport(join(rehearsal.folder, "someones.zip"), member(OWNER));
  let isTurnedAway = true;
  const slow = await wayTo(rehearsal.service, async () => void (await sleep(30)));
  const limited = await wayTo(rehearsal.service, async (index) =>
    isTurnedAway && index >= LET_THROUGH ? { status: 429, headers: { "retry-after": "7200" }, body: "" } : undefined,
  );
  ways = [slow, limited];

  const url = rehearsal.service.url;
  const own: Readonly<Record<number, Record<string, string>>> = {
    [SWAPPED]: { archives: foreign },
    [SLOW]: { url: slow.url },
    [LIMITED]: { url: limited.url },
  };
  const rows = team.map((one, index) => ({ ...rowOf(one), url, ...own[index + 1] }));
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), rows);

  const ran = await rehearsal.run(["batch", roster, "--json", "--parallel", "8", "--host-rate", "200"]);
  expect(ran.code, ran.err).toBe(3);
  const told = new Map(
    jsonLines(ran.out)
      .filter(({ type, phase }) => type === "athlete" && phase === "result")
      .map((line) => [line.athlete, line] as const),
  );
  expect(told.size).toBe(ATHLETES);
  const open = [...told.values()].filter(({ status }) => status !== "verified");
  expect(open.map(({ athlete, status }) => [athlete, status])).toEqual([
    [member(REVOKED).name, "login"],
    [member(CORRUPT).name, "source"],
    [member(SWAPPED).name, "held"],
    [member(LIMITED).name, "service"],
  ]);
  // A problem of one athlete costs the others nothing: each of them took as many requests as any other.
  const done = [...told.values()].filter(({ status }) => status === "verified");
  expect(new Set(done.map(({ requests }) => requests)).size).toBe(1);
  const why = (number: number) => String(told.get(member(number).name)?.why);
  expect(why(REVOKED)).toContain("401");
  expect(why(CORRUPT)).toContain(`watch-${CORRUPT}.zip`);
  expect(why(SWAPPED)).toContain("other-person");
  expect(why(LIMITED)).toContain("the service wants to be left alone for 2 hours");

  for (const [index, one] of team.entries()) {
    const expected = index + 1 === LIMITED ? expect.anything() : [CORRUPT, SWAPPED].includes(index + 1) ? [] : one.runs;
    expect(await logOf(one), one.name).toEqual(index + 1 === REVOKED ? undefined : expected);
  }

  // Mended: a new token, the archive sent once more, the athlete's own archive, and the service no longer turns anyone away.
  const token = await rehearsal.service.operator.addToken(member(REVOKED).userId);
  writeFileSync(member(REVOKED).tokenFile, token);
  team[REVOKED - 1] = { ...member(REVOKED), token };
  writeFileSync(member(CORRUPT).archive, sound);
  isTurnedAway = false;
  rows[SWAPPED - 1] = { ...rowOf(member(SWAPPED)), url };
  const mended = await rehearsal.run(["batch", writeRoster(roster, rows), "--json", "--host-rate", "200"]);
  expect(mended.code, mended.err).toBe(0);
  const results = jsonLines(mended.out).filter(({ type, phase }) => type === "athlete" && phase === "result");
  expect(results.filter(({ wasDone }) => wasDone === true)).toHaveLength(36);
  for (const one of team) expect(await logOf(one), one.name).toEqual(one.runs);
});
