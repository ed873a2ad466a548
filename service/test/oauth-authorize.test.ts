/** The authorization endpoint: the requests it doesn't redirect, its answers to an application, and its questions to the user. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appOver } from "../app.ts";
import { hashOf } from "../http/ids.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import type { Service } from "../server.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { LogStore } from "../store/log-store.ts";
import {
  allow,
  asking,
  codeOf,
  exchange,
  getRaw,
  LOCALHOST,
  OOB,
  type Scene,
  scene,
  sentBack,
  WEB,
} from "./authorization.ts";
import { type Answer, service } from "./client.ts";
import { formsOf, unescaped, Visitor } from "./visitor.ts";

let log: Service;
let ann: Scene;
let clientId: string;

beforeAll(async () => {
  log = await service();
  ann = await scene(log);
  ({ clientId } = ann.application);
});
afterAll(() => log.close());

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** There is no redirect. A page tells the user instead. */
function expectNoRedirect(answer: Answer): void {
  expect(answer.status).toBe(400);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.text).toContain("Nothing was granted.");
}

describe("O1 an address that isn't registered is never redirected to", () => {
  test.each([
    ["of somebody else", "https://evil.example/back"],
    ["a prefix of a registered one", "https://app.example.com/bac"],
    ["a registered one and more", "https://app.example.com/back/more"],
    ["a registered one with a trailing slash", "https://app.example.com/back/"],
    ["climbing up", "https://app.example.com/back/../back"],
    ["climbing up, percent-encoded", "https://app.example.com/x/..%2fback"],
    ["in other letter case", "https://app.example.com/Back"],
    ["with its host in other letter case", "https://App.example.com/back"],
    ["with an extra query", "https://app.example.com/back?x=1"],
    ["with an empty query", "https://app.example.com/back?"],
    ["with a user", "https://app.example.com@evil.example/back"],
    ["with a fragment", "https://app.example.com/back#x"],
    ["with a port", "https://app.example.com:443/back"],
    ["by http", "http://app.example.com/back"],
    ["with a look-alike letter", "https://app.ex\u0430mple.com/back"],
    ["with a tab inside", "https://app.example.com/ba\tck"],
    ["with a blank behind", "https://app.example.com/back "],
    ["with a line break and a header", "https://app.example.com/back\r\nX: y"],
    ["with a backslash", "https://app.example.com\\back"],
    ["the loopback address for localhost", "http://127.0.0.1:4711/back"],
    ["localhost at another port", "http://localhost:4712/back"],
    ["localhost without a port", "http://localhost/back"],
    ["oob in other letter case", "URN:ietf:wg:oauth:2.0:oob"],
    ["oob of another form", "urn:ietf:wg:oauth:2.0:oob:auto"],
    ["a script", "javascript:alert(1)"],
    ["only a path", "/back"],
    ["without a scheme", "//app.example.com/back"],
  ])("%s", async (_what, redirect_uri) => {
    expectNoRedirect(await ann.visitor.get(asking(clientId, { redirect_uri, state: "s" })));
    const wrong = await ann.visitor.get(asking(clientId, { redirect_uri, response_type: "token" }));
    expectNoRedirect(wrong);
    const [form] = formsOf((await ann.visitor.get(asking(clientId))).text);
    const fields = { ...form?.fields, decision: "allow" };
    expectNoRedirect(await ann.visitor.post(asking(clientId, { redirect_uri }), fields));
  });

  test.each([WEB, LOCALHOST])("%s, registered so, is redirected to", async (redirect_uri) => {
    const answer = await allow(ann, { redirect_uri });
    expect(answer.headers.location).toMatch(new RegExp(`^${redirect_uri}\\?code=[A-Za-z0-9]{32}$`));
  });

  test("localhost registered without a port is good with any, and with nothing else", async () => {
    const open = await scene(log, ["http://localhost", "http://localhost/back"]);
    const id = open.application.clientId;
    for (const uri of [
      "http://localhost:1",
      "http://localhost:65535/",
      "http://localhost:50000",
      "http://localhost:50000/back",
    ]) {
      expect((await allow(open, { redirect_uri: uri })).headers.location).toMatch(`${uri}?code=`);
    }
    for (const uri of [
      "http://localhost",
      "http://localhost/back",
      "http://localhost:0",
      "http://localhost:65536",
      "http://localhost:080/back",
      "http://localhost:80x/back",
      "http://localhost:80@evil.example/back",
      "http://localhost:80/other",
      "http://localhost:80/back/",
      "http://localhost:80/back?x",
      "http://localhost:80\n/back",
      "https://localhost:80/back",
      "http://localhost.evil.example:80/back",
      "http://127.0.0.1:80/back",
      "http://[::1]:80/back",
    ]) {
      expectNoRedirect(await open.visitor.get(asking(id, { redirect_uri: uri })));
    }
  });

  test("a query that belongs to a registered address stays as it is, and the parameters follow it", async () => {
    const uri = "https://app.example.com/back?from=log&x=%C3%A4";
    const asker = await scene(log, [uri]);
    const answer = await allow(asker, { redirect_uri: uri, state: "s" });
    expect(answer.headers.location).toMatch(
      /^https:\/\/app\.example\.com\/back\?from=log&x=%C3%A4&code=\w{32}&state=s$/,
    );
  });

  test.each([
    ["plain http", "http://app.example.com/back", "must begin with https://"],
    ["a script", "javascript:alert(1)", "must begin with https://"],
    ["a user", "https://a:b@app.example.com/", "must not hold a user"],
    ["a fragment", "https://app.example.com/#x", "must not hold a fragment"],
    ["another spelling", "https://APP.example.com/a/../b", "must be written as https://app.example.com/b"],
    ["a control character", "https://app.example.com/\u0001", "is not an address"],
    ["nothing", "", "is not an address"],
  ])("%s can't even be registered", async (_what, uri, problem) => {
    const registering = log.operator.addApplication({ name: "x", redirectURIs: [WEB, uri] });
    await expect(registering).rejects.toThrow(problem);
  });
});

test("O2 an unknown or missing client_id is told to the user, not to an address", async () => {
  for (const id of ["", "nobody", `${clientId}x`, clientId.toLowerCase(), "' OR 1=1 --", "\0"]) {
    expectNoRedirect(await ann.visitor.get(asking(id)));
  }
  expectNoRedirect(await ann.visitor.get(`${asking(clientId)}&client_id=${clientId}`));
});

test("O3 a redirect_uri that is missing or repeated is told to the user", async () => {
  expectNoRedirect(await ann.visitor.get(asking(clientId, { redirect_uri: "" })));
  const twice = await ann.visitor.get(`${asking(clientId)}&redirect_uri=${encodeURIComponent(WEB)}`);
  expectNoRedirect(twice);
  expect(twice.text).toContain("a repeated parameter");
});

describe("O4 what is wrong with a request is told to the application, with its state", () => {
  test.each([
    ["response_type=token", { response_type: "token" }, "unsupported_response_type"],
    ["response_type=code token", { response_type: "code token" }, "unsupported_response_type"],
    ["no response_type", { response_type: "" }, "invalid_request"],
    ["a scope nobody knows", { scope: "everything" }, "invalid_scope"],
    ["a challenge without a method, which is plain", { code_challenge: CHALLENGE }, "invalid_request"],
    ["a plain challenge", { code_challenge: CHALLENGE, code_challenge_method: "plain" }, "invalid_request"],
    ["a method without a challenge", { code_challenge_method: "S256" }, "invalid_request"],
    ["a challenge that is none", { code_challenge: "x", code_challenge_method: "S256" }, "invalid_request"],
  ])("%s", async (_what, more, error) => {
    const answer = await new Visitor(log.url).get(asking(clientId, { ...more, state: "a state" }));
    expect(answer.status).toBe(302);
    const location = String(answer.headers.location);
    expect(location).toMatch(`${WEB}?error=${error}&error_description=`);
    expect(location).toMatch(/&state=a\+state$/);
    expect(sentBack(answer).get("error_description")).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test("a repeated parameter, known to us, is invalid_request; one that nobody knows is left alone", async () => {
    const twice = await ann.visitor.get(`${asking(clientId, { state: "s" })}&response_type=code`);
    expect(sentBack(twice).get("error")).toBe("invalid_request");
    expect((await ann.visitor.get(`${asking(clientId)}&prompt=x&prompt=y`)).status).toBe(200);
  });

  test("an empty scope is none", async () => {
    expect((await ann.visitor.get(`${asking(clientId)}&scope=`)).status).toBe(200);
  });

  test("an application that the operator has suspended is unauthorized_client, until it may go on", async () => {
    const other = await scene(log);
    const id = other.application.clientId;
    const code = await codeOf(other);
    await log.operator.suspendApplication(id);
    expect(sentBack(await other.visitor.get(asking(id))).get("error")).toBe("unauthorized_client");
    const refused = await exchange(log.url, other.application, { code });
    expect([refused.status, refused.json.error]).toEqual([400, "unauthorized_client"]);
    await log.operator.resumeApplication(id);
    expect((await other.visitor.get(asking(id))).status).toBe(200);
    await expect(log.operator.suspendApplication("nobody")).rejects.toThrow("there is no");
  });
});

describe("O5 the state comes back as it was sent, byte for byte, and nothing gets out of it", () => {
  test.each([
    ["markup", "%22%3E%3Cscript%3E"],
    ["a line break and a header", "%0D%0ASet-Cookie:%20a=b"],
    ["an emoji", "%F0%9F%8F%83"],
    ["NUL", "%00"],
    ["a parameter of the error", "%26error%3Dx"],
    ["bytes that are no UTF-8", "%ff%fe"],
    ["a percent sign that escapes nothing", "100%25"],
    ["blanks, both ways", "a+b%20c"],
    ["nothing", ""],
    ["2048 bytes", "x".repeat(2048)],
    ["2048 bytes, each escaped", "%e4".repeat(2048)],
  ])("%s", async (_what, raw) => {
    // The colon and the equals sign of the header line go back escaped: the same bytes.
    const expected = raw.replaceAll(":", "%3A").replaceAll("=", "%3D");
    const path = `${asking(clientId)}&state=${raw}`;
    const failed = await getRaw(log.url, path.replace("response_type=code", "response_type=x"));
    expect(failed.status).toBe(302);
    expect(failed.headers.location).toMatch(new RegExp(`^${WEB}\\?error=unsupported_response_type&error_description=`));
    expect(String(failed.headers.location).split("&state=")).toHaveLength(2);
    expect(String(failed.headers.location).split("&state=")[1]).toBe(expected);
    const granted = await ann.visitor.fillIn(path, { decision: "allow" });
    expect(String(granted.headers.location).split("&state=")[1]).toBe(expected);
    expect(granted.headers["set-cookie"]).toBeUndefined();
  });

  test("raw markup and a stray percent sign come back escaped", async () => {
    const path = asking(clientId, { response_type: "x" });
    const answer = await getRaw(log.url, `${path}&state=<b>"'%zz`);
    expect(String(answer.headers.location).split("&state=")[1]).toBe("%3Cb%3E%22%27%25zz");
  });

  test.each([
    ["of 2049 bytes", `state=${"x".repeat(2049)}`],
    ["of 10,000 bytes", `state=${"%61".repeat(3500)}`],
    ["given twice", "state=a&state=b"],
  ])("a state %s is invalid_request, and doesn't come back", async (_what, parameter) => {
    const parameters = sentBack(await getRaw(log.url, `${asking(clientId)}&${parameter}`));
    expect(parameters.get("error")).toBe("invalid_request");
    expect(parameters.has("state")).toBe(false);
  });

  test("the state outlives a sign-in on the way", async () => {
    const visitor = new Visitor(log.url);
    const path = `${asking(clientId)}&state=a%00%ff+%2B`;
    const away = await visitor.get(path);
    expect(away.status).toBe(302);
    const next = new URL(String(away.headers.location), log.url).searchParams.get("next") ?? "";
    const back = await visitor.signIn(ann.login, "canary-password-7313", next);
    expect(back.status).toBe(303);
    const answer = await visitor.fillIn(String(back.headers.location), { decision: "allow" });
    expect(String(answer.headers.location).split("&state=")[1]).toBe("a%00%ff+%2B");
  });
});

test("O6 a user who refuses is access_denied, with the state, and nothing is granted", async () => {
  const other = await scene(log);
  const path = asking(other.application.clientId, { state: "s" });
  const answer = await other.visitor.fillIn(path, { decision: "refuse", profile: "on" });
  expect(answer.status).toBe(303);
  const parameters = sentBack(answer);
  expect([...parameters.keys()]).toEqual(["error", "error_description", "state"]);
  expect([parameters.get("error"), parameters.get("state")]).toEqual(["access_denied", "s"]);
  expect(await log.accounts.grants(other.userId)).toEqual([]);
});

/** Apart from the icon, it allows only what a page needs. */
const POLICY =
  "default-src 'none';style-src 'self';img-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'";

test("O7 with oob, the title is the code and the page shows it: no script, not kept, not framed", async () => {
  const { status, headers, text } = await allow(ann, { redirect_uri: OOB, state: "s" });
  expect(status).toBe(200);
  expect(headers.location).toBeUndefined();
  const code = /<title>([A-Za-z0-9]{32})<\/title>/.exec(text)?.[1] ?? "";
  expect(text).toContain(`<code>${code}</code>`);
  expect(text).not.toMatch(/<script|javascript:|\son\w+=/i);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": expect.stringContaining("no-store"),
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "content-security-policy": POLICY,
  });
  const answer = await exchange(log.url, ann.application, { code, redirect_uri: OOB });
  expect(answer.status).toBe(200);
});

test("O8 with oob, an error is the whole body, form-encoded, and markup in it stays text", async () => {
  const path = asking(clientId, { redirect_uri: OOB, response_type: "token" });
  const answer = await getRaw(log.url, `${path}&state=<b>%3Ci%3E`);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  expect(answer.text).toBe(
    "error=unsupported_response_type&error_description=response_type%3A+must+be+code&state=%3Cb%3E%3Ci%3E",
  );
  const refused = await ann.visitor.fillIn(asking(clientId, { redirect_uri: OOB }), { decision: "refuse" });
  expect(refused.text).toBe("error=access_denied&error_description=the+user+has+refused+access");
});

describe("O9 the name of an application is text, whatever is in it", () => {
  const named = async (name: string) => {
    const id = `named-${hashOf(name).slice(0, 8)}`;
    await log.operator.addApplication({ name, redirectURIs: [WEB], id });
    return (await ann.visitor.get(asking(id))).text;
  };

  test("markup is escaped", async () => {
    const page = await named("<img src=x onerror=alert(1)>");
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });

  test("characters that turn the text around are spelt out", async () => {
    const page = await named("Log\u202egpj.exe\u0007");
    expect(page).toContain("Log[U+202E]gpj.exe[U+0007]");
    expect(page).not.toMatch(/[\u202e\u0007]/);
  });

  test("a name of 5,000 characters is cut", async () => {
    const page = await named("n".repeat(5000));
    expect(page).toContain(`${"n".repeat(79)}…`);
    expect(page).not.toContain("n".repeat(81));
  });
});

describe("O10 only the user's own yes grants anything", () => {
  test("a GET that says yes grants nothing", async () => {
    const other = await scene(log);
    const path = `${asking(other.application.clientId)}&decision=allow&profile=on`;
    const answer = await other.visitor.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.location).toBeUndefined();
  });

  test("without the form's token, or with another session's, the answer is 403 and nothing is granted", async () => {
    const [one, other] = [await scene(log), await scene(log)];
    const path = asking(one.application.clientId);
    const [form] = formsOf((await one.visitor.get(path)).text);
    const [foreign] = formsOf((await other.visitor.get(path)).text);
    const token = form?.fields._csrf ?? "";
    for (const sent of [undefined, "", "x", foreign?.fields._csrf, `${token}x`, token.toUpperCase()]) {
      const fields = { decision: "allow", ...(sent !== undefined && { _csrf: sent }) };
      const answer = await one.visitor.post(path, fields);
      expect(answer.status).toBe(403);
      expect(answer.headers.location).toBeUndefined();
    }
    const fromElsewhere = { _csrf: token, decision: "allow" };
    expect((await one.visitor.post(path, fromElsewhere, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await one.visitor.post(path, fromElsewhere, { "sec-fetch-site": "same-origin" })).status).toBe(303);
  });

  test("a form that says neither yes nor no grants nothing", async () => {
    const answer = await ann.visitor.fillIn(asking(clientId), { decision: "perhaps" });
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
  });

  test("whoever isn't signed in signs in first, and a form of theirs goes nowhere", async () => {
    const visitor = new Visitor(log.url);
    const answer = await visitor.post(asking(clientId), { decision: "allow" });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^\/sign-in\?next=%2Foauth2%2Fauthorize%3F/);
  });
});

describe("the consent page", () => {
  test("says which application asks, for whose log, for what, and where the answer goes", async () => {
    const page = unescaped((await ann.visitor.get(asking(clientId))).text);
    for (const words of [
      "Split Times",
      ann.login,
      "workouts, courses and equipment",
      "https://app.example.com",
      "revoke",
    ]) {
      expect(page).toContain(words);
    }
    const oob = await ann.visitor.get(asking(clientId, { redirect_uri: OOB }));
    expect(oob.text).toContain("You will be shown a code");
  });

  test("allows its form to lead to the application and nowhere else, because browsers hold redirects against it", async () => {
    const policyOf = async (redirect_uri: string) =>
      (await ann.visitor.get(asking(clientId, { redirect_uri }))).headers["content-security-policy"];
    expect(await policyOf(WEB)).toContain("form-action 'self' https://app.example.com;");
    expect(await policyOf(LOCALHOST)).toContain("form-action 'self' http://localhost:4711;");
    expect(await policyOf(OOB)).toContain("form-action 'self';");
  });

  test("leaves private information out unless the user ticks its box", async () => {
    for (const [form, status] of [
      [{}, 403],
      [{ profile: "on" }, 200],
    ] as const) {
      const code = await codeOf(ann, {}, form);
      const { json } = await exchange(log.url, ann.application, { code });
      const answer = await ann.visitor.get(`/rest/users/me?access_token=${json.access_token}`);
      expect(answer.status).toBe(status);
    }
  });
});

test("O12 the answer to the consent form is a 303, which takes no form along", async () => {
  expect((await allow(ann)).status).toBe(303);
  expect((await ann.visitor.fillIn(asking(clientId), { decision: "refuse" })).status).toBe(303);
});

describe("when the service itself fails, the application is told, where it is known", () => {
  const application = {
    id: "app",
    name: "App",
    secretHash: hashOf("s"),
    redirectURIs: [WEB],
    isSuspended: false,
  };
  const failing = (error: Error): Partial<AccountStore> => ({
    application: async () => application,
    session: async () => {
      throw error;
    },
  });
  const key = "k".repeat(32);

  test.each([
    ["temporarily_unavailable", new StoreUnavailable("Cannot use the database: full")],
    ["server_error", new TypeError("a bug")],
  ])("%s", async (error, thrown) => {
    const app = appOver({ store: {} as LogStore, accounts: failing(thrown) as AccountStore });
    const answer = await app.inject({ url: asking("app", { state: "s" }), cookies: { session: key } });
    await app.close();
    expect(answer.statusCode).toBe(302);
    const parameters = new URL(String(answer.headers.location)).searchParams;
    expect([parameters.get("error"), parameters.get("state")]).toEqual([error, "s"]);
    expect(answer.payload + String(answer.headers.location)).not.toContain(thrown.message);
  });

  test("and where it isn't, the user is told with a page", async () => {
    const accounts: Partial<AccountStore> = { application: () => Promise.reject(new StoreUnavailable("full")) };
    const app = appOver({ store: {} as LogStore, accounts: accounts as AccountStore });
    const answer = await app.inject(asking("app"));
    await app.close();
    expect([answer.statusCode, answer.headers.location]).toEqual([503, undefined]);
    expect(answer.payload).toContain("Not available just now");
  });
});
