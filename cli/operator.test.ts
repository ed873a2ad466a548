import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../service/server.ts";
import { codeOf, exchange, WEB } from "../service/test/authorization.ts";
import { send } from "../service/test/client.ts";
import { STORES } from "../service/test/stores.ts";
import { Visitor } from "../service/test/visitor.ts";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";
import { firstOf } from "../test/support/tiers.ts";

// What whoever hosts a log types, in a process each, while the service runs on the same database: what is added works there,
// and what is taken back stops working, over HTTP.

const PASSWORD = "a password nobody guesses";

describe.each(firstOf(1, ["PostgreSQL", "SQLite in a file"] as const))("on %s", (store) => {
  let database: string;
  let service: Service;
  let home: ReturnType<typeof emptyHome>;

  beforeAll(async () => {
    home = emptyHome();
    database = await STORES[store]();
    service = await startService({ database });
  });
  afterAll(async () => {
    await service.close();
    home[Symbol.dispose]();
  });

  const run = (words: readonly string[], input = "") =>
    runCli(home.path, ["operator", ...words], { env: { LOGFERRY_DATABASE: database }, input });
  /** Runs with --json, holds that it went well, and gives the lines. */
  const done = async (words: readonly string[], input = "") => {
    const ran = await run([...words, "--json"], input);
    expect(ran).toMatchObject({ code: 0, err: "" });
    return jsonLines(ran.out);
  };
  const get = (path: string, token: unknown) =>
    send(service.url, "GET", path, { query: { access_token: String(token) } });

  test("a user signs in with the password that stood on standard input, which is printed nowhere", async () => {
    const ran = await run(
      ["add-user", "--login", "Ana", "--screen-name", "Ana B", "--units", "imperial"],
      `${PASSWORD}\n`,
    );
    expect(ran).toMatchObject({ code: 0, err: "", out: "Ana can sign in.\n" });
    const visitor = new Visitor(service.url);
    expect((await visitor.signIn("ana", PASSWORD)).status).toBe(303);
    const [{ token }] = (await done(["add-token", "--login", "ana"])) as [{ token: string }];
    const user = (await get("/rest/users/me", token)).json.data;
    expect(user).toMatchObject({ screenName: "Ana B", preference: { distanceUnit: "mi", utcOffset: 0 } });
  });

  test("a password that is made is printed once, and works; so does one that replaces it, and the old one no more", async () => {
    const [{ password }] = (await done(["add-user", "--login", "ben", "--generate-password"])) as [
      { password: string },
    ];
    const browser = new Visitor(service.url);
    expect((await browser.signIn("ben", password)).status).toBe(303);
    expect((await browser.get("/")).status).toBe(200);
    expect(await done(["set-password", "--login", "ben"], `${PASSWORD}\n`)).toEqual([
      { type: "added", what: "password", login: "ben" },
    ]);
    expect((await browser.get("/")).headers.location).toMatch(/^\/sign-in/);
    expect((await new Visitor(service.url).signIn("ben", password)).status).not.toBe(303);
    expect((await new Visitor(service.url).signIn("ben", PASSWORD)).status).toBe(303);
  });

  test("an application is granted a token by a user, until the operator takes it back or stops the application", async () => {
    await done(["add-user", "--login", "eva"], PASSWORD);
    const words = [
      "add-application",
      "--name",
      "Splits",
      "--redirect-uri",
      WEB,
      "--application",
      `splits-${service.url.length}`,
    ];
    const [{ clientId, clientSecret }] = (await done(words)) as [{ clientId: string; clientSecret: string }];
    const visitor = new Visitor(service.url);
    await visitor.signIn("eva", PASSWORD);
    const { userId = "" } = (await service.accounts.users()).find(({ login }) => login === "eva") ?? {};
    const from = { application: { clientId, clientSecret }, visitor, userId, login: "eva" };
    const granted = async () => {
      const more = { code: await codeOf(from), redirect_uri: WEB };
      return (await exchange(service.url, from.application, more)).json.access_token;
    };
    const first = await granted();
    expect((await get("/rest/logs/me/workouts", first)).status).toBe(200);
    expect(await done(["list", "--login", "eva"])).toMatchObject([
      { type: "grant", applicationId: clientId, name: "Splits" },
    ]);
    const revoked = await run(["revoke", "--login", "eva", "--application", clientId]);
    expect(revoked).toMatchObject({ code: 0, out: "1 token is revoked, with the next request.\n" });
    expect((await get("/rest/logs/me/workouts", first)).status).toBe(401);

    const second = await granted();
    expect((await run(["suspend-application", "--application", clientId])).code).toBe(0);
    expect((await get("/rest/logs/me/workouts", second)).status).toBe(401);
    expect(await done(["list"])).toContainEqual({
      type: "application",
      clientId,
      name: "Splits",
      redirectURIs: [WEB],
      isSuspended: true,
    });
    expect((await run(["resume-application", "--application", clientId])).code).toBe(0);
    expect((await get("/rest/logs/me/workouts", await granted())).status).toBe(200);
  });

  test("plans, activities and retired equipment are what the interface then shows", async () => {
    await done(["add-user", "--login", "flo"], PASSWORD);
    const [{ token }] = (await done(["add-token", "--login", "flo", "--no-profile"])) as [{ token: string }];
    expect((await get("/rest/users/me", token)).status).toBe(403);
    await done([
      ...["add-plan", "--login", "flo", "--name", "To ten", "--begin", "2026-03-02", "--end", "2026-04-26"],
      ...["--weeks", "8", "--private"],
    ]);
    expect((await get("/rest/logs/me/training_plans", token)).json.data.entries).toEqual([
      {
        id: expect.any(String),
        name: "To ten",
        beginDate: "2026-03-02",
        endDate: "2026-04-26",
        numWeeks: 8,
        attributes: { private: true },
      },
    ]);
    const [{ activityID }] = (await done(["add-activity", "--login", "flo", "--name", "Hike"])) as [
      { activityID: number },
    ];
    const saved = await send(service.url, "POST", "/rest/logs/me/equipment", {
      query: { access_token: token },
      body: { activityID, brandName: "Boots" },
    });
    expect(saved.status).toBe(200);
    const { id } = saved.json.data;
    expect((await get("/rest/logs/me/equipment", token)).json.data.numEntries).toBe(1);
    expect((await run(["retire-equipment", "--login", "flo", "--equipment", id])).code).toBe(0);
    expect((await get("/rest/logs/me/equipment", token)).json.data.numEntries).toBe(0);
    expect((await run(["revoke", "--login", "flo"])).out).toBe("1 token is revoked, with the next request.\n");
    expect((await get("/rest/logs/me/equipment", token)).status).toBe(401);
  });

  test("everybody is listed, for people and as JSON lines", async () => {
    await done(["add-user", "--login", "gus"], PASSWORD);
    const lines = await done(["list"]);
    expect(lines).toContainEqual({ type: "user", userId: expect.any(String), login: "gus", screenName: "gus" });
    const text = await run(["list"]);
    expect(text.out).toMatch(/^ {2}gus +gus$/m);
    expect(text.out).toMatch(/\n\d+ users, \d+ applications\.\n$/);
  });

  test("what can't be is one line, exit code 2, and leaves nothing behind", async () => {
    await done(["add-user", "--login", "hal"], PASSWORD);
    const before = (await service.accounts.users()).length;
    for (const [words, input, said] of [
      [["add-user", "--login", "HAL"], PASSWORD, "Cannot add-user: somebody has the login HAL already"],
      [["add-user", "--login", "ida"], "short", "Cannot add an account: a password has 10 to 1000 characters"],
      [["add-user", "--login", "ida"], "", "Cannot read the password: there was none"],
      [["add-user", "--login", "x".repeat(201)], PASSWORD, "Cannot add an account: a login has 1 to 200 characters"],
      [["set-password", "--login", "nobody"], PASSWORD, 'There is nobody with the login "nobody"'],
      [["revoke", "--login", "nobody"], "", 'There is nobody with the login "nobody"'],
      [["suspend-application", "--application", "none"], "", 'Cannot suspend the application: there is no "none"'],
      [
        ["add-token", "--login", "hal", "--application", "none"],
        "",
        'Cannot add-token: there is no application "none"',
      ],
      [
        ["add-application", "--name", "A", "--redirect-uri", "http://app.example/back"],
        "",
        'Cannot register the application: the address "http://app.example/back" must begin with https://, or with http://localhost',
      ],
      [
        ["add-plan", "--login", "hal", "--name", "P", "--commercial", "--private"],
        "",
        "Cannot add-plan: a plan is commercial or private, not both",
      ],
      [
        ["add-plan", "--login", "hal", "--name", "P", "--begin", "2026-02-02", "--end", "2026-02-01"],
        "",
        "Cannot add-plan: it ends on 2026-02-01, before it begins",
      ],
      [
        ["retire-equipment", "--login", "hal", "--equipment", "e1"],
        "",
        "Cannot retire equipment e1: this user has no such piece",
      ],
    ] as const) {
      const ran = await run(words, input);
      expect({ words, ...ran }).toMatchObject({ words, code: 2, out: "", err: `${said}\n` });
    }
    expect(await service.accounts.users()).toHaveLength(before);
  });
});

describe("the command line", () => {
  test.each([
    [["add-usr"], 'There is no action "add-usr"; did you mean "add-user"?\nTry: logferry operator --help\n'],
    [["add-user"], "Cannot add-user: it needs --login\n"],
    [["add-application"], "Cannot add-application: it needs --name and --redirect-uri\n"],
    [["list", "--name", "x"], "Cannot list: it has no use for --name\n"],
    [
      ["add-plan", "--login", "a", "--name", "P", "--begin", "2026-02-30"],
      /^Cannot use --begin: expected a day such as 2023-07-15, found "2026-02-30"/,
    ],
    [["add-user", "--login", "a", "--password", "secret"], /^Cannot operator: it has no option --password/],
  ] as const)("operator %j is refused before a database is opened", async (words, said) => {
    using home = emptyHome();
    const ran = await runCli(home.path, ["operator", ...words, "--database", join(home.path, "log.db")]);
    expect(ran).toMatchObject({ code: 2, out: "", err: typeof said === "string" ? said : expect.stringMatching(said) });
    expect(existsSync(join(home.path, "log.db"))).toBe(false);
  });

  test("a database that isn't there is made for a first user, and for nothing that looks for one", async () => {
    using home = emptyHome();
    const path = join(home.path, "deep", "log.db");
    const lost = await runCli(home.path, ["operator", "list", "--database", path]);
    expect(lost).toMatchObject({
      code: 2,
      out: "",
      err: `There is no database ${path}. Name another with --database\n`,
    });
    expect(existsSync(path)).toBe(false);
    const made = await runCli(home.path, ["operator", "add-user", "--login", "a", "--database", path], {
      input: PASSWORD,
    });
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(existsSync(path)).toBe(true);
  });

  test("a wrong database is one line without its password", async () => {
    using home = emptyHome();
    const env = { LOGFERRY_DATABASE: "postgres://log:hunter2@127.0.0.1:1/log" };
    const ran = await runCli(home.path, ["operator", "list"], { env });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/^Cannot open postgres:\/\/127\.0\.0\.1:1\/log: [^\n]+\n$/);
    expect(ran.err).not.toContain("hunter2");
  });
});
