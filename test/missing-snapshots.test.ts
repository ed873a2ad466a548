import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity } from "age-encryption";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { sha256 } from "../connectors/repository/layout.ts";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Somebody deleted snapshots without logferry. The remaining files can't show it, so the repository remembers what it had.

let log: Rehearsal;
let keys: readonly string[];
beforeEach(async () => {
  log = await rehearse();
  keys = [];
});
afterEach(() => log.close());

const repository = () => join(log.folder, "repository");
const run = (...words: string[]): Promise<Ran> => log.run([...words, "--repository", repository(), ...keys]);
const snapshots = () => readdirSync(join(repository(), "snapshots")).toSorted();
const remove = (name: string) => rmSync(join(repository(), "snapshots", name));

/** Makes backups of a log that changes between them. */
async function backups(count: number, ...words: string[]): Promise<void> {
  for (let night = 0; night < count; night++) {
    await log.service.operator.addTrainingPlan(log.userId, { name: `Plan ${night}` });
    expect(await run("backup", ...words)).toMatchObject({ code: 0, err: "" });
  }
}

async function damage(...words: string[]): Promise<unknown> {
  const ran = await run("check", "--json", ...words);
  const found = jsonLines(ran.out).filter(({ type }) => type === "damage");
  return { code: ran.code, found: found.map(({ file, found }) => [file, found]) };
}

describe.each(firstOf(1, ["plain", "encrypted"]))("of a repository that is %s", (kind) => {
  const making: string[] = [];
  beforeEach(async () => {
    if (kind === "plain") return;
    const path = join(log.folder, "identity.txt");
    writeFileSync(path, `${await generateX25519Identity()}\n`, { mode: 0o600 });
    keys = ["--identity", path];
    making.splice(0, making.length, "--encrypt");
  });

  rowTest("one deleted snapshot, of several or the last, is named by check with exit code 7", async () => {
    await backups(3, ...making);
    for (const name of snapshots()) {
      const path = join(repository(), "snapshots", name);
      renameSync(path, join(log.folder, "elsewhere"));
      expect(await damage(), name).toEqual({ code: 7, found: [[`snapshots/${name}`, "is missing"]] });
      renameSync(join(log.folder, "elsewhere"), path);
      expect(await damage()).toEqual({ code: 0, found: [] });
    }
  });

  rowTest("every deleted snapshot is named by check, without the key too, with the folder gone too", async () => {
    await backups(2, ...making);
    const gone = snapshots().map((name) => [`snapshots/${name}`, "is missing"]);
    for (const name of snapshots()) remove(name);
    expect(await damage()).toEqual({ code: 7, found: gone });
    rmSync(join(repository(), "snapshots"), { recursive: true });
    expect(await damage()).toEqual({ code: 7, found: gone });
    keys = [];
    if (kind === "encrypted") expect(await damage("--without-key")).toEqual({ code: 7, found: gone });
    const status = await run("status");
    expect(status.out).toContain("2 SNAPSHOTS ARE MISSING");
  });

  rowTest("the list that was deleted with them is missing itself", async () => {
    await backups(1, ...making);
    for (const name of snapshots()) remove(name);
    rmSync(join(repository(), "snapshots.sha256"));
    expect(await damage()).toEqual({ code: 7, found: [["snapshots.sha256", "is missing"]] });
  });
});

test("a backup says that a snapshot is missing, forget takes nothing away then, and --drop-damaged gives it up", async () => {
  await backups(3);
  const [first = ""] = snapshots();
  remove(first);
  const made = await run("backup");
  expect(made).toMatchObject({ code: 3, err: expect.stringContaining(`snapshots/${first} is missing`) });
  const refused = await run("forget", "--keep-last", "1");
  expect(refused).toMatchObject({ code: 7, err: expect.stringContaining(`snapshots/${first} is missing`) });
  expect(snapshots()).toHaveLength(3);
  const dropped = await run("forget", "--drop-damaged");
  expect(dropped).toMatchObject({ code: 0, out: expect.stringContaining(`gone snapshots/${first}, which is missing`) });
  expect(await damage()).toEqual({ code: 0, found: [] });
  expect(await run("forget", "--keep-last", "1")).toMatchObject({ code: 0 });
  expect(snapshots()).toHaveLength(1);
  expect(await damage()).toEqual({ code: 0, found: [] });
});

test("a repository without a snapshot is no pass: check says that nothing can be restored from it", async () => {
  await backups(1);
  for (const name of ["snapshots", "snapshots.sha256", "repository.json", "SHA256SUMS", "README.txt"])
    rmSync(join(repository(), name), { recursive: true });
  asBefore(repository());
  const checked = await run("check");
  expect(checked).toMatchObject({ code: 7, out: expect.stringContaining("There is no snapshot in") });
});

describe("a repository of before there was a list", () => {
  test("is checked as it is, gains its list at the next backup, and misses a snapshot from then on", async () => {
    await backups(2);
    asBefore(repository());
    expect(await damage()).toEqual({ code: 0, found: [] });
    expect(await run("forget", "--keep-last", "2")).toMatchObject({ code: 0 });
    expect(existsSync(join(repository(), "snapshots.sha256"))).toBe(false);
    const [first = ""] = snapshots();
    expect(await run("backup")).toMatchObject({ code: 0, err: "" });
    expect(await damage()).toEqual({ code: 0, found: [] });
    remove(first);
    expect(await damage()).toEqual({ code: 7, found: [[`snapshots/${first}`, "is missing"]] });
  });

  test("that was stopped while it gained its list is whole at every step", async () => {
    await backups(1);
    const names = ["snapshots.sha256", "README.txt", "SHA256SUMS", "repository.json"] as const;
    const after = new Map(names.map((name) => [name, readFileSync(join(repository(), name))]));
    asBefore(repository());
    for (const [name, bytes] of after) {
      writeFileSync(join(repository(), name), bytes);
      expect(await damage(), name).toEqual({ code: 0, found: [] });
    }
  });
});

longTest("a snapshot of a time to come is deleted by hand, as the message says, and nobody misses it", async () => {
  await backups(2);
  const [, last = ""] = snapshots();
  const path = join(repository(), "snapshots", last);
  const text = readFileSync(path, "utf8").replace(/"time": ?"\d{4}/, '"time": "2099');
  const ahead = `${last.slice(0, 23).replace(/^\d{4}/, "2099")}${sha256(text)}.json`;
  writeFileSync(join(repository(), "snapshots", ahead), text);
  rmSync(path);
  asBefore(repository());
  const told = await run("backup");
  expect(told.out).toContain(`delete snapshots/${ahead} in the repository`);
  remove(ahead);
  expect(await damage()).toEqual({ code: 0, found: [] });
  expect(await run("backup")).toMatchObject({ code: 0 });
});

/** Turns a repository into one that an earlier logferry wrote. These were its three files, to the byte. */
function asBefore(root: string): void {
  rmSync(join(root, "snapshots.sha256"), { force: true });
  const files = { "README.txt": README_BEFORE, "repository.json": '{"format":"logferry-repository","version":1}\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const sums = Object.entries(files).map(([name, text]) => `${sha256(text)}  ${name}\n`);
  writeFileSync(join(root, "SHA256SUMS"), sums.join(""));
}

const README_BEFORE = `This folder holds backups of a training log, made by logferry. Everything in it is in plain formats; logferry is not needed to read it.

snapshots/  one JSON file a backup. Its "pieces" name the files that the log consisted of at that time, and how many records each holds.
data/       the records: workouts by year, the rest by kind. A file is text packed with Zstandard, one JSON object a line:
            "value" is the record in the names of the log's interface, "sum" the first 8 digits of the SHA-256 of "value" as it is written.

Every name ends in the SHA-256 of its file. On Linux or macOS:

  sha256sum data/*/*.zst snapshots/*.json     prints what the names must end in
  zstdcat data/workouts/2024-*.zst            the workouts of 2024, of every snapshot that differs
  sha256sum -c SHA256SUMS                     checks this file and repository.json

A file that no snapshot names is left over, and of no use. Files in tmp/ were never finished.
`;
