import { join } from "node:path";
import { expect, test } from "vitest";
import { startPostgres } from "../../service/test/postgres.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Line } from "../journal/line.ts";
import { type CheckedAthlete, FleetAthletes } from "./athletes.ts";
import { openFleetDatabase } from "./database.ts";
import { openFleetJournal, prepareFleetJournals, readFleetJournal } from "./fleet-journal.ts";
import { openFleetPool } from "./pool.ts";
import { openFleetQueue } from "./queue.ts";

const folder = temporaryFolder();

/** How often PostgreSQL is killed, and how many records are loaded meanwhile. */
const KILLS = 4;
const RECORDS = 400;
const AT_ONCE = 4;

test("PostgreSQL is killed again and again during a load: the worker waits and goes on, and nothing acknowledged is lost", async () => {
  const postgres = await startPostgres({ isDurable: true });
  try {
    const address = await postgres.newDatabase();
    const pool = await openFleetPool(address);
    await prepareFleetJournals(pool);
    let waits = 0;
    const { journal, claim } = await openFleetJournal(pool, {
      ...{ journal: "ana", folder, worker: "first" },
      onWait: (reason) => {
        if (reason !== undefined) waits++;
      },
    });
    const run = await journal.startPlan([], { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1);
    const value = { activity: "run", start: { date: "2020-01-01" } } as const;
    const origin = { connector: "test", archive: "a.zip", entry: "a.csv" };
    for (let n = 0; n < RECORDS; n++) {
      const line = { key: `w${n}`, kind: "workout", source: 0, origin, state: "planned", action: "create" } as const;
      await journal.addLine(run, { ...line, uploadMethod: "save", value });
    }
    await journal.planReady(run, RECORDS);
    const lines: Line[] = [];
    for await (const line of journal.lines(run, {})) lines.push(line);

    const acknowledged = new Map<string, string>();
    const left = [...lines];
    const loaded = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let line = left.pop(); line !== undefined; line = left.pop()) {
          await journal.intend([line], 1);
          acknowledged.set(line.key, "in-flight");
          await claim.check(new AbortController().signal);
          await journal.receive(line, "done", { remoteId: line.key });
          acknowledged.set(line.key, "done");
        }
      }),
    );
    for (let kill = 1; kill <= KILLS; kill++) {
      // Killed when so many records are done, in the middle of whatever is under way then.
      while (acknowledged.size < (RECORDS * kill) / (KILLS + 1)) await new Promise(setImmediate);
      const before = new Map(acknowledged);
      await postgres.kill();
      await postgres.start();
      const reader = await readFleetJournal(pool, { journal: "ana", folder: join(folder, "reader") });
      for (const [key, state] of before) {
        const found = await reader?.lineWithKey(run, key);
        // The record may be done since.
        expect([state, "done"], key).toContain(found?.state);
      }
      await reader?.close();
    }
    await loaded;
    await journal.close();
    expect(waits).toBeGreaterThan(0);
    const next = await openFleetJournal(pool, { journal: "ana", folder, worker: "second" });
    expect(await next.journal.tally(run)).toMatchObject([{ state: "done", count: RECORDS }]);
    expect(await next.journal.claimedTwice(run)).toEqual([]);
    await next.journal.close();
    await pool.end();
  } finally {
    await postgres.stop();
  }
});

/** Longer than a transaction of a fleet may stand still. */
const COMPARES_MS = 4_000;

test("a batch whose comparison takes long is settled, once", async () => {
  const postgres = await startPostgres();
  try {
    await using database = await openFleetDatabase(await postgres.newDatabase(), new AbortController().signal);
    const queue = await openFleetQueue(database);
    const athletes = new FleetAthletes(database, queue);
    await athletes.put({}, [{ key: "ana", athlete: {} }]);
    const [job] = await queue.take(1);
    const taken = job && (await athletes.take(job, "worker"));
    if (job === undefined || taken === undefined) throw new Error("nobody waits");
    let compared = 0;
    const settle = async function* (checked: readonly CheckedAthlete[]) {
      compared++;
      // Thousands of athletes are compared, while nothing is asked of PostgreSQL.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, COMPARES_MS);
      for (const { key, outcome: found } of checked) yield { key, outcome: found };
    };
    const outcome = { athlete: "Ana", status: "ready", at: 0, requests: 0, fingerprint: "" } as const;
    const suspect = { athlete: "Ana", expects: {} };
    expect(await athletes.finishCheck(taken, { outcome, suspect, wasDone: false }, settle, job)).toBe(true);
    expect(compared).toBe(1);
    expect(await athletes.steps(["ana"])).toMatchObject({ check: 0, checked: 0, load: 1 });
    await queue.close();
  } finally {
    await postgres.stop();
  }
});
