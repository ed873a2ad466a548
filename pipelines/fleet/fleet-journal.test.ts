import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, expect, test } from "vitest";
import { poolFetcher, TIMEOUTS } from "../../connectors/api/exchange.ts";
import { permitted } from "../../connectors/api/permit.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Wire, wireTo } from "../../service/test/cut-off.ts";
import { STORES } from "../../service/test/stores.ts";
import { poolTransactions } from "../../service/test/transaction-pooler.ts";
import { errorOf } from "../../test/support/api.ts";
import { handClock } from "../../test/support/hand-clock.ts";
import { startServer } from "../../test/support/http-server.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, NewLine } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import { type FleetJournalOptions, openFleetJournal, prepareFleetJournals, readFleetJournal } from "./fleet-journal.ts";
import { openFleetPool } from "./pool.ts";

const folder = temporaryFolder();
const OPTIONS = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };
const IMPORTED = { activityID: 10, date: "2020-01-01", time: undefined, metres: 5_000, seconds: undefined };
const never = new AbortController().signal;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A database with the tables of a fleet. @returns its address */
async function fleet(): Promise<string> {
  const address = await STORES.PostgreSQL();
  await prepareFleetJournals(await poolTo(address));
  return address;
}

async function poolTo(address: string): Promise<pg.Pool> {
  const pool = await openFleetPool(address);
  closing.push(() => pool.end());
  return pool;
}

/** A worker opens a journal. It is closed after the test, if it can be. */
async function open(pool: pg.Pool, options: Partial<FleetJournalOptions> = {}) {
  const worker = options.worker ?? "first";
  const opened = await openFleetJournal(pool, { journal: "ana", folder: join(folder, worker), worker, ...options });
  closing.push(() => opened.journal.close().catch(() => undefined));
  return opened;
}

/** The time of the database goes on, so that a claim is over by its clock. */
async function expire(pool: pg.Pool): Promise<void> {
  await pool.query("UPDATE logferry_fleet.journals SET until = clock_timestamp() - interval '1 second'");
}

function workout(key: string): NewLine {
  const value = { activity: "run", start: { date: "2020-01-01" } } as const;
  const origin = { connector: "test", archive: "a.zip", entry: "a.csv" };
  return { key, kind: "workout", source: 0, origin, state: "planned", action: "create", uploadMethod: "save", value };
}

async function plan(journal: Journal, keys: readonly string[]): Promise<{ run: number; lines: readonly Line[] }> {
  const run = await journal.startPlan([], OPTIONS, 1);
  for (const key of keys) await journal.addLine(run, workout(key));
  await journal.planReady(run, keys.length);
  const lines: Line[] = [];
  for await (const line of journal.lines(run, {})) lines.push(line);
  return { run, lines };
}

async function numbers(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query("SELECT number FROM logferry_fleet.journal_changes ORDER BY number");
  return rows.map(({ number }) => Number(number));
}

test("another worker goes on with a journal from PostgreSQL alone, and no files are left where it was", async () => {
  const pool = await poolTo(await fleet());
  const first = await open(pool);
  const { run, lines } = await plan(first.journal, ["a", "b"]);
  await first.journal.intend([lines[0] as Line], 5);
  await first.journal.receive(lines[0] as Line, "done", { remoteId: "7" });
  await first.journal.close();
  expect(readdirSync(join(folder, "first"))).toEqual([]);

  const second = await open(pool, { worker: "second" });
  expect(second.claim.fence).toBeGreaterThan(first.claim.fence);
  expect(await second.journal.lineWithKey(run, "a")).toMatchObject({ state: "done", remoteId: "7" });
  expect(await second.journal.lineWithKey(run, "b")).toMatchObject({ state: "planned" });
  expect(await second.journal.identity()).toBe(await second.journal.identity());
});

test("a live claim keeps other workers out and names its worker; released or expired, it doesn't", async () => {
  const pool = await poolTo(await fleet());
  const first = await open(pool, { worker: "process 1 on here" });
  const refused = await errorOf(open(pool, { worker: "second" }));
  expect(refused).toMatchObject({ code: "journal/locked", reason: "locked" });
  expect(refused.message).toMatch(/another worker holds it \(process 1 on here\)\. Its claim ends in \d+ s/);
  // Another journal is free.
  await open(pool, { journal: "bo", worker: "second" });
  await first.claim.release();
  const third = await open(pool, { worker: "third" });
  expect(third.claim.fence).toBeGreaterThan(first.claim.fence);
  await expire(pool);
  expect((await open(pool, { worker: "fourth" })).claim.fence).toBeGreaterThan(third.claim.fence);
});

test("a claim that is let go between its refusal and the question who has it is free", async () => {
  const pool = await poolTo(await fleet());
  const first = await open(pool);
  const query = pool.query.bind(pool) as (...words: unknown[]) => Promise<pg.QueryResult>;
  const late = Object.assign(Object.create(pool) as pg.Pool, {
    async query(...words: unknown[]) {
      const found = await query(...words);
      if (found.command === "INSERT" && found.rows.length === 0) await first.claim.release();
      return found;
    },
  });
  const second = await open(late, { worker: "second" });
  expect(second.claim.fence).toBeGreaterThan(first.claim.fence);
});

test("a worker that was thought dead writes nothing more and sends nothing more", async () => {
  const pool = await poolTo(await fleet());
  const dead = await open(pool);
  const { run, lines } = await plan(dead.journal, ["a"]);
  await expire(pool);
  const alive = await open(pool, { worker: "second" });
  const before = await numbers(pool);

  const refused = await errorOf(dead.journal.intend(lines, 5));
  expect(refused).toBeInstanceOf(FatalError);
  expect(refused).toMatchObject({ code: "journal/claim-lost", reason: "journal" });
  expect(refused.message).toContain("another worker has taken it over");
  expect(dead.claim.lost.aborted).toBe(true);
  expect(dead.claim.lost.reason).toBe(refused);
  expect(dead.claim.isConfirmed).toBe(false);
  await expect(dead.claim.check(never)).rejects.toBe(refused);
  // Nothing after it is written either, nor when it closes.
  await expect(dead.journal.setRunState(run, "running", 6)).rejects.toMatchObject({ code: "journal/claim-lost" });
  await dead.journal.patchLine(run, 1, { reason: "not promised" });
  // Its caller was told, and an error of closing would hide the first one.
  await dead.journal.close();
  expect(await numbers(pool)).toEqual(before);
  expect(await alive.journal.lineWithKey(run, "a")).toMatchObject({ state: "planned" });
  await alive.journal.intend(lines, 7);
  expect(await numbers(pool)).toHaveLength(before.length + 1);
});

test("a worker that stood still past the end of its claim sends nothing, if another has taken over; if none has, it goes on", async () => {
  const pool = await poolTo(await fleet());
  const server = await startServer(() => ({ json: {} }));
  closing.push(() => server.close());
  const clock = handClock();
  const frozen = await open(pool, { clock });
  const inner = poolFetcher(server.url, 1, TIMEOUTS);
  closing.push(() => inner.close());
  const fetcher = permitted(inner, frozen.claim);
  const send = () =>
    fetcher.exchange({ method: "GET", path: "/", template: "/", headers: {}, body: undefined, answerCap: 100 }, never);
  expect(await send()).toMatchObject({ kind: "answer" });

  // Woken, and nobody has claimed the journal meanwhile.
  await Promise.all([clock.move(60_000)]);
  expect(await send()).toMatchObject({ kind: "answer" });
  expect(frozen.claim.isConfirmed).toBe(true);

  // The machine slept: its monotonic clock stood still, and the wall clock shows it.
  clock.moveWall(60_000);
  expect(frozen.claim.isConfirmed).toBe(false);
  await expire(pool);
  const other = await open(pool, { worker: "second" });
  await expect(send()).rejects.toMatchObject({ code: "journal/claim-lost" });
  expect(server.requests).toHaveLength(2);
  expect(other.claim.isConfirmed).toBe(true);
});

test("a claim is prolonged while its worker lives, and no request asks PostgreSQL meanwhile", async () => {
  const wire = await wireTo(await fleet());
  closing.push(wire.close);
  const pool = await poolTo(wire.address);
  const clock = handClock();
  const { claim } = await open(pool, { clock });
  const until = async () => (await pool.query("SELECT until FROM logferry_fleet.journals")).rows[0].until as Date;
  const first = await until();
  await clock.move(8_000);
  await expect.poll(until).not.toEqual(first);
  // Confirmed 8 s after the beginning: so it is good until 25 s later.
  await expect.poll(() => claim.isConfirmed && clock.asleep.length).toBe(1);
  wire.cut();
  await clock.move(24_000);
  expect(claim.isConfirmed).toBe(true);
  await claim.check(never);
  await clock.move(1_000);
  expect(claim.isConfirmed).toBe(false);
  wire.mend();
});

/** Lets time go on until a promise settles. */
async function throughTime<T>(clock: ReturnType<typeof handClock>, work: Promise<T>): Promise<T> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  done.catch(() => undefined);
  while (!isOver) await clock.move(500);
  return done;
}

async function wiredFleet(): Promise<{ wire: Wire; pool: pg.Pool; direct: pg.Pool }> {
  const address = await fleet();
  const wire = await wireTo(address);
  closing.push(wire.close);
  return { wire, pool: await poolTo(wire.address), direct: await poolTo(address) };
}

test("while PostgreSQL is away, nothing is acknowledged and no request leaves; when it is back, the worker goes on", async () => {
  const { wire, pool, direct } = await wiredFleet();
  const clock = handClock();
  const waits: (string | undefined)[] = [];
  const { journal, claim } = await open(pool, { clock, onWait: (reason) => waits.push(reason) });
  const { run, lines } = await plan(journal, ["a", "b"]);
  wire.cut();
  let isIntended = false;
  const intended = journal.intend(lines, 5).then(() => {
    isIntended = true;
  });
  await clock.move(26_000);
  let isPermitted = false;
  const permit = claim.check(never).then(() => {
    isPermitted = true;
  });
  for (let n = 0; n < 20; n++) await clock.move(1_000);
  expect({ isIntended, isPermitted }).toEqual({ isIntended: false, isPermitted: false });
  expect(waits.length).toBeGreaterThan(1);
  wire.mend();
  await throughTime(clock, Promise.all([intended, permit]));
  expect(waits.at(-1)).toBeUndefined();
  const reader = await readFleetJournal(direct, { journal: "ana", folder });
  expect(await reader?.lineWithKey(run, "a")).toMatchObject({ state: "in-flight" });
  await reader?.close();
});

test("a worker that is told to stop gives up its wait for PostgreSQL, with a sentence that says so", async () => {
  const { wire, pool } = await wiredFleet();
  const clock = handClock();
  const stop = new AbortController();
  const { journal, claim } = await open(pool, { clock, signal: stop.signal });
  const { lines } = await plan(journal, ["a"]);
  wire.cut();
  const intended = errorOf(journal.intend(lines, 5));
  await clock.move(26_000);
  const permit = errorOf(claim.check(never));
  stop.abort();
  for (const error of [await intended, await permit]) {
    expect(error).toMatchObject({ code: "journal/unreachable", reason: "journal" });
    expect(error.message).toMatch(/^Cannot reach the journal in PostgreSQL: .+ Nothing more is sent\./);
  }
});

test("closing says what is lost, if nobody was told before", async () => {
  const { wire, pool } = await wiredFleet();
  const stop = new AbortController();
  const { journal } = await open(pool, { clock: handClock(), signal: stop.signal });
  const { run } = await plan(journal, ["a"]);
  await journal.patchLine(run, 1, { reason: "not promised" });
  wire.cut();
  stop.abort();
  await expect(journal.close()).rejects.toMatchObject({ code: "journal/unreachable" });
});

test("a shipment, a claim and a prolongation whose answers were lost are found again, and not done twice", async () => {
  const { wire, pool, direct } = await wiredFleet();
  const clock = handClock();
  const claimed = wire.cutAnswerTo("INTO logferry_fleet.journals");
  const opened = throughTime(clock, open(pool, { clock }));
  await claimed;
  const { journal, claim } = await opened;
  const { run, lines } = await plan(journal, ["a"]);
  const before = await numbers(direct);
  const kept = wire.cutAnswerTo("INTO logferry_fleet.journal_changes");
  const intended = throughTime(clock, journal.intend(lines, 5));
  await kept;
  expect(await numbers(direct)).toHaveLength(before.length + 1);
  await intended;
  await throughTime(clock, journal.receive(lines[0] as Line, "done", { remoteId: "7" }));
  expect(await numbers(direct)).toHaveLength(before.length + 2);
  const prolonged = wire.cutAnswerTo("SET until");
  await clock.move(26_000);
  const permit = throughTime(clock, claim.check(never));
  await prolonged;
  await permit;
  await throughTime(clock, journal.close());
  const next = await open(direct, { worker: "second" });
  expect(await next.journal.lineWithKey(run, "a")).toMatchObject({ state: "done", remoteId: "7" });
  expect(await next.journal.auditTrail.events(run, 1)).toHaveLength(2);
});

test("shipments that are asked for together, or while one is on its way, share one", async () => {
  const pool = await poolTo(await fleet());
  const { journal } = await open(pool);
  const keys = Array.from({ length: 40 }, (_, n) => `w${n}`);
  const { run, lines } = await plan(journal, keys);
  const before = (await numbers(pool)).length;
  await Promise.all(
    lines.map(async (line) => {
      await journal.intend([line], 5);
      await journal.receive(line, "done", { remoteId: line.key });
    }),
  );
  // 80 durable commits; at least the receipts wait for the intents.
  const shipments = (await numbers(pool)).length - before;
  expect(shipments).toBeGreaterThanOrEqual(2);
  expect(shipments).toBeLessThanOrEqual(6);
  expect(await journal.tally(run)).toMatchObject([{ state: "done", count: 40 }]);
});

test("a snapshot replaces the changes before it while more come, and the journal is rebuilt from both", async () => {
  const pool = await poolTo(await fleet());
  const { journal } = await open(pool);
  const { run, lines } = await plan(journal, ["a"]);
  // A snapshot is due when the changes are larger than 2 MB.
  const name = "x".repeat(100_000);
  async function* listing(): AsyncGenerator<LogEntry> {
    for (let n = 0; n < 25; n++) yield { kind: "equipment", id: `id ${n}`, name };
  }
  await journal.takeListing(listing(), true);
  await journal.intend(lines, 5);
  await journal.receive(lines[0] as Line, "done", { remoteId: "7" });
  const before = [await journal.runs(), await journal.tally(run), await journal.logSize("equipment")];
  await journal.close();
  const kept = await numbers(pool);
  // The intent and the receipt came after it.
  expect(kept).toHaveLength(2);
  const { rows } = await pool.query("SELECT journal, snapshot, pieces FROM logferry_fleet.journals");
  expect(rows).toEqual([{ journal: "ana", snapshot: String((kept[0] ?? 0) - 1), pieces: 3 }]);
  const second = await open(pool, { worker: "second" });
  expect([await second.journal.runs(), await second.journal.tally(run), 25]).toEqual(before);
  await second.journal.setRunState(run, "finished", 9);
  expect(await numbers(pool)).toEqual([...kept, (kept.at(-1) ?? 0) + 1]);
});

test("everything works behind a pooler that gives each transaction another connection, and nothing is left behind on any", async () => {
  const pooler = await poolTransactions(await STORES.PostgreSQL());
  closing.push(pooler.close);
  const pool = await poolTo(pooler.address);
  await Promise.all([prepareFleetJournals(pool), prepareFleetJournals(pool)]);
  const first = await open(pool);
  const { run, lines } = await plan(first.journal, ["a"]);
  await first.journal.intend(lines, 5);
  await first.journal.close();
  const second = await open(pool, { worker: "second" });
  expect(await second.journal.lineWithKey(run, "a")).toMatchObject({ state: "in-flight" });
  await second.claim.check(never);
  await second.journal.close();
  expect(await pooler.leftovers()).toEqual([]);
});

test("a journal is read without a claim while a worker writes it; one that nobody made is not there", async () => {
  const pool = await poolTo(await fleet());
  const { journal, claim } = await open(pool);
  const { run, lines } = await plan(journal, ["a"]);
  const reader = await readFleetJournal(pool, { journal: "ana", folder });
  await journal.intend(lines, 5);
  expect(await reader?.lineWithKey(run, "a")).toMatchObject({ state: "planned" });
  await reader?.close();
  expect(claim.isConfirmed).toBe(true);
  expect(await readFleetJournal(pool, { journal: "nobody", folder })).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["first"]);
});

test("a journal of another version is updated with a snapshot, or refused when it is newer; a missing change is noticed", async () => {
  const pool = await poolTo(await fleet());
  const first = await open(pool);
  const { run } = await plan(first.journal, ["a"]);
  await first.journal.setRunState(run, "running", 1);
  await first.journal.close();
  const [{ version }] = (await pool.query("SELECT version FROM logferry_fleet.journals")).rows;
  await pool.query("UPDATE logferry_fleet.journals SET version = 999");
  await expect(open(pool)).rejects.toMatchObject({ code: "journal/newer", reason: "journal" });
  // The refused worker gave its claim back.
  await expect(readFleetJournal(pool, { journal: "ana", folder })).rejects.toMatchObject({ code: "journal/newer" });
  // Two tables of today are unknown to this version, and nothing was written into them.
  await pool.query("UPDATE logferry_fleet.journals SET version = 11");
  const updated = await open(pool, { worker: "second" });
  expect((await updated.journal.run(run))?.state).toBe("running");
  await updated.journal.close();
  const { rows } = await pool.query("SELECT version, pieces FROM logferry_fleet.journals");
  expect(rows).toEqual([{ version, pieces: 1 }]);
  expect(await numbers(pool)).toEqual([]);

  const third = await open(pool, { worker: "third" });
  // The changes after the missing one fit without it.
  for (const id of ["1", "2", "3"]) await third.journal.keepImported(id, IMPORTED);
  await third.journal.close();
  await pool.query(
    "DELETE FROM logferry_fleet.journal_changes WHERE number = (SELECT min(number) + 1 FROM logferry_fleet.journal_changes)",
  );
  await expect(open(pool)).rejects.toMatchObject({ code: "journal/damaged" });
});

test("the address of the database is refused without being repeated, and wrong rights are no reason to wait", async () => {
  const unread = await errorOf(openFleetPool("postgres://ann:s3cret@:x/"));
  expect(unread).toMatchObject({ code: "journal/database", reason: "journal" });
  expect(JSON.stringify([unread.message, unread.stack])).not.toContain("s3cret");
  const address = new URL(await fleet());
  address.password = "wrong";
  const refused = await errorOf(prepareFleetJournals(await poolTo(address.href)));
  expect(refused).toMatchObject({ code: "journal/database", reason: "journal" });
  expect(refused.message).toContain("28P01");
  expect(existsSync(join(folder, "first"))).toBe(false);
});
