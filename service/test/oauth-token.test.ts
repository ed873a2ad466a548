/** The token endpoint: a code is good once, for ten minutes, for the application it was given to. Wrong guesses have to wait. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { appOver } from "../app.ts";
import { hashOf } from "../http/ids.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import type { Service } from "../server.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { LogStore } from "../store/log-store.ts";
import type { MistakeStore } from "../store/mistakes.ts";
import { askedAgain, codeOf, exchange, OOB, postForm, type Scene, scene, tokenOf, WEB } from "./authorization.ts";
import { type Answer, send, service } from "./client.ts";

const MINUTE = 60_000;

let now: number;
let log: Service;
let first: Scene;
/** The same user in all tests. Each test has an application of its own, so that mistakes in one test don't count in another. */
let ann: Scene;

beforeAll(async () => {
  now = Date.UTC(2026, 0, 1);
  log = await service({ now: () => now });
  first = await scene(log);
});
beforeEach(async () => {
  ann = await askedAgain(log, first);
});
afterAll(() => log.close());

const ask = (token: string) => send(log.url, "GET", "/rest/logs/me/workouts", { query: { access_token: token } });

/** An error in the document's form, and nothing else. */
function expectError(answer: Answer, error: string, status = 400): void {
  expect([answer.status, answer.json]).toEqual([
    status,
    { error, error_description: expect.stringMatching(/^[ -~]+$/) },
  ]);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers.pragma).toBe("no-cache");
}

test("a code becomes a token of at most 32 characters that opens the log", async () => {
  const answer = await exchange(log.url, ann.application, { code: await codeOf(ann) });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ access_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/), token_type: "bearer" });
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers.pragma).toBe("no-cache");
  expect((await ask(answer.json.access_token)).status).toBe(200);
});

test("the token is the application's: it sees the commercial plans that this application made, and no others", async () => {
  const plan = (name: string, application: string) =>
    log.operator.addTrainingPlan(ann.userId, { name, application, attributes: { commercial: true } });
  await plan("mine", ann.application.clientId);
  await plan("theirs", "another application");
  const token = await tokenOf(log, ann);
  const answer = await send(log.url, "GET", "/rest/logs/me/training_plans", { query: { access_token: token } });
  expect(answer.json.data.entries.map((entry: { name: string }) => entry.name)).toEqual(["mine"]);
});

describe("O13 a code used twice", () => {
  test("is an error the second time, and the token of the first time is revoked", async () => {
    const code = await codeOf(ann);
    const first = await exchange(log.url, ann.application, { code });
    const token = first.json.access_token;
    expect((await ask(token)).status).toBe(200);
    expectError(await exchange(log.url, ann.application, { code }), "invalid_request");
    expect((await ask(token)).status).toBe(401);
  });

  test("even when it comes long after it was over", async () => {
    const code = await codeOf(ann);
    const token = (await exchange(log.url, ann.application, { code })).json.access_token;
    now += 400 * 24 * 60 * MINUTE;
    await ann.visitor.signIn(ann.login, "canary-password-7313");
    expectError(await exchange(log.url, ann.application, { code }), "invalid_request");
    expect((await ask(token)).status).toBe(401);
  });

  test("does nothing to the token when another application comes with the used code, at once or after the code was over", async () => {
    const bob = await askedAgain(log, first);
    const code = await codeOf(ann);
    const token = (await exchange(log.url, ann.application, { code })).json.access_token;
    expectError(await exchange(log.url, bob.application, { code }), "invalid_request");
    expect((await ask(token)).status).toBe(200);
    now += 400 * 24 * 60 * MINUTE;
    await ann.visitor.signIn(ann.login, "canary-password-7313");
    expectError(await exchange(log.url, bob.application, { code }), "invalid_request");
    expect((await ask(token)).status).toBe(200);
  });

  test("a token got with another code of the same user and application stays", async () => {
    const [code, other] = [await codeOf(ann), await codeOf(ann)];
    await exchange(log.url, ann.application, { code });
    const token = (await exchange(log.url, ann.application, { code: other })).json.access_token;
    await exchange(log.url, ann.application, { code });
    expect((await ask(token)).status).toBe(200);
  });
});

test("O14 of 100 exchanges of one code side by side exactly one succeeds, and what it got is revoked by the others", async () => {
  const code = await codeOf(ann);
  const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(log.url, ann.application, { code })));
  const granted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 400);
  expect([granted.length, refused.length]).toEqual([1, 99]);
  for (const answer of refused) expectError(answer, "invalid_request");
  for (const { json } of granted) expect((await ask(json.access_token)).status).toBe(401);
  const grants = await log.accounts.grants(ann.userId);
  expect(grants.map(({ applicationId }) => applicationId)).not.toContain(ann.application.clientId);
});

describe("O15 a code is dead after ten minutes", () => {
  test.each([
    ["9:59", 10 * MINUTE - 1000, 200],
    ["9:59.999", 10 * MINUTE - 1, 200],
    ["10:00", 10 * MINUTE, 400],
    ["10:01", 10 * MINUTE + 1000, 400],
  ])("after %s", async (_time, ms, status) => {
    const code = await codeOf(ann);
    now += ms;
    expect((await exchange(log.url, ann.application, { code })).status).toBe(status);
  });
});

test("O16 a code is worth nothing to another application, and after that to nobody", async () => {
  const bob = await askedAgain(log, first);
  const code = await codeOf(ann);
  expectError(await exchange(log.url, bob.application, { code }), "invalid_request");
  expectError(await exchange(log.url, ann.application, { code }), "invalid_request");
});

describe("O17 a redirect_uri that isn't the one of the authorization step is an error", () => {
  test.each([
    ["another registered one", OOB],
    ["one character more", `${WEB}/`],
    ["one character less", WEB.slice(0, -1)],
    ["another port", WEB.replace(".com/", ".com:443/")],
    ["equal once it is decoded", WEB.replace("back", "b%61ck")],
    ["equal but for letter case", WEB.replace("app", "App")],
    ["none", ""],
  ])("%s", async (_what, redirect_uri) => {
    const code = await codeOf(ann);
    expectError(await exchange(log.url, ann.application, { code, redirect_uri }), "invalid_request");
  });
});

describe("O18 forms alone are read, and each thing once", () => {
  const pairs = async () => ({
    client_id: ann.application.clientId,
    client_secret: ann.application.clientSecret,
    code: await codeOf(ann),
    redirect_uri: WEB,
    grant_type: "authorization_code",
  });
  const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test.each([
    ["JSON", "application/json"],
    ["multipart", "multipart/form-data; boundary=x"],
    ["a form in UTF-16", "application/x-www-form-urlencoded; charset=utf-16"],
    ["a form with a malformed parameter", "application/x-www-form-urlencoded;x"],
    ["plain text", "text/plain"],
  ])("%s is 415", async (_what, type) => {
    const fields = await pairs();
    const body = type === "application/json" ? JSON.stringify(fields) : formOf(fields);
    expectError(await postForm(log.url, body, { "content-type": type }), "invalid_request", 415);
    expect((await exchange(log.url, ann.application, { code: fields.code })).status).toBe(200);
  });

  test("a form that says it is UTF-8 is taken, and one that is compressed is 415", async () => {
    const body = formOf(await pairs());
    const type = "application/x-www-form-urlencoded; charset=UTF-8";
    const packed = await send(log.url, "POST", "/oauth2/token", {
      body: gzipSync(body),
      headers: { "content-type": type, "content-encoding": "gzip" },
    });
    expectError(packed, "invalid_request", 415);
    expect((await postForm(log.url, body, { "content-type": type })).status).toBe(200);
  });

  test("nothing at all is 415", async () => {
    expectError(await send(log.url, "POST", "/oauth2/token"), "invalid_request", 415);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s is 405", async (method) => {
    const answer = await send(log.url, method, "/oauth2/token", { query: await pairs() });
    expectError(answer, "invalid_request", 405);
    expect(answer.headers.allow).toBe("POST");
  });

  test("parameters in the address are an error, also where the form has them too", async () => {
    const fields = await pairs();
    const { client_secret, ...rest } = fields;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const body of [formOf(rest), formOf(fields)]) {
      const answer = await send(log.url, "POST", "/oauth2/token", { query: { client_secret }, body, headers });
      expectError(answer, "invalid_request");
    }
    expect((await postForm(log.url, formOf(fields))).status).toBe(200);
  });

  test("a repeated parameter is an error, also when both are the same", async () => {
    const fields = await pairs();
    for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
      const body = `${formOf(fields)}&${formOf({ [name]: fields[name] })}`;
      expectError(await postForm(log.url, body), "invalid_request");
    }
    expect((await postForm(log.url, formOf(fields))).status).toBe(200);
  });

  test("each parameter is required, and named when it is missing or empty", async () => {
    const fields = await pairs();
    for (const name of Object.keys(fields)) {
      const left = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
      for (const body of [formOf(left), formOf({ ...left, [name]: "" })]) {
        const answer = await postForm(log.url, body);
        expectError(answer, "invalid_request");
        expect(answer.json.error_description).toContain(`${name}: is required`);
      }
    }
  });

  test.each(["client_credentials", "password", "refresh_token", "Authorization_code", "authorization_code "])(
    "grant_type=%s is an error",
    async (grant_type) => {
      expectError(await exchange(log.url, ann.application, { code: await codeOf(ann), grant_type }), "invalid_request");
    },
  );

  test("an Authorization header beside the form, or in its place, is an error", async () => {
    const fields = await pairs();
    const authorization = `Basic ${btoa(`${fields.client_id}:${fields.client_secret}`)}`;
    expectError(await postForm(log.url, formOf(fields), { authorization }), "invalid_request");
  });

  test("a body of 2 MB is 413", async () => {
    const body = formOf({ ...(await pairs()), more: "x".repeat(2_000_000) });
    expectError(await postForm(log.url, body), "invalid_request", 413);
  });
});

describe("O19 a wrong secret is unauthorized_client and a wrong code invalid_request: the document has no others", () => {
  test.each([
    ["its last character", (secret: string) => secret.slice(0, -1) + (secret.endsWith("x") ? "y" : "x")],
    ["its letter case", (secret: string) => secret.toLowerCase()],
    ["its length", (secret: string) => `${secret}x`],
    ["all of it", () => "x".repeat(32)],
    ["being a hash", (secret: string) => hashOf(secret)],
  ])("a secret wrong in %s", async (_what, change) => {
    const { clientId, clientSecret } = ann.application;
    const code = await codeOf(ann);
    const wrong = { clientId, clientSecret: change(clientSecret) };
    expectError(await exchange(log.url, wrong, { code }), "unauthorized_client");
    // A caller without the secret can't use the code up either.
    expect((await exchange(log.url, ann.application, { code })).status).toBe(200);
  });

  test("an application nobody registered", async () => {
    const nobody = { clientId: "nobody", clientSecret: ann.application.clientSecret };
    expectError(await exchange(log.url, nobody, { code: await codeOf(ann) }), "unauthorized_client");
  });

  test.each([
    ["of one letter", "x"],
    ["of 32 letters", "x".repeat(32)],
    ["of 10,000 letters", "x".repeat(10_000)],
    ["that is NUL", "\0"],
    ["that is SQL", "' OR 1=1 --"],
    ["that is half a character", "\ud800"],
  ])("a code %s", async (_what, code) => {
    expectError(await exchange(log.url, ann.application, { code }), "invalid_request");
  });

  test("a hash of the code is no code", async () => {
    expectError(await exchange(log.url, ann.application, { code: hashOf(await codeOf(ann)) }), "invalid_request");
  });
});

describe("O26 whoever guesses secrets or codes waits longer each time, and is never shut out for good", () => {
  test.each(["secrets", "codes"])(
    "of 20 wrong %s all but the first few are 429, and so is the right one",
    async (what) => {
      const { clientId } = ann.application;
      const code = await codeOf(ann);
      const guess = (number: number) =>
        what === "codes"
          ? exchange(log.url, ann.application, { code: `wrong-${number}` })
          : exchange(log.url, { clientId, clientSecret: `wrong-${number}` }, { code });
      const statuses: number[] = [];
      for (let number = 0; number < 20; number++) statuses.push((await guess(number)).status);
      expect(statuses).toEqual([...Array(5).fill(400), ...Array(15).fill(429)]);
      const right = await exchange(log.url, ann.application, { code });
      expectError(right, "temporarily_unavailable", 429);
      expect(right.headers["retry-after"]).toBe("1");

      now += 1000;
      expect((await guess(21)).status).toBe(400);
      expect((await guess(22)).headers["retry-after"]).toBe("2");
      now += 2000;
      expect((await exchange(log.url, ann.application, { code })).status).toBe(200);
      // The exchange succeeded, so all mistakes are forgotten.
      expect((await guess(23)).status).toBe(400);
      expect((await guess(24)).status).toBe(400);
    },
  );

  test("another application's guesses are its own", async () => {
    const bob = await askedAgain(log, first);
    const wrong = { clientId: bob.application.clientId, clientSecret: "wrong" };
    for (let number = 0; number < 20; number++) await exchange(log.url, wrong, { code: "x" });
    expect((await exchange(log.url, ann.application, { code: await codeOf(ann) })).status).toBe(200);
  });
});

describe("O33 a code challenge, if one was sent, must be met", () => {
  // RFC 7636, appendix B.
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const sent = { code_challenge: challenge, code_challenge_method: "S256" };

  test("by its verifier", async () => {
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(challenge);
    const code = await codeOf(ann, sent);
    expect((await exchange(log.url, ann.application, { code, code_verifier: verifier })).status).toBe(200);
  });

  test.each([
    ["nothing", ""],
    ["another verifier", `${verifier}x`],
    ["the challenge itself", challenge],
  ])("not by %s", async (_what, code_verifier) => {
    const code = await codeOf(ann, sent);
    expectError(await exchange(log.url, ann.application, { code, code_verifier }), "invalid_request");
    expectError(await exchange(log.url, ann.application, { code, code_verifier: verifier }), "invalid_request");
  });

  test("a verifier where no challenge was sent is a downgrade, and an error", async () => {
    const code = await codeOf(ann);
    expectError(await exchange(log.url, ann.application, { code, code_verifier: verifier }), "invalid_request");
  });
});

test("O34 a code of one service is worth nothing at another, and stays good at its own", async () => {
  const other = await service();
  try {
    const there = await scene(other);
    const code = await codeOf(ann);
    expectError(await exchange(other.url, there.application, { code }), "invalid_request");
    expectError(await exchange(other.url, ann.application, { code }), "unauthorized_client");
    expect((await exchange(log.url, ann.application, { code })).status).toBe(200);
  } finally {
    await other.close();
  }
});

test.each([
  ["temporarily_unavailable", 503, new StoreUnavailable("Cannot use the database: full")],
  ["server_error", 500, new TypeError("a bug with code=canary")],
])("a service that fails says %s", async (error, status, thrown) => {
  const mistakes = { of: async () => undefined } as Partial<MistakeStore> as MistakeStore;
  const accounts: Partial<AccountStore> = { mistakes, application: () => Promise.reject(thrown) };
  const app = appOver({ store: {} as LogStore, accounts: accounts as AccountStore });
  const form = { client_id: "a", client_secret: "b", code: "c", redirect_uri: "d", grant_type: "authorization_code" };
  const answer = await app.inject({
    method: "POST",
    url: "/oauth2/token",
    payload: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await app.close();
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toEqual({ error, error_description: expect.any(String) });
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.payload).not.toContain(thrown.message);
});
