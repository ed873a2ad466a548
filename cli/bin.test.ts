import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { CLI, emptyHome, runCli } from "../test/support/cli.ts";
import { ROOT } from "../test/support/rehearsal.ts";

const VERSION = /^\d+\.\d+\.\d+\n$/;

/** The Nodes below 24 among those of the PATH that npm did not put there, each once. */
function olderNodes(): string[] {
  const paths = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((path) => !path.includes("node_modules") && existsSync(path));
  return [...new Set(paths.map((path) => realpathSync(path)))].filter(
    (path) => Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24,
  );
}

/** The entry alone, somewhere else. @returns its path */
function copyOfBin(folder: string): string {
  cpSync(dirname(CLI), join(folder, "bin"), { recursive: true });
  return join(folder, "bin", "logferry.js");
}

/** A script that has a Node say it is an older one, and runs the entry. What the entry starts in its stead says the truth. */
function older(folder: string, entry = CLI): string {
  const script = join(folder, "older.mjs");
  const lines = [
    'Object.defineProperty(process, "version", { value: "v20.19.0" });',
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });',
    `await import(${JSON.stringify(pathToFileURL(entry).href)});`,
  ];
  writeFileSync(script, lines.join("\n"));
  return script;
}

describe.each([process.execPath, ...olderNodes()])("under a Node older than 24 (%s)", (node) => {
  test("the Node that npm installed beside logferry takes over, with words, output and exit code", async () => {
    using home = emptyHome();
    const script = older(home.path);
    expect(await runCli(home.path, ["--version"], { node, script })).toMatchObject({
      code: 0,
      out: expect.stringMatching(VERSION),
      err: "",
    });
    const wrong = await runCli(home.path, ["frobnicate"], { node, script });
    expect(wrong).toMatchObject({ code: 2, err: 'There is no command "frobnicate"\nTry: logferry --help\n' });
  });

  test("where there is no other Node, one line says what is needed", async () => {
    using home = emptyHome();
    mkdirSync(join(home.path, "cli"));
    writeFileSync(join(home.path, "package.json"), '{"type":"module"}');
    writeFileSync(join(home.path, "cli", "main.ts"), "export const main = 1;");
    const refused = await runCli(home.path, ["--version"], { node, script: older(home.path, copyOfBin(home.path)) });
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

test.each([
  ["EPIPE", "who read it has gone", 0],
  ["EIO", "the terminal was closed", 0],
  ["ENOSPC", "the disk it goes to is full", 1],
])("output that fails with %s (%s) ends with %d", async (code, _why, exit) => {
  const script = `
    import { main } from "./cli/main.ts";
    const ended = main(["--version"]);
    process.stderr.emit("error", Object.assign(new Error("it failed"), { code: ${JSON.stringify(code)} }));
    process.exitCode = await ended;`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    cwd: ROOT,
    stdio: "ignore",
  });
  expect(await once(child, "exit")).toEqual([exit, null]);
});
