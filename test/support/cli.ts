/** The command line as a person has it: a process with an environment of its own, without any of this project's variables. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILED } from "./compiled.ts";
import { type Ran, ROOT } from "./rehearsal.ts";
import { canBeWarm, runWarm } from "./warm-cli.ts";

/** The entry of the command line. */
export const CLI = join(ROOT, "bin", "logferry.js");

/** The input and environment of a process. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The text on its standard input. Default nothing. */
  readonly input?: string;
  /** Leaves standard input open, for a test that answers questions. */
  readonly leaveOpen?: boolean;
  /** The Node it runs under. Default the Node of the tests. */
  readonly node?: string;
  /** The script. Default `CLI`. */
  readonly script?: string;
}

/** Starts `logferry WORDS` in a home of its own. */
export function startCli(
  home: string,
  words: readonly string[],
  { env = {}, input = "", leaveOpen = false, node = process.execPath, script = CLI }: StartOptions = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(node, [script, ...words], { stdio: ["pipe", "pipe", "pipe"], env: environmentOf(home, env) });
  // A command that reads no input may have ended before it was written.
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!leaveOpen) child.stdin.end();
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  return { child, ended: once(child, "close").then(([code, signal]) => ({ code, signal, out, err })) };
}

/** Runs `logferry WORDS` to its end, in a process of its own only when its settings ask for one. */
export function runCli(home: string, words: readonly string[], options: StartOptions = {}): Promise<Ran> {
  const { env = {}, input, ...own } = options;
  const isWarm = Object.keys(own).length === 0 && canBeWarm(env);
  return isWarm ? runWarm(words, environmentOf(home, env), input) : startCli(home, words, options).ended;
}

function environmentOf(home: string, env: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, ...COMPILED, ...env };
}

/** An empty folder that is gone after use: `using home = emptyHome()`. */
export function emptyHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "logferry-cli-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** JSON lines, each parsed. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
