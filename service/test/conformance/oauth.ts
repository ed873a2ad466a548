/** Sign-in, consent, codes and tokens: the document's section on authentication, row by row. */
import { expect } from "vitest";
import {
  allow,
  asking,
  codeOf,
  exchange,
  LOCALHOST,
  OOB,
  PASSWORD,
  postForm,
  type Scene,
  scene,
  sentBack,
  tokenOf,
  WEB,
} from "../authorization.ts";
import { type Answer, send } from "../client.ts";
import { formsOf, Visitor } from "../visitor.ts";
import { clock, expectDescribed, log, noRule, PREFERENCE, RUN, rule, WORKOUTS, withToken } from "./harness.ts";

/** "`error` is one of". */
const ERRORS = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
];

const MINUTE = 60_000;

/** Checks that the answer has no redirect. */
function expectNoRedirect({ status, headers }: Answer): void {
  expect([status, headers.location]).toEqual([400, undefined]);
}

/** An error of the token endpoint has two members, and the error is one of the document's. */
function expectTokenError(answer: Answer): void {
  const { status, json } = answer;
  if (status !== 405) expectDescribed("POST", "/oauth2/token", answer);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(json).toEqual({ error: expect.toBeOneOf(ERRORS), error_description: expect.stringMatching(/\w/) });
}

export function oauthRules(): void {
  rule(
    ["Endpoints / Exchange authorization token", "Token endpoint / (2)", "Flow / 3"],
    "the code, posted as a form, gives `access_token` and `token_type` bearer, and nothing else",
    async () => {
      const ann = await scene(log);
      const answer = await exchange(log.url, ann.application, { code: await codeOf(ann) });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^application\/json/);
      expectDescribed("POST", "/oauth2/token", answer);
      expect(answer.json).toEqual({ access_token: expect.stringMatching(/./), token_type: "bearer" });
    },
  );
  rule(
    "Authentication / (1) . 1",
    "sign-in, consent, code and exchange lead to a token that reads and writes the log",
    async () => {
      const ann = await scene(log);
      const mine = withToken(ann.userId, await tokenOf(log, ann));
      const id = await mine.save(WORKOUTS, RUN);
      expect((await mine.send("GET", `${WORKOUTS}/${id}`)).status).toBe(200);
    },
  );
  rule("Authentication / (1) . 2", "a web server and an installed application both get their token", async () => {
    const ann = await scene(log);
    for (const redirect_uri of [WEB, OOB, LOCALHOST]) {
      const code = await codeOf(ann, { redirect_uri });
      expect((await exchange(log.url, ann.application, { code, redirect_uri })).status).toBe(200);
    }
  });
  rule("Flow / 1 . 1", "a registered application has a key and a secret of its own, and both are wanted", async () => {
    const [one, other] = [(await scene(log)).application, (await scene(log)).application];
    expect(one.clientId).not.toBe(other.clientId);
    expect(one.clientSecret).not.toBe(other.clientSecret);
    const ann = await scene(log);
    const mixed = { clientId: ann.application.clientId, clientSecret: one.clientSecret };
    expectTokenError(await exchange(log.url, mixed, { code: await codeOf(ann) }));
  });
  noRule(
    "Flow / 1 . 2",
    "the document says that it is silent here; what the service does instead is in `service/gaps.ts`",
  );
  rule("Flow / 2 . 1", "the browser comes to a sign-in, then to a page that asks the user", async () => {
    const ann = await scene(log);
    const visitor = new Visitor(log.url);
    const sent = await visitor.get(asking(ann.application.clientId));
    expect([302, 303]).toContain(sent.status);
    expect(String(sent.headers.location).split("?")[0]).toBe("/sign-in");
    const signedIn = await visitor.fillIn(String(sent.headers.location), { login: ann.login, password: PASSWORD });
    const asked = await visitor.get(String(signedIn.headers.location));
    expect(asked.status).toBe(200);
    expect(asked.text).toContain("Split Times");
  });
  rule("Flow / 2 . 2", "a user who grants access gives a code; one who doesn't gives none", async () => {
    const ann = await scene(log);
    expect(sentBack(await allow(ann)).get("code")).toMatch(/./);
    const refused = await ann.visitor.fillIn(asking(ann.application.clientId), { decision: "refuse" });
    expect(sentBack(refused).get("code")).toBeNull();
  });
  rule("Flow / 4", "the token goes in the query of each data request, and nowhere else", async () => {
    const ann = await scene(log);
    const token = await tokenOf(log, ann);
    expect((await send(log.url, "GET", PREFERENCE, { query: { access_token: token } })).status).toBe(200);
    expect((await send(log.url, "GET", PREFERENCE, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    expect((await send(log.url, "GET", PREFERENCE)).status).toBe(401);
  });
  requestRules();
  answerRules();
  tokenRules();
  lifetimeRules();
  noRule(
    ["Gaps in authentication / (1)", "Gaps in authentication / (2)"],
    "the document says that it is silent here; what the service does instead is in `service/gaps.ts`",
  );
}

let known: Scene | undefined;

/** A user for rules that don't affect the next rule: signing in costs a tenth of a second each time. */
async function regular(): Promise<Scene> {
  known ??= await scene(log);
  return known;
}

/** Rules of an application's request. */
function requestRules(): void {
  rule("Authorization endpoint / (1)", "GET `/oauth2/authorize` is where the browser is sent", async () => {
    const ann = await regular();
    expect((await ann.visitor.get(asking(ann.application.clientId))).status).toBe(200);
  });
  rule("Authorization endpoint / response_type", "must be there, and be `code`", async () => {
    const ann = await regular();
    const errorOf = async (response_type: string) =>
      sentBack(await ann.visitor.get(asking(ann.application.clientId, { response_type }))).get("error");
    expect(await errorOf("")).toBe("invalid_request");
    for (const wrong of ["token", "Code", "code token"]) expect(await errorOf(wrong)).toBe("unsupported_response_type");
  });
  rule(
    "Authorization endpoint / client_id",
    "an application's key; without one that is registered nobody is asked",
    async () => {
      const ann = await regular();
      for (const client_id of ["", "nobody", ann.application.clientId.toUpperCase(), `${ann.application.clientId} `]) {
        expectNoRedirect(await ann.visitor.get(asking(client_id, client_id === "" ? { client_id: "" } : {})));
      }
    },
  );
  rule("Authorization endpoint / redirect_uri . 1", "is URL-encoded in the query", async () => {
    const ann = await scene(log, ["https://app.example.com/back?a=b%20c&d=e"]);
    const redirect_uri = "https://app.example.com/back?a=b%20c&d=e";
    const path = asking(ann.application.clientId, { redirect_uri });
    expect(path).toContain("https%3A%2F%2Fapp.example.com%2Fback%3Fa%3Db%2520c%26d%3De");
    expect((await ann.visitor.fillIn(path, { decision: "allow" })).headers.location).toMatch(`${redirect_uri}&code=`);
  });
  rule(
    "Authorization endpoint / redirect_uri . 2",
    "must be a registered value to the letter; any other is never redirected to",
    async () => {
      const ann = await regular();
      for (const redirect_uri of [
        `${WEB}/`,
        WEB.slice(0, -1),
        WEB.toUpperCase(),
        `${WEB}?a=b`,
        `${WEB}#a`,
        "http://app.example.com/back",
        "https://app.example.com:443/back",
        "https://app.example.com@evil.example/back",
        "http://localhost:4712/back",
        "http://127.0.0.1:4711/back",
        "https://evil.example/",
        `${OOB}:auto`,
        "",
      ]) {
        expectNoRedirect(await ann.visitor.get(asking(ann.application.clientId, { redirect_uri })));
      }
    },
  );
  rule("Authorization endpoint / redirect_uri . 3", "a web server has an address of its own", async () => {
    const ann = await scene(log, [WEB]);
    expect((await allow(ann)).headers.location).toMatch(`${WEB}?code=`);
  });
  rule(
    "Authorization endpoint / redirect_uri . 4",
    "an installed application has oob, or http://localhost with a port",
    async () => {
      const open = await scene(log, [OOB, "http://localhost"]);
      expect((await allow(open, { redirect_uri: OOB })).status).toBe(200);
      for (const redirect_uri of ["http://localhost:1", "http://localhost:53817"]) {
        expect((await allow(open, { redirect_uri })).headers.location).toMatch(`${redirect_uri}?code=`);
      }
      expectNoRedirect(await open.visitor.get(asking(open.application.clientId, { redirect_uri: "http://localhost" })));
    },
  );
  rule(
    "Authorization endpoint / state",
    "may be left out; whatever it is it comes back the same, and changes nothing else",
    async () => {
      const ann = await regular();
      for (const state of ["s", "a b&c=d%/?#", '"><script>', "é🏃", "deny", "x".repeat(1000)]) {
        const parameters = sentBack(await allow(ann, { state }));
        expect([...parameters.keys()].toSorted()).toEqual(["code", "state"]);
        expect(parameters.get("state")).toBe(state);
      }
      expect([...sentBack(await allow(ann)).keys()]).toEqual(["code"]);
    },
  );
}

/** Rules of the authorization endpoint's answer. */
function answerRules(): void {
  noRule("Authorization endpoint / (2)", "a heading");
  rule(
    "Authorization endpoint / (3)",
    "a redirect carries `code`, and `state` if it was sent, for localhost too",
    async () => {
      const ann = await regular();
      for (const redirect_uri of [WEB, LOCALHOST]) {
        const answer = await allow(ann, { redirect_uri, state: "s" });
        expect([302, 303]).toContain(answer.status);
        expect(answer.headers.location).toMatch(new RegExp(`^${redirect_uri}\\?code=[^&]+&state=s$`));
        const plain = await allow(ann, { redirect_uri });
        expect(plain.headers.location).toMatch(new RegExp(`^${redirect_uri}\\?code=[^&]+$`));
      }
    },
  );
  rule(
    ["Authorization endpoint / (4) . 1", "Authorization endpoint / (4) . 2"],
    "with oob there is no redirect: the title is the code, and the page shows it",
    async () => {
      const ann = await regular();
      const answer = await allow(ann, { redirect_uri: OOB, state: "s" });
      expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
      const [, title = ""] = /<title>(.*)<\/title>/.exec(answer.text) ?? [];
      expect(answer.text).toContain(`>${title}</code>`);
      expect((await exchange(log.url, ann.application, { code: title, redirect_uri: OOB })).status).toBe(200);
    },
  );
  rule(
    "Authorization endpoint / (5) . 1",
    "an error goes to the registered address as `error`, `error_description` and `state`",
    async () => {
      const ann = await regular();
      for (const redirect_uri of [WEB, LOCALHOST]) {
        for (const state of ["", "a b"]) {
          const path = asking(ann.application.clientId, { redirect_uri, state });
          const answer = await ann.visitor.fillIn(path, { decision: "refuse" });
          expect(String(answer.headers.location).split("?")[0]).toBe(redirect_uri);
          const parameters = sentBack(answer);
          const names = ["error", "error_description", ...(state === "" ? [] : ["state"])];
          expect([...parameters.keys()]).toEqual(names);
          expect([parameters.get("error"), parameters.get("state") ?? ""]).toEqual(["access_denied", state]);
          expect(parameters.get("error_description")).toMatch(/\w/);
        }
      }
    },
  );
  rule(
    "Authorization endpoint / (5) . 2",
    "with oob the same, form-encoded, is the whole body of the answer",
    async () => {
      const ann = await regular();
      for (const state of ["", "a b&<"]) {
        const path = asking(ann.application.clientId, { redirect_uri: OOB, state });
        const answer = await ann.visitor.fillIn(path, { decision: "refuse" });
        expect(answer.headers.location).toBeUndefined();
        expect(answer.text).toMatch(/^error=access_denied&error_description=[\w+%.-]+(&state=a\+b%26%3C)?$/);
        const parameters = new URLSearchParams(answer.text);
        expect([...parameters.keys()]).toEqual(["error", "error_description", ...(state === "" ? [] : ["state"])]);
        expect(parameters.get("state") ?? "").toBe(state);
      }
    },
  );
  rule(
    ["Authorization endpoint / (6)", "Errors / (1)"],
    "whatever is wrong, the error is one of the seven and has a description, at both endpoints",
    async () => {
      const ann = await regular();
      const asked = async (more: Record<string, string>) => {
        const parameters = sentBack(await ann.visitor.get(asking(ann.application.clientId, more)));
        expect(parameters.get("error_description")).toMatch(/\w/);
        return parameters.get("error");
      };
      expect(await asked({ response_type: "" })).toBe("invalid_request");
      expect(await asked({ response_type: "token" })).toBe("unsupported_response_type");
      expect(await asked({ scope: "everything" })).toBe("invalid_scope");
      await log.operator.suspendApplication(ann.application.clientId);
      expect(await asked({})).toBe("unauthorized_client");
      await log.operator.resumeApplication(ann.application.clientId);
      for (const more of [
        { code: "" },
        { code: "wrong" },
        { client_secret: "wrong", code: "x" },
        { grant_type: "password", code: "x" },
      ]) {
        expectTokenError(await exchange(log.url, ann.application, more));
      }
    },
  );
  noRule(
    "Authorization endpoint / (6)",
    "server_error and temporarily_unavailable need a broken service: `service/test/oauth-authorize.test.ts` breaks one",
  );
}

/** Rules of a form for the token endpoint. */
function tokenRules(): void {
  rule("Token endpoint / (1)", "a form is taken, by POST alone; nothing else is", async () => {
    const ann = await scene(log);
    const { clientId, clientSecret } = ann.application;
    const code = await codeOf(ann);
    const form = {
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: WEB,
      grant_type: "authorization_code",
    };
    const asJson = await send(log.url, "POST", "/oauth2/token", { body: form });
    const asText = await postForm(log.url, new URLSearchParams(form).toString(), { "content-type": "text/plain" });
    const byGet = await send(log.url, "GET", "/oauth2/token", { query: form });
    for (const answer of [asJson, asText, byGet]) expectTokenError(answer);
    expect((await exchange(log.url, ann.application, { code })).status).toBe(200);
  });
  for (const name of ["client_id", "client_secret", "code", "grant_type"]) {
    rule(
      `Token endpoint / ${name}`,
      name === "grant_type" ? "required; `authorization_code`" : "required, and the right one",
      async () => {
        const ann = await scene(log);
        for (const wrong of ["", "wrong"]) {
          expectTokenError(await exchange(log.url, ann.application, { code: await codeOf(ann), [name]: wrong }));
        }
        expect((await exchange(log.url, ann.application, { code: await codeOf(ann) })).status).toBe(200);
      },
    );
  }
  rule("Token endpoint / redirect_uri", "the very value of the authorization step", async () => {
    const ann = await scene(log);
    for (const redirect_uri of [LOCALHOST, `${WEB}/`, WEB.toUpperCase(), OOB]) {
      expectTokenError(await exchange(log.url, ann.application, { code: await codeOf(ann), redirect_uri }));
    }
  });
  rule("Token endpoint / (3)", "an error is `error`, one of the seven, and `error_description`, as JSON", async () => {
    const ann = await scene(log);
    const answer = await exchange(log.url, ann.application, { code: "wrong" });
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expectTokenError(answer);
  });
}

function lifetimeRules(): void {
  rule(
    ["Credential lifetimes / Authorization token . 1", "Limits / Authorization token lifetime"],
    "a code is good for 10 minutes and no longer",
    async () => {
      const ann = await scene(log);
      const exchangedAfter = async (ms: number) => {
        const code = await codeOf(ann);
        clock.aheadMs += ms;
        return exchange(log.url, ann.application, { code });
      };
      // The clock goes on while codes are requested, so the test leaves a margin of a minute.
      expect((await exchangedAfter(9 * MINUTE)).status).toBe(200);
      expectTokenError(await exchangedAfter(10 * MINUTE));
    },
  );
  noRule("Credential lifetimes / Authorization token . 2", "a length without a limit binds nobody");
  rule("Credential lifetimes / Access token . 1", "a token is good ten years later", async () => {
    const ann = await scene(log);
    const mine = withToken(ann.userId, await tokenOf(log, ann));
    clock.aheadMs += 10 * 365 * 24 * 60 * MINUTE;
    expect((await mine.send("GET", PREFERENCE)).status).toBe(200);
  });
  rule(
    "Credential lifetimes / Access token . 2",
    "a user who revokes an application ends its tokens, and nobody else's",
    async () => {
      const [ann, bob] = [await scene(log), await scene(log)];
      const [mine, his] = [await tokenOf(log, ann), await tokenOf(log, bob)];
      const status = async (token: string) =>
        (await send(log.url, "GET", PREFERENCE, { query: { access_token: token } })).status;
      expect([await status(mine), await status(his)]).toEqual([200, 200]);
      expect((await ann.visitor.get("/connected")).text).toContain("Split Times");
      const path = `/connected/${ann.application.clientId}/revoke`;
      const form = formsOf((await ann.visitor.get("/connected")).text).find(({ action }) => action === path);
      expect((await ann.visitor.post(path, form?.fields ?? {})).status).toBe(303);
      expect([await status(mine), await status(his)]).toEqual([401, 200]);
    },
  );
  rule(
    ["Credential lifetimes / Access token . 3", "Limits / Access token length"],
    "a token has at most 32 characters",
    async () => {
      const ann = await scene(log);
      for (let count = 0; count < 5; count++) expect((await tokenOf(log, ann)).length).toBeLessThanOrEqual(32);
      await expect(log.operator.addToken(ann.userId, { token: "x".repeat(33) })).rejects.toThrow(RangeError);
    },
  );
}
