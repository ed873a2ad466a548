import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { addDemoUser } from "../service/demo.ts";
import type { ClientCredentials } from "../service/operator.ts";
import { type Service, startService } from "../service/server.ts";
import { type Fields, Visitor } from "../service/test/visitor.ts";
import { visit } from "./support/authorization-server.ts";
import { emptyHome, jsonLines, runCli, startCli } from "./support/cli.ts";
import { longTest, test } from "./support/tier-tests.ts";

// The toolkit and the service, which share no code, go through the document's grant together. `logferry login` runs in a process, and a browser signs
// in and answers the consent page. Both scenarios of an installed application are tested.

const OOB = "urn:ietf:wg:oauth:2.0:oob";
const PASSWORD = "canary-password-4242";

let service: Service;
let application: ClientCredentials;
let ana: Visitor;
let anaLogin: string;
beforeAll(async () => {
  service = await startService({ database: ":memory:" });
  application = await service.operator.addApplication({ name: "logferry", redirectURIs: ["http://localhost", OOB] });
  const { login = "" } = await addDemoUser(service, { screenName: "ana", units: "kilometres", password: PASSWORD });
  anaLogin = login;
  ana = new Visitor(service.url);
  await ana.signIn(anaLogin, PASSWORD);
});
afterAll(() => service.close());

function words(...more: readonly string[]): string[] {
  return ["login", "--url", service.url, "--client-id", application.clientId, ...more];
}

/** The address a login prints. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const [, address] = /\n {2}(http\S+)\n/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.on("close", () => reject(new Error(`it ended, having said: ${text}`)));
  });
}

/** The user fills in the consent page, and the browser goes where it is sent. @returns the last page */
async function decide(visitor: Visitor, address: string, form: Fields): Promise<string> {
  const answer = await visitor.fillIn(address.slice(service.url.length), form);
  const { location } = answer.headers;
  return typeof location === "string" ? (await visit(location)).text : answer.text;
}

function start(home: string, more: readonly string[] = [], leaveOpen = false) {
  return startCli(home, words(...more), { env: { LOGFERRY_CLIENT_SECRET: application.clientSecret }, leaveOpen });
}

test("sign in, allow, come back to localhost: the token opens that person's log", async () => {
  using home = emptyHome();
  const { child, ended } = start(home.path);
  const address = await addressOf(child);
  // A browser without a sign-in is asked to sign in. Then it gets the consent page.
  const fresh = new Visitor(service.url);
  const asked = await fresh.get(address.slice(service.url.length));
  expect(asked.headers.location ?? asked.text).toMatch(/sign-in/);
  await fresh.signIn(anaLogin, PASSWORD);
  const page = await decide(fresh, address, { decision: "allow", profile: "on" });
  expect(page).toContain("You can close this window");
  const ran = await ended;
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(new RegExp(`^Logged in as ana at ${service.url}\\. `));
  expect(await runCli(home.path, ["whoami"])).toMatchObject({
    code: 0,
    out: `ana at ${service.url}; units km, kg, C; UTC+0\n`,
  });
});

longTest("out of band: the page's title is the code, and pasting it logs in", async () => {
  using home = emptyHome();
  const { child, ended } = start(home.path, ["--oob"], true);
  const page = await decide(ana, await addressOf(child), { decision: "allow", profile: "on" });
  const [, code = ""] = /<title>(.+)<\/title>/.exec(page) ?? [];
  child.stdin?.end(`${code}\n`);
  const ran = await ended;
  expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^Logged in as ana at /) });
  expect(ran.out + ran.err).not.toContain(code);
});

longTest(
  "refused on the page: one sentence, exit code 4, nothing stored; out of band, the page itself may be pasted",
  async () => {
    using home = emptyHome();
    const browser = start(home.path);
    await decide(ana, await addressOf(browser.child), { decision: "refuse" });
    const oob = start(home.path, ["--oob"], true);
    const page = await decide(ana, await addressOf(oob.child), { decision: "refuse" });
    oob.child.stdin?.end(`${page}\n`);
    for (const ran of [await browser.ended, await oob.ended]) {
      expect(ran).toMatchObject({ code: 4, out: "" });
      expect(ran.err).toMatch(
        /\nCannot log in to the log: access was refused on its page\. Log in again to allow it \(access_denied.*\)\n$/,
      );
    }
    expect(readdirSync(home.path)).toEqual(expect.not.arrayContaining([".config"]));
  },
);

longTest("without private information all works but the name, and login and doctor say so", async () => {
  using home = emptyHome();
  const { child, ended } = start(home.path);
  await decide(ana, await addressOf(child), { decision: "allow" });
  const ran = await ended;
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("The log withholds its owner's name: access to private information was not granted.");
  const doctor = await runCli(home.path, ["doctor", "--json"]);
  expect(doctor.code).toBe(0);
  const user = jsonLines(doctor.out).find(({ check }) => check === "user");
  expect(user).toMatchObject({ state: "look", found: expect.stringContaining("was not granted") });
});

longTest("a wrong secret, an application nobody registered, and a code that was used are told apart", async () => {
  using home = emptyHome();
  const wrong = startCli(home.path, words(), { env: { LOGFERRY_CLIENT_SECRET: "wrong" } });
  await decide(ana, await addressOf(wrong.child), { decision: "allow" });
  expect(await wrong.ended).toMatchObject({
    code: 4,
    err: expect.stringContaining("or the client secret is wrong. Check --client-id"),
  });

  // Somebody else used the code before. A code is good only once.
  const first = start(home.path, ["--oob", "--profile", "one"], true);
  const page = await decide(ana, await addressOf(first.child), { decision: "allow" });
  const [, code = ""] = /<title>(.+)<\/title>/.exec(page) ?? [];
  const form = { client_id: application.clientId, client_secret: application.clientSecret, code };
  await fetch(`${service.url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ ...form, grant_type: "authorization_code", redirect_uri: OOB }),
  });
  first.child.stdin?.end(`${code}\n`);
  expect(await first.ended).toMatchObject({
    code: 4,
    err: expect.stringContaining("it doesn't take the authorization token"),
  });

  const stranger = startCli(home.path, ["login", "--url", service.url, "--client-id", "nobody"], {
    env: { LOGFERRY_CLIENT_SECRET: "x" },
  });
  const address = await addressOf(stranger.child);
  // The service does not redirect for an unknown application. The person reads it there, and stops.
  expect(await ana.get(address.slice(service.url.length))).toMatchObject({
    status: 400,
    headers: expect.not.objectContaining({ location: expect.anything() }),
  });
  stranger.child.kill("SIGINT");
  expect((await stranger.ended).code).toBe(130);
});

longTest("O34 two people at one service, a profile each: each token opens its owner's log", async () => {
  using home = emptyHome();
  const { login = "" } = await addDemoUser(service, { screenName: "ben", units: "miles", password: PASSWORD });
  const ben = new Visitor(service.url);
  await ben.signIn(login, PASSWORD);
  const [one, two] = [start(home.path, ["--profile", "ana"]), start(home.path, ["--profile", "ben"])];
  const [first, second] = await Promise.all([addressOf(one.child), addressOf(two.child)]);
  await decide(ben, second, { decision: "allow", profile: "on" });
  await decide(ana, first, { decision: "allow", profile: "on" });
  expect([(await one.ended).code, (await two.ended).code]).toEqual([0, 0]);
  expect((await runCli(home.path, ["whoami", "--profile", "ana"])).out).toMatch(/^ana at .* units km,/);
  expect((await runCli(home.path, ["whoami", "--profile", "ben"])).out).toMatch(/^ben at .* units mi,/);
  const all = await runCli(home.path, ["whoami", "--all"]);
  expect(all.out.split("\n").map((line) => line.trim().split(/\s+/).slice(0, 2))).toEqual([
    ["ana", "ana"],
    ["ben", "ben"],
    ["2", "profiles."],
    [""],
  ]);
});

test("revoked on the page that logout names: doctor says the token is refused, and what to do", async () => {
  using home = emptyHome();
  const { child, ended } = start(home.path);
  await decide(ana, await addressOf(child), { decision: "allow", profile: "on" });
  expect((await ended).code).toBe(0);
  const { token } = JSON.parse(
    readFileSync(join(home.path, ".config", "logferry", "credentials", "default.json"), "utf8"),
  );
  const { text } = await ana.get("/connected");
  expect(text).toContain("logferry");
  await ana.fillIn("/connected", {}, [...text.matchAll(/<form\b/g)].length - 1);
  const doctor = await runCli(home.path, ["doctor"]);
  expect(doctor.code).toBe(4);
  expect(doctor.out).toMatch(/^✗ token .*\n +Log in again: logferry login$/m);
  const whoami = await runCli(home.path, ["whoami"]);
  expect(whoami).toMatchObject({ code: 4, err: expect.stringContaining("or it was revoked") });
  for (const { out, err } of [doctor, whoami]) expect(out + err).not.toContain(token);
  const logout = await runCli(home.path, ["logout"]);
  expect(logout.out).toContain(`sign in at ${service.url}/ and remove logferry from the connected applications.`);
});
