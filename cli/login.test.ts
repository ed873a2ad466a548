import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../connectors/api/clock.ts";
import { TransferError } from "../connectors/errors.ts";
import {
  APPLICATION,
  type AuthorizationServer,
  browse,
  type Script,
  startAuthorizationServer,
  visit,
} from "../test/support/authorization-server.ts";
import { emptyHome, jsonLines, runCli, type StartOptions, startCli } from "../test/support/cli.ts";
import { fakePrograms } from "../test/support/fake-programs.ts";
import type { Ran } from "../test/support/rehearsal.ts";
import type { CommandContext } from "./arguments/command.ts";
import { login, loginWith } from "./commands/login.ts";
import { EXIT_CODES, exitOf, UsageError } from "./errors/exit-codes.ts";
import { createOutput } from "./terminal/output.ts";

// `logferry login` as a person has it: a process, a home of its own, a browser (a program that follows redirects), and a service that
// gives codes and tokens. That service is scripted here; test/login.test.ts does the same against the real one.

let server: AuthorizationServer;
const script: Script = {};
beforeEach(async () => {
  for (const key of Object.keys(script)) delete script[key as keyof Script];
  server = await startAuthorizationServer(script);
});
afterEach(() => server.close());

const SECRET = { LOGFERRY_CLIENT_SECRET: APPLICATION.secret };
const SCREEN = { DISPLAY: ":99" };

/** The words of a login in the browser. */
function words(...more: readonly string[]): string[] {
  return ["login", "--url", server.url, "--client-id", APPLICATION.id, ...more];
}

/** With a browser whose owner allows what is asked. */
function withBrowser(home: string, more: readonly string[] = [], options: StartOptions = {}): Promise<Ran> {
  const { path } = fakePrograms(home);
  return runCli(home, words(...more), { ...options, env: { PATH: path, ...SCREEN, ...SECRET, ...options.env } });
}

function credentialsIn(home: string, profile = "default"): string {
  return join(home, ".config", "logferry", "credentials", `${profile}.json`);
}

/** Waits for what a process says on its standard error to hold something. */
function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.on("close", () => reject(new Error(`it ended, having said: ${text}`)));
  });
}

/**
 * Runs a login that must fail in this process, with a browser of the test's own; when that came to its end, five minutes have
 * passed. Nothing is stored by a login that fails.
 */
async function here(
  options: { readonly [K in keyof CommandContext["options"]]?: CommandContext["options"][K] | undefined },
  environment: Readonly<Record<string, string>> = SECRET,
): Promise<{ code: number; message: string; shown: string }> {
  let shown = "";
  const stream = { write: (text: string) => (shown += text) };
  let tooLate: () => void = () => undefined;
  const command = loginWith({
    openBrowser: (address) => {
      // A browser that brought the right answer has ended the wait.
      void browse(address).then(({ status }) => status !== 200 && tooLate());
      return true;
    },
    sleep: () =>
      new Promise<void>((resolve) => {
        tooLate = resolve;
      }),
  });
  const given = { url: server.url, clientId: APPLICATION.id, profile: "nobody-logs-in-here", ...options };
  const error = await command
    .run({
      output: createOutput("normal", false, { out: stream, err: stream }),
      signal: new AbortController().signal,
      options: Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as CommandContext["options"],
      arguments: [],
      tables: { sports: new Map(), activityIDs: {}, workoutIDs: {} },
      notify: {},
      environment,
      input: new PassThrough(),
      now: Date.now,
      sleep: systemClock.sleep,
    })
    .catch((reason: unknown) => reason);
  if (!(error instanceof TransferError || error instanceof UsageError)) throw error;
  return { code: EXIT_CODES[exitOf(error)].code, message: error.message, shown };
}

const ADDRESS = /\n {2}(http\S+)\n/;

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

  test("without a screen the address is printed, and any browser of this machine will do", async () => {
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

  test("the application's secret comes from a file, from the environment, or from a pipe", async () => {
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

  test("Ctrl-C while the browser is waited for ends it, and nothing is stored", async () => {
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

  test("secret and code may come on one input, a line each", async () => {
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

describe("where the token goes", () => {
  const BUS = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

  test("S3 where there is a keyring it is there, is used from there, and --no-keyring keeps it out", async () => {
    using home = emptyHome();
    const programs = fakePrograms(home.path);
    const env = { PATH: programs.path, ...SCREEN, ...SECRET, ...BUS };
    const ran = await runCli(home.path, words(), { env });
    expect(ran.out).toBe(
      `Logged in as ana at ${server.url}. The token is stored in the system keyring (secret-tool).\n`,
    );
    expect(Object.values(programs.kept())).toEqual([server.tokens[0]]);
    expect(readFileSync(credentialsIn(home.path), "utf8")).not.toContain(server.tokens[0]);
    expect((await runCli(home.path, ["whoami"], { env })).out).toMatch(/^ana at /);
    // A job without a desktop can't read it, and is told what to do.
    const cron = await runCli(home.path, ["whoami"], {});
    expect(cron.code).toBe(4);
    expect(cron.err).toContain("--no-keyring");
    const plain = await runCli(home.path, words("--no-keyring"), { env });
    expect(plain.out).toContain(`The token is stored in ${credentialsIn(home.path)}, readable by you alone.`);
    expect(programs.kept()).toEqual({});
    expect((await runCli(home.path, ["whoami"], {})).code).toBe(0);
  });

  test("S3 a keyring that refuses is told of, and the file is used", async () => {
    using home = emptyHome();
    const programs = fakePrograms(home.path);
    programs.behave("refuse");
    const ran = await runCli(home.path, words(), { env: { PATH: programs.path, ...SCREEN, ...SECRET, ...BUS } });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("The token is not in the keyring: the system keyring (secret-tool) refused to keep it");
    expect(ran.out).toContain(`stored in ${credentialsIn(home.path)}, readable by you alone, without the keyring.`);
    expect(statSync(credentialsIn(home.path)).mode & 0o777).toBe(0o600);
  });
});

test("S4 no secret is on a command line: not of logferry, not of what it starts", async () => {
  using home = emptyHome();
  const programs = fakePrograms(home.path);
  const { child, ended } = startCli(home.path, words(), { env: SECRET });
  const [, address = ""] = await said(child, ADDRESS);
  const ours = readFileSync(`/proc/${child.pid}/cmdline`, "utf8").split("\0");
  expect(ours).toContain("login");
  expect(ours.join(" ")).not.toContain(APPLICATION.secret);
  await browse(address);
  await ended;
  await runCli(home.path, words("--profile", "two"), {
    env: { ...SECRET, ...SCREEN, PATH: programs.path, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
  });
  expect(programs.started().map(({ program }) => program)).toContain("xdg-open");
  for (const { words, values } of programs.started()) {
    for (const secret of [APPLICATION.secret, ...server.tokens, ...server.codes]) {
      expect([...words, values].join("\n")).not.toContain(secret);
    }
  }
});

test("S5 after logins of every kind, the token is in the store alone; code, secret and proof are nowhere", async () => {
  using home = emptyHome();
  const outputs: Ran[] = [await withBrowser(home.path, ["--verbose"])];
  script.token = { status: 400, json: { error: "invalid_grant", error_description: "no" } };
  outputs.push(
    await runCli(home.path, words("--oob", "--profile", "b"), { env: SECRET, input: `${server.codes[0]}\n` }),
  );
  delete script.token;
  outputs.push(await runCli(home.path, ["whoami", "--verbose"]), await runCli(home.path, ["doctor", "--json"]));
  outputs.push(await runCli(home.path, ["whoami", "--all", "--json"]));
  const proofs = server.requests.map(({ body }) => new URLSearchParams(body.toString()).get("code_verifier") ?? "");
  const secrets = [...server.tokens, ...server.codes, ...proofs, APPLICATION.secret].filter((secret) => secret !== "");
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("hex"),
  ]);
  for (const { out, err } of outputs) {
    for (const secret of spellings) expect(out + err).not.toContain(secret);
  }
  const holding = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("fake-programs"))
    .filter((path) => spellings.some((secret) => readFileSync(path).includes(secret)));
  expect(holding).toEqual([credentialsIn(home.path)]);
});

test("S9 an address with a secret in it is refused, and shown without it, by every command", async () => {
  using home = emptyHome();
  const env = { LOGFERRY_TOKEN: "someT0ken" };
  const inQuery = `https://log.example/api?access_token=${APPLICATION.secret}`;
  const ran = await Promise.all([
    runCli(home.path, ["login", "--url", inQuery], { env }),
    runCli(home.path, ["doctor", "--json", "--url", inQuery], { env }),
    runCli(home.path, ["whoami", "--url", `https://ana:${APPLICATION.secret}@log.example/api`], { env }),
    runCli(home.path, ["doctor", "--url", `https://log.example/api#${APPLICATION.secret}`], { env }),
    runCli(home.path, ["whoami", "--url", inQuery]),
  ]);
  expect(ran.map(({ code }) => code)).toEqual([2, 2, 2, 2, 4]);
  for (const { out, err } of ran) {
    expect(out + err).not.toContain(APPLICATION.secret);
    expect(out + err).not.toContain("ana:");
  }
  expect(ran[4]?.err).toBe("Not logged in. Run: logferry login --url https://log.example/api\n");
});

describe("O34 two services, two profiles", () => {
  test("O34 an answer belongs to the login that was begun for it; each token is asked for and stored where it belongs", async () => {
    using home = emptyHome();
    const other = await startAuthorizationServer({ screenName: "ben" });
    try {
      const [ana, ben] = [
        startCli(home.path, words("--profile", "ana"), { env: SECRET }),
        startCli(home.path, ["login", "--url", other.url, "--client-id", APPLICATION.id, "--profile", "ben"], {
          env: SECRET,
        }),
      ];
      const [[, toOurs = ""], [, toOther = ""]] = await Promise.all([
        said(ana.child, ADDRESS),
        said(ben.child, ADDRESS),
      ]);
      // Our service's answer, carried to the login that waits for the other one's.
      const { location: answer = "" } = await visit(toOurs);
      const crossed = `${new URL(toOther).searchParams.get("redirect_uri")}${new URL(answer).search}`;
      expect((await visit(crossed)).status).toBe(400);
      // Meanwhile the settings change: a login holds on to what it began with.
      mkdirSync(join(home.path, ".config", "logferry"), { recursive: true });
      writeFileSync(join(home.path, ".config", "logferry", "config.yaml"), `url: ${other.url}\n`);
      await visit(answer);
      await browse(toOther);
      expect([(await ana.ended).code, (await ben.ended).code]).toEqual([0, 0]);
      const stored = ["ana", "ben"].map((profile) =>
        JSON.parse(readFileSync(credentialsIn(home.path, profile), "utf8")),
      );
      expect(stored).toMatchObject([
        { url: server.url, token: server.tokens[0], name: "ana" },
        { url: other.url, token: other.tokens[0], name: "ben" },
      ]);
      for (const [one, codes] of [
        [server, other.codes],
        [other, server.codes],
      ] as const) {
        const bodies = one.requests.map(({ body }) => body.toString()).join("\n");
        for (const code of codes) expect(bodies).not.toContain(code);
      }
    } finally {
      await other.close();
    }
  });
});

describe("profiles", () => {
  test("whoami --all lists every profile with its log, whatever is wrong with one of them, and asks nobody", async () => {
    using home = emptyHome();
    expect((await runCli(home.path, ["whoami", "--all"])).out).toBe(
      "Nobody is logged in. Begin with: logferry login --url URL\n",
    );
    await withBrowser(home.path, ["--profile", "ana"]);
    writeFileSync(credentialsIn(home.path, "bad"), "nonsense", { mode: 0o600 });
    const asked = server.requests.length;
    const ran = await runCli(home.path, ["whoami", "--all", "--profile", "ana"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/^ {2}ana {2}ana {5,}http:\S+ {2}token in a file {2}in use\n/);
    expect(ran.out).toMatch(
      /\n {2}bad {2}Cannot use .*bad\.json: it holds no credentials.*\n2 profiles\. Choose one with --profile NAME\.\n$/,
    );
    const json = jsonLines((await runCli(home.path, ["whoami", "--all", "--json"])).out);
    expect(json).toEqual([
      { type: "profile", profile: "ana", url: server.url, name: "ana", stored: "file" },
      { type: "profile", profile: "bad", problem: expect.stringContaining("holds no credentials") },
    ]);
    expect(server.requests).toHaveLength(asked);
  });

  test("logout forgets one profile, says where to revoke the token, and leaves the others", async () => {
    using home = emptyHome();
    const { path } = fakePrograms(home.path);
    const env = { PATH: path, ...SCREEN, ...SECRET };
    for (const profile of ["ana", "eva"]) await runCli(home.path, words("--profile", profile), { env });
    const ran = await runCli(home.path, ["logout", "--profile", "ana"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toBe(
      `Logged out of ${server.url}: the token is forgotten here. The log still honours it: to revoke it, sign in at ${server.url}/ and remove logferry from the connected applications.\n`,
    );
    expect(readdirSync(join(home.path, ".config", "logferry", "credentials"))).toEqual(["eva.json"]);
    expect((await runCli(home.path, ["whoami", "--profile", "ana"])).code).toBe(4);
    expect((await runCli(home.path, ["whoami", "--profile", "eva"])).code).toBe(0);
    const again = await runCli(home.path, ["logout", "--profile", "ana", "--json"]);
    expect(jsonLines(again.out)).toEqual([{ type: "logout", profile: "ana", forgotten: false }]);
    const nobody = await runCli(home.path, ["logout", "--profile", "ana"], { env: { LOGFERRY_TOKEN: "x" } });
    expect(nobody).toMatchObject({
      code: 0,
      out: "Nobody was logged in as the profile ana.\n",
      err: "A token is still given by LOGFERRY_TOKEN, a token file or a token command, and will be used.\n",
    });
  });

  test("logout removes a file that can't be used, too", async () => {
    using home = emptyHome();
    mkdirSync(join(home.path, ".config", "logferry", "credentials"), { recursive: true });
    writeFileSync(credentialsIn(home.path), "nonsense", { mode: 0o644 });
    const ran = await runCli(home.path, ["logout"]);
    expect(ran).toMatchObject({ code: 0, out: `Removed ${credentialsIn(home.path)}, which could not be used.\n` });
    expect(existsSync(credentialsIn(home.path))).toBe(false);
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
