/**
 * A fleet of thousands: `node --expose-gc bench/fleet-simulated.ts ATHLETES WORKERS BATCHES`. With `--rosters 600,20` the rosters have these sizes. Each athlete has one workout, the log is simulated, and
 * all workers are in this process, so its memory is theirs. With `--engine` the steps do nothing: what is left is the queue and its tables.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { main } from "../cli/main.ts";
import type { Outcome } from "../pipelines/batch/outcome.ts";
import { type CheckedAthlete, FleetAthletes } from "../pipelines/fleet/athletes.ts";
import { openFleetDatabase } from "../pipelines/fleet/database.ts";
import { openFleetQueue } from "../pipelines/fleet/queue.ts";
import { startPostgres } from "../service/test/postgres.ts";
import { NUMBERED_ROWS } from "../test/support/small-sources.ts";
import { writeRoster } from "../test/support/team.ts";
import { defined } from "../transforms/model/defined.ts";
import { startSimulatedLogs } from "./simulated-log.ts";

/** The size in `npm run bench`. */
const SMALL = { engine: 200, athletes: 20, workers: 2, batches: 2 } as const;

/** How many athletes, on how many workers, in how many rosters. */
interface Size {
  readonly athletes: number;
  readonly workers: number;
  readonly batches: number;
  /** Athletes of each roster, one after the other. Without it, all rosters are alike. */
  readonly sizes?: readonly number[];
}

/** Measures both at a small size, and prints. @returns the promises that are broken */
export async function benchFleet(): Promise<readonly string[]> {
  console.log("\nA fleet (docs/fleet.md): the engine alone, then whole steps on a simulated log");
  await benchEngine(SMALL.engine, SMALL.workers);
  const wrong = await benchSteps(SMALL);
  return wrong === 0 ? [] : [`a fleet left ${wrong} of ${SMALL.athletes} logs without exactly their workout`];
}

/** A database of a fleet, which is gone at the end. Its commits don't wait for the disk: the processor is measured. */
async function withFleet<T>(body: (address: string) => Promise<T>): Promise<T> {
  const postgres = await startPostgres();
  try {
    return await body(await postgres.newDatabase());
  } finally {
    await postgres.stop();
  }
}

const OUTCOME: Outcome = { athlete: "Made", status: "ready", at: 0, requests: 0, fingerprint: "" };

/** The queue and the athletes' table with steps that do nothing. */
async function benchEngine(count: number, workers: number): Promise<void> {
  await withFleet(async (address) => {
    await using database = await openFleetDatabase(address, new AbortController().signal);
    const queue = await openFleetQueue(database);
    const athletes = new FleetAthletes(database, queue);
    const settle = async function* (all: readonly CheckedAthlete[]) {
      for (const { key, outcome } of all) yield { key, outcome };
    };
    let [ended, settledMs] = [0, 0];
    const before = heapNow();
    const began = performance.now();
    await athletes.put(
      {},
      Array.from({ length: count }, (_, index) => ({ key: `a${index}`, athlete: { name: `Athlete ${index}` } })),
    );
    const put = performance.now();
    const work = async (name: string) => {
      for (;;) {
        const [job] = await queue.take(1);
        const taken = job && (await athletes.take(job, name));
        if (job === undefined || taken === undefined) {
          if (ended === count) return;
          await sleep(20);
          continue;
        }
        if (taken.step === "load") {
          await athletes.finishLoad(taken, { ...OUTCOME, status: "verified" }, undefined, job);
          ended++;
          continue;
        }
        const suspect = { athlete: "Made", expects: {} };
        const checkBegan = performance.now();
        await athletes.finishCheck(taken, { outcome: OUTCOME, suspect, wasDone: false }, settle, job);
        settledMs = Math.max(settledMs, performance.now() - checkBegan);
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, index) => work(`w${index}`)));
    const ms = performance.now() - put;
    console.log(
      `${count} athletes: put in ${((put - began) / 1000).toFixed(1)} s, then ${(ms / (2 * count)).toFixed(2)} ms a job on ${workers} workers; the last check settled all in ${(settledMs / 1000).toFixed(1)} s; heap ${inMB(heapNow() - before)} more`,
    );
    await printTables(address);
    await queue.close();
  });
}

/** Whole steps by whole workers. @returns how many logs don't hold exactly their workout */
async function benchSteps({ athletes, workers, batches, sizes }: Size): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-simulated-"));
  const logs = await startSimulatedLogs();
  const own = { ...process.env };
  try {
    return await withFleet(async (address) => {
      Object.assign(process.env, { HOME: folder, LOGFERRY_FLEET: address, LOGFERRY_RATE: "0", LOGFERRY_SETTLE: "0" });
      for (const name of ["CONFIG", "DATA", "CACHE", "STATE"]) process.env[`XDG_${name}_HOME`] = join(folder, name);
      const rosters = writeRosters(folder, logs.url, { athletes, batches, ...defined({ sizes }) });
      const put = performance.now();
      for (const roster of rosters) await main(["batch", roster, "--detach", "--quiet"]);
      const began = performance.now();
      console.log(`${athletes} athletes put in ${((began - put) / 1000).toFixed(1)} s`);
      let isOver = false;
      const watching = watchMemory(address, () => isOver);
      await Promise.all(Array.from({ length: workers }, () => main(["worker", "--until-empty", "--quiet"])));
      isOver = true;
      await watching;
      const ms = performance.now() - began;
      const requests = (logs.requests() / athletes).toFixed(1);
      console.log(
        `${(ms / athletes).toFixed(1)} ms an athlete on ${workers} workers in one process, ${requests} requests each`,
      );
      await printFairness(address);
      await printTables(address);
      return athletes - [...logs.sent.values()].filter((sent) => sent === 1).length;
    });
  } finally {
    process.env = own;
    await logs.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeRosters(
  folder: string,
  url: string,
  { athletes, batches, sizes }: Omit<Size, "workers">,
): readonly string[] {
  const map = join(folder, "rows.yaml");
  writeFileSync(map, NUMBERED_ROWS);
  mkdirSync(join(folder, "team"));
  const rows = Array.from({ length: athletes }, (_, number) => {
    const [archives, token] = [join(folder, "team", `${number}.csv`), join(folder, "team", `${number}.txt`)];
    // Workouts in the future are rejected.
    const day = new Date(Date.UTC(2000, 0, 1 + (number % 9000))).toISOString().slice(0, 10);
    writeFileSync(archives, `No,Day,Sport,Distance,Notes\n${number + 1},${day},run,${5 + number / 1000},\n`);
    writeFileSync(token, `t${number}\n`, { mode: 0o600 });
    return { athlete: `Athlete ${number}`, "screen-name": `runner_${number}`, "token-file": token, archives, map, url };
  });
  if (sizes !== undefined)
    return sizes.map((size, batch) => {
      const first = sizes.slice(0, batch).reduce((sum, one) => sum + one, 0);
      return writeRoster(join(folder, `roster-${batch}.csv`), rows.slice(first, first + size));
    });
  return Array.from({ length: batches }, (_, batch) =>
    writeRoster(
      join(folder, `roster-${batch}.csv`),
      rows.filter((_row, number) => number % batches === batch),
    ),
  );
}

/** Prints the memory of this process each time a further tenth of the athletes is over. */
async function watchMemory(address: string, isOver: () => boolean): Promise<void> {
  let next = 0;
  while (!isOver()) {
    await sleep(500);
    const [{ all, done } = {}] = await ask(
      address,
      "SELECT count(*)::int AS all, count(*) FILTER (WHERE step = 'done')::int AS done FROM logferry_fleet.athletes",
    );
    if (Number(done) < next) continue;
    next = Number(done) + Number(all) / 10;
    console.log(`  ${done} of ${all} over: heap ${inMB(heapNow())}, resident ${inMB(process.memoryUsage().rss)}`);
  }
}

/** Prints when the athletes of each batch ended: the first, the middle and the last. */
async function printFairness(address: string): Promise<void> {
  const rows = await ask(
    address,
    `SELECT batch, extract(epoch FROM min(since) - (SELECT min(made_at) FROM logferry_fleet.batches))::float8 AS first,
      extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY since) - (SELECT min(made_at) FROM logferry_fleet.batches))::float8 AS middle,
      extract(epoch FROM max(since) - (SELECT min(made_at) FROM logferry_fleet.batches))::float8 AS last
    FROM logferry_fleet.athletes GROUP BY batch ORDER BY batch`,
  );
  for (const { batch, first, middle, last } of rows) {
    const [a, b, c] = [first, middle, last].map((one) => Number(one).toFixed(0));
    console.log(
      `  batch ${batch}: its first athlete ended after ${a} s, the middle one after ${b} s, the last after ${c} s`,
    );
  }
}

/** Prints the rows and the bytes of all tables of the fleet that have any. */
async function printTables(address: string): Promise<void> {
  const names = await ask(
    address,
    `SELECT format('%I.%I', schemaname, relname) AS name, pg_total_relation_size(relid)::float8 AS bytes
    FROM pg_stat_user_tables WHERE schemaname LIKE 'logferry%' ORDER BY 2 DESC`,
  );
  for (const { name, bytes } of names) {
    const [{ rows } = {}] = await ask(address, `SELECT count(*)::int AS rows FROM ONLY ${String(name)}`);
    if (Number(rows) > 0) console.log(`  ${name}: ${rows} rows, ${inMB(Number(bytes))}`);
  }
}

async function ask(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Bytes that are in use, after everything that can be freed was freed. */
function heapNow(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const inMB = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { engine: { type: "boolean" }, rosters: { type: "string" } },
  });
  const [athletes = 1_000, workers = 4, batches = 4] = positionals.map(Number);
  if (values.engine === true) await benchEngine(athletes, workers);
  else {
    const sizes = values.rosters?.split(",").map(Number);
    const size = sizes === undefined ? { athletes } : { athletes: sizes.reduce((sum, one) => sum + one, 0), sizes };
    const wrong = await benchSteps({ ...size, workers, batches });
    console.log(`logs without exactly their workout: ${wrong}`);
    if (wrong > 0) process.exitCode = 1;
  }
}
