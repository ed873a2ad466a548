/**
 * Other programs of the system: the keyring's tool, the browser's opener. Started without a shell, so that no word of ours is
 * taken for a command; without our secrets in their environment; and never with a secret among their words, which every user of
 * the machine can read.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { SECRET_VARIABLES } from "../arguments/options.ts";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a program left behind. */
export interface ProgramEnd {
  /** 0 when all was well; undefined when it was ended, because it took too long or we were stopped. */
  readonly code: number | undefined;
  readonly out: string;
  /** What it said on its standard error, as long as `out` may be. It may repeat what it was given: not to be shown unless nothing was. */
  readonly complaint: string;
}

/** Characters of a program's output that are kept. */
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
      // Not in this one.
    }
  }
  return false;
}

/** An environment without the variables that hold secrets of ours. */
export function withoutSecrets(environment: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !(SECRET_VARIABLES as readonly string[]).includes(name)),
  );
}

/** How a program is run. */
export interface ProgramOptions {
  /** What stands on its standard input; default nothing. */
  readonly input?: string;
  /** Its environment, but for our secrets. */
  readonly environment: Environment;
  /** After so many milliseconds it is ended, and what it started itself is waited for no longer. */
  readonly longestMs: number;
  /** Ends it likewise. */
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
  { input = "", environment, longestMs, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  const child = spawn(name, words, {
    stdio: ["pipe", "pipe", "pipe"],
    env: withoutSecrets(environment),
  });
  let isEnded = false;
  const end = () => {
    isEnded = true;
    child.kill("SIGKILL");
    // A program that it started may hold them open for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  // Not spawn's own `timeout`: of a program that isn't there, it would keep us until it is over.
  const tooLong = setTimeout(end, longestMs);
  signal?.addEventListener("abort", end);
  if (signal?.aborted === true) end();
  // It may end without having read.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  let [out, complaint] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (out.length < LONGEST_OUTPUT) out += chunk;
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

/** What a program left behind, byte for byte. */
export interface BytesEnd {
  /** Undefined when it was ended because it took too long. */
  readonly code: number | undefined;
  readonly out: Buffer;
  /** The beginning of what it complained of. */
  readonly err: string;
}

/**
 * Runs a program to its end, all of its output kept: for what is written back as it was.
 *
 * @param longestMs after this it is ended
 * @throws Error of the system when it can't be started
 */
export async function runWithBytes(
  name: string,
  words: readonly string[],
  input: Buffer,
  environment: Environment,
  longestMs: number,
): Promise<BytesEnd> {
  const child = spawn(name, words, { stdio: ["pipe", "pipe", "pipe"], env: withoutSecrets(environment) });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), longestMs);
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    if (err.length < LONGEST_OUTPUT) err += chunk;
  });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code: code ?? undefined, out: Buffer.concat(chunks), err };
  } finally {
    clearTimeout(tooLong);
  }
}
