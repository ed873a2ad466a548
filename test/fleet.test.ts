/** A fleet as its people have it: a batch that puts athletes into the queue, and workers that carry them over. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { metricsText } from "../cli/fleet/metrics.ts";
import { startWantingPassword } from "../service/test/wants-password.ts";
import { jsonLines } from "./support/cli.ts";
import { startServer } from "./support/http-server.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { NUMBERED_ROWS } from "./support/small-sources.ts";
import { addMember, daysOf, type Member, rowOf, writeRoster } from "./support/team.ts";
import { runWarm } from "./support/warm-cli.ts";

let rehearsal: Rehearsal;
let env: Record<string, string>;
const ways: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  rehearsal = await rehearse();
  env = { LOGFERRY_FLEET: await newFleet() };
});
afterAll(async () => {
  for (const way of ways) await way.close();
  await rehearsal.close();
});

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
  const put = new Map<string, string>();
  const closed = new Set(["/athlete-2"]);
  const storage = await startServer(({ method, path, body }) => {
    if (closed.has(path)) return { status: 403, body: "" };
    put.set(`${method} ${path}`, Buffer.from(body).toString());
    return { status: 200, body: "" };
  });
  ways.push(storage);
  const rows = members.map((member, index) => ({
    ...rowOf(member),
    "report-to": index === 2 ? "" : `${storage.url}/athlete-${index + 1}?X-Sig=secret`,
  }));
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), rows);
  const run = (...words: string[]) => rehearsal.run(words, { env });

  const begun = await run("batch", roster, "--detach");
  expect(begun.code, begun.err).toBe(0);
  expect(begun.out).toContain("3 athletes put into the fleet");
  expect(begun.out).toContain("No worker is at work. Start one: logferry worker");
  expect(begun.out).toContain(`logferry batch status ${roster}`);
  // The same roster again makes no second job of an athlete who waits.
  expect((await run("batch", roster, "--detach")).out).toContain("0 athletes put into the fleet; 3 wait");

  const worked = await run("worker", "--until-empty");
  expect(worked.code, worked.err).toBe(0);
  const note = "Athlete 2: the report was not put: its address answered 403";
  expect(worked.err).toBe(`${note}\n`);
  for (const member of members) expect(await logOf(member)).toEqual(member.runs);
  expect([...put.keys()]).toEqual(["PUT /athlete-1"]);
  expect(put.get("PUT /athlete-1")).toMatch(/^<!doctype html>[\s\S]*watch-1\.zip[\s\S]*<\/html>\s*$/);
  expect((await run("batch", "status", roster)).out).toContain(note);
  const status = await run("batch", "status", roster, "--json");
  expect(ofType(status.out, "batch")).toMatchObject([{ athletes: 3, statuses: { verified: 3 } }]);

  // The same command puts the report that is outstanding, and no other.
  closed.clear();
  put.clear();
  expect((await run("batch", "retry", roster, "--detach")).out).toContain("1 athlete put into the fleet");
  expect((await run("batch", roster, "--detach")).out).toContain("2 athletes put into the fleet; 1 wait");
  const again = await run("worker", "--until-empty");
  expect([again.code, again.err]).toEqual([0, ""]);
  expect([...put.keys()]).toEqual(["PUT /athlete-2"]);
  expect(put.get("PUT /athlete-2")).toContain("watch-2.zip");
  for (const member of members) expect(await logOf(member)).toEqual(member.runs);
  const later = ofType((await run("batch", "status", roster, "--json")).out, "athlete");
  expect(later).toMatchObject(members.map(() => ({ status: "verified" })));
  expect(later.map(({ note }) => note)).toEqual([undefined, undefined, undefined]);
}, 120_000);

test("commands write to a journal of a fleet while no worker has it, and give it back", async () => {
  const [ana] = await team(71, 1);
  if (ana === undefined) throw new Error("one athlete");
  const sheet = join(rehearsal.folder, "typed.csv");
  writeFileSync(sheet, "No,Day,Sport,Distance,Notes\n1,sometime,run,8,\n");
  const map = join(rehearsal.folder, "typed.yaml");
  writeFileSync(map, NUMBERED_ROWS);
  const row = { ...rowOf(ana), archives: `${ana.archive}|${sheet}`, map };
  const roster = writeRoster(join(rehearsal.folder, "typed-roster.csv"), [row]);
  const own = { LOGFERRY_FLEET: await newFleet() };
  const run = (...words: string[]) => rehearsal.run(words, { env: { ...own, LOGFERRY_TOKEN: ana.token } });
  expect((await run("batch", roster, "--detach", "--settle", "0")).code).toBe(0);
  const worked = await run("worker", "--until-empty");
  expect(worked.out, worked.err).toContain("1 record rejected");
  const [athlete] = ofType((await run("batch", "status", roster, "--json")).out, "athlete");
  const journal = ["--journal", String(athlete?.journal)];
  expect((await run("history", ...journal)).out).toContain("watch-71.zip");

  const listed = await run("quarantine", ...journal);
  // As it is printed, for somebody who pastes it and puts the day in.
  const [, printed = ""] = /logferry (quarantine --journal \S+ fix \w+ --set date=ANSWER)/.exec(listed.out) ?? [];
  const fixed = await run(...printed.replace("ANSWER", "2019-05-04").split(" "));
  expect(fixed.code, fixed.err).toBe(0);
  const id = /fix (\w+)/.exec(printed)?.[1] ?? "";

  await asked(own.LOGFERRY_FLEET, CLAIMED_ELSEWHERE);
  const busy = await run("quarantine", "retry", id, ...journal);
  expect(busy.code).toBe(8);
  expect(busy.err).toContain("another worker holds it (worker 7)");
  await asked(own.LOGFERRY_FLEET, "UPDATE logferry_fleet.journals SET until = '-infinity'");

  const others = await rehearsal.run(["quarantine", "retry", id, ...journal], { env: own });
  expect(others.err).toContain("it belongs to runner_71");
  const retried = await run("quarantine", "retry", id, ...journal);
  expect(retried.code, retried.err).toBe(0);
  expect(await logOf(ana)).toEqual([{ date: "2019-05-04", metres: 8_000 }, ...ana.runs]);
  expect((await run("explain", id, ...journal)).out).toContain("typed.csv line 2");
  // Nobody names the address of the log: the fleet knows it.
  const withoutUrl = { ...own, PATH: process.env.PATH ?? "", HOME: rehearsal.folder, LOGFERRY_TOKEN: ana.token };
  const readBack = await runWarm(["verify", ...journal], withoutUrl);
  expect(readBack.code, readBack.err).toBe(0);
  expect((await run("retry", "--journal", "fleet:nobody")).err).toContain(
    "There is no journal fleet:nobody in the fleet",
  );
  const live = await asked(own.LOGFERRY_FLEET, "SELECT journal FROM logferry_fleet.journals WHERE until > now()");
  expect(live).toEqual([]);
}, 120_000);

test("a dry run loads nobody, a cancelled athlete ends unloaded, and a worker asks its own command for tokens", async () => {
  const [ana, ben] = await team(81, 2);
  if (ana === undefined || ben === undefined) throw new Error("two athletes");
  const vault = join(rehearsal.folder, "vault");
  mkdirSync(vault);
  for (const { screenName, token } of [ana, ben]) writeFileSync(join(vault, screenName), token);
  const show = join(vault, "show");
  writeFileSync(show, `#!/bin/sh\necho "$*" >> ${vault}/asked\ncat "${vault}/$2"\n`, { mode: 0o755 });
  const rows = [ana, ben].map((member) => ({
    ...rowOf(member),
    "token-file": "",
    "token-variable": `NOT_HERE_${member.screenName}`,
  }));
  const roster = writeRoster(join(rehearsal.folder, "cancelled.csv"), rows);
  const own = { LOGFERRY_FLEET: await newFleet() };
  const run = (...words: string[]) => rehearsal.run(words, { env: own });
  const worker = ["worker", "--until-empty", "--token-command", `${show} log`];
  const statuses = async () => ofType((await run("batch", "status", roster, "--json")).out, "batch")[0]?.statuses;

  const dry = await run("batch", roster, "-n", "--detach");
  expect(dry.code, dry.err).toBe(0);
  const planned = await run(...worker);
  expect(planned.code, planned.err).toBe(0);
  expect(await statuses()).toEqual({ ready: 2 });
  expect(readFileSync(join(vault, "asked"), "utf8").split("\n").toSorted()).toEqual([
    "",
    "log runner_81",
    "log runner_82",
  ]);

  expect((await run("batch", roster, "--detach")).code).toBe(0);
  expect((await run("batch", "cancel", roster, "--only", ana.name)).out).toContain("1 athlete cancelled.");
  const worked = await run(...worker);
  expect(worked.out).toContain("Athlete 81: cancelled; the same batch goes on with them");
  expect([await logOf(ana), await logOf(ben)]).toEqual([[], ben.runs]);
  expect(await statuses()).toEqual({ stopped: 1, verified: 1 });
  expect((await run("batch", "cancel", roster)).out).toContain("there is nothing to cancel");
  const none = ofType((await run("batch", "cancel", roster, "--json")).out, "batch");
  expect(none).toMatchObject([{ athletes: 2, cancelled: 0 }]);
  // Who was done before and only waits to be looked at stays done.
  expect((await run("batch", roster, "--detach")).out).toContain("2 athletes put into the fleet");
  expect((await run("batch", "cancel", roster)).out).toContain("2 athletes cancelled.");
  await run(...worker);
  expect(await statuses()).toEqual({ stopped: 1, verified: 1 });

  const lost = { ...rowOf(ana), athlete: "Nobody", "screen-name": "nobody", archives: "nowhere.zip" };
  expect((await run("batch", writeRoster(join(rehearsal.folder, "lost.csv"), [lost]), "--detach")).code).toBe(0);
  const withoutFile = await run("worker", "--until-empty", "--archives", vault);
  const alone =
    /^Nobody: Cannot open .*nowhere\.zip.*paths begin in .*vault\. No worker at work can read it: process \d+ on \S+ tried$/m;
  expect(withoutFile.out).toMatch(alone);

  // A worker that died holds the claim for a while. To wait for it is not to hand anybody back.
  expect((await run("batch", "retry", roster, "--detach")).out).toContain("1 athlete put into the fleet");
  await asked(own.LOGFERRY_FLEET, CLAIMED_ELSEWHERE);
  const { ended } = rehearsal.start(worker, { env: own });
  const later = "SELECT 1 FROM logferry_queue.job WHERE state = 'created' AND start_after > now()";
  await until(async () => (await asked(own.LOGFERRY_FLEET, later)).length > 0);
  await asked(own.LOGFERRY_FLEET, "UPDATE logferry_fleet.journals SET until = '-infinity'");
  await asked(own.LOGFERRY_FLEET, "UPDATE logferry_queue.job SET start_after = now() WHERE state = 'created'");
  expect((await ended).out).toContain("Stopped. 1 athlete ended here.");
  expect(await logOf(ana)).toEqual(ana.runs);
}, 120_000);

test("a worker that can't see an archive, or whose disk is full, leaves the athlete to another one", async () => {
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
  await asked(own.LOGFERRY_FLEET, "INSERT INTO logferry_fleet.workers VALUES ('worker 7', now() + interval '1 hour')");
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

  // The statements of the docs leave nothing of an athlete in the database.
  const [key] = (await asked(own.LOGFERRY_FLEET, "SELECT key FROM logferry_fleet.athletes WHERE key LIKE '%91%'")).map(
    (row) => String(row.key),
  );
  const [, statements = ""] = /^(BEGIN;\n(?:DELETE .*\n)+COMMIT;)$/m.exec(readFileSync("docs/fleet.md", "utf8")) ?? [];
  expect(await allTables(own.LOGFERRY_FLEET)).toContain(ana.name);
  await asked(own.LOGFERRY_FLEET, statements.replaceAll(":'key'", `'${key}'`));
  const kept = await allTables(own.LOGFERRY_FLEET);
  expect([kept.includes(ana.name), kept.includes(ben.name)]).toEqual([false, true]);

  const readOnly = "EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database())";
  await asked(own.LOGFERRY_FLEET, `DO $$ BEGIN ${readOnly}; END $$`);
  expect(await statuses(other)).toEqual({ verified: 1 });
}, 120_000);

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
}, 60_000);

test("commands that read refuse a database without a fleet, and make nothing there", async () => {
  const roster = writeRoster(join(rehearsal.folder, "elsewhere.csv"), [ROW]);
  const own = { LOGFERRY_FLEET: await newFleet() };
  const commands = [
    ["batch", "status", roster],
    ["batch", "status", roster, "--max-age", "1h", "--quiet"],
    ["batch", "retry", roster],
    ["batch", roster, "--retry-failed", "--detach"],
    ["batch", "cancel", roster],
    ["history", "--journal", "fleet:ana"],
    ["retry", "--journal", "fleet:ana"],
  ];
  for (const words of commands) {
    const ran = await rehearsal.run(words, { env: own });
    expect([ran.code, ran.out], words.join(" ")).toEqual([2, ""]);
    expect(ran.err).toMatch(
      /^There is no fleet in the database postgres:\/\/\S+\. Nothing was made there\. Check the address/,
    );
  }
  const lost = { LOGFERRY_FLEET: `${own.LOGFERRY_FLEET}?sslmode=verify-full&sslrootcert=/nowhere.pem` };
  const uncertified = await rehearsal.run(["batch", "status", roster], { env: lost });
  expect(uncertified.err).toContain(
    "Cannot read the file /nowhere.pem, which the address of the fleet's database names",
  );
  const schemas = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'logferry%'";
  expect(await asked(own.LOGFERRY_FLEET, schemas)).toEqual([]);
});

/** Another worker has every journal and every account. */
const CLAIMED_ELSEWHERE =
  "UPDATE logferry_fleet.journals SET until = now() + interval '1 minute', fence = fence + 1, worker = 'worker 7'";

/** The address of an empty database. */
const newFleet = async () => (await fetch(inject("newDatabases"))).text();

/** The rows of a statement, asked by ourselves. */
async function asked(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table that a fleet made, as text. */
async function allTables(address = env.LOGFERRY_FLEET): Promise<string> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const tables = await client.query(
      "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema LIKE 'logferry%' AND table_type = 'BASE TABLE'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`);
      texts.push(`${name}: ${rows.map(({ row }) => row).join("\n")}`);
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}

test("sealed tokens open each athlete's log on a worker with the key, and no table and no line shows a token", async () => {
  const members = await team(11, 2);
  const folder = join(rehearsal.folder, "team");
  const identity = await generateX25519Identity();
  const key = join(folder, "workers.key");
  writeFileSync(key, `${identity}\n`, { mode: 0o600 });
  const recipient = await identityToRecipient(identity);
  const other = await generateX25519Identity();
  const otherKey = join(folder, "others.key");
  writeFileSync(otherKey, `${other}\n`, { mode: 0o600 });
  // As seen from the roster, which only the first machine has.
  const rows = members.map((member) => ({ ...rowOf(member), "token-file": `token-${member.screenName.slice(7)}.txt` }));
  const roster = writeRoster(join(folder, "sealed.csv"), rows);
  const run = (...words: string[]) => rehearsal.run(words, { env });

  const put = await run("batch", roster, "--detach", "--recipient", recipient);
  expect(put.code, put.err).toBe(0);
  const nowhere = join(folder, "nowhere");
  const refused: [string[], string][] = [
    [[], "2 athletes who wait are sealed, and this worker has no age key. Start it with --identity FILE"],
    [["--identity", otherKey], "2 athletes who wait are sealed for another age key than the one in --identity"],
    [["--archives", nowhere], `Cannot use --archives ${nowhere}: there is no such folder on this machine`],
  ];
  const started: Ran[] = [];
  for (const [words, says] of refused) {
    const one = await run("worker", "--until-empty", ...words);
    expect(one.code).toBe(2);
    expect(one.err).toContain(says);
    started.push(one);
  }
  // One more, for another worker.
  const [third] = await team(13, 1);
  if (third === undefined) throw new Error("one more athlete");
  const theirs = writeRoster(join(folder, "theirs.csv"), [{ ...rowOf(third), "token-file": "token-13.txt" }]);
  const again = await run("batch", theirs, "--detach", "--recipient", await identityToRecipient(other));
  const worked = await run("worker", "--until-empty", "--identity", key, "--verbose");
  expect(worked.err).toContain(
    `${third.name}: the access token is sealed for another age key than that of this worker`,
  );
  const status = await run("batch", "status", theirs, "--json");
  expect(ofType(status.out, "batch")).toMatchObject([{ statuses: { "to check": 1 } }]);
  for (const member of members) expect(await logOf(member), worked.out + worked.err).toEqual(member.runs);

  const tables = await allTables();
  expect(tables).toContain("logferry_queue.job");
  for (const { token } of members)
    for (const text of [tables, ...[put, ...started, again, worked].flatMap(({ out, err }) => [out, err])])
      expect(text).not.toContain(token);
}, 120_000);

test("a worker that is told to stop hands its athletes back, and its metrics told how they stood", async () => {
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
  await asked(own.LOGFERRY_FLEET, "UPDATE logferry_fleet.athletes SET since = since - interval '5 minutes'");
  const silent = await watch("3m");
  expect(silent.code).toBe(7);
  expect(silent.out).toContain("1 job is open, and nothing ended for 5 minutes (it may be 3m)");
}, 120_000);

const FIVE_MINUTES_PASS_FOR_JOBS = `UPDATE logferry_queue.job SET created_on = created_on - interval '5 minutes',
  completed_on = completed_on - interval '5 minutes', heartbeat_on = heartbeat_on - interval '5 minutes'`;

/** A way to the service that knows whether the service has done everything that came along it. */
async function openWay(): Promise<{
  readonly url: string;
  isQuiet(): Promise<void>;
  /** Requests with a token. */
  sentWith(token: string): number;
  /** The tokens whose requests get no answer. */
  readonly cut: Set<string>;
}> {
  let [open, lastAt] = [0, performance.now()];
  const queries: string[] = [];
  const cut = new Set<string>();
  const way = await startServer(async ({ method, path, query, headers, body }) => {
    open++;
    queries.push(String(query));
    try {
      if (cut.has(query.get("access_token") ?? "")) return { fault: "reset" };
      const answer = await fetch(`${rehearsal.service.url}${path}?${query}`, {
        method,
        headers: { ...(headers["content-type"] !== undefined && { "content-type": headers["content-type"] }) },
        ...(method !== "GET" && { body: new Uint8Array(body) }),
      });
      return { status: answer.status, body: await answer.text() };
    } finally {
      open--;
      lastAt = performance.now();
    }
  });
  const isQuiet = () => until(async () => open === 0 && performance.now() - lastAt > 500);
  ways.push(way);
  const sentWith = (token: string) => queries.filter((query) => query.includes(token)).length;
  return { url: way.url, isQuiet, sentWith, cut };
}

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

test("an archive behind an address is read by ranges, and refused where it changed after the check", async () => {
  const [ana, ben] = await team(61, 2);
  if (ana === undefined || ben === undefined) throw new Error("two athletes");
  const files = new Map([ana, ben].map((member) => [`/${member.screenName}.zip`, readFileSync(member.archive)]));
  let version = 1;
  let loads = 0;
  const storage = await startServer(({ path, headers }) => {
    const file = files.get(path);
    if (file === undefined) return { status: 404, body: "" };
    const etag = `"${path.includes(ben.screenName) ? version : 1}"`;
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    return { status: 206, headers: { etag, "content-range": range }, body: part };
  });
  ways.push(storage);
  // Ben's archive is replaced as soon as anything is loaded for Ana, who is first.
  const way = await startServer(async ({ method, path, query, headers, body }) => {
    if (method === "POST" && path.includes("workouts") && loads++ === 0) version = 2;
    const answer = await fetch(`${rehearsal.service.url}${path}?${query}`, {
      method,
      headers: { ...(headers["content-type"] !== undefined && { "content-type": headers["content-type"] }) },
      ...(method !== "GET" && { body: new Uint8Array(body) }),
    });
    return { status: answer.status, body: await answer.text() };
  });
  ways.push(way);
  const rows = [ana, ben].map((member) => ({
    ...rowOf(member),
    url: way.url,
    archives: `${storage.url}/${member.screenName}.zip?X-Sig=secret`,
  }));
  const roster = writeRoster(join(rehearsal.folder, "addresses.csv"), rows);
  const own = { ...env, LOGFERRY_FLEET: await newFleet() };
  expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
  const worked = await rehearsal.run(["worker", "--until-empty", "--parallel", "1"], { env: own });
  expect(await logOf(ana), worked.out + worked.err).toEqual(ana.runs);
  expect(worked.out).toContain("Athlete 62: Cannot load runner_62.zip: it changed since it was checked");
  expect(await logOf(ben)).toEqual([]);
}, 120_000);

test.each([
  [
    "a server that isn't there",
    "postgres://fleet:hunter2@127.0.0.1:1/fleet",
    6,
    "Cannot use the fleet's database postgres://127.0.0.1:1/fleet: ",
  ],
  [
    "a password with a slash",
    "postgres://fleet:hunt/er2@127.0.0.1/fleet",
    2,
    "Cannot read the address of the fleet's database: ",
  ],
  ["a file", "fleet.db", 2, "Cannot read the address of the fleet's database: "],
])("no message repeats a password: %s", async (_name, address, code, says) => {
  for (const words of [["worker"], ["batch", "status", writeRoster(join(rehearsal.folder, "one.csv"), [ROW])]]) {
    const ran = await rehearsal.run(words, { env: { LOGFERRY_FLEET: address } });
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(says);
    expect(ran.out + ran.err).not.toMatch(/hunt|er2/);
  }
  const typed = await rehearsal.run(["worker", "--fleet", "postgres://fleet:hunter2@127.0.0.1:1/fleet"]);
  expect(typed.code).toBe(2);
  expect(typed.err).toContain("LOGFERRY_FLEET");
  expect(typed.err).not.toContain("hunter2");
});

test("a worker tells its own numbers while the database is away", () => {
  const worker = { running: 3, ended: 4, givenBack: 1, statuses: { verified: 4 } };
  const text = metricsText({ fleet: undefined, worker, requests: { requests: 99, refused: 2 } });
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  expect(lines).toContain("logferry_fleet_database_up 0");
  expect(lines).toContain("logferry_worker_athletes 3");
  expect(lines).toContain("logferry_worker_requests_total 99");
  expect(text).not.toContain("logferry_fleet_jobs");
});

test("a server that wants a password is left at once, and the message says where to put it", async () => {
  const server = await startWantingPassword();
  ways.push(server);
  const ran = await rehearsal.run(["worker"], { env: { LOGFERRY_FLEET: server.address } });
  expect(ran.code).toBe(6);
  expect(ran.err).toContain("it wants a password, and there is none. Put it into the address");
  // An open connection would keep the command alive.
  await until(async () => server.open() === 0);
});

/** A row of a roster. */
const ROW = { athlete: "Ana", "screen-name": "ana", profile: "ana", archives: "ana.zip" };

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
}, 300_000);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
