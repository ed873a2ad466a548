/**
 * Runs command lines in processes that have the program loaded already (warm-host.ts). Some commands need a process of their own: those that get a
 * signal, those that answer questions one by one, and those whose environment is for Node itself. For these see `startCli` and `Rehearsal.start`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Ran } from "./rehearsal.ts";
import type { WarmJob } from "./warm-host.ts";

const HOST = join(import.meta.dirname, "warm-host.ts");

/** Variables that Node reads as it starts. */
const READ_AT_START = /^(?:NODE_(?!COMPILE_CACHE)|TZ$|LD_)/;

/** The most characters that are written after everything else. */
const LONGEST_END = 50;

/** Processes that wait for a command. */
const idle: ChildProcess[] = [];

/**
 * Whether a command line can share a process with others.
 *
 * @param env what the test sets beside the usual
 */
export function canBeWarm(env: Readonly<Record<string, string>>): boolean {
  return !Object.keys(env).some((name) => READ_AT_START.test(name));
}

/**
 * Runs `logferry WORDS` to its end.
 *
 * @param env all of its environment
 * @param input the text on its standard input
 * @returns the result that a process of its own would have, with that process's signal where the command ended the process
 */
export async function runWarm(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<Ran> {
  const host = idle.pop() ?? startHost(env);
  hold(host);
  const mark = `\u0001${randomUUID()}\u0001`;
  const out = collect(host.stdout, new RegExp(`${mark}\\d+\n$`));
  const err = collect(host.stderr, new RegExp(`${mark}$`));
  const gone = once(host, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  host.send({ words, env, input, mark } satisfies WarmJob);
  const end = await Promise.race([Promise.all([out.ended, err.ended]).then(() => undefined), gone]);
  if (end !== undefined) return { code: end[0], signal: end[1], out: out.text(), err: err.text() };
  const [said, code] = out.text().split(mark);
  out.stop();
  err.stop();
  letGo(host);
  idle.push(host);
  return { code: Number(code), signal: null, out: said ?? "", err: err.text().split(mark)[0] ?? "" };
}

function startHost(env: Readonly<Record<string, string>>): ChildProcess {
  const host = fork(HOST, { stdio: ["ignore", "pipe", "pipe", "ipc"], env, execArgv: [] });
  host.setMaxListeners(0);
  host.once("exit", () => {
    const at = idle.indexOf(host);
    if (at !== -1) idle.splice(at, 1);
  });
  return host;
}

/** Collects the output, until the closing mark stands there. */
function collect(stream: Readable | null, end: RegExp) {
  let text = "";
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const add = (chunk: string) => {
    text += chunk;
    if (end.test(text.slice(-LONGEST_END))) resolve();
  };
  stream?.setEncoding("utf8").on("data", add);
  return { ended, text: () => text, stop: () => stream?.off("data", add) };
}

/** An idle process does not keep the test process from ending. */
function letGo(host: ChildProcess): void {
  host.unref();
  host.channel?.unref();
  for (const stream of [host.stdout, host.stderr]) (stream as unknown as { unref(): void }).unref();
}

function hold(host: ChildProcess): void {
  host.ref();
  host.channel?.ref();
  for (const stream of [host.stdout, host.stderr]) (stream as unknown as { ref(): void }).ref();
}
