/**
 * A fleet while everything goes wrong: forty athletes on two workers, a service on PostgreSQL that loses answers and turns requests away, one worker
 * killed, one frozen for longer than its claims last, then woken. The time is real: only PostgreSQL's own clock ends a claim.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, daysOf, type Member, rowOf, writeRoster } from "./support/team.ts";

const ATHLETES = 40;
const WORKOUTS = 5;

/** Workouts that take a minute at one request a second: many heartbeats. */
const LONG = 60;

const FAULTS = [
  "reset-after-commit:POST /rest/**:rate=0.03",
  "reset-before-commit:* /rest/**:rate=0.02",
  "status-before-commit:* /rest/**:status=429,rate=0.02",
  "html-after-commit:POST /rest/**:rate=0.02",
  "latency:* /rest/**:ms=30,rate=0.1",
];

/** Milliseconds for which a worker stands still: longer than its heartbeat and its claims. */
const FROZEN_MS = 45_000;

const newDatabase = async () => (await fetch(inject("newDatabases"))).text();

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: await newDatabase(), faults: { armed: FAULTS, seed: 7 } });
});
afterEach(() => rehearsal.close());

/** What a log holds. The service misbehaves for this reader too, who asks until there is an answer. */
async function logOf({ token }: Member): ReturnType<typeof daysOf> {
  for (let left = 50; ; left--) {
    try {
      return await daysOf({ url: rehearsal.service.url, token });
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

test("forty athletes on two workers, one killed and one frozen: all done, nothing lost, doubled or in a wrong log", async () => {
  const members: Member[] = [];
  for (let number = 1; number <= ATHLETES; number++)
    members.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number, { runs: WORKOUTS }));
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
  const fleet = await newDatabase();
  // Each worker has a home of its own, as on its own machine.
  const machine = (name: string) => {
    const home = join(rehearsal.folder, name);
    mkdirSync(home);
    return { LOGFERRY_FLEET: fleet, HOME: home, LOGFERRY_PATIENCE: "1m" };
  };
  const put = await rehearsal.run(["batch", roster, "--detach", "--settle", "1"], { env: machine("coach") });
  expect(put.code, put.err).toBe(0);

  const loaded = async () => (await Promise.all(members.map(logOf))).flat().length;
  const killed = rehearsal.start(["worker"], { env: machine("killed") });
  const frozen = rehearsal.start(["worker"], { env: machine("frozen") });
  while ((await loaded()) < 10) await sleep(100);
  killed.child.kill("SIGKILL");
  frozen.child.kill("SIGSTOP");
  const other = rehearsal.start(["worker", "--until-empty"], { env: machine("other") });
  await sleep(FROZEN_MS);
  frozen.child.kill("SIGCONT");
  const ran = await other.ended;
  expect(ran.code, ran.err).toBe(0);
  frozen.child.kill("SIGTERM");
  const woken = await frozen.ended;
  expect(woken.code, woken.err).toBe(0);

  const status = await rehearsal.run(["batch", "status", roster, "--json"], { env: machine("looking") });
  const batch = jsonLines(status.out).find(({ type }) => type === "batch");
  expect(batch, ran.out + woken.out).toMatchObject({ statuses: { verified: ATHLETES } });
  for (const member of members) expect(await logOf(member), member.name).toEqual(member.runs);
  const said = [put, ran, woken, status, await killed.ended].flatMap(({ out, err }) => [out, err]).join("\n");
  const tables = await allTables(fleet);
  for (const { token } of members) expect(said.includes(token) || tables.includes(token)).toBe(false);
});

test("an athlete under way who is cancelled is left within a heartbeat, and the same batch goes on with them", async () => {
  const member = await addMember(rehearsal.service, join(rehearsal.folder, "team"), 1, { runs: LONG });
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [rowOf(member)]);
  const env = { LOGFERRY_FLEET: await newDatabase(), LOGFERRY_PATIENCE: "1m" };
  const run = (...words: string[]) => rehearsal.run(words, { env });
  expect((await run("batch", roster, "--detach", "--settle", "1", "--host-rate", "1")).code).toBe(0);
  const { ended } = rehearsal.start(["worker", "--until-empty"], { env });
  const now = async () => {
    const lines = jsonLines((await run("batch", "status", roster, "--json")).out);
    return lines.find(({ type }) => type === "athlete") as { step: string; ledger?: { created: number } };
  };
  let underWay = await now();
  while ((underWay.ledger?.created ?? 0) === 0) underWay = await now();
  expect(underWay.step).toBe("load");
  expect((await run("batch", "cancel", roster)).out).toContain("1 athlete cancelled.");
  expect((await ended).out).toContain("Athlete 1: cancelled; the same batch goes on with them");
  expect((await logOf(member)).length).toBeLessThan(LONG);

  expect((await run("batch", roster, "--detach", "--settle", "1", "--host-rate", "50")).code).toBe(0);
  const again = await run("worker", "--until-empty");
  expect(await logOf(member), again.out + again.err).toEqual(member.runs);
});

/** Every row of every table of a fleet, as text and with the bytes as they are. */
async function allTables(address: string): Promise<string> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows: tables } = await client.query(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema LIKE 'logferry%' AND table_type = 'BASE TABLE'",
  );
  let text = "";
  for (const { name } of tables)
    for (const row of (await client.query(`SELECT * FROM ${name}`)).rows)
      text += Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : JSON.stringify(value)))
        .join(" ");
  await client.end();
  return text;
}
