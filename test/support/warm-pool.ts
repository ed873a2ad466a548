/**
 * Processes that have the program loaded already (warm-host.ts), for the whole run of the tests. What one test file made them compile, the next one
 * has. They live beside the tests, in the process of the global setup. `warm-cli.ts` is what tests use.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Ran } from "./rehearsal.ts";
import type { WarmJob } from "./warm-host.ts";

const HOST = join(import.meta.dirname, "warm-host.ts");

/** The most characters that are written after everything else. */
const LONGEST_END = 50;

/** Processes that wait for a command, and all. */
const idle: ChildProcess[] = [];
const hosts = new Set<ChildProcess>();

/** As many as these are started at once. A new one compiles the program for itself, which costs as much as ten short commands. */
const FEW = 4 * availableParallelism();
/** With more of them at work, a command waits so long for one to end. It may be one that they all wait for. */
const WAIT_MS = 10_000;

/** Commands that wait for a process, the longest first. */
const waiting: ((host: ChildProcess) => void)[] = [];

/**
 * Runs `logferry WORDS` to its end.
 *
 * @returns the result that a process of its own would have, with that process's signal where the command ended the process
 */
export async function runInPool({ words, env, input }: Omit<WarmJob, "mark">): Promise<Ran> {
  const host = idle.pop() ?? (hosts.size < FEW ? startHost(env) : await nextIdle(env));
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
  giveBack(host);
  return { code: Number(code), signal: null, out: said ?? "", err: err.text().split(mark)[0] ?? "" };
}

/** Ends all of them. */
export function endPool(): void {
  for (const host of hosts) host.kill();
}

/** The process that is idle next, or a new one where none is for a while. */
function nextIdle(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const { promise, resolve } = Promise.withResolvers<ChildProcess>();
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(resolve), 1);
    resolve(startHost(env));
  }, WAIT_MS);
  waiting.push(resolve);
  return promise.finally(() => clearTimeout(timer));
}

function giveBack(host: ChildProcess): void {
  const next = waiting.shift();
  if (next === undefined) idle.push(host);
  else next(host);
}

function startHost(env: Readonly<Record<string, string>>): ChildProcess {
  const host = fork(HOST, { stdio: ["ignore", "pipe", "pipe", "ipc"], env, execArgv: [] });
  host.setMaxListeners(0);
  hosts.add(host);
  host.once("exit", () => {
    hosts.delete(host);
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
