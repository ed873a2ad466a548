import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, emptyHome, runCli } from "../test/support/cli.ts";

const VERSION = /^\d+\.\d+\.\d+\n$/;

/** A Node below 24 among those of the PATH that npm did not put there. */
function olderNode(): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((path) => !path.includes("node_modules") && existsSync(path))
    .find((path) => Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24);
}

/** The entry alone, somewhere else. @returns its path */
function copyOfBin(folder: string): string {
  cpSync(dirname(CLI), join(folder, "bin"), { recursive: true });
  return join(folder, "bin", "logferry.js");
}

const older = olderNode();
const lacking = older === undefined ? " (left out: this machine has no older Node)" : "";

describe.skipIf(older === undefined)(`under a Node older than 24${lacking}`, () => {
  test("the Node that npm installed beside logferry takes over, with words, output and exit code", async () => {
    using home = emptyHome();
    expect(await runCli(home.path, ["--version"], { node: older as string })).toMatchObject({
      code: 0,
      out: expect.stringMatching(VERSION),
      err: "",
    });
    const wrong = await runCli(home.path, ["frobnicate"], { node: older as string });
    expect(wrong).toMatchObject({ code: 2, err: 'There is no command "frobnicate"\nTry: logferry --help\n' });
  });

  test("where there is no other Node, one line says what is needed", async () => {
    using home = emptyHome();
    mkdirSync(join(home.path, "cli"));
    writeFileSync(join(home.path, "package.json"), '{"type":"module"}');
    writeFileSync(join(home.path, "cli", "main.ts"), "export const main = 1;");
    const script = copyOfBin(home.path);
    const refused = await runCli(home.path, ["--version"], { node: older as string, script });
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(
      /^logferry needs Node 24 or newer, and this is v\d+\.\d+\.\d+\. See https:\/\/nodejs\.org\n$/,
    );
  });
});

test("an installation that lost its files says so in one line", async () => {
  using home = emptyHome();
  writeFileSync(join(home.path, "package.json"), '{"type":"module"}');
  const script = copyOfBin(home.path);
  const ran = await runCli(home.path, ["--version"], { script });
  expect(ran.code).toBe(2);
  expect(ran.err).toBe(
    `logferry is not whole: there is no ${join(home.path, "dist", "cli", "main.js")}. Install it again.\n`,
  );
});
