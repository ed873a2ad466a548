/**
 * A process that gives readers their damaged inputs, one after the other, and holds each to what a reader must: it throws nothing
 * but its own errors, takes at most 70 times a fixed piece of work and 300 MB for any input, writes no file, starts no program, changes no
 * prototype and prints nothing. Started by `run.ts`, under Node's permission model: what it may not do, it can't.
 */
import { Worker } from "node:worker_threads";
import { mutantOf } from "./mutate.ts";
import type { Parser } from "./parsers.ts";

/** What is said to whoever started this. */
export type Word =
  | { readonly kind: "failed"; readonly parser: string; readonly index: number; readonly what: string }
  | {
      readonly kind: "done";
      readonly parser: string;
      readonly inputs: number;
      readonly refused: number;
      readonly cpuMs: number;
      readonly slowestMs: number;
      readonly slowest: number;
      readonly grownMB: number;
    };

/** About two seconds of a processor of 2020, and as much work on any other. */
const MOST_YARDSTICKS = 70;
/** For the readers that are broken on purpose: how it is found out is the same, and takes a tenth. */
const MOST_OF_BROKEN = 7;
const MOST_GROWTH_KB = 300 * 1024;

const [names, seed, from, count, yardstick] = process.argv.slice(2) as [string, string, string, string, string];
/** Broken readers that compute for too long. The others do their harm in a time of their own: filling memory takes longer on some machines. */
const COMPUTE: ReadonlySet<string> = new Set(["broken:computes", "broken:never-ends"]);
const isBroken = names.startsWith("broken:");
// Loading the readers takes a second. The broken ones need not pay it, and several readers share a process.
const { BROKEN } = await import("./broken.ts");
const readers = isBroken ? BROKEN : await import("./parsers.ts").then(({ OTHERS, PARSERS }) => [...PARSERS, ...OTHERS]);
const parsers = names.split(",").map((name) => {
  const parser = readers.find((one) => one.name === name);
  if (parser === undefined) throw new Error(`there is no reader called ${name}`);
  return parser;
});

const say = (word: Word) => process.send?.(word);
let current = parsers[0]?.name ?? "";
let failures = 0;
const fail = (index: number, what: string) => {
  // The first few tell; a reader that fails on everything needn't say so 20,000 times.
  if (++failures <= 5) say({ kind: "failed", parser: current, index, what });
};

const printed: string[] = [];
for (const stream of [process.stdout, process.stderr]) stream.write = (text: unknown) => printed.push(String(text)) > 0;

const PROTOTYPES = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  RegExp,
  Map,
  Set,
  Promise,
  Error,
  Uint8Array,
  Buffer,
  Date,
].map(({ name: of, prototype }) => ({ of, prototype: prototype as object }));
const shapeOf = (of: object) =>
  Reflect.ownKeys(of).map((key) => [key, Object.getOwnPropertyDescriptor(of, key)] as const);
const shapes = PROTOTYPES.map(({ prototype }) => shapeOf(prototype));
function changedPrototype(): string | undefined {
  for (const [index, { of, prototype }] of PROTOTYPES.entries()) {
    const before = shapes[index] as ReturnType<typeof shapeOf>;
    const keys = Reflect.ownKeys(prototype);
    if (keys.length !== before.length) return of;
    for (const [key, was] of before) {
      const is = Object.getOwnPropertyDescriptor(prototype, key);
      if (is?.value !== was?.value || is?.get !== was?.get || is?.set !== was?.set) return of;
    }
  }
  return undefined;
}

// One that never ends can't say so itself: a thread watches which input it is at, and how long the process has computed since.
const mostMs = (COMPUTE.has(names) ? MOST_OF_BROKEN : MOST_YARDSTICKS) * Number(yardstick);
const at = new Int32Array(new SharedArrayBuffer(4));
const WATCH = `
const { workerData, parentPort } = require("node:worker_threads");
const at = new Int32Array(workerData.at);
let seen = -1, since = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const index = Atomics.load(at, 0);
  if (index !== seen) { seen = index; since = user + system; }
  else if ((user + system - since) / 1000 > workerData.mostMs) { require("node:fs").writeSync(3, String(index)); process.kill(process.pid, "SIGKILL"); }
}, 500);`;
new Worker(WATCH, { eval: true, workerData: { at: at.buffer, mostMs: 2 * mostMs } }).unref();

const errors: unknown[] = [];
process.on("uncaughtException", (error) => errors.push(error));
process.on("unhandledRejection", (error) => errors.push(error));

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Gives one reader its inputs, and says what came of them. */
async function giveInputs(parser: Parser): Promise<void> {
  [current, failures] = [parser.name, 0];
  Atomics.store(at, 0, -1);
  const seeds = parser.seeds().map((bytes) => Buffer.from(bytes));
  let refused = 0;
  let slowestMs = 0;
  let slowest = -1;
  // Sound inputs first: they must be read, and what they load is not the fault of a mutant.
  for (const input of seeds) {
    try {
      await parser.read(input, mutantOf(parser, seeds, 0, 0).random);
    } catch (error) {
      if (parser.mayThrow?.(error) !== true) fail(-1, `of a sound input it threw ${(error as Error).stack}`);
    }
  }
  const began = cpuMs();
  let peak = process.resourceUsage().maxRSS;
  let grown = 0;

  const end = Number(from) + Number(count);
  for (let index = Number(from); index < end; index++) {
    Atomics.store(at, 0, index);
    const { input, random } = mutantOf(parser, seeds, Number(seed), index);
    const before = cpuMs();
    const rssBefore = process.memoryUsage.rss() / 1024;
    try {
      const result = parser.read(input, random);
      if (result instanceof Promise) await result;
    } catch (error) {
      if (parser.mayThrow?.(error) === true) refused++;
      else fail(index, `it threw ${error instanceof Error ? error.stack : String(error)}`);
    }
    const took = cpuMs() - before;
    if (took > slowestMs) [slowestMs, slowest] = [took, index];
    if (took > mostMs) fail(index, `it took ${Math.round(took)} ms of processor time`);
    // What earlier inputs left behind, and nobody collected yet, is not this one's.
    const rss = process.resourceUsage().maxRSS;
    if (rss > peak) {
      grown = Math.max(grown, rss - rssBefore);
      if (rss - rssBefore > MOST_GROWTH_KB)
        fail(index, `the process grew by ${Math.round((rss - rssBefore) / 1024)} MB`);
      peak = rss;
    }
    const changed = changedPrototype();
    if (changed !== undefined) fail(index, `the prototype of ${changed} is another`);
    if (printed.length > 0) fail(index, `it printed ${JSON.stringify(printed.splice(0).join(""))}`);
    if (errors.length > 0) fail(index, `it left an error to nobody: ${String((errors.splice(0)[0] as Error)?.stack)}`);
  }
  await new Promise((resolve) => setImmediate(resolve));
  if (errors.length > 0) fail(end - 1, `it left an error to nobody: ${String((errors[0] as Error)?.stack)}`);
  say({
    kind: "done",
    parser: parser.name,
    inputs: Number(count),
    refused,
    cpuMs: Math.round(cpuMs() - began),
    slowestMs: Math.round(slowestMs),
    slowest,
    grownMB: Math.round(grown / 1024),
  });
}

for (const parser of parsers) await giveInputs(parser);
process.disconnect?.();
