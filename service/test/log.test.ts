/** The service's own log says what happened. It holds no token, for any request. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { appOver } from "../app.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import { operatorOf } from "../operator.ts";
import { type Service, startService } from "../server.ts";
import { AccountStore } from "../store/account-store.ts";
import { LogStore } from "../store/log-store.ts";
import { openDatabase } from "../store/open.ts";
import { codeOf, exchange, PASSWORD, scene } from "./authorization.ts";
import { type Person, person, send } from "./client.ts";
import { Visitor } from "./visitor.ts";

let log: Service;
let ann: Person;
const written: string[] = [];

beforeAll(async () => {
  log = await startService({ database: ":memory:", log: { write: (line) => void written.push(line) } });
  ann = await person(log);
});
afterAll(() => log.close());

test("O28 after requests of every kind the log names paths and statuses, and holds no token", async () => {
  const path = "/rest/logs/me/workouts";
  const canary = "canary0123456789canary0123456789";
  const answers = [
    await ann.send("GET", path),
    await ann.send("POST", path, { body: { activityID: 10, date: "2024-01-01" } }),
    await ann.send("POST", path, { body: { token: ann.token } }),
    await ann.send("GET", `${path}/nothing`),
    await ann.send("GET", "/rest/%zz"),
    await ann.send("GET", "/nowhere"),
    await ann.send("GET", `${path}?access_token=${ann.token}`),
    await ann.send("DELETE", path),
    await send(log.url, "GET", path, { query: { access_token: canary } }),
    await send(log.url, "GET", path, { headers: { authorization: `Bearer ${canary}` } }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 400, 404, 400, 404, 400, 405, 401, 401]);
  const lines = written.join("");
  expect(lines).toContain(`"path":"${path}"`);
  expect(lines).toContain('"statusCode":401');
  for (const secret of [ann.token, canary]) {
    expect(lines).not.toContain(secret);
    for (const answer of answers) expect(answer.text).not.toContain(secret);
  }
});

test.each([
  ["unavailable", new StoreUnavailable("Cannot use the database: disk full"), 503, 13],
  ["broken by a bug", new TypeError("no: /rest/x?access_token=canary&limit=1"), 500, 12],
])("O28 a store that is %s is answered with a 5xx and logged, without a token", async (_what, error, status, code) => {
  const lines: string[] = [];
  const caller = { userId: "u", application: "", readsProfile: true };
  const store: Partial<LogStore> = {
    token: async (hash) => ({ hash, ...caller }),
    workouts: () => Promise.reject(error),
  };
  const app = appOver(
    { store: store as LogStore, accounts: {} as AccountStore },
    { log: { write: (line) => void lines.push(line) } },
  );
  const answer = await app.inject("/rest/logs/me/workouts?access_token=canary");
  await app.close();
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toEqual({ code, message: expect.any(String) });
  const log = lines.join("");
  expect(log).toContain('"level":50');
  expect(log).toContain(error.name);
  expect(log + answer.body).not.toContain("canary");
});

test("O28 after a whole sign-in, consent, exchange and use, told at the level of a trace, no secret is in any line", async () => {
  const lines: string[] = [];
  const database = await openDatabase(":memory:");
  const stores = { store: new LogStore(database), accounts: new AccountStore(database) };
  const app = appOver(stores, { log: { write: (line) => void lines.push(line) } });
  app.log.level = "trace";
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const ann = await scene({ url, operator: operatorOf(stores) });
    const { clientId, clientSecret } = ann.application;
    const wrongPassword = "canary-wrong-password-1";
    await new Visitor(url).signIn(ann.login, wrongPassword);
    const code = await codeOf(ann, { state: "canary-state-5" });
    const answers = [
      await exchange(url, { clientId, clientSecret: "canary-wrong-secret-2" }, { code }),
      await exchange(url, ann.application, { code: "canary-wrong-code-3" }),
      await exchange(url, ann.application, { code }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 200]);
    const token: string = answers[2]?.json.access_token;
    const body = "client_id=x&client_secret=canary-in-an-address-4&code=y";
    await send(url, "POST", `/oauth2/token?${body}`, {
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    await send(url, "GET", "/rest/users/me", { query: { access_token: token } });
    await send(url, "GET", "/rest/users/me", {
      query: { access_token: token, limit: "1" },
      headers: { authorization: `Bearer ${token}` },
    });
    await send(url, "GET", `/nowhere?access_token=${token}`);
    await send(url, "GET", `/%zz?access_token=${token}`);
    await send(url, "POST", "/rest/logs/me/workouts", {
      query: { access_token: token },
      body: { notes: token, x: code },
    });
    await exchange(url, ann.application, { code });
    const secrets = [
      PASSWORD,
      wrongPassword,
      clientSecret,
      "canary-wrong-secret-2",
      code,
      "canary-wrong-code-3",
      token,
      "canary-in-an-address-4",
      "canary-state-5",
    ];
    const all =
      lines.join("") +
      answers
        .slice(0, 2)
        .map(({ text }) => text)
        .join("");
    expect(lines.length).toBeGreaterThan(20);
    for (const secret of [...secrets, ...ann.visitor.cookies.values()]) expect(all).not.toContain(secret);
  } finally {
    await app.close();
    await database.close();
  }
});

test("O28 a foreign error that repeats a request is written without what is secret in it", async () => {
  const lines: string[] = [];
  const words = [
    "access_token=canary-1",
    "client_secret=canary-2",
    "code=canary-3",
    "password=canary-4",
    "access_token%3Dcanary-5",
  ];
  const store: Partial<LogStore> = {
    token: () => Promise.reject(new Error(`failed at /x?a=b&${words.join("&")} and "${words[0]}"`)),
  };
  const app = appOver(
    { store: store as LogStore, accounts: {} as AccountStore },
    { log: { write: (line) => void lines.push(line) } },
  );
  const answer = await app.inject("/rest/logs/me/workouts?access_token=canary-6");
  await app.close();
  expect(answer.statusCode).toBe(500);
  expect(lines.join("")).toContain("access_token=[redacted]");
  expect(lines.join("") + answer.body).not.toContain("canary");
});
