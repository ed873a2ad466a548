import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { APPLICATION, browse, startAuthorizationServer, visit } from "../test/support/authorization-server.ts";
import { emptyHome, jsonLines, runCli, startCli } from "../test/support/cli.ts";
import { fakePrograms } from "../test/support/fake-programs.ts";
import {
  ADDRESS,
  credentialsIn,
  SCREEN,
  SECRET,
  said,
  script,
  server,
  withBrowser,
  withService,
  words,
} from "../test/support/logging-in.ts";
import type { Ran } from "../test/support/rehearsal.ts";
import { longTest, test } from "../test/support/tier-tests.ts";

// Where logins are kept: files, keyring and profiles. No secret is anywhere else.

withService();

describe("where the token goes", () => {
  const BUS = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

  longTest("S3 where there is a keyring it is there, is used from there, and --no-keyring keeps it out", async () => {
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
