import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { emptyHome } from "../../test/support/cli.ts";
import { fakePrograms } from "../../test/support/fake-programs.ts";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { UsageError } from "../errors/exit-codes.ts";
import {
  credentialsPath,
  forgetCredentials,
  readCredentials,
  readLogin,
  readTokenFile,
  storeCredentials,
  storedProfiles,
} from "./credentials.ts";
import { keyringHere } from "./keyring.ts";
import { checkedToken } from "./token.ts";

const TOKEN = "s3cretS3cretS3cret";
const CREDENTIALS = { url: "https://log.example", token: TOKEN };

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw error;
  expect(error.message).not.toContain(TOKEN);
  return error.message;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("S1 S13 credentials are stored for their owner alone, whatever the umask, and read back", async () => {
  using home = emptyHome();
  const path = credentialsPath("ana", home.path);
  // A process alone: the umask belongs to the whole process, and other tests share ours.
  const script = `process.umask(0); const { storeCredentials } = await import(${JSON.stringify(join(import.meta.dirname, "credentials.ts"))});
    await storeCredentials(process.argv[1], ${JSON.stringify(CREDENTIALS)});`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script, path]);
  expect(modeOf(path)).toBe("600");
  expect(modeOf(dirname(path))).toBe("700");
  expect(await readCredentials(path)).toEqual(CREDENTIALS);
});

test("S1 a folder that was open to others is closed, and newer credentials take the older ones' place", async () => {
  using home = emptyHome();
  const path = credentialsPath("ana", home.path);
  mkdirSync(dirname(path), { mode: 0o755 });
  chmodSync(dirname(path), 0o755);
  writeFileSync(path, "{}", { mode: 0o644 });
  await storeCredentials(path, CREDENTIALS);
  expect(modeOf(path)).toBe("600");
  expect(modeOf(dirname(path))).toBe("700");
  expect(readdirSync(dirname(path))).toEqual(["ana.json"]);
});

test("nobody logged in is undefined, not an error", async () => {
  using home = emptyHome();
  expect(await readCredentials(credentialsPath("ana", home.path))).toBeUndefined();
});

test("S1 a file that others can read is refused with the command that mends it", async () => {
  using home = emptyHome();
  const path = join(home.path, "ana.json");
  for (const [mode, can] of [
    [0o644, "read"],
    [0o640, "read"],
    [0o604, "read"],
    [0o602, "change"],
  ] as const) {
    writeFileSync(path, JSON.stringify(CREDENTIALS));
    chmodSync(path, mode);
    expect(await refusal(readCredentials(path))).toBe(
      `Cannot use ${path}: others can ${can} it. Run: chmod 600 ${path}`,
    );
  }
});

test("S2 a link is refused, whatever it leads to", async () => {
  using home = emptyHome();
  const target = join(home.path, "target.json");
  writeFileSync(target, JSON.stringify(CREDENTIALS), { mode: 0o600 });
  const path = join(home.path, "ana.json");
  symlinkSync(target, path);
  expect(await refusal(readCredentials(path))).toMatch(/it is a link\. Remove it and log in again$/);
});

test("a folder or a pipe in the file's place is refused, without waiting", async () => {
  using home = emptyHome();
  const folder = join(home.path, "folder.json");
  mkdirSync(folder, { mode: 0o700 });
  expect(await refusal(readCredentials(folder))).toMatch(/it is not a file/);
  const pipe = join(home.path, "pipe.json");
  execFileSync("mkfifo", ["-m", "600", pipe]);
  expect(await refusal(readCredentials(pipe))).toMatch(/it is not a file/);
});

test.each([
  "",
  "nonsense",
  "[]",
  "null",
  `"${TOKEN}"`,
  `{"token":"${TOKEN}"}`,
  '{"url":"https://log.example"}',
  `{"url":7,"token":"${TOKEN}"}`,
  `{"url":"https://log.example","token":"${TOKEN} with blanks"}`,
  `{"url":"https://log.example","token":"${TOKEN}${TOKEN}"}`,
])("a file that holds %j is refused without repeating it", async (text) => {
  using home = emptyHome();
  const path = join(home.path, "ana.json");
  writeFileSync(path, text, { mode: 0o600 });
  expect(await refusal(readCredentials(path))).toMatch(/holds no credentials|Cannot use the access token/);
});

test("a profile can't lead out of the folder", () => {
  expect(credentialsPath("ana-2.b_C", "/c")).toBe("/c/credentials/ana-2.b_C.json");
  for (const profile of ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a\u0000", "a b", "é", "x".repeat(65)]) {
    expect(() => credentialsPath(profile, "/c"), profile).toThrow(UsageError);
  }
});

test("a token is 1 to 32 printable characters; blanks around it are not part of it", () => {
  expect(checkedToken(`  ${TOKEN}\r\n`)).toBe(TOKEN);
  expect(checkedToken("x")).toBe("x");
  expect(checkedToken("x".repeat(32))).toHaveLength(32);
  for (const text of ["", " ", "a b", "x".repeat(33), "tök", "a\u001b[2Jb", "a\u0000"]) {
    expect(() => checkedToken(text)).toThrow(UsageError);
  }
});

test("a token file that can't be read says why, and one that isn't a token is not repeated", async () => {
  using home = emptyHome();
  const path = join(home.path, "token.txt");
  expect(await refusal(readTokenFile(path))).toBe(
    `Cannot read the token file ${path}: there is no such file or folder`,
  );
  expect(await refusal(readTokenFile(home.path))).toBe(`Cannot read the token file ${home.path}: it is a folder`);
  writeFileSync(path, `${TOKEN}\n`, { mode: 0o600 });
  expect(await readTokenFile(path)).toBe(TOKEN);
  writeFileSync(path, `${TOKEN} ${TOKEN}\n`);
  expect(await refusal(readTokenFile(path))).toMatch(/^Cannot use the access token/);
});

test("a folder that can't be made says so, and leaves nothing behind", async () => {
  using home = emptyHome();
  writeFileSync(join(home.path, "credentials"), "a file in the way");
  const path = credentialsPath("ana", home.path);
  expect(await refusal(storeCredentials(path, CREDENTIALS))).toBe(
    `Cannot store the access token in ${path}: a file is in the way`,
  );
  expect(readFileSync(join(home.path, "credentials"), "utf8")).toBe("a file in the way");
});

/** A home with a desktop's keyring in it. */
async function withKeyring(home: string) {
  const programs = fakePrograms(home);
  const environment = { PATH: programs.path, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
  const keyring = await keyringHere(environment, "linux");
  if (keyring === undefined) throw new Error("the fake keyring was not found");
  return { programs, environment, keyring, path: credentialsPath("ana", home) };
}

test("S3 where there is a keyring the token is in it, and the file has everything else", async () => {
  using home = emptyHome();
  const { programs, environment, keyring, path } = await withKeyring(home.path);
  const login = { url: "https://log.example", name: "Ana", clientId: "key", authUrl: "https://www.log.example" };
  expect(await storeCredentials(path, { ...login, token: TOKEN }, keyring, environment)).toEqual({
    keyring: "secret-tool",
  });
  expect(Object.values(programs.kept())).toEqual([TOKEN]);
  expect(readFileSync(path, "utf8")).not.toContain(TOKEN);
  expect(modeOf(path)).toBe("600");
  expect(await readCredentials(path, environment)).toEqual({ ...login, token: TOKEN });
  // Whose it is can be said without asking the keyring, which may be locked.
  programs.behave("refuse");
  expect(await readLogin(path)).toMatchObject({ ...login, keyring: "secret-tool" });
});

test("S3 a keyring that can't be used leaves the token in the file, and why is said", async () => {
  using home = emptyHome();
  const { programs, environment, keyring, path } = await withKeyring(home.path);
  programs.behave("refuse");
  expect(await storeCredentials(path, CREDENTIALS, keyring, environment)).toEqual({
    problem: "the system keyring (secret-tool) refused to keep it (exit code 1)",
  });
  expect(modeOf(path)).toBe("600");
  expect(await readCredentials(path, environment)).toEqual(CREDENTIALS);
});

longTest("newer credentials leave nothing of the older ones in the keyring, wherever they go", async () => {
  using home = emptyHome();
  const { programs, environment, keyring, path } = await withKeyring(home.path);
  await storeCredentials(path, CREDENTIALS, keyring, environment);
  await storeCredentials(path, { ...CREDENTIALS, token: "newer" }, keyring, environment);
  expect(Object.values(programs.kept())).toEqual(["newer"]);
  await storeCredentials(path, { ...CREDENTIALS, token: "newest" }, undefined, environment);
  expect(programs.kept()).toEqual({});
  expect(await readCredentials(path, environment)).toMatchObject({ token: "newest" });
});

test("a keyring that is locked, or has forgotten, means logging in again, and says how to do without", async () => {
  using home = emptyHome();
  const { programs, environment, keyring, path } = await withKeyring(home.path);
  await storeCredentials(path, CREDENTIALS, keyring, environment);
  programs.behave("refuse");
  for (const variables of [environment, { PATH: join(home.path, "nothing") }]) {
    const error = await readCredentials(path, variables).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FatalError);
    expect(error).toMatchObject({ code: "login/keyring", reason: "login" });
    expect((error as Error).message).toMatch(
      /^Cannot read the access token: the system keyring \(secret-tool\) .*--no-keyring/,
    );
  }
});

test("a login is forgotten with what the keyring has of it; a file that can't be used goes too", async () => {
  using home = emptyHome();
  const { programs, environment, keyring, path } = await withKeyring(home.path);
  expect(await forgetCredentials(path, environment)).toBe(false);
  await storeCredentials(path, CREDENTIALS, keyring, environment);
  expect(await forgetCredentials(path, environment)).toEqual({});
  expect([programs.kept(), readdirSync(dirname(path))]).toEqual([{}, []]);
  await storeCredentials(path, CREDENTIALS, keyring, environment);
  programs.behave("refuse");
  expect(await forgetCredentials(path, environment)).toEqual({
    problem: "the system keyring (secret-tool) refused to forget it (exit code 1)",
  });
  writeFileSync(path, "nonsense", { mode: 0o644 });
  expect(await forgetCredentials(path, environment)).toEqual({});
  expect(readdirSync(dirname(path))).toEqual([]);
});

test("profiles are listed by name, and what is no profile's file is not", async () => {
  using home = emptyHome();
  expect(await storedProfiles(home.path)).toEqual([]);
  for (const name of ["eva", "ana", "default"]) await storeCredentials(credentialsPath(name, home.path), CREDENTIALS);
  for (const name of ["notes.txt", ".hidden.json", "a b.json", "ana.json.5f.new"]) {
    writeFileSync(join(home.path, "credentials", name), "");
  }
  expect(await storedProfiles(home.path)).toEqual(["ana", "default", "eva"]);
});

longTest("S12 a store that is killed at any point leaves the old or the new, whole", async () => {
  using home = emptyHome();
  const path = credentialsPath("ana", home.path);
  const tokens = ["a".repeat(32), "b".repeat(32)];
  await storeCredentials(path, { url: "https://log.example", token: tokens[0] ?? "" });
  const script = `const { storeCredentials } = await import(${JSON.stringify(join(import.meta.dirname, "credentials.ts"))});
    process.stdout.write("begun");
    for (;;) for (const token of ${JSON.stringify(tokens)}) await storeCredentials(process.argv[1], { url: "https://log.example", token });`;
  for (let round = 0; round < 8; round++) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    // Not at the same point each time.
    for (let turn = 0; turn < round * 3; turn++) await readFileSync(path);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(tokens).toContain((await readCredentials(path))?.token);
    expect(modeOf(path)).toBe("600");
  }
});
