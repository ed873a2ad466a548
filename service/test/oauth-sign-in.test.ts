/** Signing in: the users who get in, the guesses that are slowed down, the browser's cookies, and the address after signing in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDemoUser } from "../demo.ts";
import type { Service } from "../server.ts";
import { networkOf } from "../sign-in/lockout.ts";
import { asking, getRaw, PASSWORD, scene } from "./authorization.ts";
import { type Answer, send, service } from "./client.ts";
import { formsOf, unescaped, Visitor } from "./visitor.ts";

const A_DAY = 24 * 3_600_000;

let now: number;
let log: Service;
let userId: string;

beforeAll(async () => {
  now = Date.UTC(2026, 0, 1);
  log = await service({ now: () => now });
  ({ userId } = await addDemoUser(log, { screenName: "ann", password: PASSWORD }));
});
afterAll(() => log.close());
// Forgets the mistakes of the test before.
beforeEach(() => {
  now += 2 * A_DAY;
});

const signedIn = async (login = "ann", password = PASSWORD) => {
  const visitor = new Visitor(log.url);
  expect((await visitor.signIn(login, password)).status).toBe(303);
  return visitor;
};

/** Whether the visitor is signed in: the account page answers, or sends them to sign in. */
const isIn = async (visitor: Visitor) => (await visitor.get("/account")).status === 200;

describe("signing in", () => {
  test("whoever isn't signed in is sent to the sign-in page, and from there to where they wanted", async () => {
    const ann = new Visitor(log.url);
    const away = await ann.get("/account?x=%C3%A4&y");
    expect(away.status).toBe(302);
    expect(away.headers.location).toBe("/sign-in?next=%2Faccount%3Fx%3D%25C3%25A4%26y");
    const answer = await ann.fillIn(String(away.headers.location), { login: " ANN ", password: PASSWORD });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("/account?x=%C3%A4&y");
    expect((await ann.get("/account")).text).toContain("<strong>ann</strong>");
  });

  test.each([
    ["a wrong password", "ann", `${PASSWORD}!`],
    ["a password in other letter case", "ann", PASSWORD.toUpperCase()],
    ["a login nobody has", "bob", PASSWORD],
    ["nothing at all", "", ""],
    ["a login of 10,000 characters", "a".repeat(10_000), PASSWORD],
    ["a password of 10,000 characters", "ann", "a".repeat(10_000)],
    ["a login that is SQL", "' OR 1=1 --", PASSWORD],
    ["a login that is NUL", "\0", PASSWORD],
  ])("with %s nobody gets in, and the page says the same in each case", async (_what, login, password) => {
    const someone = new Visitor(log.url);
    const answer = await someone.signIn(login, password);
    expect(answer.status).toBe(403);
    expect(unescaped(answer.text)).toContain("Login and password don't fit together.");
    expect(answer.text).not.toContain(PASSWORD);
    expect(await isIn(someone)).toBe(false);
  });

  test("an accent typed in one piece and in two is the same password", async () => {
    const user = await log.operator.addUser({ screenName: "zoe" });
    await log.operator.addAccount(user, "zoé", "caf\u00e9 au lait");
    await signedIn("zoe\u0301", "cafe\u0301 au lait");
  });

  test("what an operator can't add is refused in words", async () => {
    const add = (login: string, password: string) => log.operator.addAccount(userId, login, password);
    await expect(add("ann", PASSWORD)).rejects.toThrow("somebody has the login ann already");
    await expect(add("Ann ", PASSWORD)).rejects.toThrow("somebody has the login ann already");
    await expect(add(" ", PASSWORD)).rejects.toThrow("a login has 1 to 200 characters");
    await expect(add("x", "ninechars")).rejects.toThrow("a password has 10 to 1000 characters");
  });

  test("a form that isn't one is answered with a page", async () => {
    const ann = new Visitor(log.url);
    const [form] = formsOf((await ann.get("/sign-in")).text);
    const token = form?.fields._csrf ?? "";
    expect((await ann.send("POST", "/sign-in", { body: { login: "ann" } })).status).toBe(415);
    expect((await ann.send("POST", "/sign-in")).status).toBe(403);
    expect((await ann.post("/sign-in", { _csrf: token })).status).toBe(403);
    expect((await ann.post("/sign-in", { _csrf: token, login: "a".repeat(70_000) })).status).toBe(413);
  });

  test("a page that isn't there is a page for a person, and an envelope for a program", async () => {
    const person = await new Visitor(log.url).get("/nowhere", { accept: "text/html" });
    expect([person.status, person.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(person.headers["content-security-policy"]).toContain("default-src 'none'");
    expect((await send(log.url, "GET", "/nowhere")).json).toEqual({ code: 8, message: "There is no such address" });
  });
});

describe("a session", () => {
  test("gets a new key at sign-in: one that was planted before is worth nothing", async () => {
    const ann = new Visitor(log.url);
    await ann.get("/sign-in");
    const planted = ann.cookies.get("session");
    expect(planted).toMatch(/^[A-Za-z0-9]{32}$/);
    await ann.signIn("ann", PASSWORD);
    const thief = new Visitor(log.url);
    thief.cookies.set("session", planted ?? "");
    expect(await isIn(thief)).toBe(false);
    expect(ann.cookies.get("session")).not.toBe(planted);
  });

  test("signing in again ends the session before", async () => {
    const ann = await signedIn();
    const copy = new Visitor(log.url);
    copy.cookies.set("session", ann.cookies.get("session") ?? "");
    expect(await isIn(copy)).toBe(true);
    await ann.signIn("ann", PASSWORD);
    expect([await isIn(copy), await isIn(ann)]).toEqual([false, true]);
  });

  test("ends when the user signs out, for whoever has the key", async () => {
    const ann = await signedIn();
    const copy = new Visitor(log.url);
    copy.cookies.set("session", ann.cookies.get("session") ?? "");
    const answer = await ann.fillIn("/sign-out", {}, 1);
    expect([answer.status, answer.headers.location]).toEqual([303, "/sign-in"]);
    expect(ann.cookies.has("session")).toBe(false);
    expect([await isIn(ann), await isIn(copy)]).toEqual([false, false]);
  });

  test("ends after 30 days", async () => {
    const ann = await signedIn();
    now += 30 * A_DAY - 1;
    expect(await isIn(ann)).toBe(true);
    now += 1;
    expect(await isIn(ann)).toBe(false);
  });

  test.each(["", "x", "x".repeat(31), "x".repeat(33), "' OR 1=1 --", "%00".repeat(32), "é".repeat(32)])(
    "a cookie that holds %j is nobody's",
    async (key) => {
      const answer = await getRaw(log.url, "/account", { cookie: `session=${encodeURI(key)}` });
      expect(answer.status).toBe(302);
    },
  );
});

describe("O10 the cookie is for this service alone, and for no script", () => {
  const flagsOf = (answer: Answer) => {
    const [line = ""] = [answer.headers["set-cookie"] ?? ""].flat();
    const [pair = "", ...flags] = line.split("; ");
    return { name: pair.split("=")[0], flags: flags.filter((flag) => !/^(Max-Age|Expires)/.test(flag)).toSorted() };
  };

  test("by http", async () => {
    const answer = await new Visitor(log.url).signIn("ann", PASSWORD);
    expect(flagsOf(answer)).toEqual({ name: "session", flags: ["HttpOnly", "Path=/", "SameSite=Lax"] });
    expect(answer.headers["strict-transport-security"]).toBeUndefined();
  });

  test("by https it is Secure, bound to the host by its name, and the browser is told to come by https again", async () => {
    const secure = await service({ https: true });
    try {
      await addDemoUser(secure, { screenName: "ann", password: PASSWORD });
      const answer = await new Visitor(secure.url).signIn("ann", PASSWORD);
      expect(flagsOf(answer)).toEqual({
        name: "__Host-session",
        flags: ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"],
      });
      expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000");
    } finally {
      await secure.close();
    }
  });

  test("a proxy is believed when it is named, and not otherwise", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };
    const plain = await new Visitor(log.url).get("/sign-in", headers);
    expect(flagsOf(plain).name).toBe("session");
    const behind = await service({ trustProxy: "127.0.0.1" });
    try {
      const answer = await new Visitor(behind.url).get("/sign-in", headers);
      expect(flagsOf(answer).name).toBe("__Host-session");
      expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000");
    } finally {
      await behind.close();
    }
  });
});

describe("O10 a form of another page, browser or session does nothing", () => {
  test.each(["/sign-in", "/sign-out", "/account/password", "/connected/x/revoke"])("POST %s", async (path) => {
    const [ann, other] = [await signedIn(), await signedIn()];
    const [form] = formsOf((await other.get("/sign-out")).text);
    for (const token of [undefined, "", form?.fields._csrf ?? ""]) {
      const answer = await ann.post(path, { ...(token !== undefined && { _csrf: token }), login: "ann" });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("Nothing was changed.");
    }
    expect(await isIn(ann)).toBe(true);
  });
});

describe("O26 whoever guesses passwords waits longer each time, and is never shut out for good", () => {
  const wrong = (visitor: Visitor, login = "ann") => visitor.signIn(login, "wrong password");

  test("of 20 wrong passwords all but the first few are 429, and so is the right one; then the wait doubles", async () => {
    const ann = new Visitor(log.url);
    const statuses: number[] = [];
    for (let number = 0; number < 20; number++) statuses.push((await wrong(ann)).status);
    expect(statuses).toEqual([...Array(5).fill(403), ...Array(15).fill(429)]);
    const right = await ann.signIn("ann", PASSWORD);
    expect([right.status, right.headers["retry-after"]]).toEqual([429, "1"]);
    expect(right.text).toContain("Too many wrong passwords. Try again in a second.");

    const waits: number[] = [];
    let wait = 1;
    for (let number = 0; number < 14; number++) {
      now += wait * 1000;
      expect((await wrong(ann)).status).toBe(403);
      wait = Number((await wrong(ann)).headers["retry-after"]);
      waits.push(wait);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900]);
    now += wait * 1000 - 1;
    expect((await ann.signIn("ann", PASSWORD)).status).toBe(429);
    now += 1;
    expect((await ann.signIn("ann", PASSWORD)).status).toBe(303);
    expect((await wrong(ann)).status).toBe(403);
    expect((await wrong(ann)).status).toBe(403);
  });

  test("guesses side by side are counted like guesses in a row", async () => {
    const ann = new Visitor(log.url);
    const [form] = formsOf((await ann.get("/sign-in")).text);
    const fields = { ...form?.fields, login: "ann", password: "wrong password" };
    const answers = await Promise.all(Array.from({ length: 40 }, () => ann.post("/sign-in", fields)));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });

  test("somebody else at the same address gets in meanwhile, and a login nobody has is slowed down alike", async () => {
    await addDemoUser(log, { screenName: "carl", password: PASSWORD });
    const visitor = new Visitor(log.url);
    for (let number = 0; number < 6; number++) await wrong(visitor, "nobody");
    expect((await wrong(visitor, "nobody")).status).toBe(429);
    expect((await visitor.signIn("carl", PASSWORD)).status).toBe(303);
  });

  test("the owner gets in from another address while somebody guesses", async () => {
    const behind = await service({ trustProxy: "127.0.0.1", now: () => now });
    try {
      await addDemoUser(behind, { screenName: "ann", password: PASSWORD });
      const from = async (address: string, password: string) => {
        const visitor = new Visitor(behind.url);
        const headers = { "x-forwarded-for": address };
        const [form] = formsOf((await visitor.get("/sign-in", headers)).text);
        return (await visitor.post("/sign-in", { ...form?.fields, login: "ann", password }, headers)).status;
      };
      for (let number = 0; number < 6; number++) await from("2001:db8::1", "wrong password");
      expect(await from("2001:db8::ffff:2", PASSWORD)).toBe(429);
      expect(await from("2001:db8:0:1::1", PASSWORD)).toBe(303);
    } finally {
      await behind.close();
    }
  });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("the address %s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("O29 what a request says about its host or its way has no effect on where anybody is sent", () => {
  const lies = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.example;proto=https",
    "x-original-url": "//evil.example",
    "x-http-method-override": "DELETE",
  };

  test("to the sign-in page", async () => {
    const answer = await getRaw(log.url, "/account", lies);
    expect(answer.headers.location).toBe("/sign-in?next=%2Faccount");
    const page = await getRaw(log.url, "/sign-in", lies);
    expect(page.text).not.toContain("evil");
  });

  test("after signing in", async () => {
    const ann = new Visitor(log.url);
    const [form] = formsOf((await ann.get("/sign-in?next=/account")).text);
    const { host: _host, ...others } = lies;
    const answer = await ann.post("/sign-in", { ...form?.fields, login: "ann", password: PASSWORD }, others);
    expect(answer.headers.location).toBe("/account");
  });

  test.each(["//evil.example", "//evil.example/account", "///account", "/\\evil.example", "/%2f/evil.example"])(
    "%s is no address of ours, and sends nobody anywhere",
    async (path) => {
      const answer = await getRaw(log.url, path, lies);
      expect([answer.status, answer.headers.location]).toEqual([404, undefined]);
    },
  );
});

describe("O30 after signing in the browser is sent to a page of ours, and nowhere else", () => {
  test.each([
    ["//evil.example", "/"],
    ["///evil.example", "/"],
    ["/\\evil.example", "/"],
    ["\\\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/account/..//evil.example", "/"],
    ["https://evil.example/account", "/"],
    ["http:account", "/"],
    ["javascript:alert(1)", "/"],
    ["data:text/html,x", "/"],
    ["account", "/"],
    ["", "/"],
    ["/nowhere", "/"],
    ["/sign-out", "/"],
    ["/sign-in", "/"],
    ["/oauth2/token", "/"],
    ["/rest/users/me", "/"],
    ["/account\r\nX-Header: x", "/"],
    ["/account", "/account"],
    ["/account?x=//evil.example#y", "/account?x=//evil.example"],
    ["/x/../account", "/account"],
    ["/connected", "/connected"],
  ])("next=%s leads to %s", async (next, expected) => {
    const answer = await new Visitor(log.url).signIn("ann", PASSWORD, next);
    expect([answer.status, answer.headers.location]).toEqual([303, expected]);
  });

  test("also when the form itself is changed on the way", async () => {
    const ann = new Visitor(log.url);
    const fields = { login: "ann", password: PASSWORD, next: "//evil.example" };
    expect((await ann.fillIn("/sign-in", fields)).headers.location).toBe("/");
  });

  test("and to the authorization endpoint, with everything the application asked", async () => {
    const { application } = await scene(log);
    const path = asking(application.clientId, { state: "a b&c" });
    const answer = await new Visitor(log.url).signIn("ann", PASSWORD, path);
    expect(answer.headers.location).toBe(path);
  });
});

describe("changing the password", () => {
  const NEW = "another horse entirely";
  const change = (visitor: Visitor, password: string, next: string, again = next) =>
    visitor.fillIn("/account", { password, "new-password": next, again }, 1);

  test("signs every other browser out, and this one stays, with a new key", async () => {
    await addDemoUser(log, { screenName: "dora", password: PASSWORD });
    const [here, there] = [await signedIn("dora"), await signedIn("dora")];
    const before = here.cookies.get("session");
    const answer = await change(here, PASSWORD, NEW);
    expect([answer.status, answer.headers.location]).toEqual([303, "/account?changed"]);
    expect((await here.get("/account?changed")).text).toContain("Your password was changed.");
    expect(here.cookies.get("session")).not.toBe(before);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await new Visitor(log.url).signIn("dora", PASSWORD)).status).toBe(403);
    await signedIn("dora", NEW);
  });

  test("asks for the current password, and guessing it is slowed down like anywhere", async () => {
    const ann = await signedIn();
    for (let number = 0; number < 5; number++) {
      const answer = await change(ann, "wrong password", NEW);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("This is not your current password.");
    }
    const answer = await change(ann, PASSWORD, NEW);
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "1"]);
    now += 1000;
    await signedIn();
  });

  test.each([
    ["too short", "ninechars", "ninechars", "a password has 10 to 1000 characters"],
    ["typed differently", NEW, `${NEW}!`, "typed in two different ways"],
  ])("a new one that is %s changes nothing", async (_what, next, again, words) => {
    const ann = await signedIn();
    const answer = await change(ann, PASSWORD, next, again);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(words);
    await signedIn();
  });

  test("an operator's new password signs every browser out", async () => {
    const { userId: id } = await addDemoUser(log, { screenName: "emil", password: PASSWORD });
    const emil = await signedIn("emil");
    await log.operator.replacePassword(id, NEW);
    expect(await isIn(emil)).toBe(false);
    await signedIn("emil", NEW);
    await expect(log.operator.replacePassword(id, "short")).rejects.toThrow("a password has 10 to 1000 characters");
  });
});
