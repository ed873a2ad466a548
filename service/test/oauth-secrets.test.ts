/** No password, secret, code, token or session key may appear in the database or in the log. The time of an answer must not reveal one either. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inputs } from "../../test/support/tiers.ts";
import { appOver } from "../app.ts";
import { addDemoUser } from "../demo.ts";
import { newToken } from "../http/ids.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import { type Service, startService } from "../server.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { LogStore } from "../store/log-store.ts";
import { allow, asking, codeOf, exchange, getRaw, OOB, PASSWORD, type Scene, scene } from "./authorization.ts";
import { send } from "./client.ts";
import { formsOf, Visitor } from "./visitor.ts";

// The real function, watched. From outside you can't see that it compares, or which values.
const { compared } = vi.hoisted(() => ({ compared: [] as number[][] }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const timingSafeEqual: typeof crypto.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength]);
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, timingSafeEqual };
});

let folder: string;
let log: Service;
let lines: string[];
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
  lines = [];
  now = Date.UTC(2026, 0, 1);
  log = await startService({
    database: join(folder, "log.db"),
    log: { write: (line) => void lines.push(line) },
    now: () => now,
  });
});
afterEach(async () => {
  await log.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => vi.restoreAllMocks());

/** Does everything that is possible, right and wrong. @returns every secret that took part, by its name */
async function doEverything(ann: Scene): Promise<Record<string, string>> {
  const { application, visitor, login } = ann;
  const secrets: Record<string, string> = { password: PASSWORD, "client secret": application.clientSecret };
  const keepKey = (name: string) => {
    secrets[name] = visitor.cookies.get("session") ?? "";
  };
  keepKey("session key");
  const [form] = formsOf((await visitor.get("/account")).text);
  secrets["form token"] = form?.fields._csrf ?? "";
  secrets.code = await codeOf(ann, { state: "a-canary-of-a-state" });
  const token: string = (await exchange(log.url, application, { code: secrets.code })).json.access_token;
  secrets.token = token;
  const unused = await codeOf(ann, { redirect_uri: OOB });
  secrets["unused code"] = unused;
  await send(log.url, "GET", "/rest/logs/me/workouts", { query: { access_token: token } });
  await allow(ann, {}, { profile: "on" });
  await visitor.fillIn(asking(application.clientId, { state: "canary" }), { decision: "refuse" });

  secrets["wrong password"] = "canary-wrong-password";
  await new Visitor(log.url).signIn(login, secrets["wrong password"]);
  secrets["wrong secret"] = "canary-wrong-secret";
  const wrong = { ...application, clientSecret: secrets["wrong secret"] };
  await exchange(log.url, wrong, { code: secrets["unused code"] });
  secrets["wrong code"] = "canary-wrong-code";
  await exchange(log.url, application, { code: secrets["wrong code"] });
  const misplaced = { client_secret: application.clientSecret, code: unused, password: PASSWORD };
  await send(log.url, "GET", "/oauth2/token", { query: misplaced });
  await send(log.url, "POST", "/oauth2/token", { query: misplaced });
  await send(log.url, "POST", "/sign-in", { query: misplaced, body: misplaced });
  await send(log.url, "GET", "/nowhere", { query: misplaced });
  await getRaw(log.url, `/sign-in/%zz?code=${secrets["unused code"]}&password=${PASSWORD}`);
  await visitor.get(`/account?password=${PASSWORD}`);

  secrets["new password"] = "canary-password-of-tomorrow";
  const fields = { password: PASSWORD, "new-password": secrets["new password"], again: secrets["new password"] };
  await visitor.fillIn("/account", fields, 1);
  keepKey("new session key");
  expect((await visitor.get("/account")).status).toBe(200);
  return secrets;
}

test("O21 neither the database nor its journal holds a password, secret, code, token or key in clear", async () => {
  const secrets = await doEverything(await scene(log));
  const files = await readdir(folder);
  expect(files).toContain("log.db-wal");
  for (const file of files) {
    const bytes = await readFile(join(folder, file), "latin1");
    const found = Object.entries(secrets).filter(([, secret]) => bytes.includes(secret));
    expect(found.map(([name]) => `${name} in ${file}`)).toEqual([]);
  }
  // A stored password is argon2id, and its own text says so.
  const account = await log.accounts.account("nobody");
  expect(account).toBeUndefined();
  const all = (await Promise.all(files.map((file) => readFile(join(folder, file), "latin1")))).join("");
  expect(all).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
});

const TOKENS = inputs({ first: 30_000, long: 100_000 });

test(`O22 of ${TOKENS} tokens none repeats, each has 32 letters and digits, and every letter is as likely as another`, () => {
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const counts = new Uint32Array(128);
  const seen = new Set<string>();
  let odd = 0;
  for (let made = 0; made < TOKENS; made++) {
    const token = newToken();
    if (token.length !== 32) odd++;
    for (let at = 0; at < token.length; at++) {
      (counts[token.charCodeAt(at)] as number)++;
    }
    seen.add(token);
  }
  expect(odd).toBe(0);
  expect(seen.size).toBe(TOKENS);
  const used = [...counts.keys()].filter((letter) => counts[letter] !== 0);
  expect(used).toEqual([...LETTERS].map((letter) => letter.charCodeAt(0)).toSorted((a, b) => a - b));
  const expected = (32 * TOKENS) / 62;
  const chiSquared = used.reduce((sum, letter) => sum + ((counts[letter] as number) - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: chance exceeds 200 less than once in 10^15 runs. A byte modulo 62 gives more than 600 with 30,000 tokens.
  expect(chiSquared).toBeLessThan(200);
});

describe("O28 the service's log holds no password, secret, code or key", () => {
  test("after everything that can be done, right and wrong", async () => {
    const secrets = await doEverything(await scene(log));
    const text = lines.join("");
    expect(text).toContain('"path":"/oauth2/token"');
    expect(text).toContain('"path":"/oauth2/authorize"');
    expect(text).toContain('"path":"/account/password"');
    const found = Object.entries({ ...secrets, state: "canary-of-a-state" }).filter(([, secret]) =>
      text.includes(secret),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test.each([
    [
      "a bug",
      new TypeError("no: client_secret=canary&code=canary2 password=canary3 new-password=canary4&_csrf=canary5"),
    ],
    ["a database out of reach", new StoreUnavailable("Cannot use it: code%3Dcanary&code_verifier=canary2")],
  ])("when %s repeats the form", async (_what, error) => {
    const written: string[] = [];
    const accounts: Partial<AccountStore> = {
      application: () => Promise.reject(error),
      account: () => Promise.reject(error),
    };
    const sink = { write: (line: string) => void written.push(line) };
    const app = appOver({ store: {} as LogStore, accounts: accounts as AccountStore }, { log: sink });
    const form = { client_id: "a", client_secret: "b", code: "c", redirect_uri: "d", grant_type: "authorization_code" };
    const answers = [
      await app.inject(asking("a")),
      await app.inject({
        method: "POST",
        url: "/oauth2/token",
        payload: new URLSearchParams(form).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    ];
    await app.close();
    const text = written.join("");
    expect(text).toContain(error.name);
    expect(text).toContain("[redacted]");
    expect(text + answers.map(({ payload }) => payload).join("")).not.toContain("canary");
  });
});

describe("O20 how long an answer takes doesn't tell what was wrong", () => {
  // Medians of clocks tell more about a busy machine than about the service. So the test checks the work itself: the comparison, its
  // number of bytes, and roughly the processor time.

  test("secrets: for an unknown application the same hashes are compared, in constant time, as for a wrong secret", async () => {
    const { application } = await scene(log);
    const { clientId, clientSecret } = application;
    for (const wrong of [
      { clientId, clientSecret: `x${clientSecret.slice(1)}` },
      { clientId, clientSecret: `${clientSecret.slice(0, -1)}x` },
      { clientId, clientSecret: "x" },
      { clientId: "nobody", clientSecret },
      { clientId, clientSecret },
    ]) {
      compared.length = 0;
      await exchange(log.url, wrong, { code: "x" });
      // SHA-256 in hex, on both sides.
      expect(compared).toEqual([[64, 64]]);
    }
  });

  test("form tokens are compared in constant time", async () => {
    const { visitor } = await scene(log);
    const [form] = formsOf((await visitor.get("/account")).text);
    const token = form?.fields._csrf ?? "";
    compared.length = 0;
    await visitor.post("/sign-out", { _csrf: `x${token.slice(1)}` });
    expect(compared).toEqual([[43, 43]]);
  });

  test("passwords: for a login nobody has, the processor works as hard as for a wrong password", async () => {
    await addDemoUser(log, { screenName: "ann", password: PASSWORD });
    const visitor = new Visitor(log.url);
    const costOf = async (login: string) => {
      const [form] = formsOf((await visitor.get("/sign-in")).text);
      const before = process.cpuUsage();
      for (let number = 0; number < 10; number++) {
        now += 3_600_000;
        await visitor.post("/sign-in", { ...form?.fields, login, password: "wrong password" });
      }
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await costOf("ann");
    const [known, unknown] = [await costOf("ann"), await costOf("nobody")];
    // Without its hash, an answer takes about a twentieth of the time.
    expect(unknown / known).toBeGreaterThan(1 / 3);
    expect(unknown / known).toBeLessThan(3);
  });
});
