import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Encrypted backups as a person makes and opens them. logferry opens them. The commands of docs/backups.md open them too, with the stock `age` and
// `zstd` where this machine has them. Elsewhere stand-ins take their place. They share only the library of age's author with logferry.

const PASSPHRASE = "four words, and a Zürich";

let log: Rehearsal;
/** A home as docs/backups.md has it: the repository is `~/backups/log`. */
const home = () => join(log.folder, "home");
const folder = (name: string) => join(home(), "backups", name);
const passphraseFile = () => join(home(), "passphrase");
const keyFile = () => join(home(), "keys", "log.txt");
let recipient: string;

beforeAll(async () => {
  log = await rehearse();
  await fillLog(log);
  for (const name of ["backups", "keys"]) mkdirSync(join(home(), name), { recursive: true });
  writeFileSync(passphraseFile(), `${PASSPHRASE}\nand a second line\n`, { mode: 0o600 });
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  writeFileSync(keyFile(), `# created: 2026-11-21T21:30:00Z\n# public key: ${recipient}\n${identity}\n`, {
    mode: 0o600,
  });
});
afterAll(() => log.close());

const here = (name: string, ...words: string[]) => runHere(log, [...words, "--repository", folder(name)]);

/** The block of shell commands behind a sentence of docs/backups.md. */
function sequenceOf(sentence: string): string {
  const page = readFileSync(join(ROOT, "docs", "backups.md"), "utf8");
  const [, rest = ""] = page.split(`${sentence}\n\n\`\`\`\n`);
  const [block = ""] = rest.split("```\n");
  expect(block).toContain("age -d -i");
  return block;
}

const has = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

/** `age -d [-i KEY] FILE` and `zstd -dc` as processes of their own. Without `-i`, the passphrase is a line of standard input. */
const STAND_INS = {
  age: `
    import { readFileSync } from "node:fs";
    import { Decrypter } from ${JSON.stringify(import.meta.resolve("age-encryption"))};
    const words = process.argv.slice(1);
    const decrypter = new Decrypter();
    if (words[1] === "-i") for (const line of readFileSync(words[2], "utf8").split("\\n").filter((one) => one.startsWith("AGE-")))
      decrypter.addIdentity(line);
    else decrypter.addPassphrase(readFileSync(0, "utf8").split("\\n")[0]);
    process.stdout.write(await decrypter.decrypt(readFileSync(words.at(-1))));`,
  zstd: `process.stdout.write(process.getBuiltinModule("node:zlib").zstdDecompressSync(process.getBuiltinModule("node:fs").readFileSync(0)));`,
};

/** Shell functions in place of the tools. */
function functionsFor(tools: readonly (keyof typeof STAND_INS)[]): string {
  return tools
    .map((tool) => `${tool}() { '${process.execPath}' --input-type=module -e '${STAND_INS[tool]}' -- "$@"; }\n`)
    .join("");
}

/**
 * Runs shell commands at home, on a terminal where one is needed to type on.
 *
 * @param typed a line that is typed; undefined where nothing asks
 */
function shell(script: string, typed: string | undefined, isTerminal: boolean): void {
  const path = join(home(), "commands.sh");
  writeFileSync(path, `set -e\n${script}`);
  const [program, ...words] = isTerminal ? ["script", "-qec", `sh ${path}`, "/dev/null"] : ["sh", path];
  const env = { PATH: process.env.PATH ?? "", HOME: home() };
  execFileSync(program ?? "sh", words, { env, input: typed === undefined ? "" : `${typed}\n` });
}

/** Ids of the workouts that the commands wrote down, and those of the log, by an independent client. */
async function expectAllWorkouts(): Promise<void> {
  const lines = readFileSync(join(home(), "workouts.ndjson"), "utf8").trimEnd().split("\n");
  const ids = lines.map((line) => JSON.parse(line).value.id as string);
  const inLog = await log.listed("/rest/logs/me/workouts");
  expect(ids.toSorted()).toEqual(inLog.map(({ id }) => String(id)).toSorted());
  expect(ids.length).toBeGreaterThan(20);
  for (const name of ["opened-key", "snapshot.json"]) expect(readdirSync(home())).not.toContain(name);
}

const SENTENCE = "To open the last snapshot with `age` and `zstd` alone, and write down its workouts:";
const missing = (["age", "zstd"] as const).filter((tool) => !has(tool));
const withReal: readonly (readonly [string, string])[] =
  missing.length === 0 ? [["this machine's age and zstd", ""]] : [];
const withStandIns = [["stand-ins for age and zstd", functionsFor(["age", "zstd"])]] as const;

describe("a repository that a passphrase opens", () => {
  beforeAll(async () => {
    // The passphrase is typed, as a person does when the repository is made.
    const ran = await log.run(["backup", "--encrypt", "--repository", folder("log")], { input: `${PASSPHRASE}\n` });
    expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining(PASSPHRASE) });
    expect(ran.out).toMatch(/^Snapshot [0-9a-f]{8}: /m);
  });

  longTest.each([...withStandIns, ...(has("script") ? withReal : [])])(
    "is opened by the commands of docs/backups.md, as they stand there: %s",
    async (_tools, functions) => {
      shell(functions + sequenceOf(SENTENCE), PASSPHRASE, functions === "");
      await expectAllWorkouts();
    },
  );

  longTest("is quiet every night with the passphrase in a file, and is checked to its records", async () => {
    const words = ["--repository", folder("log"), "--passphrase-file", passphraseFile()];
    expect(await log.run(["backup", "--quiet", ...words])).toMatchObject({ code: 0, out: "", err: "" });
    const env = { LOGFERRY_PASSPHRASE_FILE: passphraseFile(), LOGFERRY_REPOSITORY: folder("log") };
    const checked = jsonLines((await log.run(["check", "--json"], { env })).out).at(-1);
    expect(checked).toMatchObject({ snapshots: 2, damaged: 0, records: 50, opened: true });
  });

  longTest("is told of in one message where the passphrase is wrong, missing or not asked for", async () => {
    const typed = await log.run(["snapshots", "--repository", folder("log")], { input: "not it\n" });
    expect(typed).toMatchObject({
      code: 2,
      out: "",
      err: `Cannot open ${folder("log")}: this is not its passphrase\n`,
    });
    const nobody = await log.run(["snapshots", "--repository", folder("log")]);
    expect(nobody).toMatchObject({
      code: 2,
      err: "Cannot read the passphrase: there was none. Where nobody types it, name it with --passphrase-file FILE or --passphrase-command COMMAND\n",
    });
    writeFileSync(join(home(), "empty"), "\n", { mode: 0o600 });
    const empty = await here("log", "snapshots", "--passphrase-file", join(home(), "empty"));
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("its first line is empty") });
    const command = (script: string) => ["--passphrase-command", JSON.stringify(["/bin/sh", "-c", script])];
    const printed = await here("log", "snapshots", ...command(`echo '${PASSPHRASE}'`));
    expect(printed).toMatchObject({ code: 0, out: expect.not.stringContaining(PASSPHRASE) });
    expect(await here("log", "snapshots", ...command(`echo '${PASSPHRASE}'; exit 3`))).toMatchObject({
      code: 2,
      err: "Cannot get the passphrase: the passphrase command (/bin/sh) ended with 3\n",
    });
    const other = await here("log", "snapshots", "--identity", keyFile(), "--passphrase-file", join(home(), "empty"));
    expect(other).toMatchObject({ code: 2 });
  });

  test("is checked from outside without its key, and damage is named", async () => {
    const ran = await here("log", "check", "--without-key");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain("nothing decrypted: without the key, what they hold was not looked at");
    const [name = ""] = readdirSync(join(folder("log"), "data", "pieces"));
    const path = join(folder("log"), "data", "pieces", name);
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole.subarray(0, -1), Buffer.from([(whole.at(-1) ?? 0) ^ 1])]));
    const damaged = await here("log", "check", "--without-key");
    writeFileSync(path, whole);
    expect(damaged).toMatchObject({ code: 7 });
    expect(damaged.err).toContain(`data/pieces/${name} differs from its checksum`);
  });
});

describe("a repository that age keys open", () => {
  const words = () => ["--identity", keyFile()];
  beforeAll(async () => {
    expect(await here("keys", "backup", "--recipient", recipient)).toMatchObject({ code: 0 });
    expect(await here("keys", "backup", ...words())).toMatchObject({ code: 0 });
  });

  test.each([...withStandIns, ...withReal])(
    "is opened by the commands of docs/backups.md: %s",
    async (_tools, functions) => {
      const script = sequenceOf(SENTENCE)
        .replace("~/backups/log", "~/backups/keys")
        .replace("age -d key.age", "age -d -i ~/keys/log.txt key.age");
      shell(functions + script, undefined, false);
      await expectAllWorkouts();
    },
  );

  test("needs one of them for everything but a look from outside", async () => {
    const listed = jsonLines((await here("keys", "snapshots", "--json", ...words())).out);
    expect(listed.filter(({ type }) => type === "snapshot").map(({ pass }) => pass)).toEqual(["full", "changes"]);
    expect(await here("keys", "diff", "latest~1", "latest", ...words())).toMatchObject({ code: 0 });
    expect(await here("keys", "forget", "--keep-last", "1", ...words())).toMatchObject({ code: 0 });
    expect(await here("keys", "check", ...words())).toMatchObject({ code: 0 });
    expect(await here("keys", "check", "--without-key")).toMatchObject({ code: 0 });
    const without = await here("keys", "snapshots");
    expect(without).toMatchObject({
      code: 2,
      err: `Cannot open ${folder("keys")}: it is opened with an age key, and none was given (--identity FILE)\n`,
    });
    writeFileSync(join(home(), "keys", "other.txt"), `${await generateX25519Identity()}\n`, { mode: 0o600 });
    const wrong = await here("keys", "backup", "--identity", join(home(), "keys", "other.txt"));
    expect(wrong).toMatchObject({
      code: 2,
      err: `Cannot open ${folder("keys")}: none of the age keys given opens it\n`,
    });
  });

  test("a private key typed in the place of its file is refused, and not repeated", async () => {
    const key = await generateX25519Identity();
    for (const option of ["--identity", "--recipient"]) {
      const ran = await here("keys", "backup", option, key);
      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(`Cannot use ${option}: it takes a file`) });
      expect(`${ran.out}${ran.err}`).not.toContain(key.slice(0, 20));
    }
  });

  test.each([
    ["AGE-SECRET-KEY-1", "a cut key"],
    ["age-encryption.org/v1\n-> scrypt AAAA 18\n", "an encrypted one"],
    ["", "an empty one"],
  ])("a key file that holds %j is refused without a word of it (%s)", async (text) => {
    const path = join(home(), "keys", "bad.txt");
    writeFileSync(path, text, { mode: 0o600 });
    const ran = await here("keys", "snapshots", "--identity", path);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^Cannot use the key file .*: expected an age identity \(AGE-SECRET-KEY-1\.\.\.\) a line/);
    expect(ran.err.length).toBeLessThan(250);
  });

  test("a recipient with a letter wrong, or one that a plugin of age knows, is not taken for a file", async () => {
    for (const word of ["age1bogus", "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t"]) {
      const ran = await here("mistyped", "backup", "--recipient", word);
      expect(ran).toMatchObject({
        code: 2,
        err: `Cannot use --recipient: ${word} is no X25519 key of age, which age-keygen -y prints\n`,
      });
    }
  });
});

test("a plain repository doesn't become an encrypted one, and is not written to by somebody who thinks it is", async () => {
  expect(await here("plain", "backup")).toMatchObject({ code: 0 });
  for (const words of [["--encrypt"], ["--recipient", recipient], ["--passphrase-file", passphraseFile()]]) {
    const ran = await here("plain", "backup", ...words);
    expect(ran, words.join(" ")).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`${folder("plain")} is not encrypted, and a key or --encrypt was given`);
  }
  expect(readdirSync(join(folder("plain"), "snapshots"))).toHaveLength(1);
});

test("neither passphrase nor key is in any file of a repository, nor a word of the log", async () => {
  const secrets = [PASSPHRASE, readFileSync(keyFile(), "utf8").split("\n")[2] ?? "", "AGE-SECRET-KEY", log.token];
  for (const name of ["log", "keys"]) {
    for (const file of readdirSync(folder(name), { recursive: true, encoding: "utf8" })) {
      const path = join(folder(name), file);
      if (!statSync(path).isFile() || file.startsWith("repository.lock")) continue;
      const text = `${file}\n${readFileSync(path, "latin1")}`;
      for (const secret of secrets) expect(text, file).not.toContain(secret);
      if (file.endsWith(".age"))
        for (const word of ["River", "singleTrack", "Marathon"]) expect(text, file).not.toContain(word);
    }
  }
});
