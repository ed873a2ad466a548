/** A fleet as its people have it: a batch that puts athletes into the queue, and workers that carry them over. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect } from "vitest";
import { startWantingPassword } from "../service/test/wants-password.ts";
import {
  allTables,
  asked,
  env,
  logOf,
  newFleet,
  ofType,
  rehearsal,
  team,
  until,
  useFleet,
  ways,
} from "./support/fleet.ts";
import { startServer } from "./support/http-server.ts";
import type { Ran } from "./support/rehearsal.ts";
import { NUMBERED_ROWS, someRuns, writeSheet } from "./support/small-sources.ts";
import { rowOf, writeRoster } from "./support/team.ts";
import { longTest, test } from "./support/tier-tests.ts";
import { runWarm } from "./support/warm-cli.ts";

useFleet();

/** Another worker has every journal and every account. */
const CLAIMED_ELSEWHERE =
  "UPDATE logferry_fleet.journals SET until = now() + interval '1 minute', fence = fence + 1, worker = 'worker 7'";

/** A row of a roster. */
const ROW = { athlete: "Ana", "screen-name": "ana", profile: "ana", archives: "ana.zip" };

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
  // A limit that comes too late for them is not dropped in silence.
  const limited = await run("batch", roster, "--max-requests", "5", "--detach");
  expect(limited.code).toBe(3);
  expect(limited.out).toContain("Athlete 1, Athlete 2, Athlete 3: under way without the limits of this command");

  const worked = await run("worker", "--until-empty");
  expect(worked.code, worked.err).toBe(0);
  const note = "Athlete 2: the report was not put: its address answered 403";
  expect(worked.err).toBe(`${note}\n`);
  for (const member of members) expect(await logOf(member)).toEqual(member.runs);
  expect([...put.keys()]).toEqual(["PUT /athlete-1"]);
  expect(put.get("PUT /athlete-1")).toMatch(/^<!doctype html>[\s\S]*watch-1\.zip[\s\S]*<\/html>\s*$/);
  expect((await run("batch", "status", roster)).out).toContain(note);
  // Whoever watches the fleet may have a role that only reads.
  const reading = { LOGFERRY_FLEET: `${env.LOGFERRY_FLEET}?options=-c%20role%3Dpg_read_all_data` };
  const status = await rehearsal.run(["batch", "status", roster, "--json"], { env: reading });
  expect(ofType(status.out, "batch"), status.err).toMatchObject([{ athletes: 3, statuses: { verified: 3 } }]);
  // A cron that repeats a command on 75 would repeat it for ever.
  const refused = await rehearsal.run(["verify", "--journal", "fleet:ana"], { env: reading });
  expect([refused.code, refused.err]).toEqual([6, expect.stringContaining("or this role may only read")]);

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
  await asked(env.LOGFERRY_FLEET ?? "", CLAIMED_ELSEWHERE);
  const held = await run("status", "--journal", String(later[0]?.journal));
  expect(held.out, held.err).toContain("A run is in progress: worker 7.");
  await asked(env.LOGFERRY_FLEET ?? "", "UPDATE logferry_fleet.journals SET until = '-infinity'");
});

longTest(
  "commands write to a journal of a fleet while no worker has it, and give it back",
  async () => {
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
  },
  120_000,
);

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
  const failing = await run("worker", "--until-empty", "--token-command", "false");
  expect(failing.out).toMatch(
    /: Cannot get .*the worker's --token-command \(false\) ended with 1\. Mend the --token-command of the worker/,
  );
  expect(failing.out).not.toContain("the roster says");
  expect((await run("batch", roster, "-n", "--detach")).code).toBe(0);
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
    /^Nobody: Cannot open .*nowhere\.zip.*the roster means .*vault\/.*nowhere\.zip\. No worker at work can read it: process \d+ on \S+ tried$/m;
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

  // Of an archive that changed since, and of another log, the last outcome says nothing.
  expect(await statuses()).toEqual({ verified: 2 });
  copyFileSync(ana.archive, ben.archive);
  writeRoster(
    roster,
    rows.map((row, at) => ({ ...row, url: at === 0 ? "http://127.0.0.1:9" : rehearsal.service.url })),
  );
  expect((await run("batch", roster, "--detach")).out).toContain("2 athletes put into the fleet");
  expect((await run("batch", "cancel", roster)).out).toContain("2 athletes cancelled.");
  await run(...worker);
  expect(await statuses()).toEqual({ stopped: 2 });
});

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
  expect(worked).toMatchObject({ code: 3, out: expect.stringContaining("1 athlete waits for another worker.") });
  const status = await run("batch", "status", theirs, "--json");
  expect(ofType(status.out, "batch")).toMatchObject([{ statuses: { "to check": 1 } }]);
  // Each time a worker leaves the athlete to another one, the queue has a new job. The wait goes on.
  await asked(
    env.LOGFERRY_FLEET ?? "",
    "UPDATE logferry_fleet.athletes SET waits_since = waits_since - interval '5 minutes', since = since - interval '5 minutes'",
  );
  const silent = await run("batch", "status", theirs, "--max-age", "3m");
  expect(silent).toMatchObject({ code: 7, out: expect.stringContaining("nothing ended for 5 minutes (it may be 3m)") });
  expect(silent.out).toContain(
    "waits for another worker. The last one said: the access token is sealed for another age key",
  );
  for (const member of members) expect(await logOf(member), worked.out + worked.err).toEqual(member.runs);

  const tables = await allTables();
  expect(tables).toContain("logferry_queue.job");
  for (const { token } of members)
    for (const text of [tables, ...[put, ...started, again, worked].flatMap(({ out, err }) => [out, err])])
      expect(text).not.toContain(token);
});

test("an archive behind an address is read by ranges, and refused where it changed after the check", async () => {
  const [ana, ben, cy, dan] = await team(61, 4);
  if (ana === undefined || ben === undefined || cy === undefined || dan === undefined) throw new Error("four athletes");
  const sheet = writeSheet(join(rehearsal.folder, "dan"), someRuns(2));
  const files = new Map([ana, ben].map((member) => [`/${member.screenName}.zip`, readFileSync(member.archive)]));
  let version = 1;
  let loads = 0;
  let asks = 0;
  const storage = await startServer(({ path, headers }) => {
    if (asks++ === 0) return { status: 503, headers: { "retry-after": "0" }, body: "" };
    const file = files.get(path);
    if (file === undefined) return { status: 404, body: "" };
    const etag = `"${path.includes(ben.screenName) ? version : 1}"`;
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    return { status: 206, headers: { etag, "content-range": range }, body: part };
  });
  ways.push(storage);
  // The archives of all others are replaced as soon as anything is loaded for Ana, who is first.
  const way = await startServer(async ({ method, path, query, headers, body }) => {
    if (method === "POST" && path.includes("workouts") && loads++ === 0) {
      version = 2;
      copyFileSync(ana.archive, cy.archive);
      writeSheet(join(rehearsal.folder, "dan"), someRuns(3));
    }
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
  const roster = writeRoster(join(rehearsal.folder, "addresses.csv"), [
    ...rows,
    { ...rowOf(cy), url: way.url },
    { ...rowOf(dan), url: way.url, archives: sheet },
  ]);
  const own = { ...env, LOGFERRY_FLEET: await newFleet() };
  expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
  const worked = await rehearsal.run(["worker", "--until-empty", "--parallel", "1"], { env: own });
  expect(await logOf(ana), worked.out + worked.err).toEqual(ana.runs);
  expect(worked.out + worked.err).toContain(
    "Athlete 61: runner_61.zip: its server answers with 503. logferry tries again (try 2 of 5)",
  );
  expect(worked.out).toContain("Athlete 62: Cannot load runner_62.zip: it changed since it was checked");
  expect(worked.out).toContain(
    "Athlete 63: 2 records not sent, because their files changed or went away after the check",
  );
  expect([await logOf(ben), await logOf(cy)]).toEqual([[], []]);
  // A row of a table is loaded as it was checked. Of what is newer, nobody knows.
  expect(await logOf(dan)).toMatchObject([{ date: "2020-01-01" }, { date: "2020-01-02" }]);
  expect(worked.out).toContain(
    "Athlete 64: loaded as it was checked, and not what is newer, because an archive changed after the check (changed since the plan: log.csv): logferry batch ",
  );
  const states = "SELECT athlete ->> 'name' AS name, outcome ->> 'status' AS status FROM logferry_fleet.athletes";
  expect(await asked(own.LOGFERRY_FLEET, `${states} ORDER BY 1`)).toMatchObject([
    { status: "verified" },
    { status: "source" },
    { status: "partly" },
    { status: "partly" },
  ]);
});

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

test("a server that wants a password is left at once, and the message says where to put it", async () => {
  const server = await startWantingPassword();
  ways.push(server);
  const ran = await rehearsal.run(["worker"], { env: { LOGFERRY_FLEET: server.address } });
  expect(ran.code).toBe(6);
  expect(ran.err).toContain("it wants a password, and there is none. Put it into the address");
  // An open connection would keep the command alive.
  await until(async () => server.open() === 0);
});
