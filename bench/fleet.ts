/**
 * A fleet at work: `node bench/fleet.ts ATHLETES WORKOUTS WORKERS [--services N] [--faults] [--kill-every SECONDS] [--freeze SECONDS]
 * [--kill-postgres TIMES]`. It starts two PostgreSQL, services on one of them, and workers that are killed and started anew. With `--freeze` the last
 * worker stands still once for so long. At the end it reads every log by plain HTTP, and looks for tokens in all tables. With WORKERS 0 the same
 * athletes are a batch on this machine, to compare with.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Service, startService } from "../service/server.ts";
import { startPostgres } from "../service/test/postgres.ts";
import { addMember, daysOf, type Member, rowOf, writeRoster } from "../test/support/team.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    services: { type: "string", default: "1" },
    faults: { type: "boolean", default: false },
    "kill-every": { type: "string", default: "0" },
    freeze: { type: "string", default: "0" },
    "kill-postgres": { type: "string", default: "0" },
  },
});
const [athletes = 40, workouts = 5, workers = 2] = positionals.map(Number);
const killEveryMs = Number(values["kill-every"]) * 1000;
const freezeMs = Number(values.freeze) * 1000;
const killPostgres = Number(values["kill-postgres"]);

/** What services do wrong with `--faults`. */
const FAULTS = [
  "reset-after-commit:POST /rest/**:rate=0.03",
  "reset-before-commit:* /rest/**:rate=0.02",
  "html-after-commit:POST /rest/**:rate=0.02",
  "latency:* /rest/**:ms=30,rate=0.1",
];

/** Milliseconds of work before a worker is frozen. */
const FREEZE_AFTER_MS = 10_000;

/** Milliseconds between two kills of PostgreSQL, and while it is away. */
const POSTGRES = { everyMs: 20_000, awayMs: 3_000 } as const;

const folder = mkdtempSync(join(tmpdir(), "logferry-fleet-bench-"));
const [fleetServer, logServer] = [await startPostgres({ isDurable: true }), await startPostgres()];
const database = await logServer.newDatabase();
const services: Service[] = [];
for (let seed = 1; seed <= Number(values.services); seed++)
  services.push(await startService({ database, ...(values.faults && { faults: { armed: FAULTS, seed } }) }));
const fleet = await fleetServer.newDatabase();
const running = new Set<ChildProcess>();
let said = "";
try {
  const members: Member[] = [];
  for (let number = 1; number <= athletes; number++)
    members.push(await addMember(serviceOf(number - 1), join(folder, "team"), number, { runs: workouts }));
  const roster = writeRoster(
    join(folder, "roster.csv"),
    members.map((member, index) => ({ ...rowOf(member), url: serviceOf(index).url })),
  );
  const began = performance.now();
  const took = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
  if (workers === 0) await once(start("local", ["batch", roster, "--parallel", "4"], {}), "exit");
  else await workAll(roster, took);
  const seconds = (performance.now() - began) / 1000;
  const rate = ((athletes * workouts) / seconds).toFixed(1);
  console.log(`${athletes} athletes of ${workouts} workouts, ${workers} workers: ${took()}, ${rate} workouts a second`);
  let wrong = 0;
  for (const [index, { token, runs }] of members.entries())
    if (JSON.stringify(await logOf(index, token)) !== JSON.stringify(runs)) wrong++;
  const tables = workers === 0 ? "" : await allTables();
  const shown = members.filter(({ token }) => tables.includes(token) || said.includes(token)).length;
  console.log(`logs that are not exactly the archives: ${wrong}; tokens in a table or a line: ${shown}`);
  if (wrong > 0 || shown > 0) process.exitCode = 1;
} finally {
  for (const child of running) child.kill("SIGKILL");
  for (const service of services) await service.close();
  await Promise.all([fleetServer.stop(), logServer.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

/** The service to which an athlete of the roster turns: each in turn. */
function serviceOf(index: number): Service {
  const service = services[index % services.length];
  if (service === undefined) throw new RangeError("there is no service: --services is at least 1");
  return service;
}

/** What a log holds. A service with faults misbehaves for this reader too, who asks until there is an answer. */
async function logOf(index: number, token: string): ReturnType<typeof daysOf> {
  for (let left = values.faults ? 50 : 0; ; left--) {
    try {
      return await daysOf({ url: serviceOf(index).url, token });
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** Starts a command on a machine of its own: with a home of its own. */
function start(machine: string, words: readonly string[], env: Record<string, string>): ChildProcess {
  const home = join(folder, machine);
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "bin", "logferry.js"), ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: home, LOGFERRY_RATE: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
  running.add(child);
  child.on("exit", () => running.delete(child));
  return child;
}

/** Lets the workers do the roster, with the kills that were asked for. */
async function workAll(roster: string, took: () => string): Promise<void> {
  const env = { LOGFERRY_FLEET: fleet };
  let started = 0;
  const worker = () => start(`worker-${++started}`, ["worker"], env);
  await once(start("coach", ["batch", roster, "--detach", "--settle", "5"], env), "exit");
  const all = Array.from({ length: workers }, worker);
  let [killed, postgresKilled, isOver] = [0, 0, false];
  const frozen = freezeMs > 0 ? all.length - 1 : all.length;
  const freezing = (async () => {
    if (freezeMs === 0) return;
    await sleep(FREEZE_AFTER_MS);
    all[frozen]?.kill("SIGSTOP");
    await sleep(freezeMs);
    all[frozen]?.kill("SIGCONT");
  })();
  const killing = (async () => {
    while (killEveryMs > 0 && !isOver) {
      await sleep(killEveryMs);
      const index = killed++ % frozen;
      all[index]?.kill("SIGKILL");
      all[index] = worker();
    }
  })();
  const killingPostgres = (async () => {
    while (postgresKilled < killPostgres && !isOver) {
      await sleep(POSTGRES.everyMs);
      postgresKilled++;
      await fleetServer.kill();
      await sleep(POSTGRES.awayMs);
      await fleetServer.start();
    }
  })();
  let counts: Record<string, number> = {};
  while ((counts.done ?? 0) < athletes) {
    await sleep(1_000);
    counts = await steps().catch(() => counts);
    console.log(`${took()}: ${JSON.stringify(counts)}, ${killed} workers and ${postgresKilled} PostgreSQL killed`);
  }
  isOver = true;
  await Promise.all([killing, killingPostgres, freezing]);
  for (const child of all) child.kill("SIGTERM");
  await Promise.all(all.map((child) => (child.exitCode === null ? once(child, "exit") : undefined)));
  const statuses = await ask(
    "SELECT outcome->>'status' AS name, count(*)::int AS count FROM logferry_fleet.athletes GROUP BY 1",
  );
  console.log(`ended as: ${JSON.stringify(statuses)}`);
}

async function steps(): Promise<Record<string, number>> {
  const rows = await ask("SELECT step AS name, count(*)::int AS count FROM logferry_fleet.athletes GROUP BY 1");
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
}

async function ask(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: fleet });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of the fleet, as text and with its bytes. */
async function allTables(): Promise<string> {
  const names = await ask(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema LIKE 'logferry%' AND table_type = 'BASE TABLE'",
  );
  let text = "";
  for (const { name } of names)
    for (const row of await ask(`SELECT * FROM ${String(name)}`))
      for (const value of Object.values(row))
        text += Buffer.isBuffer(value) ? value.toString("latin1") : JSON.stringify(value);
  return text;
}
