import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { emptyHome } from "../test/support/cli.ts";
import {
  checkedToken,
  credentialsPath,
  readCredentials,
  readToken,
  readTokenFile,
  storeCredentials,
} from "./credentials.ts";
import { UsageError } from "./exit-codes.ts";

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

test("credentials are stored for their owner alone, whatever the umask, and read back", async () => {
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

test("a folder that was open to others is closed, and newer credentials take the older ones' place", async () => {
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

test("a file that others can read is refused with the command that mends it", async () => {
  using home = emptyHome();
  const path = join(home.path, "ana.json");
  for (const mode of [0o644, 0o640, 0o604, 0o602]) {
    writeFileSync(path, JSON.stringify(CREDENTIALS));
    chmodSync(path, mode);
    expect(await refusal(readCredentials(path))).toBe(`Cannot use ${path}: others can read it. Run: chmod 600 ${path}`);
  }
});

test("a link is refused, whatever it leads to", async () => {
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

test("a token is the first line of a stream, and no more than a line's worth is read", async () => {
  expect(await readToken(Readable.from([TOKEN.slice(0, 5), `${TOKEN.slice(5)}\nmore`, "never"]))).toBe(TOKEN);
  expect(await readToken(Readable.from([TOKEN]))).toBe(TOKEN);
  expect(await refusal(readToken(Readable.from([])))).toBe("Cannot read the access token: there was none");
  let pieces = 0;
  const endless = (async function* () {
    for (;;) {
      pieces++;
      yield "x".repeat(100);
    }
  })();
  expect(await refusal(readToken(endless))).toMatch(/^Cannot use the access token/);
  expect(pieces).toBeLessThan(20);
});

test("a token file that can't be read says why, and one that isn't a token is not repeated", async () => {
  using home = emptyHome();
  const path = join(home.path, "token.txt");
  expect(await refusal(readTokenFile(path))).toBe(
    `Cannot read the token file ${path}: there is no such file or folder`,
  );
  expect(await refusal(readTokenFile(home.path))).toBe(`Cannot read the token file ${home.path}: it is a folder`);
  writeFileSync(path, `${TOKEN}\n`);
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
