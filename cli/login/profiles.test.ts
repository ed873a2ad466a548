import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { emptyHome, jsonLines, runCli } from "../../test/support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "../../test/support/rehearsal.ts";
import { someRuns, writeSheet } from "../../test/support/small-sources.ts";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { exitOf, UsageError } from "../errors/exit-codes.ts";
import { commandToken } from "./token-command.ts";

// Logins whose token is in a file or with a secret manager: listed, asked, and never shown.

let log: Rehearsal;
/** A secret manager: what it is asked for stands in a folder that is not logferry's, beside what it was started with. */
let vault: string;
beforeAll(async () => {
  log = await rehearse();
  vault = mkdtempSync(join(tmpdir(), "logferry-vault-"));
});
afterAll(async () => {
  rmSync(vault, { recursive: true, force: true });
  await log.close();
});

/** Writes the manager; `body` is its program, in which `words` are its words. @returns the command */
function manager(name: string, body: string): string {
  const path = join(vault, name);
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require("node:fs");
const words = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(join(vault, "started.jsonl"))}, JSON.stringify({ words, environment: process.env }) + "\\n");
${body}
`,
  );
  chmodSync(path, 0o755);
  return path;
}

const starts = () =>
  readFileSync(join(vault, "started.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Every form a token could be met in. */
const formsOf = (token: string) => [
  token,
  encodeURIComponent(token),
  Buffer.from(token).toString("base64").replace(/=+$/, ""),
  Buffer.from(token).toString("hex"),
];

function expectNowhere(token: string, home: string, runs: readonly Ran[]): void {
  for (const secret of formsOf(token)) {
    for (const { out, err } of runs) expect(out + err).not.toContain(secret);
    const files = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name));
    for (const file of files.filter((each) => statSync(each).isFile()))
      expect(readFileSync(file).toString("latin1").includes(secret), `${file} holds the token`).toBe(false);
    for (const start of starts()) expect(start).not.toContain(secret);
  }
}

/** Databases that this command has no use for, with a password each. */
const DATABASES = Object.fromEntries(
  ["FLEET", "DATABASE"].map((name) => [`LOGFERRY_${name}`, "postgres://fleet:hunter2@127.0.0.1:1/fleet"]),
);

test("the token of a command opens the log, is asked for once, and is nowhere afterwards", async () => {
  using home = emptyHome();
  writeFileSync(join(vault, "secret"), `${log.token}\nuser: ana\n`);
  const show = manager("show", `process.stdout.write(fs.readFileSync(${JSON.stringify(join(vault, "secret"))}));`);
  const command = `${show} "log/ana b"`;
  const env = { LOGFERRY_URL: log.service.url, LOGFERRY_RATE: "0", LOGFERRY_SETTLE: "0" };
  const sheet = writeSheet(join(home.path, "sheets"), someRuns(3));
  writeFileSync(join(vault, "started.jsonl"), "");
  const imported = await runCli(home.path, ["import", sheet, "--verbose", "--report", join(home.path, "report.html")], {
    env: { ...env, LOGFERRY_TOKEN_COMMAND: command, LOGFERRY_TOKEN: "given-in-vain", ...DATABASES },
  });
  expect(imported).toMatchObject({ code: 0, err: expect.any(String) });
  expect(starts().map((line) => JSON.parse(line).words)).toEqual([["log/ana b"]]);
  expect(starts()[0]).not.toContain("given-in-vain");
  expect(starts()[0]).not.toContain("hunter2");

  const login = await runCli(home.path, ["login", "--profile", "ana", "--token-command", command], { env });
  expect(login).toMatchObject({ code: 0, err: "" });
  expect(login.out).toContain("The token is stored nowhere");
  const list = JSON.stringify([show, "log/ana b"]);
  const whoami = await runCli(home.path, ["whoami", "--token-command", list], { env });
  expect(whoami).toMatchObject({ code: 0, err: "" });
  const stored = await runCli(home.path, ["whoami", "--profile", "ana"]);
  expect(stored).toMatchObject({ code: 0, err: "" });
  const listed = await runCli(home.path, ["profiles", "--json"]);
  expect(starts()).toHaveLength(4);
  const logout = await runCli(home.path, ["logout", "--profile", "ana"]);
  expect(logout).toMatchObject({ code: 0, err: "The token is still where the command takes it from.\n" });
  expect((await runCli(home.path, ["profiles"])).out).toContain("Nobody is logged in.");
  expect(jsonLines(listed.out)).toEqual([
    { type: "profile", profile: "ana", url: log.service.url, name: "demo", stored: "command", token: "unasked" },
  ]);
  expectNowhere(log.token, home.path, [imported, login, whoami, stored, listed]);
});

test.each([
  ["is not there", () => join(vault, "none"), /can't be started: there is no such file or folder/],
  [
    "fails",
    () => manager("fails", `console.error("locked\\u001b[2J"); process.exit(3);`),
    /ended with 3: locked\\x1b\[2J/,
  ],
  [
    "fails, and shows the secret with it",
    () =>
      manager("tells", `console.error("cannot show token=4ga1MLXHyp4WL0shQQ in /srv/vault2024/ana"); process.exit(3);`),
    /ended with 3: cannot show \[not shown\] in \/srv\/vault2024\/ana$/,
  ],
  ["says nothing", () => manager("silent", ""), /printed nothing in its first line/],
  [
    "says it where errors are told",
    () => manager("aside", `console.error("ssssssssssssssssssss");`),
    /printed nothing in its first line\. What it wrote to its standard error is not shown/,
  ],
  [
    "says what is no token",
    () => manager("chatty", `console.log("the secret is " + "${"s".repeat(20)}");`),
    /printed no access token/,
  ],
  [
    "speaks for ever",
    () =>
      manager(
        "endless",
        `setInterval(() => process.stdout.write("x".repeat(70000)), 1); setTimeout(() => process.exit(0), 300);`,
      ),
    /printed no access token/,
  ],
  ["has words for a shell", () => "pass show x | head -1", /no shell reads it, so "\|" would not mean/],
  ["is not closed", () => "pass 'show", /a ' is not closed/],
  ["is in a list that is none", () => '["pass", 7]', /expected a list of texts/],
  ["waits for ever", () => manager("waits", "setInterval(() => undefined, 1000);"), /didn't answer within 0\.3 s/, 300],
])("a token command that %s is told of, and nothing it printed", async (_, command, says, longestMs?: number) => {
  const environment = { PATH: process.env.PATH, LOGFERRY_TOKEN: "not for others" };
  const error: unknown = await commandToken(command(), environment, longestMs).catch((thrown: unknown) => thrown);
  if (!(error instanceof FatalError || error instanceof UsageError)) throw error;
  expect(error.message).toMatch(says);
  expect(error.message).not.toMatch(/s{20}|x{20}|\u001b/);
  expect(exitOf(error)).toBe(error instanceof UsageError ? "usage" : "login");
});

test("a command is asked once a run, however often its token is needed, and anew in the next one", async () => {
  writeFileSync(join(vault, "started.jsonl"), "");
  const command = manager("counts", 'console.log("token-" + fs.readFileSync(process.argv[1] + ".count", "utf8"));');
  const run = { PATH: process.env.PATH };
  writeFileSync(`${command}.count`, "1");
  expect(await Promise.all([commandToken(command, run), commandToken([command], run)])).toEqual(["token-1", "token-1"]);
  writeFileSync(`${command}.count`, "2");
  expect(await commandToken(command, run)).toBe("token-1");
  expect(await commandToken(command, { ...run })).toBe("token-2");
  expect(starts()).toHaveLength(2);
});

longTest(
  "a command that waits for somebody to unlock it is ended by Ctrl-C, and a batch says that it was stopped, not that the token is bad",
  async () => {
    using home = emptyHome();
    const began = join(vault, "began");
    const waits = manager(
      "locked-up",
      `fs.writeFileSync(${JSON.stringify(began)}, ""); setInterval(() => undefined, 1000);`,
    );
    const sheet = writeSheet(join(home.path, "sheets"), someRuns(3));
    const roster = join(home.path, "roster.csv");
    writeFileSync(roster, `athlete,screen-name,token-command,archives\nAna,ana,${waits},${sheet}\n`);
    const { child, ended } = log.start(["batch", roster]);
    while (!existsSync(began)) await new Promise((resolve) => setTimeout(resolve, 50));
    // To logferry alone, as a service manager may: the command itself hears nothing of it.
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect(code, err).toBe(130);
    expect(err).toContain("Ana: stopped before anything was changed");
    expect(out + err).not.toContain("Log in again");
  },
);

test("a file and a command at once are refused: nobody could say which was meant", async () => {
  using home = emptyHome();
  const words = ["whoami", "--url", log.service.url, "--token-file", "a", "--token-command", "b"];
  expect(await runCli(home.path, words)).toMatchObject({
    code: 2,
    err: "Cannot choose between --token-file and --token-command: both are set. Use one of them\n",
  });
});

longTest("profiles says which logins work, whatever is wrong with the others, and how to log in again", async () => {
  using home = emptyHome();
  const folder = join(home.path, ".config", "logferry", "credentials");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const revoked = "revokedRevokedRevokedRevoked1234";
  const locked = manager("locked", `console.error("the vault is locked"); process.exit(1);`);
  const logins = {
    ana: { url: log.service.url, token: log.token, name: "demo" },
    ben: { url: log.service.url, token: revoked, name: "ben" },
    eva: { url: "http://127.0.0.1:9", token: log.token, name: "eva" },
    ida: { url: log.service.url, command: locked, name: "ida" },
    udo: { url: log.service.url, token: log.token, name: "udo\u001b[2J" },
  };
  for (const [profile, login] of Object.entries(logins))
    writeFileSync(join(folder, `${profile}.json`), JSON.stringify(login), { mode: 0o600 });
  writeFileSync(join(folder, "zoe.json"), "nonsense", { mode: 0o600 });

  const listed = await runCli(home.path, ["profiles", "--json"]);
  expect(listed).toMatchObject({ code: 4, err: "" });
  expect(jsonLines(listed.out).map(({ profile, token, problem }) => [profile, token ?? problem])).toEqual([
    ["ana", "readable"],
    ["ben", "readable"],
    ["eva", "readable"],
    ["ida", "unasked"],
    ["udo", "readable"],
    ["zoe", expect.stringContaining("holds no credentials")],
  ]);
  const checked = await runCli(home.path, ["profiles", "--check", "--json"]);
  expect(checked.code).toBe(4);
  const found = jsonLines(checked.out).filter(({ type }) => type === "profile");
  expect(found.map(({ profile, token, user, again }) => [profile, token, user, again])).toEqual([
    ["ana", "works", "demo", undefined],
    ["ben", "refused", undefined, "logferry login --profile ben"],
    ["eva", "unreachable", undefined, undefined],
    ["ida", "unreadable", undefined, "put a new token where its command takes it from"],
    ["udo", "works", "demo", undefined],
    ["zoe", undefined, undefined, undefined],
  ]);
  const text = await runCli(home.path, ["profiles", "--check"]);
  expect(text.out).toContain("  ben: log in again: logferry login --profile ben\n");
  expect(text.out).toContain("the vault is locked");
  expect(text.out).toMatch(/udo\\x1b\[2J .* works, as demo\n/);
  for (const { out, err } of [listed, checked, text])
    for (const secret of [...formsOf(log.token), ...formsOf(revoked), "\u001b"])
      expect(out + err).not.toContain(secret);
});
