/** Workers of a fleet that stop, are killed, or can't do what they took: other ones do it, and nothing is lost or done twice. */
import { mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { metricsText } from "../cli/fleet/metrics.ts";
import {
  allTables,
  asked,
  env,
  logOf,
  newFleet,
  ofType,
  openWay,
  rehearsal,
  team,
  until,
  useFleet,
  ways,
} from "./support/fleet.ts";
import { startServer } from "./support/http-server.ts";
import { addMember, type Member, rowOf, writeRoster } from "./support/team.ts";
import { longTest, test } from "./support/tier-tests.ts";

useFleet();

test("an athlete whose archive never came is handed back when the worker stops, and waits", async () => {
  const [ana] = await team(89, 1);
  if (ana === undefined) throw new Error("an athlete");
  const own = { LOGFERRY_FLEET: await newFleet() };
  const storage = await startServer(() => ({ fault: "silence" }));
  ways.push(storage);
  const archives = `${storage.url}/export.zip`;
  const roster = writeRoster(join(rehearsal.folder, "silent.csv"), [{ ...rowOf(ana), archives }]);
  await rehearsal.run(["batch", roster, "--detach"], { env: own });
  const { child, ended } = rehearsal.start(["worker"], { env: own });
  await until(async () => storage.requests.length > 0);
  child.kill("SIGTERM");
  expect((await ended).out).toContain("1 handed back.");
  const status = await rehearsal.run(["batch", "status", roster, "--json"], { env: own });
  expect(ofType(status.out, "batch")).toMatchObject([
    { statuses: { "to check": 1 }, fleet: { jobs: { waiting: 1, running: 0 } } },
  ]);
  const forget = await rehearsal.run(["batch", "forget", roster], { env: own });
  expect(forget.out).toContain("waiting or worked on, and nobody goes before that is over");
  // The fleet knows the paces of all services. A roster is told those of its own.
  for (const host of [rehearsal.service.url, "https://nowhere.invalid"])
    await asked(
      own.LOGFERRY_FLEET,
      `INSERT INTO logferry_fleet.paces (host, state) VALUES ('${host}', '{"rate": 4, "refused": [], "notBefore": 0}')`,
    );
  const told = (await rehearsal.run(["batch", "status", roster], { env: own })).out;
  expect(told).toContain(`${rehearsal.service.url} is asked at most 4.0 times a second.`);
  expect(told).not.toContain("nowhere.invalid");
});

longTest(
  "a worker that can't see an archive, or whose disk is full, leaves the athlete to another one",
  async () => {
    const [ana, ben] = await team(91, 2);
    if (ana === undefined || ben === undefined) throw new Error("two athletes");
    const own = { LOGFERRY_FLEET: await newFleet() };
    const put = async (name: string, member: Member, archives: string) => {
      const roster = writeRoster(join(rehearsal.folder, name), [{ ...rowOf(member), archives }]);
      expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
      return roster;
    };
    const statuses = async (roster: string) =>
      ofType((await rehearsal.run(["batch", "status", roster, "--json"], { env: own })).out, "batch")[0]?.statuses;
    const worker = ["worker", "--until-empty"];
    const elsewhere = join(rehearsal.folder, "empty");
    mkdirSync(elsewhere);

    const roster = await put("seen-by-one.csv", ana, join("team", basename(ana.archive)));
    // Another worker is at work, so this one can't end the athlete.
    await asked(
      own.LOGFERRY_FLEET,
      "INSERT INTO logferry_fleet.workers VALUES ('worker 7', now() + interval '1 hour')",
    );
    const blind = rehearsal.start([...worker, "--archives", elsewhere], { env: own });
    const noted = "SELECT 1 FROM logferry_fleet.athletes WHERE unseen_by IS NOT NULL";
    await until(async () => (await asked(own.LOGFERRY_FLEET, noted)).length > 0);
    const sighted = await rehearsal.run(worker, { env: own });
    expect([sighted.code, sighted.err]).toEqual([0, ""]);
    expect((await blind.ended).out).toContain("Stopped. 0 athletes ended here.");
    expect(await statuses(roster)).toEqual({ verified: 1 });
    expect(await logOf(ana)).toEqual(ana.runs);

    const other = await put("disk-full.csv", ben, ben.archive);
    const limited = ["/bin/sh", "-c", 'ulimit -f 20; exec "$0" "$@"'];
    const full = rehearsal.start(worker, { env: own, through: limited });
    const idle = "SELECT 1 FROM logferry_fleet.workers WHERE takes_nobody IS NOT NULL";
    await until(async () => (await asked(own.LOGFERRY_FLEET, idle)).length > 0);
    const told = (await rehearsal.run(["batch", "status", other], { env: own })).out;
    expect(told).toContain(`takes nobody: the disk of ${hostname()} is full, or can't be written (`);
    const healthy = await rehearsal.run(worker, { env: own });
    expect([healthy.code, healthy.err]).toEqual([0, ""]);
    const ended = await full.ended;
    expect(ended.out).toContain("Stopped. 0 athletes ended here.");
    expect(ended.err.match(/This worker takes no more athletes/g)).toHaveLength(1);
    expect(ended.err).not.toContain("bug");
    expect(await statuses(other)).toEqual({ verified: 1 });
    expect(await logOf(ben)).toEqual(ben.runs);

    // Once it is over, nothing of the roster is left in the database.
    const forget = (...words: string[]) => rehearsal.run(["batch", "forget", roster, ...words], { env: own });
    expect((await forget()).out).toContain("Nothing was removed. To do it: logferry batch forget");
    expect(await allTables(own.LOGFERRY_FLEET)).toContain(ana.name);
    expect(ofType((await forget("--yes", "--json")).out, "batch")).toMatchObject([{ athletes: 1, forgotten: 1 }]);
    const kept = await allTables(own.LOGFERRY_FLEET);
    expect([kept.includes(ana.name), kept.includes(ben.name)]).toEqual([false, true]);

    const readOnly = "EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database())";
    await asked(own.LOGFERRY_FLEET, `DO $$ BEGIN ${readOnly}; END $$`);
    expect(await statuses(other)).toEqual({ verified: 1 });
    for (const words of [["batch", "cancel", other], ["worker"]]) {
      const refused = await rehearsal.run(words, { env: own });
      expect([refused.code, refused.err]).toEqual([6, expect.stringContaining("it only reads now, such as a standby")]);
    }
  },
  120_000,
);

test("a row that changed while its athlete was under way is put again, and is never called done by the other row", async () => {
  const row = { athlete: "Xena", "screen-name": "xena", "token-file": "xena.txt", archives: "a1.zip" };
  const older = writeRoster(join(rehearsal.folder, "older.csv"), [row]);
  const changed = writeRoster(join(rehearsal.folder, "changed.csv"), [{ ...row, archives: "a1.zip|a1b.zip" }]);
  const own = { LOGFERRY_FLEET: await newFleet() };
  const run = (...words: string[]) => rehearsal.run(words, { env: own });
  /** Ends whatever is asked of Xena, as a worker does that had these archives. */
  const endBy = (archives: readonly string[]) =>
    asked(
      own.LOGFERRY_FLEET,
      `UPDATE logferry_fleet.athletes SET step = 'done', athlete = jsonb_set(athlete, '{archives}', '${JSON.stringify(archives)}'),
        outcome = '{"athlete":"Xena","status":"verified","at":1,"requests":9,"fingerprint":"","run":1}'`,
    );
  const stands = async (says: string) =>
    (await asked(own.LOGFERRY_FLEET, `SELECT 1 FROM logferry_fleet.athletes WHERE ${says}`)).length > 0;

  expect((await run("batch", older, "--detach")).code).toBe(0);
  expect((await run("batch", older, "--detach")).code).toBe(0);
  const left = await run("batch", changed, "--detach");
  expect(left.code).toBe(3);
  expect(left.out).toContain("Xena: another row is worked on");

  const reports = join(rehearsal.folder, "reports-of-changed");
  const watching = run("batch", changed, "--report", reports, "--certify");
  await until(() => stands("(SELECT count(*) FROM logferry_fleet.batches) = 4"));
  await endBy(["a1.zip"]);
  await until(() => stands(`step = 'check' AND athlete -> 'archives' ? 'a1b.zip'`));
  // Somebody else puts the other row again.
  await endBy(["a1.zip"]);
  const watched = await watching;
  expect(watched.code, watched.err).toBe(75);
  expect(watched.out).toContain("1 athlete put into the fleet once more, by this row: Xena.");
  expect(watched.err).toContain("Xena: another row was worked on meanwhile");
  const [xena] = JSON.parse(readFileSync(join(reports, "overview.json"), "utf8")).athletes;
  expect(xena).toMatchObject({ status: "stopped", why: expect.stringContaining("Type the same command again") });
  expect(xena.certificate).toBeUndefined();
  const status = await run("batch", "status", changed);
  expect(status.out).toContain("Xena: this is of another row, perhaps an older one. Once they are over, load this row");
  expect((await run("batch", "status", older)).out).not.toContain("another row");

  // The row goes away while Xena waits. Nobody else could stop her.
  expect((await run("batch", older, "--detach")).out).toContain("1 athlete put into the fleet");
  writeRoster(older, [{ ...row, athlete: "Yves", "screen-name": "yves" }]);
  const gone = await run("batch", "status", older, "--json");
  expect(ofType(gone.out, "batch")).toMatchObject([{ athletes: 1, notInRoster: ["Xena"] }]);
  expect((await run("batch", older, "--detach")).out).toContain("Xena: no longer in the roster, and still waiting");
  expect((await run("batch", "cancel", older)).out).toContain("2 athletes cancelled.");
  const refused = await run("batch", "forget", older, "--yes");
  expect([refused.code, refused.err]).toEqual([8, expect.stringContaining("waiting or worked on. Let them end")]);

  // Who is cancelled isn't put again by the batch that watches, whoever has them by then.
  await endBy(["a1.zip"]);
  const counted = async () =>
    Number((await asked(own.LOGFERRY_FLEET, "SELECT count(*) AS n FROM logferry_fleet.batches"))[0]?.n);
  const before = await counted();
  const stopped = run("batch", changed);
  await until(async () => (await counted()) > before);
  await until(() => stands("step = 'check'"));
  expect((await run("batch", "cancel", changed)).out).toContain("1 athlete cancelled.");
  await endBy(["a1.zip"]);
  const ended = await stopped;
  expect(ended.code, ended.out).toBe(75);
  expect(ended.out).not.toContain("once more");
});

longTest(
  "a worker that is told to stop hands its athletes back, and its metrics told how they stood",
  async () => {
    const members = await team(21, 2);
    const roster = writeRoster(join(rehearsal.folder, "stopped.csv"), members.map(rowOf));
    const own = { ...env, LOGFERRY_FLEET: await newFleet() };
    const { child, ended } = rehearsal.start(["worker", "--metrics", "0"], { env: own });
    const url = await new Promise<string>((resolve) => {
      let out = "";
      child.stdout?.on("data", (chunk) => {
        out += chunk;
        const found = /Metrics are at (\S+)/.exec(out);
        if (found?.[1] !== undefined) resolve(found[1]);
      });
    });
    const dry = await rehearsal.run(["batch", roster, "-n", "--host-rate", "50"], { env: own });
    expect(dry.code, dry.err).toBe(0);
    expect(dry.out).toContain("Dry run: nothing was changed");
    for (const member of members) expect(await logOf(member)).toEqual([]);
    const reports = join(rehearsal.folder, "reports");
    const ran = await rehearsal.run(["batch", roster, "--host-rate", "50", "--report", reports, "--certify"], {
      env: own,
    });
    expect(ran.code, ran.err).toBe(0);
    const overview = JSON.parse(readFileSync(join(reports, "overview.json"), "utf8"));
    expect(overview.athletes).toMatchObject(members.map(({ name }) => ({ athlete: name, status: "verified" })));
    for (const { files, certificate } of overview.athletes) {
      expect(readFileSync(join(reports, files.report), "utf8")).toContain("watch-2");
      expect(certificate).toMatchObject({ canClose: true, says: expect.stringContaining("Yes, up to what") });
      expect(readFileSync(join(reports, files.certificate), "utf8")).toContain("watch-2");
    }
    expect(ran.out).toContain("Done. 2 of 2 athletes are done and verified");
    const metrics = await (await fetch(url)).text();
    const values = new Map(metrics.split("\n").map((line) => [line.replace(/ \S+$/, ""), line.split(" ").at(-1)]));
    expect(values.get('logferry_fleet_athletes{state="verified"}')).toBe("2");
    expect(values.get('logferry_fleet_records{outcome="created"}')).toBe("4");
    expect(values.get(`logferry_fleet_host_rate{host="${rehearsal.service.url}"}`)).toBe("50");
    expect(values.get('logferry_fleet_jobs{state="waiting"}')).toBe("0");
    expect(Number(values.get("logferry_worker_requests_total"))).toBeGreaterThan(4);

    // Too slow to end before the stop.
    const more = await team(31, 1);
    const slow = writeRoster(join(rehearsal.folder, "slow.csv"), more.map(rowOf));
    expect((await rehearsal.run(["batch", slow, "--detach", "--host-rate", "1"], { env: own })).code).toBe(0);
    await until(async () => (await (await fetch(url)).text()).includes("logferry_worker_athletes 1"));
    child.kill("SIGTERM");
    const stopped = await ended;
    expect(stopped.code, stopped.err).toBe(0);
    expect(stopped.out).toContain("1 handed back.");
    const status = await rehearsal.run(["batch", "status", slow, "--json"], { env: own });
    expect(ofType(status.out, "batch")).toMatchObject([{ fleet: { jobs: { waiting: 1, running: 0 } } }]);

    // One waits, and no worker lives.
    const watch = (maxAge: string) =>
      rehearsal.run(["batch", "status", slow, "--max-age", maxAge, "--quiet"], { env: own });
    expect(await watch("1h")).toMatchObject({ code: 0, out: "", err: "" });
    await asked(own.LOGFERRY_FLEET, FIVE_MINUTES_PASS_FOR_JOBS);
    const dead = await watch("1h");
    expect(dead.code).toBe(7);
    expect(dead.out).toMatch(
      /^The fleet is silent: 1 job is open, and no worker gave a sign of life for 5 minutes\. Start one/,
    );
    await asked(own.LOGFERRY_FLEET, "UPDATE logferry_queue.job SET heartbeat_on = now()");
    expect((await watch("10m")).code).toBe(0);
    await asked(
      own.LOGFERRY_FLEET,
      "UPDATE logferry_fleet.athletes SET since = since - interval '5 minutes', waits_since = waits_since - interval '5 minutes'",
    );
    const silent = await watch("3m");
    expect(silent.code).toBe(7);
    expect(silent.out).toContain("1 job is open, and nothing ended for 5 minutes (it may be 3m)");
  },
  120_000,
);

const FIVE_MINUTES_PASS_FOR_JOBS = `UPDATE logferry_queue.job SET created_on = created_on - interval '5 minutes',
  completed_on = completed_on - interval '5 minutes', heartbeat_on = heartbeat_on - interval '5 minutes'`;

/** A minute passes for PostgreSQL: no worker gave a sign of life, and no claim was prolonged. */
async function minutePasses(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(
    "UPDATE logferry_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'",
  );
  await client.query("UPDATE logferry_fleet.journals SET until = until - interval '1 minute'");
  await client.end();
}

test("a worker tells its own numbers while the database is away", () => {
  const worker = { running: 3, ended: 4, givenBack: 1, statuses: { verified: 4 } };
  const text = metricsText({ fleet: undefined, worker, requests: { requests: 99, refused: 2 } });
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  expect(lines).toContain("logferry_fleet_database_up 0");
  expect(lines).toContain("logferry_worker_athletes 3");
  expect(lines).toContain("logferry_worker_requests_total 99");
  expect(text).not.toContain("logferry_fleet_jobs");
});

// A worker that freezes is in test/fleet-kills.test.ts: its own clock has to go on, so that takes the real time.
test("the athletes of a worker that is killed are carried over by another one, each workout once", async () => {
  const members: Member[] = [];
  for (const number of [41, 42])
    members.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number, { runs: 6 }));
  const way = await openWay();
  const [bounded] = await team(45, 1);
  if (bounded === undefined) throw new Error("one more athlete");
  const rows = members.map((member) => ({ ...rowOf(member), url: way.url, concurrency: "1" }));
  const most = 12;
  const own12 = { ...rowOf(bounded), url: way.url, "max-requests": String(most) };
  const roster = writeRoster(join(rehearsal.folder, "killed.csv"), [...rows, own12]);
  const own = { ...env, LOGFERRY_FLEET: await newFleet() };
  const words = ["batch", roster, "--detach", "--host-rate", "10", "--settle", "1", "--patience", "10m"];
  const put = await rehearsal.run(words, { env: own });
  expect(put.code, put.err).toBe(0);
  const { child, ended } = rehearsal.start(["worker"], { env: own });
  // In the middle of the load.
  const ahead: Member[] = [];
  await until(async () => {
    for (const member of members) if ((await logOf(member)).length > 1) ahead.push(member);
    return ahead.length > 0;
  });
  child.kill("SIGKILL");
  await ended;
  // The minute passes for the service, too: it has done what reached it.
  await way.isQuiet();
  await minutePasses(own.LOGFERRY_FLEET);

  // Now the log is away. Whoever takes over waits, and the numbers stay those of the journal.
  for (const { token } of members) way.cut.add(token);
  const taking = rehearsal.run(["worker", "--until-empty"], { env: own });
  const stand = "SELECT athlete ->> 'name' AS name, away_why FROM logferry_fleet.athletes WHERE step = 'load'";
  const loading = async () => await asked(own.LOGFERRY_FLEET, stand);
  await until(async () => (await loading()).every(({ away_why }) => away_why !== null));
  const look = (...more: string[]) => rehearsal.run(["batch", "status", roster, ...more], { env: own });
  const createdFor = async ({ name }: Member) => {
    const found = ofType((await look("--json")).out, "athlete").find(({ athlete }) => athlete === name);
    return [found?.step, (found?.ledger as { created: number; inDoubt: number } | undefined)?.created] as const;
  };
  const [first] = ahead;
  if (first === undefined) throw new Error("somebody has two runs");
  const stood = await createdFor(first);
  // One request at a time, so only the last one may lack its receipt.
  const inLog = (await logOf(first)).length;
  expect(stood[0]).toBe("load");
  expect([inLog - 1, inLog]).toContain(stood[1]);
  expect((await look()).out).toContain(`${first.name}: waits for the log. Cannot reach the log at ${way.url}`);
  // The patience with one of them is over.
  await asked(
    own.LOGFERRY_FLEET,
    `UPDATE logferry_fleet.athletes SET away_since = now() - interval '11 minutes' WHERE athlete ->> 'name' = '${first.name}'`,
  );
  const soon = "UPDATE logferry_queue.job SET start_after = now() WHERE state = 'created'";
  await asked(own.LOGFERRY_FLEET, soon);
  const over = `SELECT 1 FROM logferry_fleet.athletes WHERE step = 'done' AND athlete ->> 'name' = '${first.name}'`;
  await until(async () => (await asked(own.LOGFERRY_FLEET, over)).length === 1);
  expect(await createdFor(first)).toEqual(["done", stood[1]]);
  way.cut.clear();
  await asked(own.LOGFERRY_FLEET, soon);
  const waited = await taking;
  expect(waited.out).toContain(`${first.name}: Cannot reach the log`);

  expect((await rehearsal.run(["batch", "retry", ...words.slice(1), "--only", first.name], { env: own })).code).toBe(0);
  const other = await rehearsal.run(["worker", "--until-empty"], { env: own });
  expect(other.code, other.err).toBe(0);
  for (const member of members) expect(await logOf(member), other.out + other.err).toEqual(member.runs);
  const status = await rehearsal.run(["batch", "status", roster, "--json"], { env: own });
  expect(ofType(status.out, "batch")).toMatchObject([{ statuses: { verified: 2, stopped: 1 } }]);
  // What the killed worker used counts, too, and a few requests that it wrote down and did not send.
  const { requests, why } = ofType(status.out, "athlete").find(({ athlete }) => athlete === bounded.name) ?? {};
  const sent = way.sentWith(bounded.token);
  expect([why, requests]).toEqual([
    expect.stringContaining(`the ${most} requests of --max-requests are used up`),
    most,
  ]);
  expect(sent).toBeLessThanOrEqual(most);
});
