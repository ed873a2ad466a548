/** The service's own log says what happened, and no token is in it, whatever was sent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { appOver } from "../app.ts";
import { type Service, startService } from "../server.ts";
import type { AccountStore } from "../store/accounts.ts";
import { StoreUnavailable } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { type Person, person, send } from "./client.ts";

let log: Service;
let ann: Person;
const written: string[] = [];

beforeAll(async () => {
  log = await startService({ database: ":memory:", log: { write: (line) => void written.push(line) } });
  ann = await person(log);
});
afterAll(() => log.close());

test("after requests of every kind the log names paths and statuses, and holds no token", async () => {
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
])("a store that is %s is answered with a 5xx and logged, without a token", async (_what, error, status, code) => {
  const lines: string[] = [];
  const caller = { userId: "u", application: "", readsProfile: true };
  const store: Partial<Store> = {
    token: async (hash) => ({ hash, ...caller }),
    workouts: () => Promise.reject(error),
  };
  const app = appOver(
    { store: store as Store, accounts: {} as AccountStore },
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
