/**
 * Runs a user's program to tell it how a backup went: in variables, and as JSON on its standard input. The program gets none of our
 * secrets. Its time is limited, and at the limit logferry ends it with everything that it started.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CommandHook } from "../arguments/notify-settings.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { type Environment, withoutSecrets } from "../system/programs.ts";

/** The most characters of its output that logferry keeps. */
const LONGEST_OUTPUT = 2_000;

/**
 * Runs the program to its end.
 *
 * @param facts become `BACKUP_...` variables, and the members of the JSON on its standard input
 * @returns the problem, with the first line of the program's output; undefined when it succeeded
 */
export async function runHook(
  { run, timeout }: CommandHook,
  facts: Readonly<Record<string, string | number | boolean | undefined>>,
  environment: Environment,
): Promise<string | undefined> {
  const [program = "", ...words] = typeof run === "string" ? ["/bin/sh", "-c", run] : run;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const variables = Object.fromEntries(known.map(([name, value]) => [variableOf(name), String(value)]));
  // The program gets its own process group, so that a shell's children end with it.
  const child = spawn(program, words, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...withoutSecrets(environment), ...variables },
    detached: true,
  });
  let isOver = false;
  const tooLong = setTimeout(() => {
    isOver = true;
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The program has ended meanwhile.
    }
    // A process that left the group may still hold our pipes, so logferry closes them.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }, timeout);
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${JSON.stringify(Object.fromEntries(known))}\n`);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      if (said.length < LONGEST_OUTPUT) said += chunk;
    });
  }
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (isOver) return `it took longer than ${timeout / 1000} s and was ended`;
    if (code === 0) return undefined;
    const first = said.split("\n").find((line) => line.trim() !== "");
    const how = code === null ? `it was ended by ${signal}` : `it ended with ${code}`;
    return first === undefined ? how : `${how}: ${first.trim()}`;
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    return `it can't be started: ${describeSystemError(error)}`;
  } finally {
    clearTimeout(tooLong);
  }
}

/** `exitCode` as BACKUP_EXIT_CODE. */
function variableOf(name: string): string {
  return `BACKUP_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
