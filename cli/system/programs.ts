/**
 * Runs other programs of the system: the keyring's tool, the browser's opener. It uses no shell, so no word of ours can become a command.
 * The programs get none of our secrets in their environment. Their words never contain a secret, because every user of the machine can read
 * them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { OPTIONS, type OptionSpec, SECRET_VARIABLES, toVariable } from "../arguments/options.ts";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The result of a program. */
export interface ProgramEnd {
  /** 0 for success; undefined when logferry ended the program, because it took too long or logferry was stopped. */
  readonly code: number | undefined;
  readonly out: string;
  /**
   * The program's standard error, cut at the same length as `out`. It may repeat the program's input, so show it only if there was no
   * input.
   */
  readonly complaint: string;
}

/** The most characters of a program's output that logferry keeps. */
const LONGEST_OUTPUT = 10_000;

/** Whether a program is on the PATH. */
export async function hasProgram(name: string, environment: Environment): Promise<boolean> {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      if ((await stat(path)).isFile()) return true;
    } catch {
      // This folder doesn't have it.
    }
  }
  return false;
}

/** Variables that programs don't get: our secrets, and addresses of databases, which may have a password in them. */
const OURS: ReadonlySet<string> = new Set([
  ...SECRET_VARIABLES,
  ...Object.entries<OptionSpec>(OPTIONS).flatMap(([name, { secret }]) =>
    secret === undefined ? [] : [toVariable(name)],
  ),
]);

/** An environment without the variables that hold our secrets. */
export function withoutSecrets(environment: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OURS.has(name)));
}

/** Settings for running a program. */
export interface ProgramOptions {
  /** Its standard input; empty by default. */
  readonly input?: string;
  /** `latin1` keeps every byte of its input and of its whole output, for output that is written back unchanged. */
  readonly encoding?: "utf8" | "latin1";
  /** Its environment; our secrets are removed from it. */
  readonly environment: Environment;
  /** After this many milliseconds logferry ends the program, and no longer waits for its child processes. */
  readonly longestMs: number;
  /** Ends the program as well. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a program to its end.
 *
 * @throws Error of the system when it can't be started
 */
export async function runProgram(
  name: string,
  words: readonly string[],
  { input = "", encoding = "utf8", environment, longestMs, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  const child = spawn(name, words, {
    stdio: ["pipe", "pipe", "pipe"],
    env: withoutSecrets(environment),
  });
  let isEnded = false;
  const end = () => {
    isEnded = true;
    child.kill("SIGKILL");
    // A child process may hold these pipes open for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  // This replaces spawn's own `timeout`. For a missing program, that timer would keep logferry running until its end.
  const tooLong = setTimeout(end, longestMs);
  signal?.addEventListener("abort", end);
  if (signal?.aborted === true) end();
  // The program may end before it reads its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input, encoding);
  let [out, complaint] = ["", ""];
  child.stdout.setEncoding(encoding).on("data", (chunk: string) => {
    if (encoding === "latin1" || out.length < LONGEST_OUTPUT) out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    if (complaint.length < LONGEST_OUTPUT) complaint += chunk;
  });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code: isEnded ? undefined : (code ?? undefined), out, complaint };
  } finally {
    clearTimeout(tooLong);
    signal?.removeEventListener("abort", end);
  }
}
