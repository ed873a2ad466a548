import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { calm, errorOf } from "../../test/support/api.ts";
import {
  APPLICATION,
  type AuthorizationServer,
  browse,
  type Script,
  startAuthorizationServer,
} from "../../test/support/authorization-server.ts";
import { openConnection } from "./connection.ts";
import { beginLogin, codePasted, finishLogin, isAnswerTo, OAUTH_ERRORS, OUT_OF_BAND, readCode } from "./oauth.ts";

const REDIRECT = "http://localhost:4711/";

/** The document's list: "`error` is one of". */
const SEVEN = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
] as const;

let server: AuthorizationServer;
const script: Script = {};
beforeEach(async () => {
  for (const key of Object.keys(script)) delete script[key as keyof Script];
  server = await startAuthorizationServer(script);
});
afterEach(() => server.close());

const open = (baseUrl: string) => openConnection({ baseUrl });
const begin = (redirectUri = REDIRECT) => beginLogin({ baseUrl: server.url, clientId: APPLICATION.id, redirectUri });

/** The answer that a browser would bring back. */
async function answerOf(address: string): Promise<URLSearchParams> {
  const response = await fetch(address, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "missing:").searchParams;
}

describe("the way to the log's page", () => {
  test("asks for a code with every parameter of the document, a state, and a PKCE challenge; no secret is in it", async () => {
    const login = await begin();
    const address = new URL(login.address);
    expect(`${address.origin}${address.pathname}`).toBe(`${server.url}/oauth2/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: "code",
      client_id: APPLICATION.id,
      redirect_uri: REDIRECT,
      state: login.state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(login.address).not.toContain(login.codeVerifier);
  });

  test("state and proof are new each time, and too long to guess", async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => begin()));
    expect(new Set(many.map(({ state }) => state)).size).toBe(50);
    expect(new Set(many.map(({ codeVerifier }) => codeVerifier)).size).toBe(50);
    for (const { state, codeVerifier } of many) {
      expect((state ?? "").length).toBeGreaterThanOrEqual(22);
      expect(codeVerifier.length).toBeGreaterThanOrEqual(43);
    }
  });

  test("the authorization page may be elsewhere; the token is asked for at the base URL all the same", async () => {
    const login = await beginLogin({
      baseUrl: server.url,
      authUrl: "https://www.log.example/api/",
      clientId: "a b&c",
      redirectUri: OUT_OF_BAND,
    });
    expect(login.address).toMatch(
      /^https:\/\/www\.log\.example\/api\/oauth2\/authorize\?response_type=code&client_id=a\+b%26c&/,
    );
    expect(new URL(login.address).searchParams.get("state")).toBeNull();
    expect(login.baseUrl).toBe(server.url);
  });

  test.each(["http://log.example", "ftp://log.example", "https://me:pw@log.example", "javascript:alert(1)", ""])(
    "a page at %j is refused: a password would be typed there",
    async (authUrl) => {
      const begun = beginLogin({ baseUrl: server.url, authUrl, clientId: "x", redirectUri: REDIRECT });
      const error = await errorOf(begun);
      expect(error).toMatchObject({ code: "api/bad-url" });
      expect(error.message).toMatch(/^Cannot use the address of the authorization page: /);
    },
  );
});

describe("the way back", () => {
  test("code and state are traded for a token: the form holds exactly what the document asks for, and the proof", async () => {
    const login = await begin();
    const answer = await answerOf(login.address);
    expect(isAnswerTo(login, answer)).toBe(true);
    const code = readCode(login, answer);
    expect(code).toBe(server.codes[0]);
    const token = await finishLogin(login, code, APPLICATION.secret, open, calm());
    expect(token).toEqual({ accessToken: server.tokens[0], tokenType: "bearer" });
    const [, exchange] = server.requests;
    expect(exchange).toMatchObject({ method: "POST", path: "/oauth2/token" });
    expect(exchange?.query.size).toBe(0);
    expect(exchange?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(exchange?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(exchange?.body.toString()))).toEqual({
      client_id: APPLICATION.id,
      client_secret: APPLICATION.secret,
      code,
      redirect_uri: REDIRECT,
      grant_type: "authorization_code",
      code_verifier: login.codeVerifier,
    });
  });

  test.each<[string, (answer: URLSearchParams) => void]>([
    ["without a state", (answer) => answer.delete("state")],
    ["with another state", (answer) => answer.set("state", "other")],
    ["with an empty state", (answer) => answer.set("state", "")],
    ["with two states", (answer) => answer.append("state", "other")],
    ["with the state in capitals", (answer) => answer.set("state", (answer.get("state") ?? "").toUpperCase())],
    ["with two codes", (answer) => answer.append("code", "other")],
    ["with no code", (answer) => answer.delete("code")],
    ["with an empty code", (answer) => answer.set("code", "")],
    ["with blanks in the code", (answer) => answer.set("code", "a b")],
    ["with a control character in the code", (answer) => answer.set("code", "a\u0000b")],
    ["with a code without end", (answer) => answer.set("code", "x".repeat(2001))],
    ["from another service, by its own word", (answer) => answer.set("iss", "https://evil.example")],
  ])("an answer %s is refused, and nothing is sent", async (_name, tamper) => {
    script.tamper = tamper;
    const login = await begin();
    const answer = await answerOf(login.address);
    await expect(async () => readCode(login, answer)).rejects.toMatchObject({ code: "login/bad-answer" });
    expect(server.requests.filter(({ path }) => path === "/oauth2/token")).toEqual([]);
  });

  test("a service that says who it is, rightly, is fine", async () => {
    script.tamper = (answer) => answer.set("iss", server.url);
    const login = await begin();
    expect(readCode(login, await answerOf(login.address))).toBe(server.codes[0]);
  });

  test.each(SEVEN)("the page's error %s becomes a sentence, with what the log says about it", async (error) => {
    script.refuse = { error, description: "Because <b>of\u001b[2J</b> this" };
    const login = await begin();
    const answer = await answerOf(login.address);
    expect(isAnswerTo(login, answer)).toBe(true);
    const refused = await errorOf(Promise.resolve().then(() => readCode(login, answer)));
    expect(refused.code).toBe(`oauth/${error}`);
    const sentence = new RegExp(
      `^Cannot log in to the log: [^(]{15,} \\(${error}: Because <b>of\\\\x1b\\[2J</b> this\\)$`,
    );
    expect(refused.message).toMatch(sentence);
    const isTheirs = ["server_error", "temporarily_unavailable", "unsupported_response_type"].includes(error);
    expect(refused.reason).toBe(isTheirs ? "service" : "login");
  });

  test("an error without a description, and one nobody knows, are sentences too; a forged one is not believed", async () => {
    const login = await begin();
    const withState = (query: Record<string, string>) => new URLSearchParams({ ...query, state: login.state ?? "" });
    const of = (answer: URLSearchParams) => errorOf(Promise.resolve().then(() => readCode(login, answer)));
    expect((await of(withState({ error: "access_denied" }))).message).toBe(
      "Cannot log in to the log: access was refused on its page. Log in again to allow it (access_denied)",
    );
    expect(await of(withState({ error: "odd_thing" }))).toMatchObject({
      code: "oauth/other",
      message: "Cannot log in to the log: it refuses, for a reason it has no known word for (odd_thing)",
    });
    expect((await of(withState({ error: "constructor" }))).message).toMatch(/no known word/);
    expect(await of(new URLSearchParams({ error: "access_denied" }))).toMatchObject({ code: "login/bad-answer" });
  });
});

describe("out of band", () => {
  test("the code on the page is traded under the urn, without a state", async () => {
    const login = await begin(OUT_OF_BAND);
    const [, title = ""] = /<title>(.+)<\/title>/.exec((await browse(login.address)).text) ?? [];
    const code = codePasted(login, title);
    const { accessToken } = await finishLogin(login, code, APPLICATION.secret, open, calm());
    expect(accessToken).toBe(server.tokens[0]);
    const form = new URLSearchParams(server.requests[1]?.body.toString());
    expect(form.get("redirect_uri")).toBe("urn:ietf:wg:oauth:2.0:oob");
  });

  test.each(SEVEN)("the error page's content may be pasted: %s", async (error) => {
    script.refuse = { error, description: "Not now & not here" };
    const login = await begin(OUT_OF_BAND);
    const { text } = await browse(login.address);
    const refused = await errorOf(Promise.resolve().then(() => codePasted(login, text)));
    expect(refused.code).toBe(`oauth/${error}`);
    expect(refused.message).toContain(`(${error}: Not now & not here)`);
  });

  test.each(["", "two words", "tök", "a\u0007b", "x".repeat(2001)])(
    "O32 %j is no authorization token, and is not repeated",
    async (text) => {
      const login = await begin(OUT_OF_BAND);
      const refused = await errorOf(Promise.resolve().then(() => codePasted(login, text)));
      expect(refused.code).toBe("login/bad-code");
      if (text !== "") expect(refused.message).not.toContain(text);
    },
  );

  test("no answer by itself belongs to a login out of band", async () => {
    expect(isAnswerTo(await begin(OUT_OF_BAND), new URLSearchParams({ code: "x" }))).toBe(false);
  });
});

describe("the token endpoint", () => {
  async function refusedWith(reply: NonNullable<Script["token"]>): Promise<Error & { code: string; reason?: string }> {
    script.token = reply;
    const login = await begin();
    const code = readCode(login, await answerOf(login.address));
    const error = await errorOf(finishLogin(login, code, APPLICATION.secret, open, calm()));
    for (const secret of [code, APPLICATION.secret, login.codeVerifier])
      expect(String(error.stack)).not.toContain(secret);
    return error;
  }

  test.each([...SEVEN, "invalid_client", "invalid_grant", "unsupported_grant_type"])(
    "its error %s becomes a sentence, whatever the status",
    async (error) => {
      for (const status of [400, 401, 403, 500, 503, 200]) {
        const refused = await refusedWith({ status, json: { error, error_description: "Said so" } });
        expect(refused.code).toBe(`oauth/${error}`);
        expect(refused.message).toMatch(new RegExp(`^Cannot log in to the log: [^(]{15,} \\(${error}: Said so\\)$`));
      }
    },
  );

  test("every error of the document and of the RFC's token endpoint has its sentence", () => {
    expect(Object.keys(OAUTH_ERRORS).toSorted()).toEqual(
      [...SEVEN, "invalid_client", "invalid_grant", "unsupported_grant_type"].toSorted(),
    );
  });

  test("a description that repeats the code or the secret is cleaned of them", async () => {
    const secret = encodeURIComponent(APPLICATION.secret);
    const refused = await refusedWith({
      status: 400,
      json: { error: "invalid_request", error_description: `client_secret=${secret}&code=x is ${APPLICATION.secret}` },
    });
    expect(refused.message).not.toContain(secret);
    expect(refused.message).toContain("[redacted]");
  });

  test.each<[string, NonNullable<Script["token"]>, RegExp]>([
    ["a page", { body: "<html>hello</html>" }, /with a page, not JSON.*Log in again$/],
    ["a page and 500", { status: 500, body: "<html>" }, /answered 500\. Log in again$/],
    [
      "a redirect",
      { status: 302, headers: { location: "https://evil.example/?code=x" } },
      /leads to https:\/\/evil\.example\. It is not followed$/,
    ],
    ["404", { status: 404 }, /answered 404\. Is the address right\?$/],
    [
      "a cut answer",
      { json: { access_token: "t" }, fault: "cut" },
      /the connection ended in the middle of its answer.*Log in again$/,
    ],
    ["a reset", { fault: "reset" }, /Log in again$/],
  ])("%s is the service's fault, said in one line", async (_name, reply, message) => {
    const refused = await refusedWith(reply);
    expect(refused.reason).toBe("service");
    expect(refused.message).toMatch(message);
  });

  test.each([
    { token_type: "bearer" },
    { access_token: "", token_type: "bearer" },
    { access_token: 7, token_type: "bearer" },
    { access_token: "t", token_type: "mac" },
    { access_token: "t", token_type: 1 },
  ])("an answer %j holds no token that can be used", async (json) => {
    expect(await refusedWith({ json })).toMatchObject({ code: "api/no-token", reason: "login" });
  });

  test("a token type in capitals, or left out, is a bearer token; members nobody asked for are left alone", async () => {
    for (const json of [
      { access_token: "t1", token_type: "Bearer", expires_in: "never", scope: 7 },
      { access_token: "t1", id_token: "not.a.jwt", refresh_token: 0 },
    ]) {
      script.token = { json };
      const login = await begin();
      const code = readCode(login, await answerOf(login.address));
      expect(await finishLogin(login, code, APPLICATION.secret, open, calm())).toEqual({
        accessToken: "t1",
        tokenType: "bearer",
      });
    }
  });

  test("an exchange whose answer was lost is not sent again: the code may be spent", async () => {
    await refusedWith({ fault: "reset" });
    expect(server.requests.filter(({ path }) => path === "/oauth2/token")).toHaveLength(1);
  });
});

describe("O34 mix-up", () => {
  test("O34 the code goes to the service that the login was begun for, whatever another one was asked meanwhile", async () => {
    const other = await startAuthorizationServer();
    try {
      const [ours, theirs] = [
        await begin(),
        await beginLogin({ baseUrl: other.url, clientId: APPLICATION.id, redirectUri: REDIRECT }),
      ];
      const [answer, foreign] = [await answerOf(ours.address), await answerOf(theirs.address)];
      // Each answer belongs to its own login.
      expect([isAnswerTo(ours, foreign), isAnswerTo(theirs, answer)]).toEqual([false, false]);
      expect(() => readCode(ours, foreign)).toThrow("it is not the answer to this login");
      await finishLogin(ours, readCode(ours, answer), APPLICATION.secret, open, calm());
      expect(other.requests.map(({ path }) => path)).toEqual(["/oauth2/authorize"]);
      expect(server.tokens).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test("O34 a page that is elsewhere gives the code; the token is asked for at the base URL, never where the page is", async () => {
    const page = await startAuthorizationServer();
    try {
      const login = await beginLogin({
        baseUrl: server.url,
        authUrl: page.url,
        clientId: APPLICATION.id,
        redirectUri: REDIRECT,
      });
      const code = readCode(login, await answerOf(login.address));
      script.token = { json: { access_token: "fromTheBase", token_type: "bearer" } };
      const { accessToken } = await finishLogin(login, code, APPLICATION.secret, open, calm());
      expect(accessToken).toBe("fromTheBase");
      expect(page.requests.map(({ path }) => path)).toEqual(["/oauth2/authorize"]);
      expect(server.requests.map(({ path }) => path)).toEqual(["/oauth2/token"]);
    } finally {
      await page.close();
    }
  });

  test("O34 a code of another service, carried over by hand, gets no token, and that service never sees ours", async () => {
    const other = await startAuthorizationServer();
    try {
      const ours = await begin(OUT_OF_BAND);
      const theirs = await beginLogin({ baseUrl: other.url, clientId: APPLICATION.id, redirectUri: OUT_OF_BAND });
      await browse(theirs.address);
      const code = codePasted(ours, other.codes[0] ?? "");
      const error = await errorOf(finishLogin(ours, code, APPLICATION.secret, open, calm()));
      expect(error.code).toBe("oauth/invalid_request");
      expect([server.tokens, other.tokens]).toEqual([[], []]);
    } finally {
      await other.close();
    }
  });
});
