/**
 * Damaged inputs by the thousand, for one reader or all of them.
 *
 *     node test/mutants/run.ts                                   20,000 for each
 *     node test/mutants/run.ts --count 1000000 --parser fit-scan as many as one likes, for one
 *     node test/mutants/run.ts --parser fit-scan --seed 7 --index 1234 [--write FILE]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { COMPILED } from "../support/compiled.ts";
import { yardstickMs } from "../support/growth.ts";
import { mutantOf } from "./mutate.ts";
import { OTHERS, PARSERS } from "./parsers.ts";
import type { Word } from "./reader.ts";

/** What came of the inputs of one reader. */
export interface Outcome {
  readonly parser: string;
  /** Empty when it held. Each says how to have the input again. */
  readonly failures: readonly string[];
  readonly inputs: number;
  /** Inputs that were answered with one of the reader's own errors. */
  readonly refused: number;
  readonly cpuMs: number;
  readonly slowestMs: number;
  readonly slowest: number;
  readonly grownMB: number;
}

let measured: number | undefined;
/** The fixed piece of work is measured once for all readers: it takes as long as forty inputs. */
const yardstick = () => (measured ??= yardstickMs());

/** Gives a reader the inputs `from` to `from + count - 1` of a seed, in a process of its own. */
export async function runParser(parser: string, seed: number, from: number, count: number): Promise<Outcome> {
  const [outcome] = await runTogether([parser], seed, from, count);
  return outcome as Outcome;
}

/** Gives several readers their inputs, one reader after the other in one process. If it ends, the readers after the fault have no outcome. */
export async function runTogether(
  parsers: readonly string[],
  seed: number,
  from: number,
  count: number,
): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  try {
    const words = [parsers.join(","), seed, from, count, yardstick()];
    const child = fork(join(import.meta.dirname, "reader.ts"), words.map(String), {
      // What may be written is a folder that must be empty at the end. 512 MB of heap: more than any input may take.
      // Node reads what it compiled before only from a folder that it may write.
      execArgv: [
        "--permission",
        "--allow-fs-read=*",
        `--allow-fs-write=${folder}`,
        `--allow-fs-write=${COMPILED.NODE_COMPILE_CACHE}`,
        "--allow-worker",
        "--max-old-space-size=512",
        "--no-warnings",
      ],
      env: { PATH: process.env.PATH ?? "", ...COMPILED, TMPDIR: folder, HOME: folder, TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe", "pipe", "ipc"],
    });
    const failures = new Map<string, string[]>(parsers.map((parser) => [parser, []]));
    const again = (parser: string, index: number) =>
      `node test/mutants/run.ts --parser ${parser} --seed ${seed} --index ${index}`;
    const done: Extract<Word, { kind: "done" }>[] = [];
    let hung = "";
    let said = "";
    child.on("message", (word: Word) => {
      if (word.kind === "done") done.push(word);
      else failures.get(word.parser)?.push(`${again(word.parser, word.index)}: ${word.what}`);
    });
    child.stdout?.on("data", (chunk) => (said += chunk));
    child.stderr?.on("data", (chunk) => (said += chunk));
    (child.stdio[3] as Readable).on("data", (chunk) => (hung += chunk));
    const [code, signal] = await once(child, "close");
    // The reader at work when the process ended, or the last one.
    const at = parsers[Math.min(done.length, parsers.length - 1)] ?? "";
    const found = failures.get(at);
    if (hung !== "") found?.push(`${again(at, Number(hung))}: it never ended`);
    else if (done.length < parsers.length) found?.push(`${at} ended with ${code ?? signal}: ${said.slice(-2000)}`);
    else if (said !== "") found?.push(`${at} printed: ${said.slice(0, 500)}`);
    const left = readdirSync(folder);
    if (left.length > 0) found?.push(`${at} left files: ${left.join(", ")}`);
    return parsers.map((parser) => ({
      ...{ parser, failures: failures.get(parser) ?? [] },
      ...{ refused: 0, inputs: 0, cpuMs: 0, slowestMs: 0, slowest: -1, grownMB: 0 },
      ...done.find((each) => each.parser === parser),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs readers side by side, one for each core. */
export async function runParsers(
  names: readonly string[],
  seed: number,
  count: number,
  onOutcome: (outcome: Outcome) => void = () => {},
): Promise<readonly Outcome[]> {
  const waiting = [...names];
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await runParser(name, seed, 0, count);
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return outcomes;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      parser: { type: "string", multiple: true },
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "20000" },
      index: { type: "string" },
      write: { type: "string" },
    },
  });
  const seed = Number(values.seed);
  const names = values.parser ?? [...PARSERS, ...OTHERS].map(({ name }) => name);
  if (values.index !== undefined) {
    const [name = ""] = names;
    const parser = [...PARSERS, ...OTHERS].find((one) => one.name === name);
    if (parser === undefined) throw new Error(`there is no reader called ${name}`);
    const seeds = parser.seeds().map((bytes) => Buffer.from(bytes));
    const { input } = mutantOf(parser, seeds, seed, Number(values.index));
    if (values.write !== undefined) writeFileSync(values.write, input);
    console.log(`${input.length} bytes: ${JSON.stringify(input.subarray(0, 2000).toString("latin1"))}`);
    const { failures, ...outcome } = await runParser(name, seed, Number(values.index), 1);
    console.log(outcome);
    for (const failure of failures) console.log(failure);
    process.exitCode = failures.length > 0 ? 1 : 0;
  } else {
    const outcomes = await runParsers(names, seed, Number(values.count), ({ failures, ...outcome }) => {
      console.log(
        `${outcome.parser.padEnd(14)} ${outcome.inputs} inputs, ${outcome.refused} refused, ${(outcome.cpuMs / 1000).toFixed(1)} s; ` +
          `slowest ${outcome.slowestMs} ms (index ${outcome.slowest}), ${outcome.grownMB} MB`,
      );
      for (const failure of failures) console.log(`  ${failure}`);
    });
    process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;
  }
}
