import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { APPLICATION, browse, visit } from "../test/support/authorization-server.ts";
import { emptyHome, jsonLines, runCli, startCli } from "../test/support/cli.ts";
import { fakePrograms } from "../test/support/fake-programs.ts";
import {
  ADDRESS,
  credentialsIn,
  here,
  SCREEN,
  SECRET,
  said,
  script,
  server,
  withBrowser,
  withService,
  words,
} from "../test/support/logging-in.ts";
import { longTest, test } from "../test/support/tier-tests.ts";
import type { CommandContext } from "./arguments/command.ts";
import { login } from "./commands/login.ts";

// `logferry login` in the browser, by a code that is pasted, and with a token on standard input.

withService();

describe("in the browser", () => {
  test("the browser is opened, its answer traded, the token checked, stored, and used from then on", async () => {
    using home = emptyHome();
    const login = await withBrowser(home.path);
    expect(login).toMatchObject({ code: 0 });
    expect(login.out).toBe(
      `Logged in as ana at ${server.url}. The token is stored in ${credentialsIn(home.path)}, readable by you alone.\n`,
    );
    expect(login.err).toMatch(
      /^Allow access on the page that opens in your browser\. Should none open, go to:\n\n {2}http/,
    );
    expect(JSON.parse(readFileSync(credentialsIn(home.path), "utf8"))).toEqual({
      url: server.url,
      token: server.tokens[0],
      name: "ana",
      clientId: APPLICATION.id,
    });
    expect(await runCli(home.path, ["whoami"])).toMatchObject({
      code: 0,
      out: `ana at ${server.url}; units km, kg, C; UTC+1\n`,
    });
  });

  test("--json says the address in a line of its own, so that a script can open it, and nothing for people", async () => {
    using home = emptyHome();
    const ran = await withBrowser(home.path, ["--json", "--profile", "ana"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(jsonLines(ran.out)).toEqual([
      { type: "authorization", address: expect.stringContaining(`${server.url}/oauth2/authorize?`) },
      { type: "login", profile: "ana", name: "ana", url: server.url, stored: "file" },
    ]);
  });

  longTest("without a screen the address is printed, and any browser of this machine will do", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words(), { env: SECRET });
    const [, address = ""] = await said(child, ADDRESS);
    const page = await browse(address);
    expect(page.text).toContain("You can close this window");
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^There is no browser to open here\..*\n[\s\S]*use --oob\.\n$/);
  });

  test("a browser that can't be started is told of, and the login waits on", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words(), {
      env: { ...SECRET, ...SCREEN, PATH: join(home.path, "none") },
    });
    const [, address = ""] = await said(child, /\n {2}(http\S+)\n[\s\S]*No browser could be opened/);
    await browse(address);
    expect((await ended).code).toBe(0);
  });

  longTest("the application's secret comes from a file, from the environment, or from a pipe", async () => {
    for (const [at, options] of [
      { env: SECRET },
      { env: { LOGFERRY_CLIENT_SECRET: "" }, input: `${APPLICATION.secret}\n` },
    ].entries()) {
      using home = emptyHome();
      expect([at, await withBrowser(home.path, [], options)]).toMatchObject([at, { code: 0 }]);
    }
    using home = emptyHome();
    const file = join(home.path, "secret.txt");
    writeFileSync(file, ` ${APPLICATION.secret} \nmore\n`, { mode: 0o600 });
    const ran = await withBrowser(home.path, ["--client-secret-file", file], {
      env: { LOGFERRY_CLIENT_SECRET: "other" },
    });
    expect(ran.code).toBe(0);
  });

  test.each([
    ["access_denied", 4],
    ["invalid_request", 4],
    ["invalid_scope", 4],
    ["server_error", 6],
    ["temporarily_unavailable", 6],
    ["unauthorized_client", 4],
    ["unsupported_response_type", 6],
  ])("the page's error %s is one sentence and exit code %d", async (error, code) => {
    script.refuse = { error, description: "So it is" };
    const ran = await here({});
    expect(ran.code).toBe(code);
    expect(ran.message).toMatch(new RegExp(`^Cannot log in to the log: .+ \\(${error}: So it is\\)$`));
  });

  test("a refusal is one line on standard error; nothing is stored", async () => {
    using home = emptyHome();
    script.refuse = { error: "access_denied" };
    const ran = await withBrowser(home.path);
    expect(ran).toMatchObject({ code: 4, out: "" });
    expect(ran.err.split("\n").at(-2)).toBe(
      "Cannot log in to the log: access was refused on its page. Log in again to allow it (access_denied)",
    );
    expect(existsSync(credentialsIn(home.path))).toBe(false);
  });

  test("a wrong secret is said to be one, with exit code 4, and is not repeated", async () => {
    using home = emptyHome();
    const ran = await withBrowser(home.path, [], { env: { LOGFERRY_CLIENT_SECRET: "wr0ngS3cret" } });
    expect(ran.code).toBe(4);
    expect(ran.err).toContain(
      "Cannot log in to the log: it doesn't know the application, or the client secret is wrong. Check --client-id and the secret (unauthorized_client: The secret is wrong)\n",
    );
    expect(ran.err).not.toContain("wr0ngS3cret");
    expect(existsSync(credentialsIn(home.path))).toBe(false);
  });

  test("a token that is longer than the document allows is refused, and is not repeated", async () => {
    using home = emptyHome();
    script.token = { json: { access_token: "x".repeat(33), token_type: "bearer" } };
    const ran = await withBrowser(home.path);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("Cannot use the access token: expected 1 to 32 printable characters");
    expect(ran.err).not.toContain("xxxx");
  });

  longTest("Ctrl-C while the browser is waited for ends it, and nothing is stored", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words(), { env: SECRET });
    const [, address = ""] = await said(child, ADDRESS);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, out: "" });
    expect(existsSync(credentialsIn(home.path))).toBe(false);
    // The port is nobody's any more.
    await expect(visit(new URL(address).searchParams.get("redirect_uri") ?? "")).rejects.toThrow("ECONNREFUSED");
  });

  test("without --url it logs in again as the last time, with the same application", async () => {
    using home = emptyHome();
    const { path } = fakePrograms(home.path);
    const env = { PATH: path, ...SCREEN, ...SECRET };
    expect(await runCli(home.path, ["login"], { env })).toMatchObject({
      code: 2,
      err: "Cannot log in: say where, with --url\n",
    });
    expect((await runCli(home.path, words(), { env })).code).toBe(0);
    expect((await runCli(home.path, ["login"], { env })).code).toBe(0);
    expect(server.tokens).toHaveLength(2);
    expect(JSON.parse(readFileSync(credentialsIn(home.path), "utf8")).token).toBe(server.tokens[1]);
  });

  test("the application and its page may stand in the config file", async () => {
    using home = emptyHome();
    const folder = join(home.path, ".config", "logferry");
    const secret = join(home.path, "secret.txt");
    writeFileSync(secret, APPLICATION.secret, { mode: 0o600 });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "config.yaml"),
      `url: ${server.url}/\nauth-url: ${server.url}\nclient-id: ${APPLICATION.id}\nclient-secret-file: ${secret}\n`,
    );
    const { path } = fakePrograms(home.path);
    expect(await runCli(home.path, ["login"], { env: { PATH: path, ...SCREEN } })).toMatchObject({ code: 0 });
  });
});

describe("O31 at the loopback port, as the command", () => {
  test("O31 a web page, another path and a wrong state change nothing; the right answer is taken once", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words(), { env: SECRET });
    const [, address = ""] = await said(child, ADDRESS);
    const redirect = new URL(address).searchParams.get("redirect_uri") ?? "";
    const state = new URL(address).searchParams.get("state") ?? "";
    const hits = await Promise.all([
      visit(`${redirect}?code=forged&state=guess`),
      visit(`${redirect}?code=forged`),
      visit(`${redirect}other?code=forged&state=${state}`),
      visit(`${redirect}?code=forged&state=${state}`, { origin: "https://evil.example" }),
      // A script says of itself that it is one.
      fetch(`${redirect}?code=forged&state=${state}`),
      fetch(redirect, { method: "POST", body: new URLSearchParams({ code: "forged", state }) }),
    ]);
    expect(hits.map(({ status }) => status)).toEqual([400, 400, 404, 403, 403, 405]);
    await browse(address);
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("Something that is not the answer to this login came back, and was turned away.\n");
    expect(server.requests.filter(({ path }) => path === "/oauth2/token")).toHaveLength(1);
    await expect(visit(`${redirect}?code=again&state=${state}`)).rejects.toThrow("ECONNREFUSED");
  });

  test.each([
    ["no state", (answer: URLSearchParams) => answer.delete("state")],
    ["another state", (answer: URLSearchParams) => answer.set("state", "other")],
  ])(
    "O31 an answer with %s is refused however long it is waited for; after five minutes the exit code is 4",
    async (_name, tamper) => {
      script.tamper = tamper;
      const { code, message, shown } = await here({});
      expect(code).toBe(4);
      expect(message).toContain("the browser didn't come back within 5 minutes; what came (1) was not the answer");
      expect(shown).toContain("was turned away");
      expect(server.requests.map(({ path }) => path)).toEqual(["/oauth2/authorize"]);
    },
  );
});

describe("O32 out of band", () => {
  test("the address is printed, and the code that its page shows is asked for, with whatever a terminal adds to it", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words("--oob"), { env: SECRET, leaveOpen: true });
    const [, address = ""] = await said(child, ADDRESS);
    expect(new URL(address).searchParams.get("redirect_uri")).toBe("urn:ietf:wg:oauth:2.0:oob");
    const [, code = ""] = /<title>(.+)<\/title>/.exec((await browse(address)).text) ?? [];
    // The other end stays open, as a terminal does.
    child.stdin?.write(`\n\u001b[200~  ${code}\u001b[201~ \r\n`);
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^Logged in as ana at /);
    expect(ran.out + ran.err).not.toContain(code);
  });

  longTest("secret and code may come on one input, a line each", async () => {
    using home = emptyHome();
    const { child, ended } = startCli(home.path, words("--oob", "--json"), {
      input: `${APPLICATION.secret}\n`,
      leaveOpen: true,
    });
    const line = await new Promise<string>((resolve) => child.stdout?.once("data", (chunk) => resolve(String(chunk))));
    const { address } = JSON.parse(line) as { address: string };
    const [, code] = /<title>(.+)<\/title>/.exec((await browse(address)).text) ?? [];
    child.stdin?.end(`${code}`);
    expect((await ended).code).toBe(0);
  });

  test.each([
    ["two words\n", 2, /^Cannot use the authorization token: expected .* without blanks$/],
    ["", 2, /^Cannot read the code: there was none$/],
    [
      "error=access_denied&error_description=No\n",
      4,
      /^Cannot log in to the log: access was refused.*\(access_denied: No\)$/,
    ],
    [
      "never-given\n",
      4,
      /^Cannot log in to the log: it doesn't take the authorization token.*\(invalid_request: The code is unknown or spent\)$/,
    ],
  ])("what is pasted may be wrong: %j is exit code %d", async (input, code, message) => {
    using home = emptyHome();
    const ran = await runCli(home.path, words("--oob"), { env: SECRET, input });
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err.trimEnd().split("\n").at(-1)).toMatch(message);
    expect(existsSync(credentialsIn(home.path))).toBe(false);
  });
});

describe("what is refused before anything is asked", () => {
  test.each<[Partial<CommandContext["options"]>, Record<string, string>, string]>([
    [{ oob: true }, {}, "Cannot log in: say as which application, with --client-id."],
    [{ oob: true, tokenStdin: true }, {}, "Cannot log in: --oob gets a token from the log, --token-stdin takes one."],
    [
      { clientId: "x", authUrl: "http://log.example" },
      SECRET,
      "Cannot use the address of the authorization page: it is plain http",
    ],
    [
      { clientId: "x", clientSecretFile: "/nowhere/secret" },
      {},
      "Cannot read the secret file /nowhere/secret: there is no such file",
    ],
    [{ clientId: "x" }, { LOGFERRY_CLIENT_SECRET: "tök" }, "Cannot use the client secret: expected 1 to 512 printable"],
  ])("login with %j is exit code 2", async (options, environment, message) => {
    const ran = await here({ clientId: undefined, ...options }, environment);
    expect(ran.code).toBe(2);
    expect(ran.message.startsWith(message), ran.message).toBe(true);
    expect(server.requests).toEqual([]);
  });

  test("a key that can't be one is told of by its flag", async () => {
    using home = emptyHome();
    const ran = await runCli(home.path, ["login", "--url", server.url, "--client-id", "two words"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toBe(
      'Cannot use --client-id: expected 1 to 128 printable characters without blanks, found "two words"\n',
    );
  });
});

test("a token on standard input is taken with --token-stdin even where an application is configured", async () => {
  using home = emptyHome();
  await withBrowser(home.path);
  const [token] = server.tokens;
  const ran = await runCli(home.path, words("--token-stdin", "--profile", "two"), { input: `${token}\n` });
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(server.tokens).toHaveLength(1);
  expect(login.options).toContain("tokenStdin");
});
