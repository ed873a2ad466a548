/**
 * Everything that a fleet promises in figures, one after the other: `npm run bench:fleet`. It takes some three hours, so let the computer be quiet.
 * `--short` has small sizes and takes minutes: it shows that the parts run, and its figures say nothing. `--only NAME` runs one part.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { short: { type: "boolean", default: false }, only: { type: "string" } } });
const isShort = values.short;

/** Seconds of one run of `bench/fleet.ts`, as it prints them. */
const TOOK = /workers: (\d+) s, /;

/** Turns of each number of workers. The median of the ratios is printed. */
const TURNS = isShort ? 1 : 3;

/** The parts, in the order of what a fleet must show. Each ends with the number of runs that broke a promise. */
const PARTS: Readonly<Record<string, () => Promise<number>>> = {
  // A thousand athletes, workers that are killed, and one that freezes.
  kills: () =>
    all(
      isShort
        ? ["fleet.ts", "6", "5", "3", "--services", "2", "--faults", "--kill-every", "45", "--freeze", "20"]
        : ["fleet.ts", "1000", "20", "4", "--services", "2", "--faults", "--kill-every", "20", "--freeze", "60"],
    ),
  workers: compareWorkers,
  postgres: () =>
    all(["fleet.ts", ...(isShort ? ["6", "5"] : ["400", "20"]), "4", "--kill-postgres", isShort ? "1" : "10"]),
  engine: () => all(["fleet-simulated.ts", isShort ? "100" : "10000", "4", "1", "--engine"]),
  steps: () => all(["fleet-simulated.ts", isShort ? "12" : "10000", "4", "4"]),
  fairness: () => all(["fleet-simulated.ts", "0", "4", "1", "--rosters", isShort ? "6,6" : "240,240,12"]),
  journal: () => all(["fleet-journal.ts"]),
};

/** The same athletes by 1, 2 and 4 workers, each beside a batch on one machine. */
async function compareWorkers(): Promise<number> {
  const size = isShort ? ["4", "3"] : ["40", "20"];
  const ratios = new Map<number, number[]>();
  let broken = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const local = await run(["fleet.ts", ...size, "0"]);
    broken += local.code === 0 ? 0 : 1;
    for (const workers of [1, 2, 4]) {
      const { code, out } = await run(["fleet.ts", ...size, String(workers)]);
      broken += code === 0 ? 0 : 1;
      const ratio = Number(TOOK.exec(out)?.[1]) / Math.max(1, Number(TOOK.exec(local.out)?.[1]));
      ratios.set(workers, [...(ratios.get(workers) ?? []), ratio]);
    }
  }
  for (const [workers, some] of ratios) {
    const sorted = some.toSorted((a, b) => a - b);
    const [least, middle, most] = [0, sorted.length >> 1, -1].map((at) => (sorted.at(at) ?? Number.NaN).toFixed(2));
    console.log(`${workers} workers: ${middle} times as long as a batch on one machine (${least} to ${most})`);
  }
  return broken;
}

async function all(words: readonly string[]): Promise<number> {
  return (await run(words)).code === 0 ? 0 : 1;
}

/** Runs a bench, and shows what it prints. */
async function run([file = "", ...words]: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  console.log(`\n> node bench/${file} ${words.join(" ")}`);
  const child = spawn(process.execPath, ["--expose-gc", join(import.meta.dirname, file), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    process.stdout.write(chunk);
  });
  const code = await new Promise<number>((resolve) => child.on("close", (ended) => resolve(ended ?? 1)));
  return { code, out };
}

const { only } = values;
if (only !== undefined && !(only in PARTS))
  throw new RangeError(`--only takes one of ${Object.keys(PARTS).join(", ")}`);
for (const [name, part] of Object.entries(PARTS)) {
  if (only !== undefined && only !== name) continue;
  const broken = await part();
  if (broken > 0) {
    console.log(`BROKEN: ${name}`);
    process.exitCode = 1;
  }
}
