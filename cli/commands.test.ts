import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as soon } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { systemClock } from "../connectors/api/clock.ts";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { emptyHome, jsonLines, runCli, type StartOptions, startCli } from "../test/support/cli.ts";
import { type Ran, type Rehearsal, ROOT, rehearse } from "../test/support/rehearsal.ts";
import { longDescribe, longTest, test } from "../test/support/tier-tests.ts";
import { login } from "./commands/login.ts";
import { createOutput, JSON_TYPES } from "./terminal/output.ts";

// Commands as a person types them, each in a process and a home of its own, against a real service.

/** Forty workouts and two pairs of shoes, nothing wrong with any of them (see its WHY.md). */
const SPREADSHEET = join(ROOT, "fixtures", "csv", "us", "archive");
const ESCAPE = "\u001b";

let log: Rehearsal;
beforeAll(async () => {
  log = await rehearse("miles");
});
afterAll(() => log.close());

/** With the log's address and token in the environment. */
function loggedIn(home: string, words: readonly string[], options: StartOptions = {}): Promise<Ran> {
  const env = { LOGFERRY_URL: log.service.url, LOGFERRY_TOKEN: log.token, LOGFERRY_RATE: "0", ...options.env };
  return runCli(home, words, { ...options, env });
}

function credentialsIn(home: string, profile: string): string {
  return join(home, ".config", "logferry", "credentials", `${profile}.json`);
}

describe("login and whoami", () => {
  test("a token from standard input is checked, stored under the profile, and used from then on", async () => {
    using home = emptyHome();
    const login = await runCli(home.path, ["login", "--url", log.service.url, "--profile", "ana"], {
      input: `${log.token}\n`,
    });
    expect(login).toMatchObject({ code: 0, err: "" });
    expect(login.out).toBe(
      `Logged in as demo at ${log.service.url}. The token is stored in ${credentialsIn(home.path, "ana")}, readable by you alone.\n`,
    );
    // A slash at the end is the same service.
    const who = await runCli(home.path, ["whoami", "--profile", "ana", "--url", `${log.service.url}/`]);
    expect(who).toMatchObject({ code: 0, err: "" });
    expect(who.out).toBe(`demo at ${log.service.url}/; units mi, lb, F; UTC+1\n`);
    const other = await runCli(home.path, ["whoami"]);
    expect(other).toMatchObject({ code: 4, err: "Not logged in. Run: logferry login --url URL\n" });
    for (const ran of [login, who]) expect(ran.out + ran.err).not.toContain(log.token);
  });

  test("a token comes from --token-file, or from LOGFERRY_TOKEN", async () => {
    using home = emptyHome();
    const file = join(home.path, "token.txt");
    writeFileSync(file, `${log.token}\n`, { mode: 0o600 });
    for (const [profile, words, env] of [
      ["ana", ["--token-file", file], {}],
      ["ben", [], { LOGFERRY_TOKEN: log.token }],
      ["eva", [], { LOGFERRY_TOKEN: "", LOGFERRY_TOKEN_FILE: file }],
    ] as const) {
      const login = await runCli(
        home.path,
        ["login", "--json", "--url", log.service.url, "--profile", profile, ...words],
        { env },
      );
      expect(jsonLines(login.out)).toEqual([
        { type: "login", profile, name: "demo", url: log.service.url, stored: "file" },
      ]);
      expect(JSON.parse(readFileSync(credentialsIn(home.path, profile), "utf8")).token).toBe(log.token);
    }
  });

  test("a wrong token is exit code 4, is not repeated, and nothing is stored", async () => {
    using home = emptyHome();
    const wrong = "wrongWrongWrongWrongWrongWrong12";
    const login = await runCli(home.path, ["login", "--url", log.service.url], { input: wrong });
    expect(login.code).toBe(4);
    expect(login.err).toMatch(
      /^The log at 127\.0\.0\.1:\d+ doesn't accept this access token: it answered 401\nThe access token may be mistyped or cut short, or it was revoked\. Log in again: logferry login --url http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    expect(login.out + login.err).not.toContain(wrong);
    expect(existsSync(join(home.path, ".config"))).toBe(false);
  });

  test.each([
    ["", "Cannot read the access token: there was none\n"],
    ["two words\n", "Cannot use the access token: expected 1 to 32 printable characters without blanks\n"],
    [`${"x".repeat(33)}\n`, "Cannot use the access token: expected 1 to 32 printable characters without blanks\n"],
  ])("the input %j is no token: exit code 2", async (input, err) => {
    using home = emptyHome();
    expect(await runCli(home.path, ["login", "--url", log.service.url], { input })).toMatchObject({
      code: 2,
      out: "",
      err,
    });
  });

  test("the stored token goes to the service it is for, and to no other", async () => {
    using home = emptyHome();
    await runCli(home.path, ["login", "--url", log.service.url], { input: log.token });
    const elsewhere = await runCli(home.path, ["whoami", "--url", "https://elsewhere.example"]);
    expect(elsewhere).toMatchObject({ code: 2, out: "" });
    expect(elsewhere.err).toBe(
      `Cannot use the stored token of default: it is for ${log.service.url}. Log in to https://elsewhere.example first, perhaps with another --profile\n`,
    );
  });

  test("a stored token that others can read is refused", async () => {
    using home = emptyHome();
    await runCli(home.path, ["login", "--url", log.service.url], { input: log.token });
    chmodSync(credentialsIn(home.path, "default"), 0o644);
    const ran = await runCli(home.path, ["whoami"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/others can read it\. Run: chmod 600 /);
    expect(ran.err).not.toContain(log.token);
  });

  test("Ctrl-C while the token is waited for ends it, without asking the log", async () => {
    const stop = new AbortController();
    const waiting = login.run({
      output: createOutput("quiet", false),
      signal: stop.signal,
      options: { url: "http://127.0.0.1:1", profile: "nobody" },
      arguments: [],
      tables: { sports: new Map(), activityIDs: {}, workoutIDs: {} },
      notify: {},
      environment: {},
      input: new PassThrough(),
      now: Date.now,
      sleep: systemClock.sleep,
    });
    stop.abort();
    expect(await waiting).toBe("stopped");
  });
});

describe("Ctrl-C", () => {
  // test/matrix/processes.ts has the other signals.
  test("an import that it stops ends with 130, says how to go on, and apply finishes it, each workout once", async () => {
    using home = emptyHome();
    const own = await rehearse();
    try {
      const env = { LOGFERRY_URL: own.service.url, LOGFERRY_TOKEN: own.token };
      const { child, ended } = startCli(home.path, ["import", SPREADSHEET, "--rate", "12"], { env });
      while ((await own.listed("/rest/logs/me/workouts")).length < 3) await soon(50);
      child.kill("SIGINT");
      // A terminal signals every process of the job, and whoever started us passes it on.
      child.kill("SIGINT");
      const stopped = await ended;
      expect(stopped.code).toBe(130);
      expect(stopped.err).toContain("Stopping: what is under way is finished. Once more ends at once.\n");
      expect(stopped.out.trimEnd()).toMatch(
        /\nStopped early\. \d+ of 42 records are in your log\. \d+ (?:is|are) still to do\. Resume with: logferry apply$/,
      );
      const status = await runCli(home.path, ["status", "--json"]);
      const left = jsonLines(status.out).find(({ type }) => type === "summary")?.ledger as {
        left: number;
        inDoubt: number;
      };
      expect(left.left).toBeGreaterThan(0);
      expect(left.inDoubt).toBe(0);
      const applied = await runCli(home.path, ["apply", "--rate", "0"], { env });
      expect(applied.code).toBe(0);
      expect(await own.listed("/rest/logs/me/workouts")).toHaveLength(40);
      expect(await own.listed("/rest/logs/me/equipment")).toHaveLength(2);
    } finally {
      await own.close();
    }
  });
});

describe("where a setting comes from", () => {
  test("the flag wins over the environment, that over the config file, that over the default", async () => {
    using home = emptyHome();
    const profileOf = async (words: readonly string[], env: Readonly<Record<string, string>>) => {
      const { err } = await runCli(home.path, ["whoami", ...words], { env });
      return / --profile (\w+)/.exec(err)?.[1] ?? "default";
    };
    const named = join(home.path, "named.yaml");
    writeFileSync(named, "profile: fromNamed\n");
    expect(await profileOf([], {})).toBe("default");
    mkdirSync(join(home.path, ".config", "logferry"), { recursive: true });
    writeFileSync(join(home.path, ".config", "logferry", "config.yaml"), "profile: fromConfig\n");
    expect(await profileOf([], {})).toBe("fromConfig");
    expect(await profileOf(["--config", named], {})).toBe("fromNamed");
    expect(await profileOf([], { LOGFERRY_CONFIG: named })).toBe("fromNamed");
    expect(await profileOf([], { LOGFERRY_PROFILE: "fromEnvironment" })).toBe("fromEnvironment");
    expect(await profileOf(["--profile", "fromFlag"], { LOGFERRY_PROFILE: "fromEnvironment" })).toBe("fromFlag");
  });

  test("a misspelt flag, variable or key is exit code 2, and nothing is done", async () => {
    using home = emptyHome();
    const config = join(home.path, "config.yaml");
    writeFileSync(config, "rate: 5\nzoen: Europe/Vienna\n");
    const before = (await log.listed("/rest/logs/me/workouts")).length;
    const words = ["import", SPREADSHEET];
    const ran = [
      await loggedIn(home.path, [...words, "--sinse", "2014"]),
      await loggedIn(home.path, words, { env: { LOGFERRY_SINSE: "2014" } }),
      await loggedIn(home.path, words, { env: { LOGFERRY_CONFIG: config } }),
    ];
    expect(ran.map(({ code, out, err }) => [code, out, err])).toEqual([
      [2, "", 'Cannot import: it has no option --sinse; did you mean "--since"?\nTry: logferry import --help\n'],
      [
        2,
        "",
        'Cannot use the environment variable LOGFERRY_SINSE: there is no such setting; did you mean "LOGFERRY_SINCE"?\n',
      ],
      [2, "", `Cannot use ${config} line 2: zoen: there is no such key; did you mean "zone"?\n`],
    ]);
    expect(existsSync(join(home.path, ".local"))).toBe(false);
    expect(await log.listed("/rest/logs/me/workouts")).toHaveLength(before);
  });
});

longDescribe("serve", () => {
  longTest(
    "makes its database's folder, says where it listens, makes a user, and ends gracefully at SIGTERM",
    async () => {
      using home = emptyHome();
      const database = join(home.path, "deep", "er", "log.db");
      const { child, ended } = startCli(home.path, [
        "serve",
        "--port",
        "0",
        "--json",
        "--demo-user",
        "--units",
        "imperial",
        "--database",
        database,
      ]);
      const lines = await firstLines(child, 2);
      const [{ url }, { token, activityIDs }] = jsonLines(lines) as [
        { url: string },
        { token: string; activityIDs: object },
      ];
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(Object.keys(activityIDs)).toContain("walk");
      const who = await runCli(home.path, ["whoami"], { env: { LOGFERRY_URL: url, LOGFERRY_TOKEN: token } });
      expect(who.out).toMatch(/; units mi, lb, F; /);
      child.kill("SIGTERM");
      expect(await ended).toMatchObject({ code: 0, err: "" });
      expect(existsSync(database)).toBe(true);
    },
  );

  longTest(
    "a taken port, a foreign database or a strange host is one line and exit code 2, no bug report",
    async () => {
      using home = emptyHome();
      const { port } = new URL(log.service.url);
      const text = join(home.path, "notes.txt");
      writeFileSync(text, "these are notes, and no database at all\n".repeat(100));
      const journal = join(home.path, "journal.db");
      await (await openJournal(journal)).close();
      const [taken, notes, other, host] = await Promise.all([
        runCli(home.path, ["serve", "--port", port, "--database", ":memory:"]),
        runCli(home.path, ["serve", "--port", "0", "--database", text]),
        runCli(home.path, ["serve", "--port", "0", "--database", journal]),
        runCli(home.path, ["serve", "--port", "0", "--database", ":memory:", "--host", "192.0.2.1"]),
      ]);
      expect(taken?.err).toBe(
        `Cannot serve: port ${port} of 127.0.0.1 is taken. Name another with --port, or 0 for any free one\n`,
      );
      expect(notes?.err).toBe(`Cannot serve: ${text} is no database that can be used. Name another with --database\n`);
      expect(other?.err).toBe(`Cannot open ${journal}: it is a database, but not a training log of logferry\n`);
      expect(host?.err).toBe("Cannot serve: 192.0.2.1 is no address of this machine. Name one with --host\n");
      for (const ran of [taken, notes, other, host]) expect(ran).toMatchObject({ code: 2, out: "" });
      expect(readFileSync(text, "utf8")).toMatch(/^these are notes/);
    },
  );
});

describe("exit codes", () => {
  test("import, verify, status, export and a second import with nothing wrong end with 0", async () => {
    using home = emptyHome();
    const imported = await loggedIn(home.path, ["import", SPREADSHEET]);
    expect(imported.code).toBe(0);
    expect(imported.out).toContain(
      "Done. 42 of 42 records are in your log, each once. Check it with: logferry verify\n",
    );
    expect(imported.out).toContain("records are accounted for");
    const verified = await loggedIn(home.path, ["verify", "--quiet"]);
    expect(verified).toMatchObject({
      code: 0,
      out: "Verified: all 42 records of run 1 are in the log, every field as planned.\n",
      err: "",
    });
    const again = await loggedIn(home.path, ["import", SPREADSHEET, "--quiet"]);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toBe("Done. 42 of 42 records are in your log, each once. Check it with: logferry verify\n");
    const status = await runCli(home.path, ["status", "--verbose"]);
    expect(status.code).toBe(0);
    expect(status.out.trimEnd().endsWith("Run 2 is finished. Next: not verified yet (logferry verify --run 2).")).toBe(
      true,
    );
    const exported = await loggedIn(home.path, ["export", "--out", join(home.path, "out"), "--format", "json"]);
    expect(exported.code).toBe(0);
    for (const ran of [imported, verified, again, status, exported]) {
      expect(ran.out + ran.err).not.toContain(ESCAPE);
      expect(ran.out + ran.err).not.toContain("\r");
    }
  });

  test("--json prints lines of known types, and nothing else, for every command", async () => {
    using home = emptyHome();
    for (const words of [
      ["inspect", SPREADSHEET],
      ["plan", SPREADSHEET],
      ["apply"],
      ["status"],
      ["verify"],
      ["export", "--out", join(home.path, "out")],
      ["whoami"],
    ]) {
      const ran = await loggedIn(home.path, [...words, "--json"]);
      expect(ran).toMatchObject({ code: 0, err: "" });
      const lines = jsonLines(ran.out);
      expect(lines.length).toBeGreaterThan(0);
      for (const { type } of lines) expect(JSON_TYPES).toContain(type);
    }
  });

  test("a source nobody knows, or that isn't there, is 5, without asking the log or leaving a journal", async () => {
    using home = emptyHome();
    const unknown = join(home.path, "unknown");
    mkdirSync(unknown);
    writeFileSync(join(unknown, "readme.txt"), "hello");
    const ran = await Promise.all([
      runCli(home.path, ["inspect", unknown]),
      runCli(home.path, ["plan", unknown, "--url", "http://127.0.0.1:1"]),
      runCli(home.path, ["import", join(home.path, "missing.zip")]),
      runCli(home.path, ["inspect", SPREADSHEET, "--map", join(home.path, "missing.yaml")]),
    ]);
    for (const one of ran) expect(one).toMatchObject({ code: 5, out: "" });
    expect(ran[0]?.err).toMatch(/^Cannot tell what unknown is: it is no export of the \d+ kinds .*mapping file.*\n$/);
    expect(ran[2]?.err).toMatch(/^Cannot open .*missing\.zip: there is no such file or folder\n$/);
    expect(existsSync(join(home.path, ".local"))).toBe(false);
    // All of them are named at once, and what can be done with the rest.
    const words = ["inspect", unknown, SPREADSHEET, join(home.path, "missing.zip")];
    expect((await runCli(home.path, words)).err).toMatch(
      /^Cannot tell what unknown is.*\nCannot open .*missing\.zip: there is no such file or folder\nThe other source can be read. To go on with it, type the same without these 2\n$/,
    );
  });

  test("a source that two connectors claim is 5, and both are named", async () => {
    using home = emptyHome();
    const both = join(home.path, "both");
    mkdirSync(both);
    writeFileSync(
      join(both, "activities.map.yaml"),
      "version: 1\ndates: { order: iso }\ncolumns: { Activity Date: { field: datetime } }\n",
    );
    writeFileSync(
      join(both, "activities.csv"),
      "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename\n" +
        '1,"May 1, 2019, 7:00:00 AM",Run,Run,,600,2.00,false,,\n',
    );
    const ran = await runCli(home.path, ["inspect", both]);
    expect(ran.code).toBe(5);
    expect(ran.err).toMatch(
      /^Cannot tell what both\/activities\.csv is: both csv \(.+\) and strava \(.+\) know it; leave one of the two out of it\n$/,
    );
  });

  test("words that mean nothing are 2, an address that gets no token is 2", async () => {
    using home = emptyHome();
    const ran = await Promise.all([
      runCli(home.path, []),
      runCli(home.path, ["improt"]),
      runCli(home.path, ["login"]),
      runCli(home.path, ["export"], { env: { LOGFERRY_TOKEN: "x", LOGFERRY_URL: "http://127.0.0.1:1" } }),
      runCli(home.path, ["export", "--out", ""], { env: { LOGFERRY_TOKEN: "x", LOGFERRY_URL: "http://127.0.0.1:1" } }),
      runCli(home.path, ["whoami"], { env: { LOGFERRY_TOKEN: "x", LOGFERRY_URL: "http://log.example" } }),
      runCli(home.path, ["status", "--profile", "../other"]),
    ]);
    for (const one of ran) expect(one).toMatchObject({ code: 2, out: "" });
    expect(ran[2]?.err).toBe("Cannot log in: say where, with --url\n");
    for (const one of ran.slice(3, 5)) expect(one.err).toBe("Cannot export: say where to, with --out FOLDER\n");
  });

  test("a journal that another run holds is 8, and says who holds it", async () => {
    using home = emptyHome();
    const path = join(home.path, "journal.db");
    const journal = await openJournal(path);
    try {
      const ran = await loggedIn(home.path, ["plan", SPREADSHEET, "--journal", path]);
      expect(ran).toMatchObject({ code: 8, out: "" });
      expect(ran.err).toMatch(
        new RegExp(
          `^Cannot open the journal: another run holds it \\(process ${process.pid} on .+, since .+\\)\\. Wait for it, or stop it\\.\n$`,
        ),
      );
    } finally {
      await journal.close();
    }
  });

  test("status tells of a run in progress, and of what it has done so far", async () => {
    using home = emptyHome();
    const path = join(home.path, "journal.db");
    await loggedIn(home.path, ["plan", SPREADSHEET, "--journal", path]);
    const journal = await openJournal(path);
    try {
      const text = await runCli(home.path, ["status", "--journal", path]);
      expect(text).toMatchObject({ code: 0, err: "" });
      expect(text.out).toContain("records are accounted for");
      expect(text.out).toMatch(
        new RegExp(`A run is in progress: process ${process.pid} on .+, since .+\\. What is shown is as of now\\.\n$`),
      );
      const json = await runCli(home.path, ["status", "--journal", path, "--json"]);
      expect(jsonLines(json.out)).toContainEqual({
        type: "holder",
        run: 1,
        holder: expect.stringContaining(`process ${process.pid} `),
      });
    } finally {
      await journal.close();
    }
    const after = await runCli(home.path, ["status", "--journal", path]);
    expect(after.out).not.toContain("in progress");
  });

  test("a second run on one account is refused whatever its journal, and told who is first", async () => {
    using home = emptyHome();
    const env = { LOGFERRY_URL: log.service.url, LOGFERRY_TOKEN: log.token, LOGFERRY_RATE: "4" };
    const first = ["plan", SPREADSHEET, "--journal", join(home.path, "a.db")];
    const { child, ended } = startCli(home.path, first, { env });
    const accounts = join(home.path, ".local", "share", "logferry", "accounts");
    try {
      while (!existsSync(accounts) || !readdirSync(accounts).some((name) => name.endsWith(".holder"))) await soon(20);
      // Asleep it holds what it has, as a laptop does whose lid was closed.
      child.kill("SIGSTOP");
      const second = (journal: string) => ["plan", SPREADSHEET, "--journal", join(home.path, journal)];
      const ran = await loggedIn(home.path, second("b.db"));
      expect(ran).toMatchObject({ code: 8, out: "" });
      const byName = { ...env, LOGFERRY_URL: log.service.url.replace("127.0.0.1", "localhost") };
      const renamed = await runCli(home.path, second("c.db"), { env: byName });
      expect(renamed, "by another name of this machine").toMatchObject({ code: 8, out: "", err: ran.err });
      expect(ran.err).toMatch(
        new RegExp(
          `^Cannot begin: another run works on the log of .+, with a journal of its own \\(process ${child.pid} on .+\\)\\. Wait for it, or stop it\\.\n$`,
        ),
      );
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
    const alone = await loggedIn(home.path, ["plan", SPREADSHEET, "--journal", join(home.path, "b.db")]);
    expect(alone).toMatchObject({ code: 0, err: "" });
  });

  test("a journal that isn't one, or is another account's, is 2; looking at none makes none", async () => {
    using home = emptyHome();
    const notes = join(home.path, "notes.txt");
    writeFileSync(notes, "these are notes, and no database at all\n".repeat(100));
    expect((await runCli(home.path, ["status", "--journal", notes])).code).toBe(2);
    const missing = join(home.path, "deep", "missing.db");
    const none = await runCli(home.path, ["status", "--journal", missing]);
    expect(none).toMatchObject({ code: 0, err: "" });
    const begin = `logferry plan --journal ${missing} SOURCE`;
    expect(none.out).toBe(`No run yet: there is no journal ${missing}. Begin with: ${begin}\n`);
    const named = await runCli(home.path, ["quarantine", "csv/bad-date", "--journal", missing]);
    expect(named.code).toBe(2);
    expect(named.err).toMatch(/^Cannot show csv\/bad-date: there is no journal .*missing\.db\. Name the journal/);
    expect(existsSync(join(home.path, "deep"))).toBe(false);
    const path = join(home.path, "journal.db");
    const journal = await openJournal(path);
    await journal.bindAccount({ baseUrl: "log.example", userHash: "another", name: "ana" });
    await journal.close();
    const other = await loggedIn(home.path, ["plan", SPREADSHEET, "--journal", path]);
    expect(other.code).toBe(2);
    expect(other.err).toMatch(/^Cannot use this journal: it belongs to ana at log\.example/);
  });

  test("a run that isn't there is 2, with those that are; an export onto a file is 2", async () => {
    using home = emptyHome();
    await loggedIn(home.path, ["plan", SPREADSHEET]);
    for (const words of [["status"], ["verify"], ["apply"]]) {
      const ran = await loggedIn(home.path, [...words, "--run", "7"]);
      expect(ran).toMatchObject({ code: 2, out: "", err: "There is no run 7; the journal holds 1\n" });
    }
    const file = join(home.path, "file");
    writeFileSync(file, "");
    const exported = await loggedIn(home.path, ["export", "--out", file]);
    expect(exported).toMatchObject({ code: 2, err: `Cannot write to ${file}: a file is in the way\n` });
  });

  longTest("output that nobody reads to its end ends nothing early", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, ["import", SPREADSHEET, "--verbose"], {
      env: { LOGFERRY_URL: log.service.url, LOGFERRY_TOKEN: log.token, LOGFERRY_RATE: "0" },
    });
    child.stdout?.destroy();
    const ran = await ended;
    expect(ran.err).not.toMatch(/EPIPE|bug/);
    expect(ran.code).toBe(0);
  });
});

describe("completion", () => {
  test("prints a script for the shell, and lists commands and options", async () => {
    using home = emptyHome();
    const [script, commands, options] = await Promise.all([
      runCli(home.path, ["completion"]),
      runCli(home.path, ["--get-yargs-completions", "logferry", ""]),
      runCli(home.path, ["--get-yargs-completions", "logferry", "import", "--"]),
    ]);
    expect(script).toMatchObject({ code: 0, err: "" });
    expect(script?.out).toMatch(/^###-begin-logferry-completions-###\n/);
    expect(commands?.out.split("\n")).toEqual(
      expect.arrayContaining(["inspect", "plan", "import", "apply", "serve", "whoami"]),
    );
    expect(options?.out.split("\n")).toEqual(expect.arrayContaining(["--dry-run", "--since", "--no-tracks", "--json"]));
  });
});

/** What a process has written once it has written so many lines. */
async function firstLines(child: ReturnType<typeof startCli>["child"], count: number): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.split("\n").length > count) break;
  }
  return text;
}
